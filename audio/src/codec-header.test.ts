import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeCodecHeader, OPUS_SAMPLE_RATES_HZ, parseCodecHeader } from "./codec-header.js";
import { AudioError } from "./errors.js";

describe("codec header", () => {
  it.each([
    ["gD4BPA==", { sampleRateHz: 16_000, framesPerPacket: 1, frameMs: 60 } as const],
    ["gLsBFA==", { sampleRateHz: 48_000, framesPerPacket: 1, frameMs: 20 } as const],
    ["QB8DFA==", { sampleRateHz: 8000, framesPerPacket: 3, frameMs: 20 } as const],
  ])("%s", (text, header) => {
    expect(encodeCodecHeader(header)).toBe(text);
    expect(parseCodecHeader(text)).toEqual({ ok: true, header });
  });

  it("what is encoded parses to the same", () => {
    const headers = fc.record({
      sampleRateHz: fc.constantFrom(...OPUS_SAMPLE_RATES_HZ),
      framesPerPacket: fc.integer({ min: 1, max: 2 }),
      frameMs: fc.constantFrom(5, 10, 20, 40, 60),
    });
    fc.assert(
      fc.property(headers, (header) => {
        expect(parseCodecHeader(encodeCodecHeader(header))).toEqual({ ok: true, header });
      }),
    );
  });

  it.each([
    ["", "wrong_length"],
    ["gD4BPA", "wrong_length"],
    ["gD4BPAAA", "not_base64"], // six bytes
    ["gD4BPB==", "not_base64"], // bits beyond the last byte
    ["gD4*PA==", "not_base64"],
    ["gD4BPA=A", "not_base64"],
    ["RKwBFA==", "bad_sample_rate"], // 44,100 Hz
    ["AAABFA==", "bad_sample_rate"],
    ["gD4BAA==", "bad_frame_size"],
    ["gD4BGQ==", "bad_frame_size"], // 25 ms
    ["gD4APA==", "bad_frame_count"],
    ["gD4DPA==", "bad_frame_count"], // 180 ms
  ])("refuses %j: %s", (text, reason) => {
    expect(parseCodecHeader(text)).toEqual({ ok: false, reason });
  });

  it("never throws on text", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 12, unit: "binary" }), (text) => void parseCodecHeader(text)),
    );
    const lookalikes = fc.string({ minLength: 8, maxLength: 8, unit: fc.constantFrom(..."gD4BPAQw+/=") });
    fc.assert(
      fc.property(lookalikes, (text) => {
        const parsed = parseCodecHeader(text);
        if (parsed.ok) expect(encodeCodecHeader(parsed.header)).toBe(text);
      }),
    );
  });

  it.each([
    { sampleRateHz: 44_100, framesPerPacket: 1, frameMs: 20 },
    { sampleRateHz: 48_000, framesPerPacket: 0, frameMs: 20 },
    { sampleRateHz: 48_000, framesPerPacket: 1.5, frameMs: 20 },
    { sampleRateHz: 48_000, framesPerPacket: 1, frameMs: 30 },
  ])("does not encode $sampleRateHz/$framesPerPacket/$frameMs", (header) => {
    expect(() => encodeCodecHeader(header as never)).toThrow(AudioError);
  });
});
