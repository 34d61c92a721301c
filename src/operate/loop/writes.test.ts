/** What a write takes away of what was known. */
import { describe, expect, it } from "vitest";
import { VirtualClock } from "../../../test/support/virtual-clock.js";
import { WRITTEN_MAX, Writes } from "./fact-memory.js";

const fact = (takenAtMs: number, ...about: readonly string[]) => ({ about, takenAtMs });

describe("a write", () => {
  it("takes what was read before it and at its moment, of what it is about", async () => {
    const clock = new VirtualClock();
    const writes = new Writes(clock);
    const nowMs = clock.now();
    writes.invalidate(["p1", "p2"]);
    expect(writes.leave(fact(nowMs - 1, "p2"))).toBe(false);
    expect(writes.leave(fact(nowMs, "p3", "p1"))).toBe(false);
    expect(writes.leave(fact(nowMs - 1, "p3"))).toBe(true);
    expect(writes.leave(fact(nowMs + 1, "p1"))).toBe(true);
  });

  it("takes everything before it, where there are too many to keep", async () => {
    const clock = new VirtualClock();
    const writes = new Writes(clock);
    const nowMs = clock.now();
    for (let at = 0; at <= WRITTEN_MAX; at++) writes.invalidate([`p${at}`]);
    expect(writes.leave(fact(nowMs, "never written to"))).toBe(false);
    expect(writes.leave(fact(nowMs + 1, "p0"))).toBe(true);
  });
});
