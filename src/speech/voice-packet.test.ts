/** What no packet of a voice message may be, against what the decoder takes. */
import { OpusPacketDecoder } from "@readback/audio";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { opusSample } from "../../test/support/fake-speech.js";
import { VOICE_PACKET_BYTES_MAX, voicePacketFault } from "./voice-packet.js";

const shape = { sampleRateHz: 16_000, packetMs: 60 };
const bytes = (...values: number[]) => Uint8Array.from(values);

describe("a packet of a voice message", () => {
  it.each([
    [20, 20],
    [40, 40],
    [60, 60],
  ] as const)("of %i ms is what was announced as %i ms", (packetMs, announced) => {
    for (const packet of opusSample(10, { packetMs }).packets) {
      expect(voicePacketFault(packet, { sampleRateHz: 16_000, packetMs: announced })).toBeUndefined();
    }
  });

  it.each([
    ["no byte", bytes(), "is not Opus (empty_packet)"],
    ["an odd pair", bytes((11 << 3) | 1, 0), "is not Opus (uneven_frames)"],
    ["stereo", bytes((11 << 3) | 4, 0, 0), "is not mono"],
    ["20 ms", bytes(9 << 3, 0, 0), "has 20 ms instead of 60 ms"],
    ["120 ms", bytes((11 << 3) | 3, 2, 0, 0), "has 120 ms instead of 60 ms"],
    ["padding without end", new Uint8Array(VOICE_PACKET_BYTES_MAX + 1), "has 8193 bytes; at most 8192"],
  ])("is not %s", (_name, packet, fault) => {
    expect(voicePacketFault(packet, shape)).toBe(fault);
  });

  it("is silence, too: DTX sends one byte", () => {
    expect(voicePacketFault(bytes(11 << 3), shape)).toBeUndefined();
  });

  it("decodes to the length that was announced, whatever its bytes are", () => {
    const decoder = new OpusPacketDecoder({ sampleRateHz: 16_000 });
    const likely = fc
      .tuple(fc.constantFrom(11 << 3, 9 << 3, (9 << 3) | 3, (1 << 3) | 3), fc.uint8Array({ maxLength: 60 }))
      .map(([toc, rest]) => bytes(toc, ...rest));
    let accepted = 0;
    fc.assert(
      fc.property(fc.oneof(likely, fc.uint8Array({ maxLength: 60 })), (packet) => {
        if (voicePacketFault(packet, shape) !== undefined) return;
        accepted++;
        expect(decoder.decode(packet)).toHaveLength(60 * 16);
      }),
      { numRuns: 1_000 },
    );
    expect(accepted).toBeGreaterThan(50);
  });
});
