import { describe, expect, it } from "vitest";
import { VirtualClock } from "../../test/support/virtual-clock.js";
import { planOf } from "./plan.js";
import { readScenario } from "./read-scenario.js";
import { affordableSpeed, voiceSpeedOf } from "./speed.js";

function askedBy(users: number, answer: "voice" | "text") {
  const text = `
title: t
duration: 60s
relays: { hall: "" }
users: [{ name: a, count: ${users}, relays: hall, answer: ${answer}, steps: [{ ask: one }, { do: cancel }] }]`;
  return planOf(readScenario(text, "t.yaml"), 1);
}

describe("the speed of a simulation", () => {
  it("is what was asked for, where the machine can do it", () => {
    expect(affordableSpeed(askedBy(1, "voice"), 60, 10)).toBe(10);
  });

  it("is lower where a sentence would take too long", () => {
    expect(affordableSpeed(askedBy(1, "voice"), 8, 10)).toBe(4);
    expect(affordableSpeed(askedBy(1, "text"), 8, 10)).toBe(4);
  });

  it("is lower where too much is spoken for one voice", () => {
    // Ten answers of 6 s in a minute: a second of speech a second, of which a third of the voice's time has room for 7.
    expect(affordableSpeed(askedBy(10, "voice"), 20, 10)).toBe(7);
    expect(affordableSpeed(askedBy(10, "text"), 20, 10)).toBe(10);
  });

  it("is that of the clock at the least", () => {
    expect(affordableSpeed(askedBy(100, "voice"), 0.5, 10)).toBe(1);
  });

  it("goes by the slower try of a voice that is warm", async () => {
    const clock = new VirtualClock();
    const tookMs = [900, 60, 120];
    const speak = async () => {
      await clock.advance(tookMs.shift()!);
      return {
        sampleRateHz: 16_000,
        packetMs: 60 as const,
        packets: Array.from({ length: 20 }, () => new Uint8Array(1)),
      };
    };
    expect(await voiceSpeedOf({ speak, play: speak }, clock)).toBe(10);
  });
});
