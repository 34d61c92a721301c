import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openGuideRuns } from "./embedded-guide-runs.js";
import { type GuideRuns, MemoryGuideRuns, openRuns, type StoredGuideRun } from "./guide-runs.js";

const run: StoredGuideRun = {
  ...{ id: "r1", network: "plant", user: "ann", guide: "clear-a-jam", version: 2, status: "running" },
  ...{ startedAtMs: 1_000, updatedAtMs: 2_000, run: '{"log":[]}', text: '{"id":"clear-a-jam"}' },
};
const ann = { network: "plant", username: "ann" };

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "readback-runs-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

async function embedded(at = folder(), keptMax?: number): Promise<GuideRuns> {
  const runs = await openGuideRuns(at, keptMax);
  onTestFinished(() => runs.close());
  return runs;
}

describe.each([
  ["memory", async (keptMax?: number) => new MemoryGuideRuns(keptMax)],
  ["a database file", (keptMax?: number) => embedded(undefined, keptMax)],
])("%s keeps runs", (_name, open) => {
  it("as they were saved last, for their network alone", async () => {
    const runs = await open();
    await runs.save(run);
    await runs.save({ ...run, status: "paused", updatedAtMs: 3_000 });
    expect(await runs.byId("plant", "r1")).toEqual({ ...run, status: "paused", updatedAtMs: 3_000 });
    expect(await runs.byId("rival", "r1")).toBeUndefined();
    expect(await openRuns(runs, { ...ann, network: "rival" })).toEqual([]);
  });

  it("and finds those that somebody has open, what was written last first", async () => {
    const runs = await open();
    for (const id of ["r1", "r2", "r3"]) await runs.save({ ...run, id });
    await runs.save({ ...run, id: "r2", status: "done" });
    await runs.save({ ...run, id: "r1", status: "paused" });
    expect((await openRuns(runs, ann)).map(({ id }) => id)).toEqual(["r1", "r3"]);
    await runs.save({ ...run, id: "r3", user: "bob" });
    expect((await openRuns(runs, ann)).map(({ id }) => id)).toEqual(["r1"]);
    const query = { network: "plant", guide: "clear-a-jam", limit: 2, offset: 1 };
    expect((await runs.list(query)).map(({ id }) => id)).toEqual(["r1", "r2"]);
    expect(await runs.list({ network: "plant", guide: "another", limit: 5 })).toEqual([]);
  });

  it("and lets the oldest go that are over, and none that is not", async () => {
    const runs = await open(2);
    await runs.save(run);
    for (const id of ["a", "b", "c"]) await runs.save({ ...run, id, status: "quit" });
    expect((await runs.list({ network: "plant", limit: 9 })).map(({ id }) => id)).toEqual(["c", "b", "r1"]);
  });
});

it("finds them again after a restart", async () => {
  const at = folder();
  const first = await openGuideRuns(at);
  await first.save(run);
  await first.close();
  expect(await (await embedded(at)).byId("plant", "r1")).toEqual(run);
});

it("says where its file cannot be used", async () => {
  const at = folder();
  writeFileSync(join(at, "guide-runs.db"), "This is no database. ".repeat(100));
  await expect(openGuideRuns(at)).rejects.toThrow(/guide-runs\.db cannot be used/);
});
