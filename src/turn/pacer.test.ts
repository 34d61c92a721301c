import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CUSHION_MS, Pacer, TICK_MS } from "./pacer.js";

/** Sends `count` packets as early as allowed but not before `readyMs(i)`; returns when each left. */
function play(pacer: Pacer, count: number, readyMs: (i: number) => number, startMs = 0): number[] {
  const leftMs: number[] = [];
  for (let i = 0; i < count; i++) {
    const atMs = Math.max(leftMs.at(-1) ?? startMs, pacer.earliestMs, readyMs(i));
    pacer.sent(atMs);
    leftMs.push(atMs);
  }
  return leftMs;
}

describe("Pacer", () => {
  it("lets the first packet leave at once, then builds the cushion and keeps to the deadlines", () => {
    expect(play(new Pacer(60), 6, () => 0, 1_000)).toEqual([1_000, 1_000, 1_000, 1_060, 1_120, 1_180]);
    expect(play(new Pacer(20), 9, () => 0)).toEqual([0, 0, 0, 0, 0, 0, 0, 20, 40]);
  });

  it("holds back short packets until their group may leave as one", () => {
    const leaves = (packetMs: number, count: number) => {
      const pacer = new Pacer(packetMs);
      let nowMs = 0;
      return Array.from({ length: count }, () => {
        nowMs = pacer.dueMs(nowMs);
        pacer.sent(nowMs);
        return nowMs;
      });
    };
    expect(leaves(20, 13)).toEqual([0, 0, 0, 0, 0, 0, 0, 60, 60, 60, 120, 120, 120]);
    expect(leaves(40, 7)).toEqual([0, 0, 0, 0, 40, 80, 120]);
    expect(leaves(60, 6)).toEqual([0, 0, 0, 60, 120, 180]);
  });

  it("wakes the voices of different beginnings on the same ticks, never early", () => {
    fc.assert(
      fc.property(fc.constantFrom(20, 40, 60), fc.nat(100_000), (packetMs, startMs) => {
        const pacer = new Pacer(packetMs);
        let nowMs = startMs / 7;
        for (let i = 0; i < 30; i++) {
          const earliestMs = pacer.earliestMs;
          const dueMs = pacer.dueMs(nowMs);
          expect(dueMs).toBeGreaterThanOrEqual(earliestMs);
          if (dueMs > nowMs) expect(dueMs % TICK_MS).toBe(0);
          nowMs = dueMs;
          expect(pacer.sent(nowMs)).toBe(0);
        }
      }),
    );
  });

  it("lets late packets catch up to the cushion as long as the receiver has not run dry", () => {
    const pacer = new Pacer(60);
    const readyMs = [0, 0, 0, 170, 170, 170, 170];
    expect(play(pacer, 7, (i) => readyMs[i]!)).toEqual([0, 0, 0, 170, 170, 180, 240]);
  });

  it("shifts all later deadlines by an underrun and tells how long it was", () => {
    const pacer = new Pacer(60);
    for (const atMs of [0, 0, 0]) expect(pacer.sent(atMs)).toBe(0);
    expect(pacer.dryMs).toBe(180);
    expect(pacer.sent(180)).toBe(0);
    expect(pacer.sent(300)).toBe(60);
    expect(pacer.dryMs).toBe(360);
    expect(pacer.earliestMs).toBe(360 - CUSHION_MS);
  });

  it("knows no end of play-out before the first packet", () => {
    expect(new Pacer(60).dryMs).toBe(Number.POSITIVE_INFINITY);
  });

  it("never gives a receiver more than the cushion and one packet ahead of play-out, whenever packets come", () => {
    const gaps = fc.array(fc.nat(400), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(fc.constantFrom(20, 40, 60), gaps, (packetMs, gapsMs) => {
        let readyMs = 0;
        const ready = gapsMs.map((gapMs) => {
          readyMs += gapMs;
          return readyMs;
        });
        const leftMs = play(new Pacer(packetMs), gapsMs.length, (i) => ready[i]!);
        let playedUntilMs = 0;
        leftMs.forEach((atMs, i) => {
          // Play-out as a receiver does it: each packet after the one before, or when it comes.
          if (i > 0) expect(playedUntilMs - atMs).toBeLessThanOrEqual(CUSHION_MS);
          playedUntilMs = Math.max(playedUntilMs, atMs) + packetMs;
          // Held back no longer than the cushion asks for.
          expect(atMs).toBeLessThanOrEqual(Math.max(ready[i]!, playedUntilMs - packetMs));
        });
      }),
    );
  });
});
