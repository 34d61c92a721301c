import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { NO_ABORT, World } from "./world.test-util.js";

let world: World;

beforeEach(async () => {
  world = await World.open();
});
afterEach(() => world.close());

describe("a sync", () => {
  it("copies what is pending, with the permissions of its metadata", async () => {
    await world.upload("manuals/lockout.md", "# Lockout\n\nPull the red handle.", { allowed_users: ["ann"] });
    await world.upload("menu.txt", "Soup on Mondays.");
    expect(await world.sync().once(NO_ABORT)).toEqual({ synced: 2, failed: 0, removed: 0 });
    expect(await world.statuses()).toEqual({ "manuals/lockout.md": "synced", "menu.txt": "synced" });
    expect(await world.chunks()).toMatchObject([
      {
        document_id: "manuals/lockout.md",
        text: expect.stringContaining("Pull the red handle."),
        visibility: "restricted",
        allowed_users: ["ann"],
      },
      { document_id: "menu.txt", visibility: "network", allowed_users: [] },
    ]);
  });
});
