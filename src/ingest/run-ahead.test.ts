import { describe, expect, it } from "vitest";
import { runAhead } from "./run-ahead.js";

const NO_ABORT = new AbortController().signal;

async function settled(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
}

describe("runAhead", () => {
  it("keeps the order, and stays within its distance of whoever takes", async () => {
    let made = 0;
    async function* count() {
      for (let i = 0; i < 100; i++) {
        made += 1;
        yield i;
      }
    }
    const taken: number[] = [];
    for await (const value of runAhead(count, 5, () => 1, NO_ABORT)) {
      taken.push(value);
      await settled();
      // Five wait, and one is on its way in.
      expect(made - taken.length).toBeLessThanOrEqual(6);
    }
    expect(taken).toEqual(Array.from({ length: 100 }, (_, i) => i));
  });

  it("passes on a failure after what came before it", async () => {
    async function* fail() {
      yield 1;
      throw new Error("broken");
    }
    const taken: number[] = [];
    const all = async () => {
      for await (const value of runAhead(fail, 5, () => 1, NO_ABORT)) taken.push(value);
    };
    await expect(all()).rejects.toThrow("broken");
    expect(taken).toEqual([1]);
  });

  it("ends the stage when nobody wants more", async () => {
    let ended = false;
    async function* endless(signal: AbortSignal) {
      try {
        for (let i = 0; !signal.aborted; i++) yield i;
      } finally {
        ended = true;
      }
    }
    for await (const value of runAhead(endless, 5, () => 1, NO_ABORT)) if (value === 3) break;
    expect(ended).toBe(true);
  });
});
