import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { patience } from "../../../test/support/patience.js";
import { RETRIED_MAX } from "./batch.js";
import { NO_ABORT, type Upload, World } from "./world.test-util.js";

let world: World;

beforeEach(async () => {
  world = await World.open();
});
afterEach(() => world.close());

/** What counts before any new content has come: the connector service is down. */
async function syncWithoutConnector(): Promise<void> {
  world.isConnectorUp = false;
  await expect(world.sync().once(NO_ABORT)).rejects.toThrow();
}

describe("a permission that was taken away", () => {
  it("is without effect before any new content comes, however many documents wait", {
    timeout: patience(60_000),
  }, async () => {
    const count = 10 + RETRIED_MAX + 20;
    const keys = Array.from({ length: count }, (_, i) => `${String(i).padStart(3, "0")}.txt`);
    for (const key of keys) await world.upload(key, `Text of ${key}.`);
    await world.sync().once(NO_ABORT);
    for (const key of keys) await world.change(key, { status: "pending", allowed_users: ["ann"] });
    await syncWithoutConnector();
    const chunks = await world.chunks();
    expect(chunks).toHaveLength(count);
    expect(chunks.filter(({ visibility }) => visibility === "network")).toEqual([]);
  });

  it.each<[string, Upload]>([
    ["the network that a document has left", { network: "office" }],
    ["the network of a document that names none any more", { network: "" }],
    ["the chunks of a document that has another id now", { document_id: "wages", allowed_users: ["ann"] }],
  ])("is without effect in %s", async (_name, change) => {
    await world.upload("pay.txt", "Everybody earns the same.");
    await world.upload("menu.txt", "Soup on Mondays.");
    await world.sync().once(NO_ABORT);
    expect((await world.chunks()).map(({ document_id }) => document_id)).toEqual(["menu.txt", "pay.txt"]);
    await world.change("pay.txt", { status: "pending", ...change });
    await world.change("menu.txt", { status: "pending" });
    await syncWithoutConnector();
    expect((await world.chunks()).map(({ document_id }) => document_id)).toEqual(["menu.txt"]);
  });

  it("takes nothing from a document of another network that has the same id or object", async () => {
    await world.upload("pay.txt", "Everybody earns the same.");
    await world.sync().once(NO_ABORT);
    await world.call((api, call) => {
      const document = { network: "office", document_id: "pay.txt", path: "pay.txt", status: "pending" };
      const index = world.options.metadataIndex;
      return api.index({ index, id: "meta-office", document, refresh: true }, call);
    });
    await world.sync().once(NO_ABORT);
    await world.change("pay.txt", { status: "pending", allowed_users: ["ann"] });
    await syncWithoutConnector();
    const found = (await world.chunks()).map(({ network, visibility }) => [network, visibility]);
    expect(found.sort()).toEqual([
      ["office", "network"],
      ["plant", "restricted"],
    ]);
  });
});
