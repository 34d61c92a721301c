import { describe, expect, it } from "vitest";
import { sleep, systemClock } from "./clock.js";
import { LoopGuard } from "./loop-guard.js";
import { LoopGuardCells } from "./loop-guard-cells.js";

/** So that the process that runs the tests is not ended. */
const NEVER_MS = 2 ** 40;

function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/** A guard whose thread runs, and what it has told. */
async function guarded() {
  const guard = new LoopGuard(NEVER_MS);
  const told: number[] = [];
  guard.reportTo({
    blocked: (ms) => told.push(ms),
    failed(error) {
      throw error;
    },
  });
  // Until the thread runs it sees no block.
  while (told.length === 0) {
    standStill(300);
    // The loop takes its turn again.
    await sleep(systemClock, 50, new AbortController().signal);
  }
  return { guard, told };
}

describe("the guard of the event loop", () => {
  it("tells blocks, and the longest of them", async () => {
    const { guard, told } = await guarded();
    expect(told[0]).toBeGreaterThan(200);
    expect(guard.longestBlockMs).toBe(Math.max(...told));
    guard.release();
  });

  it("counts a stop from when its signal may have come: before the block that it found", async () => {
    const { guard } = await guarded();
    standStill(300);
    expect(guard.stopping()).toBeGreaterThan(200);
    guard.release();
  });
});

describe("a process over its time", () => {
  /** At 10 s of watching. */
  function cells({ answeredMs = 10_000, stoppingSinceMs }: Partial<Record<string, number>>): LoopGuardCells {
    const cells = LoopGuardCells.fresh();
    cells.set("watchedMs", 10_000);
    cells.set("answeredMs", answeredMs);
    if (stoppingSinceMs !== undefined) cells.set("stoppingSinceMs", stoppingSinceMs);
    return new LoopGuardCells(cells.memory);
  }

  it.each([
    ["runs", {}, undefined],
    ["is silent for as long as it may", { answeredMs: 5_000 }, undefined],
    ["is silent for longer", { answeredMs: 4_999 }, "silent"],
    ["stops for as long as it may", { stoppingSinceMs: 5_000 }, undefined],
    ["stops for longer, whether or not it is silent", { stoppingSinceMs: 4_999 }, "stopping"],
    ["was told to stop at once", { stoppingSinceMs: 0, answeredMs: 0 }, "stopping"],
  ])("%s", (_what, times, expected) => {
    expect(cells(times).overdue(5_000)).toBe(expected);
  });
});
