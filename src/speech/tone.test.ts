import { OpusPacketDecoder, opusPacketDuration } from "@readback/audio";
import { describe, expect, it } from "vitest";
import { TONE_MS, tonePackets } from "./tone.js";

describe("tonePackets", () => {
  it.each([20, 40, 60])(
    "is a short, soft sound in packets of %i ms that begins and ends at nothing",
    (packetMs) => {
      const shape = { sampleRateHz: 16_000, packetMs };
      const tone = tonePackets(shape)!;
      const { packets } = tone;
      expect(tone.shape).toBe(shape);
      expect(packets.every((packet) => opusPacketDuration(packet) === packetMs)).toBe(true);
      expect(packets.length * packetMs).toBeGreaterThanOrEqual(TONE_MS);
      expect(packets.length * packetMs).toBeLessThan(TONE_MS + 10 + packetMs);
      const decoder = new OpusPacketDecoder({ sampleRateHz: 16_000 });
      const pcm = packets.flatMap((packet) => [...decoder.decode(packet)]);
      const peak = (samples: readonly number[]) => Math.max(...samples.map(Math.abs));
      expect(peak(pcm)).toBeGreaterThan(2_000);
      expect(peak(pcm)).toBeLessThan(8_000);
      expect(peak(pcm.slice(0, 16))).toBeLessThan(300);
      expect(peak(pcm.slice(-16))).toBeLessThan(300);
    },
  );

  it("is made once for a shape, and not for what the wire does not carry", () => {
    const shape = { sampleRateHz: 48_000, packetMs: 20 };
    expect(tonePackets(shape)!.packets[0]).toBe(tonePackets(shape)!.packets[0]);
    expect(tonePackets({ sampleRateHz: 48_000, packetMs: 30 })).toBeUndefined();
  });
});
