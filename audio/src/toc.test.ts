// TOC parsing against the table of RFC 6716 and against libopus, which decodes exactly what is well-formed.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { demuxAll, GOOD_FIXTURES, packetsOf, readFixture } from "./demux.test-util.js";
import { opusPacketOf } from "./ogg-bytes.test-util.js";
import { loadOpusEngine } from "./opus-engine.js";
import {
  multistreamPacketSamples,
  opusPacketDuration,
  opusPacketFault,
  opusPacketSamples,
  parseToc,
} from "./toc.js";

/** Table 2 of RFC 6716, written out: mode, bandwidth and frame size in ms of each configuration. */
const TABLE_2 = `
  silk narrowband 10      silk narrowband 20      silk narrowband 40      silk narrowband 60
  silk mediumband 10      silk mediumband 20      silk mediumband 40      silk mediumband 60
  silk wideband 10        silk wideband 20        silk wideband 40        silk wideband 60
  hybrid superwideband 10 hybrid superwideband 20 hybrid fullband 10      hybrid fullband 20
  celt narrowband 2.5     celt narrowband 5       celt narrowband 10      celt narrowband 20
  celt wideband 2.5       celt wideband 5         celt wideband 10        celt wideband 20
  celt superwideband 2.5  celt superwideband 5    celt superwideband 10   celt superwideband 20
  celt fullband 2.5       celt fullband 5         celt fullband 10        celt fullband 20`;
const CONFIGS = [...TABLE_2.matchAll(/(\w+) (\w+) ([\d.]+)/g)].map(([, mode, bandwidth, ms], config) => ({
  config,
  mode,
  bandwidth,
  frameMs: Number(ms),
}));

const packet = (...bytes: number[]) => Uint8Array.from(bytes);
/** A packet of `bytes` bytes that begins with `start`. */
const long = (bytes: number, ...start: number[]) => {
  const whole = new Uint8Array(bytes);
  whole.set(start);
  return whole;
};

describe("the TOC byte", () => {
  it.each(CONFIGS)("configuration $config: $mode $bandwidth $frameMs ms", (row) => {
    for (const [stereoFlag, channels] of [
      [0, 1],
      [4, 2],
    ]) {
      const toc = { ...row, channels, code: 0, frameCount: 1, durationMs: row.frameMs };
      expect(parseToc(packet((row.config << 3) | stereoFlag!, 0))).toMatchObject({ ok: true, toc });
    }
  });

  it.each([
    ["one frame", packet(0x08, 1, 2, 3), 0, 1],
    ["one empty frame", packet(0x08), 0, 1],
    ["two equal frames", packet(0x09, 1, 2), 1, 2],
    ["two empty frames", packet(0x09), 1, 2],
    ["two frames, the first of 1 byte", packet(0x0a, 1, 9, 8, 7), 2, 2],
    ["two frames, the first of 252 bytes", long(1 + 2 + 252, 0x0a, 252, 0), 2, 2],
    ["three equal frames", packet(0x0b, 3, 1, 2, 3), 3, 3],
    ["three frames of their own sizes", packet(0x0b, 0x83, 1, 0, 9, 8, 7), 3, 3],
    ["three equal frames and padding", packet(0x0b, 0x43, 2, 1, 2, 3, 0, 0), 3, 3],
    ["two frames of 255 bytes of padding", long(3 + 1 + 254 + 1 + 2, 0x0b, 0x42, 255, 1), 3, 2],
    ["six frames of 20 ms, the longest packet", packet(0x0b, 6), 3, 6],
  ])("code and count: %s", (_, bytes, code, frameCount) => {
    const durationMs = frameCount * 20;
    expect(parseToc(bytes)).toMatchObject({ ok: true, toc: { code, frameCount, durationMs } });
    expect(opusPacketDuration(bytes)).toBe(durationMs);
    expect(opusPacketSamples(bytes)).toBe(durationMs * 48);
  });
});

