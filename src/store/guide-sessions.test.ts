/** Sessions that build guides are kept: in memory and in a file alike. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openGuideSessions } from "./embedded-guide-sessions.js";
import { type GuideSessions, MemoryGuideSessions, type StoredGuideSession } from "./guide-sessions.js";

const session: StoredGuideSession = {
  ...{
    id: "b1",
    network: "plant",
    owner: "ann",
    status: "open",
    updatedAtMs: 2_000,
    text: '{"phase":"scoping"}',
  },
};

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "readback-sessions-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

async function embedded(at = folder(), archivedMax?: number): Promise<GuideSessions> {
  const sessions = await openGuideSessions(at, archivedMax);
  onTestFinished(() => sessions.close());
  return sessions;
}

describe.each([
  ["memory", async (max?: number) => new MemoryGuideSessions(max)],
  ["a database file", (max?: number) => embedded(undefined, max)],
])("%s keeps sessions", (_name, open) => {
  it("for their network, and finds them by owner, state and age", async () => {
    const sessions = await open();
    for (const id of ["b1", "b2", "b3"]) await sessions.save({ ...session, id });
    await sessions.save({ ...session, status: "approved", updatedAtMs: 3_000, text: "{}" });
    expect(await sessions.byId("plant", "b1")).toEqual({
      ...session,
      status: "approved",
      updatedAtMs: 3_000,
      text: "{}",
    });
    expect(await sessions.byId("rival", "b1")).toBeUndefined();
    const ids = async (query: object) => (await sessions.list({ limit: 9, ...query })).map(({ id }) => id);
    expect(await ids({ network: "plant", owner: "ann", limit: 2 })).toEqual(["b1", "b3"]);
    expect(await ids({ statuses: ["open"], updatedBeforeMs: 2_001 })).toEqual(["b3", "b2"]);
    expect(await ids({ statuses: ["open"], updatedBeforeMs: 2_000 })).toEqual([]);
    expect(await ids({ owner: "bob" })).toEqual([]);
  });

  it("and lets the oldest go that are archived, and no others", async () => {
    const sessions = await open(1);
    await sessions.save(session);
    for (const id of ["a", "b"]) await sessions.save({ ...session, id, status: "archived" });
    expect((await sessions.list({ limit: 9 })).map(({ id }) => id)).toEqual(["b", "b1"]);
  });
});

it("finds them again after a restart", async () => {
  const at = folder();
  const first = await openGuideSessions(at);
  await first.save(session);
  await first.close();
  expect(await (await embedded(at)).byId("plant", "b1")).toEqual(session);
});
