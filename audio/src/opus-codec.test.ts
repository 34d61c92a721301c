// PCM to Opus and back, with both builds of the codec.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { OggOpusDecoder } from "ogg-opus-decoder";
import { describe, expect, it } from "vitest";
import { encodeCodecHeader, OPUS_SAMPLE_RATES_HZ, type OpusSampleRateHz } from "./codec-header.js";
import { hexOf } from "./demux.test-util.js";
import { AudioError, type AudioErrorCode } from "./errors.js";
import { muxOggOpus } from "./ogg-muxer.js";
import { OpusPacketDecoder } from "./opus-decoder.js";
import { OpusPacketEncoder, type OpusPacketEncoderOptions, type PcmSamples } from "./opus-encoder.js";
import { opusPacketDuration } from "./toc.js";

const bad = (code: AudioErrorCode) => expect.objectContaining({ name: "AudioError", code });
/** Correlation of a tone with its lossy copy; were it a millisecond late, it would be 0.2. */
const SAME_SOUND = 0.8;
const SHAPES = OPUS_SAMPLE_RATES_HZ.flatMap((sampleRateHz) =>
  ([20, 40, 60] as const).map((packetMs) => ({ sampleRateHz, packetMs })),
);

describe("encoder", () => {
  it.each(SHAPES)(
    "$sampleRateHz Hz, $packetMs ms: the file holds exactly the samples put in",
    async (shape) => {
      // Over a second: ogg-opus-decoder forgets the pre-skip of a stream with one page of audio.
      const samples = shape.sampleRateHz * 1.777;
      const { packets, endTrimSamples, preSkipSamples } = encodeAll(tone(shape.sampleRateHz, samples), shape);
      expect(new Set(packets.map(opusPacketDuration))).toEqual(new Set([shape.packetMs]));
      expect(preSkipSamples).toBe(312);
      const decoder = new OggOpusDecoder();
      await decoder.ready;
      const decoded = await decoder.decodeFile(muxOggOpus(packets, { preSkipSamples, endTrimSamples }));
      decoder.free();
      expect(decoded).toMatchObject({ samplesDecoded: (samples * 48_000) / shape.sampleRateHz, errors: [] });
      const heard = decoded.channelData[0]!;
      expect(correlation(heard, tone(48_000, heard.length))).toBeGreaterThan(SAME_SOUND);
    },
  );

  it("pads by less than a packet, and never loses a sample", () => {
    const shapes = fc.record({ shape: fc.constantFrom(...SHAPES), samples: fc.nat(9000) });
    fc.assert(
      fc.property(shapes, ({ shape, samples }) => {
        const { packets, endTrimSamples } = encodeAll(new Int16Array(samples), { ...shape, complexity: 0 });
        const durationSamples = packets.length * shape.packetMs * 48;
        const playable = durationSamples - 312 - endTrimSamples;
        expect(playable).toBe(samples === 0 ? -312 : (samples * 48_000) / shape.sampleRateHz);
        expect(endTrimSamples).toBeGreaterThanOrEqual(0);
        expect(endTrimSamples).toBeLessThan(shape.packetMs * 48);
      }),
      { numRuns: 40 },
    );
  });

  it("makes the same packets however the samples are cut", () => {
    const shape = { sampleRateHz: 16_000, packetMs: 60 } as const;
    const pcm = tone(16_000, 10_000);
    const whole = encodeAll(pcm, shape);
    const cut = fc.array(fc.integer({ min: 0, max: pcm.length }), { maxLength: 12 });
    fc.assert(
      fc.property(cut, (offsets) => {
        const bounds = [0, ...offsets.sort((a, b) => a - b), pcm.length];
        const encoder = new OpusPacketEncoder(shape);
        const packets = bounds.slice(1).flatMap((end, i) => encoder.encode(pcm.subarray(bounds[i], end)));
        packets.push(...encoder.finish().packets);
        expect(packets.map(hexOf)).toEqual(whole.packets.map(hexOf));
      }),
      { numRuns: 10 },
    );
  });

  it("takes 16-bit integers as well, and clips floats", () => {
    const shape = { sampleRateHz: 24_000, packetMs: 20 } as const;
    const floats = tone(24_000, 2400).map((sample) => sample * 4);
    floats[7] = Number.NaN;
    const integers = Int16Array.from(floats, (sample) => {
      const clipped = Math.max(-32_768, Math.min(32_767, Math.round(sample * 32_768)));
      return Number.isNaN(clipped) ? 0 : clipped;
    });
    const [fromFloats, fromIntegers] = [encodeAll(floats, shape), encodeAll(integers, shape)];
    expect(fromFloats.packets.map(hexOf)).toEqual(fromIntegers.packets.map(hexOf));
  });

  it("keeps to the bitrate", () => {
    const noise = Float32Array.from({ length: 48_000 * 2 }, (_, i) => Math.sin(i * i * 0.7) * 0.5);
    const bytesAt = (bitrateBps: number) => {
      const { packets } = encodeAll(noise, { sampleRateHz: 48_000, packetMs: 20, bitrateBps });
      return packets.reduce((sum, packet) => sum + packet.length, 0);
    };
    expect(bytesAt(16_000) / 4000).toBeCloseTo(1, 0);
    expect(bytesAt(64_000) / 16_000).toBeCloseTo(1, 0);
  });

  it("repeats the packet before, coarsely, where losses are expected", () => {
    const shape = { sampleRateHz: 16_000, packetMs: 20, bitrateBps: 24_000 } as const;
    const speech = tone(16_000, 16_000);
    const repeats = (packets: readonly Uint8Array[]) => packets.filter(hasSecondCopy).length;
    expect(repeats(encodeAll(speech, shape).packets)).toBe(0);
    const { packets } = encodeAll(speech, { ...shape, expectedLossPercent: 20 });
    expect(repeats(packets)).toBeGreaterThan(packets.length / 2);
  });

  it("says what a voice message says of its packets", () => {
    const { codecHeader } = new OpusPacketEncoder({ sampleRateHz: 16_000, packetMs: 60 });
    expect(encodeCodecHeader(codecHeader)).toBe("gD4BPA==");
  });

  it.each([
    { sampleRateHz: 44_100, packetMs: 20 },
    { sampleRateHz: 48_000, packetMs: 30 },
    { sampleRateHz: 48_000, packetMs: 20, bitrateBps: 499 },
    { sampleRateHz: 48_000, packetMs: 20, bitrateBps: Number.NaN },
    { sampleRateHz: 48_000, packetMs: 20, complexity: 11 },
    { sampleRateHz: 48_000, packetMs: 20, expectedLossPercent: -1 },
    { sampleRateHz: 48_000, packetMs: 20, expectedLossPercent: 101 },
  ])("refuses %j", (options) => {
    expect(() => new OpusPacketEncoder(options as OpusPacketEncoderOptions)).toThrow(bad("bad_argument"));
  });

  it("is used once", () => {
    const encoder = new OpusPacketEncoder({ sampleRateHz: 8000, packetMs: 20 });
    expect(encoder.finish()).toEqual({ packets: [], endTrimSamples: 0 });
    expect(() => encoder.finish()).toThrow(bad("already_finished"));
    expect(() => encoder.encode(new Int16Array(1))).toThrow(bad("already_finished"));
  });
});