describe("malformed packets", () => {
  it.each([
    ["R1: no byte at all", packet(), "empty_packet"],
    ["R2: a frame of 1,276 bytes", long(1277, 0x08), "frame_too_long"],
    ["R2: equal frames of 1,276 bytes", long(1 + 2 * 1276, 0x09), "frame_too_long"],
    ["R2: a second frame of 1,276 bytes", long(1 + 1 + 1276, 0x0a, 0), "frame_too_long"],
    ["R3: an odd number of bytes for two frames", packet(0x09, 1), "uneven_frames"],
    ["R4: two frames without a length", packet(0x0a), "bad_frame_length"],
    ["R4: half a length", packet(0x0a, 252), "bad_frame_length"],
    ["R4: a frame longer than the packet", packet(0x0a, 2, 1), "bad_frame_length"],
    ["R5: no frame count", packet(0x0b), "bad_frame_count"],
    ["R5: no frame", packet(0x0b, 0), "bad_frame_count"],
    ["R5: 140 ms", packet(0x0b, 7), "bad_frame_count"],
    ["R5: 49 frames of 2.5 ms", packet((28 << 3) | 3, 49), "bad_frame_count"],
    ["R6: no padding length", packet(0x0b, 0x41), "bad_padding"],
    ["R6: an unfinished padding length", packet(0x0b, 0x41, 255), "bad_padding"],
    ["R6: more padding than bytes", packet(0x0b, 0x41, 2, 0), "bad_padding"],
    ["R6: bytes that do not divide by three", packet(0x0b, 3, 1, 2), "uneven_frames"],
    ["R6: a frame of 1,276 bytes", long(2 + 1276, 0x0b, 1), "frame_too_long"],
    ["R7: no length for the first of two", packet(0x0b, 0x82), "bad_frame_length"],
    ["R7: frames longer than the packet", packet(0x0b, 0x83, 2, 1, 0, 0), "bad_frame_length"],
    ["R7: a frame that reaches into the padding", packet(0x0b, 0xc2, 1, 1, 0), "bad_frame_length"],
    ["R7: a last frame of 1,276 bytes", long(2 + 1276, 0x0b, 0x81), "frame_too_long"],
  ])("%s", (_, bytes, reason) => {
    expect(parseToc(bytes)).toEqual({ ok: false, reason });
    expect(opusPacketDuration(bytes)).toBeUndefined();
    expect(opusPacketSamples(bytes)).toBeUndefined();
    expect(libopusSamples(bytes)).toBeUndefined();
  });

  it("of several streams: only the duration is looked at", () => {
    expect(multistreamPacketSamples(packet(0x09, 1))).toBe(2 * 960);
    for (const bytes of [packet(), packet(0x0b), packet(0x0b, 0), packet(0x0b, 7)]) {
      expect(multistreamPacketSamples(bytes)).toBeUndefined();
    }
  });
});

describe("agreement with libopus", () => {
  it.each(GOOD_FIXTURES.filter((name) => !name.startsWith("surround")))("on the packets of %s", (name) => {
    for (const bytes of packetsOf(demuxAll(readFixture(name))).slice(0, 60)) {
      expect(opusPacketSamples(bytes)).toBe(libopusSamples(bytes));
    }
  });

  it("on anything: it decodes what we accept, to as many samples, and refuses what we refuse", () => {
    const codeThree = fc
      .tuple(fc.nat(31), fc.nat(255), fc.uint8Array({ maxLength: 40 }))
      .map(([config, layout, rest]) => Uint8Array.from([(config << 3) | 3, layout, ...rest]));
    // Few frames and small values make well-formed packets likely.
    const likely = fc
      .tuple(fc.nat(31), fc.constantFrom(0, 0x40, 0x80, 0xc0), fc.integer({ min: 1, max: 4 }), smallBytes(30))
      .map(([config, flags, count, rest]) => Uint8Array.from([(config << 3) | 3, flags | count, ...rest]));
    const plain = fc.tuple(fc.nat(255), smallBytes(30)).map(([toc, rest]) => Uint8Array.from([toc, ...rest]));
    const anything = fc.oneof(codeThree, likely, plain, fc.uint8Array({ maxLength: 60 }));
    let accepted = 0;
    fc.assert(
      fc.property(anything, (bytes) => {
        const samples = opusPacketSamples(bytes);
        if (samples !== undefined) accepted++;
        expect(samples).toBe(libopusSamples(bytes));
      }),
      { numRuns: 1500 },
    );
    expect(accepted).toBeGreaterThan(100);
  });

  it("on packets of any size", () => {
    for (const bytes of [1, 2, 1276, 1277, 2000, 5000, 8000]) {
      const [made, samples] = opusPacketOf(bytes);
      expect([bytes, opusPacketFault(made), opusPacketSamples(made)]).toEqual([bytes, undefined, samples]);
      expect(libopusSamples(made)).toBe(samples);
    }
  });
});

const decoder = new (loadOpusEngine("wasm").Decoder)({ channels: 1, sample_rate: 48_000 });

/** Samples that libopus makes of a packet; `undefined` where it refuses. An empty one would mean "lost" to it. */
function libopusSamples(bytes: Uint8Array): number | undefined {
  if (bytes.length === 0) return undefined;
  try {
    return decoder.decode(bytes).length / 2;
  } catch (error) {
    expect(String(error)).toMatch(/corrupted stream/);
    return undefined;
  }
}

function smallBytes(maxLength: number) {
  return fc.array(fc.nat(12), { maxLength });
}
