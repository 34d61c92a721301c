// Packets put together and taken apart, against packets written by a naive encoder and against three decoders.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { OggOpusDecoder } from "ogg-opus-decoder";
import { describe, expect, it } from "vitest";
import { demuxAll, hexOf, packetsOf, readFixture } from "./demux.test-util.js";
import { muxOggOpus } from "./ogg-muxer.js";
import { OpusPacketDecoder } from "./opus-decoder.js";
import { OpusPacketEncoder, type OpusPacketEncoderOptions } from "./opus-encoder.js";
import { emptyOpusPacketLike, mergeOpusPackets, readOpusFrames, splitOpusPacket } from "./repacketize.js";
import { opusPacketDuration, parseToc } from "./toc.js";

/** SILK, wideband, 20 ms: three frames are 60 ms. */
const SILK_20 = 9 << 3;
/** SILK, wideband, 10 ms. */
const SILK_10 = 8 << 3;
/** CELT, fullband, 2.5 ms: 48 of them are the longest packet. */
const CELT_2_5 = 28 << 3;

const packet = (...bytes: number[]) => Uint8Array.from(bytes);
const frameOf = (length: number, fill = 7) => new Uint8Array(length).fill(fill);

describe("mergeOpusPackets", () => {
  it.each([
    ["one packet is one frame", [[SILK_20, 1, 2]], [SILK_20, 1, 2]],
    [
      "three of one size need no sizes",
      [
        [SILK_20, 1],
        [SILK_20, 2],
        [SILK_20, 3],
      ],
      [SILK_20 | 3, 3, 1, 2, 3],
    ],
    [
      "three of their own sizes",
      [
        [SILK_20, 1],
        [SILK_20, 2, 3],
        [SILK_20, 4],
      ],
      [SILK_20 | 3, 0x83, 1, 2, 1, 2, 3, 4],
    ],
    [
      "two of one size",
      [
        [SILK_20, 1],
        [SILK_20, 2],
      ],
      [SILK_20 | 1, 1, 2],
    ],
    [
      "two of their own sizes",
      [
        [SILK_20, 1],
        [SILK_20, 2, 3],
      ],
      [SILK_20 | 2, 1, 1, 2, 3],
    ],
    [
      "nothing was sent in the middle",
      [[SILK_20, 1], [SILK_20], [SILK_20, 2]],
      [SILK_20 | 3, 0x83, 1, 0, 1, 2],
    ],
    ["nothing was sent at all", [[SILK_20], [SILK_20], [SILK_20]], [SILK_20 | 3, 3]],
    ["nothing was sent twice", [[SILK_20], [SILK_20]], [SILK_20 | 1]],
    [
      "two and one",
      [
        [SILK_20 | 1, 1, 2],
        [SILK_20, 3],
      ],
      [SILK_20 | 3, 3, 1, 2, 3],
    ],
    [
      "padding goes",
      [
        [SILK_20 | 3, 0x41, 2, 9, 0, 0],
        [SILK_20, 8],
      ],
      [SILK_20 | 1, 9, 8],
    ],
    ["padding of one packet goes as well", [[SILK_20 | 3, 0x41, 1, 9, 0]], [SILK_20, 9]],
    [
      "a stereo flag is kept",
      [
        [SILK_20 | 4, 1],
        [SILK_20 | 4, 2],
      ],
      [SILK_20 | 5, 1, 2],
    ],
  ])("%s", (_name, packets, expected) => {
    const merged = mergeOpusPackets(packets.map((bytes) => packet(...bytes)));
    expect(merged).toEqual({ ok: true, packet: packet(...expected) });
  });

  it.each([251, 252, 253, 255, 256, 1_023, 1_274, 1_275])("writes a length of %i", (length) => {
    const long = frameOf(length);
    const merged = merge([packet(SILK_20, ...long), packet(SILK_20, 1), packet(SILK_20, 2)]);
    expect(merged.length).toBe(2 + (length < 252 ? 1 : 2) + 1 + length + 2);
    expect(framesOf(merged)).toEqual([long, packet(1), packet(2)]);
  });

  it.each([
    ["nothing", [], "no_frames"],
    [
      "another configuration",
      [
        [SILK_20, 1],
        [SILK_10, 1],
      ],
      "unlike_packets",
    ],
    [
      "another number of channels",
      [
        [SILK_20, 1],
        [SILK_20 | 4, 1],
      ],
      "unlike_packets",
    ],
    ["seven times 20 ms", Array(7).fill([SILK_20, 1]), "too_long"],
    ["121 ms and more of long packets", [[SILK_20 | 3, 6], [SILK_20]], "too_long"],
    ["49 times 2.5 ms", Array(49).fill([CELT_2_5, 1]), "too_long"],
    ["R1: no byte", [[SILK_20, 1], []], "empty_packet"],
    ["R2: a frame of 1,276 bytes", [[SILK_20, ...frameOf(1_276)]], "frame_too_long"],
    ["R3: an odd number of bytes for two frames", [[SILK_20 | 1, 1]], "uneven_frames"],
    ["R4: a frame longer than its packet", [[SILK_20 | 2, 2, 1]], "bad_frame_length"],
    ["R5: no frame", [[SILK_20 | 3, 0]], "bad_frame_count"],
    ["R5: 140 ms in one packet", [[SILK_20 | 3, 7]], "bad_frame_count"],
    ["R6: bytes that do not divide by three", [[SILK_20 | 3, 3, 1, 2]], "uneven_frames"],
    ["R6: more padding than bytes", [[SILK_20 | 3, 0x41, 2, 0]], "bad_padding"],
    ["R7: frames longer than the packet", [[SILK_20 | 3, 0x83, 2, 1, 0, 0]], "bad_frame_length"],
    ["R7: a frame that reaches into the padding", [[SILK_20 | 3, 0xc2, 1, 1, 0]], "bad_frame_length"],
  ] as [string, number[][], string][])("refuses %s", (_name, packets, reason) => {
    expect(mergeOpusPackets(packets.map((bytes) => packet(...bytes)))).toEqual({ ok: false, reason });
  });

  it("takes 120 ms: six of 20, or 48 of 2.5", () => {
    expect(opusPacketDuration(merge(Array(6).fill(packet(SILK_20, 1))))).toBe(120);
    expect(opusPacketDuration(merge(Array(48).fill(packet(CELT_2_5, 1))))).toBe(120);
  });

  it("keeps every frame of any packets, in order, whatever their codes and padding", () => {
    fc.assert(
      fc.property(
        fc.nat(31),
        fc.boolean(),
        fc.array(naivePacket(), { minLength: 1, maxLength: 6 }),
        (config, stereo, plans) => {
          const configuration = (config << 3) | (stereo ? 4 : 0);
          const packets = plans.map((plan) => naivelyEncoded(configuration, plan));
          const durations = packets.map(opusPacketDuration);
          const totalMs = durations.reduce<number>((sum, ms) => sum + (ms ?? Number.NaN), 0);
          if (Number.isNaN(totalMs)) {
            // A single packet of the naive encoder that lasts over 120 ms.
            expect(mergeOpusPackets(packets).ok).toBe(false);
            return;
          }
          const merged = mergeOpusPackets(packets);
          if (totalMs > 120) {
            expect(merged).toEqual({ ok: false, reason: "too_long" });
            return;
          }
          if (!merged.ok) throw new Error(merged.reason);
          expect(opusPacketDuration(merged.packet)).toBe(totalMs);
          const frames = plans.flatMap((plan) => plan.frames);
          expect(framesOf(merged.packet).map(hexOf)).toEqual(frames.map(hexOf));
          const parts = splitOpusPacket(merged.packet);
          expect(parts.ok && parts.packets.map(hexOf)).toEqual(
            frames.map((frame) => hexOf(packet(configuration, ...frame))),
          );
        },
      ),
      { numRuns: 600 },
    );
  });

  it("never throws, and what it makes is well-formed", () => {
    const bytes = fc.array(fc.uint8Array({ maxLength: 30 }), { maxLength: 4 });
    fc.assert(
      fc.property(bytes, (packets) => {
        const merged = mergeOpusPackets(packets);
        if (merged.ok) expect(parseToc(merged.packet).ok).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("splitOpusPacket", () => {
  it("takes a packet apart by as many frames as wanted", () => {
    const whole = packet(SILK_20 | 3, 0x83, 1, 2, 1, 2, 3, 4);
    expect(splitOpusPacket(whole)).toEqual({
      ok: true,
      packets: [packet(SILK_20, 1), packet(SILK_20, 2, 3), packet(SILK_20, 4)],
    });
    expect(splitOpusPacket(whole, 2)).toEqual({
      ok: true,
      packets: [packet(SILK_20 | 2, 1, 1, 2, 3), packet(SILK_20, 4)],
    });
    expect(splitOpusPacket(whole, 0)).toEqual({ ok: false, reason: "no_frames" });
    expect(splitOpusPacket(packet(), 1)).toEqual({ ok: false, reason: "empty_packet" });
  });
});

describe("emptyOpusPacketLike", () => {
  it.each([
    ["one frame is the TOC alone", [SILK_20, 1, 2, 3], [SILK_20]],
    ["two frames are too", [SILK_20 | 2, 1, 1, 2, 3], [SILK_20 | 1]],
    ["three need their number", [SILK_20 | 3, 0x83, 1, 2, 1, 2, 3, 4], [SILK_20 | 3, 3]],
  ])("%s", (_name, like, expected) => {
    expect(emptyOpusPacketLike(packet(...like))).toEqual({ ok: true, packet: packet(...expected) });
    expect(opusPacketDuration(packet(...expected))).toBe(opusPacketDuration(packet(...like)));
  });

  it("refuses what is no packet", () => {
    expect(emptyOpusPacketLike(packet())).toEqual({ ok: false, reason: "empty_packet" });
  });
});

/** Its arithmetic depends a little on how much is decoded at a time. */
const ROUNDING = 2;

const SHAPES = [
  { name: "SILK", sampleRateHz: 16_000, bitrateBps: 16_000, application: "voip" },
  { name: "CELT", sampleRateHz: 48_000, bitrateBps: 96_000, application: "audio" },
] as const;

describe.each(SHAPES)("$name", ({ name, ...options }) => {
  const originals = encodedTone(options);
  const merged = groupsOf(originals, 3).map(merge);

  it("is encoded in the mode that this test is about", () => {
    expect(new Set(originals.map((bytes) => modeOf(bytes)))).toEqual(new Set([name.toLowerCase()]));
  });

  it("sounds the same to libopus, sample for sample", () => {
    expect(new Set(merged.map(opusPacketDuration))).toEqual(new Set([60]));
    expect(hexOf(pcmOf(merged))).toBe(hexOf(pcmOf(originals)));
  });

  it("sounds the same to ogg-opus-decoder", async () => {
    const files = [originals, merged].map((packets) => muxOggOpus(packets));
    const heard = await Promise.all(files.map(decodedFile));
    expect(heard[1]!.length).toBe(heard[0]!.length);
    expect(heard[1]).toEqual(heard[0]);
  });

  // Its resampler for SILK starts anew with each packet, so that only CELT can be the same.
  it.runIf(name === "CELT")("sounds the same to ffmpeg's own decoder", () => {
    const [before, after] = [originals, merged].map((packets) => ffmpegPcm(muxOggOpus(packets)));
    expect(after!.length).toBe(before!.length);
    const largest = after!.reduce((max, sample, i) => Math.max(max, Math.abs(sample - before![i]!)), 0);
    expect(largest).toBeLessThanOrEqual(ROUNDING);
  });

  it("is in order to opusinfo, which finds packets of 60 ms", () => {
    const report = withFile(muxOggOpus(merged), (path) => tool("opusinfo", [path]).toString());
    expect(report).not.toMatch(/warning|error|negative|illegal|invalid/i);
    expect(report).toMatch(/Packet duration:\s+60\.0ms \(max\),\s+60\.0ms \(avg\),\s+60\.0ms \(min\)/);
  });
});

it("what an encoder sends in silence merges with the rest", () => {
  const speech = packetsOf(demuxAll(readFixture("speech-page-per-packet.opus")));
  const [, ...rest] = groupsOf(
    speech.filter((bytes) => bytes[0] === speech.at(-1)![0]),
    3,
  );
  const withPauses = rest.flatMap(([a, b, c]) => [
    a!,
    packet(a![0]!),
    packet(a![0]!),
    packet(a![0]!),
    b!,
    c!,
  ]);
  const merged = groupsOf(withPauses, 3).map(merge);
  expect(hexOf(pcmOf(merged))).toBe(hexOf(pcmOf(withPauses)));
});

/** How the naive encoder is to write one packet. */
interface Plan {
  readonly frames: readonly Uint8Array[];
  readonly layout: "short" | "counted" | "sized";
  readonly paddingBytes: number;
}

function naivePacket(): fc.Arbitrary<Plan> {
  const length = fc.oneof(
    fc.nat(4),
    fc.constantFrom(0, 250, 251, 252, 253, 254, 255, 256, 300, 1_275),
    fc.nat(1_275),
  );
  const frame = fc.tuple(length, fc.nat(255)).map(([size, fill]) => frameOf(size, fill));
  const frames = fc.oneof(
    fc.array(frame, { minLength: 1, maxLength: 4 }),
    fc.tuple(frame, fc.integer({ min: 1, max: 4 })).map(([one, count]) => Array<Uint8Array>(count).fill(one)),
  );
  const layout = fc.constantFrom<Plan["layout"]>("short", "counted", "sized");
  const paddingBytes = fc.oneof(fc.constant(0), fc.constantFrom(1, 253, 254, 255, 256, 600));
  return fc.record({ frames, layout, paddingBytes });
}

/** RFC 6716, section 3.2, written down as it is read; for use in tests only. */
function naivelyEncoded(configuration: number, { frames, layout, paddingBytes }: Plan): Uint8Array {
  const bodies = frames.flatMap((frame) => [...frame]);
  const even = new Set(frames.map((frame) => frame.length)).size === 1;
  if (layout === "short" && paddingBytes === 0) {
    if (frames.length === 1) return packet(configuration, ...bodies);
    if (frames.length === 2 && even) return packet(configuration + 1, ...bodies);
    if (frames.length === 2) return packet(configuration + 2, ...size(frames[0]!.length), ...bodies);
  }
  const sized = layout === "sized" || !even;
  const count = frames.length + (sized ? 0x80 : 0) + (paddingBytes > 0 ? 0x40 : 0);
  const sizes = sized ? frames.slice(0, -1).flatMap((frame) => size(frame.length)) : [];
  const paddingSizes: number[] = [];
  let padding = paddingBytes;
  if (paddingBytes > 0) {
    for (; padding > 254; padding -= 254) paddingSizes.push(255);
    paddingSizes.push(padding);
  }
  return packet(
    configuration + 3,
    count,
    ...paddingSizes,
    ...sizes,
    ...bodies,
    ...Array<number>(paddingBytes).fill(0),
  );
}

/** "252..255: a second byte is needed. The total length is (second_byte*4)+first_byte" */
function size(length: number): number[] {
  if (length <= 251) return [length];
  const first = [252, 253, 254, 255].find((value) => (length - value) % 4 === 0)!;
  return [first, (length - first) / 4];
}

function merge(packets: readonly Uint8Array[]): Uint8Array {
  const merged = mergeOpusPackets(packets);
  if (!merged.ok) throw new Error(merged.reason);
  return merged.packet;
}

function framesOf(bytes: Uint8Array): Uint8Array[] {
  const read = readOpusFrames(bytes);
  if (!read.ok) throw new Error(read.reason);
  return read.frames.map((frame) => frame.slice());
}

function groupsOf<T>(all: readonly T[], count: number): T[][] {
  return Array.from({ length: Math.floor(all.length / count) }, (_, i) =>
    all.slice(i * count, (i + 1) * count),
  );
}

function modeOf(bytes: Uint8Array): string | undefined {
  const read = parseToc(bytes);
  return read.ok ? read.toc.mode : undefined;
}

/** 60 packets of 20 ms: a sweep that swells and fades. */
function encodedTone(options: Omit<OpusPacketEncoderOptions, "packetMs">): Uint8Array[] {
  const encoder = new OpusPacketEncoder({ packetMs: 20, ...options });
  const pcm = Float32Array.from(
    { length: (60 * options.sampleRateHz) / 50 },
    (_, i) => 0.5 * Math.sin(i / 9_000) * Math.sin(i * (0.01 + i * 1e-6)),
  );
  return encoder.encode(pcm);
}

function pcmOf(packets: readonly Uint8Array[]): Uint8Array {
  const decoder = new OpusPacketDecoder();
  return Buffer.concat(
    packets.map((bytes) => {
      const pcm = decoder.decode(bytes);
      return Buffer.from(pcm.buffer, pcm.byteOffset, pcm.byteLength);
    }),
  );
}

async function decodedFile(file: Uint8Array): Promise<Float32Array> {
  const decoder = new OggOpusDecoder();
  await decoder.ready;
  const { channelData, errors } = await decoder.decodeFile(file);
  decoder.free();
  expect(errors).toEqual([]);
  return channelData[0]!;
}

/** Samples by ffmpeg's `opus` decoder, which shares no code with libopus. */
function ffmpegPcm(file: Uint8Array): Int16Array {
  const bytes = withFile(file, (path) =>
    tool("ffmpeg", ["-loglevel", "error", "-c:a", "opus", "-i", path, "-f", "s16le", "-"]),
  );
  return new Int16Array(new Uint8Array(bytes).buffer);
}

function withFile<T>(file: Uint8Array, use: (path: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), "readback-audio-"));
  try {
    const path = join(folder, "merged.opus");
    writeFileSync(path, file);
    expect(readFileSync(path).length).toBe(file.length);
    return use(path);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function tool(name: string, args: string[]): Buffer {
  const { error, status, stdout } = spawnSync(name, args, { maxBuffer: 1 << 26 });
  if (error !== undefined)
    throw new Error(`${name} is not here: apt-get install -y opus-tools ffmpeg`, { cause: error });
  expect(status).toBe(0);
  return stdout;
}