describe("decoder", () => {
  const { packets } = encodeAll(tone(16_000, 16_000), { sampleRateHz: 16_000, packetMs: 60 });

  it.each(OPUS_SAMPLE_RATES_HZ)("makes %i Hz of any packet, mono or stereo", (sampleRateHz) => {
    for (const channels of [1, 2] as const) {
      const decoder = new OpusPacketDecoder({ sampleRateHz, channels });
      for (const packet of packets)
        expect(decoder.decode(packet)).toHaveLength(sampleRateHz * 0.06 * channels);
    }
  });

  it("gives what was encoded", () => {
    const decoder = new OpusPacketDecoder({ sampleRateHz: 16_000 });
    const pcm = Float32Array.from(packets.flatMap((packet) => [...decoder.decode(packet)]));
    const preSkip = 312 / 3;
    expect(correlation(pcm.subarray(preSkip, preSkip + 16_000), tone(16_000, 16_000))).toBeGreaterThan(
      SAME_SOUND,
    );
  });

  it("refuses what is not a packet, and goes on", () => {
    const decoder = new OpusPacketDecoder();
    expect(() => decoder.decode(new Uint8Array(0))).toThrow(bad("bad_packet"));
    expect(() => decoder.decode(Uint8Array.of(3, 0))).toThrow(bad("bad_packet"));
    const padded = Uint8Array.from({ length: 8193 }, (_, i) => (i < 2 ? [0x0b, 0x41][i]! : i < 34 ? 255 : 0));
    expect(() => decoder.decode(padded)).toThrow(bad("bad_packet"));
    expect(decoder.decode(packets[0]!)).toHaveLength(2880);
    expect(() => new OpusPacketDecoder({ sampleRateHz: 44_100 as OpusSampleRateHz })).toThrow(
      bad("bad_argument"),
    );
    expect(() => new OpusPacketDecoder({ channels: 3 as 1 })).toThrow(bad("bad_argument"));
  });
});

