import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Pacer } from "../turn/pacer.js";
import { AHEAD_MS_MAX, Playout } from "./playout.js";

const PACKET_MS = 60;

/** When the service's own pacer lets packets go that are each ready so long after the one before. */
function paced(thinkMs: readonly number[]): number[] {
  const pacer = new Pacer(PACKET_MS);
  let nowMs = 0;
  return thinkMs.map((ms) => {
    nowMs = Math.max(nowMs + ms, pacer.earliestMs);
    pacer.sent(nowMs);
    return nowMs;
  });
}

describe("what a receiver makes of packets", () => {
  const delays = fc.array(fc.record({ thinkMs: fc.nat(400), wayMs: fc.nat(300), unsureMs: fc.nat(300) }), {
    minLength: 1,
    maxLength: 60,
  });

  it("is never that the service's pacer was early, however late and in whatever lumps they are read", () => {
    fc.assert(
      fc.property(delays, (packets) => {
        const sentMs = paced(packets.map(({ thinkMs }) => thinkMs));
        const playout = new Playout(PACKET_MS);
        let readMs = 0;
        for (const [i, { wayMs, unsureMs }] of packets.entries()) {
          readMs = Math.max(readMs, sentMs[i]! + wayMs);
          expect(playout.packet(sentMs[i]! - unsureMs, readMs).earlyMs).toBe(0);
        }
      }),
    );
  });

  it("is what the pacer itself says of gaps, when they are read as they are sent", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(400), { minLength: 1, maxLength: 60 }), (thinkMs) => {
        const [pacer, playout] = [new Pacer(PACKET_MS), new Playout(PACKET_MS)];
        let nowMs = 0;
        for (const ms of thinkMs) {
          nowMs = Math.max(nowMs + ms, pacer.earliestMs);
          expect(playout.packet(nowMs, nowMs).dryMs).toBe(pacer.sent(nowMs));
        }
      }),
    );
  });

  it("is one early packet for one burst", () => {
    const playout = new Playout(PACKET_MS);
    const early = Array.from({ length: 6 }, () => playout.packet(0, 0).earlyMs);
    expect(early).toEqual([0, 0, 0, 180 - AHEAD_MS_MAX, 0, 0]);
  });

  it("is a burst where packets were held, unless they come before their place in the whole", () => {
    const playout = new Playout(PACKET_MS);
    playout.packet(0, 0);
    playout.hold();
    const early = Array.from({ length: 10 }, () => playout.packet(480, 480).earlyMs);
    expect(early).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    expect(playout.packet(480, 480).earlyMs).toBe(11 * PACKET_MS - AHEAD_MS_MAX - 480);
    playout.skip(5);
    expect(playout.packet(480, 480).earlyMs).toBe(17 * PACKET_MS - AHEAD_MS_MAX - 480);
  });
});