describe("the two builds", () => {
  it("both encode and decode; packets of one are understood by the other", () => {
    const shape = { sampleRateHz: 24_000, packetMs: 40 } as const;
    for (const [encodes, decodes] of [
      ["wasm", "native"],
      ["native", "wasm"],
    ] as const) {
      const { packets } = encodeAll(tone(24_000, 24_000), { ...shape, engine: encodes });
      const decoder = new OpusPacketDecoder({ sampleRateHz: 24_000, engine: decodes });
      const pcm = Float32Array.from(packets.flatMap((packet) => [...decoder.decode(packet)]));
      expect(correlation(pcm.subarray(156, 156 + 24_000), tone(24_000, 24_000))).toBeGreaterThan(SAME_SOUND);
    }
  });

  it("wasm, the default, works in a worker thread and lets it exit", () => {
    // In a process of its own: what goes wrong with the native build here takes the process down.
    const script = `
      const { Worker } = require("node:worker_threads");
      const work = \`import(\${JSON.stringify(process.argv[1])}).then(({ OpusPacketEncoder }) => {
        const encoder = new OpusPacketEncoder({ sampleRateHz: 16000, packetMs: 60 });
        console.log(encoder.encode(new Int16Array(9600)).length);
      })\`;
      new Worker(work, { eval: true }).on("exit", (code) => { process.exitCode = code; });`;
    const built = fileURLToPath(new URL("../dist/index.js", import.meta.url));
    const run = spawnSync(process.execPath, ["-e", script, built], { encoding: "utf8" });
    expect(run).toMatchObject({ status: 0, signal: null, stdout: "10\n" });
  });
});

it("errors carry a code", () => {
  const cause = new Error("cause");
  const error = new AudioError("codec_failed", "message", { cause });
  expect(error).toMatchObject({ name: "AudioError", code: "codec_failed", message: "message", cause });
});

function encodeAll(pcm: PcmSamples, options: OpusPacketEncoderOptions) {
  const encoder = new OpusPacketEncoder(options);
  const packets = encoder.encode(pcm);
  const last = encoder.finish();
  packets.push(...last.packets);
  return { packets, endTrimSamples: last.endTrimSamples, preSkipSamples: encoder.preSkipSamples };
}

/** Configurations of pure SILK (RFC 6716, table 2). */
const SILK_CONFIGS = 12;

/**
 * The LBRR flag of a mono SILK packet of one frame of 20 ms: its second bit, as the first two are coded evenly
 * (RFC 6716, section 4.2.3).
 */
function hasSecondCopy(packet: Uint8Array): boolean {
  return packet[0]! >> 3 < SILK_CONFIGS && (packet[1]! & 0x40) !== 0;
}

/** A voice-like test tone: 220 Hz and two overtones, swelling. */
function tone(sampleRateHz: number, samples: number): Float32Array {
  return Float32Array.from({ length: samples }, (_, i) => {
    const t = i / sampleRateHz;
    const voice = [1, 2, 3].reduce((sum, k) => sum + Math.sin(2 * Math.PI * 220 * k * t) / k, 0);
    return 0.2 * voice * (1 + 0.5 * Math.sin(2 * Math.PI * 3 * t));
  });
}

/** 1 for signals of the same shape, sample by sample. */
function correlation(a: Float32Array, b: Float32Array): number {
  let [ab, aa, bb] = [0, 0, 0];
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    ab += a[i]! * b[i]!;
    aa += a[i]! ** 2;
    bb += b[i]! ** 2;
  }
  return ab / Math.sqrt(aa * bb);
}
