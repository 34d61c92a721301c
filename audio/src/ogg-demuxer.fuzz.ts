// Fuzz target: mutated Ogg files, cut into random chunks, through the demultiplexer.
//
//   FUZZ_SEED=42 FUZZ_RUNS=100000 npx vitest run audio/src/ogg-demuxer.fuzz.ts
//
// Without a seed it takes a fixed one, so that a test run is repeatable; a failure prints seed and run.
import { expect, it } from "vitest";
import { chunksOf, cutAt, demux, readFixture, transcript } from "./demux.test-util.js";
import { naiveCrc, naiveOggOpus, opusPacketOf, pageOffsets } from "./ogg-bytes.test-util.js";
import { DEFAULT_OGG_OPUS_LIMITS, OggOpusDemuxer } from "./ogg-demuxer.js";

const SEED = Number(process.env.FUZZ_SEED ?? 1);
const RUNS = Number(process.env.FUZZ_RUNS ?? 1500);
const RUN_MS_MAX = 600_000;

const CORPUS = [
  naiveOggOpus([opusPacketOf(3), opusPacketOf(255), opusPacketOf(700), opusPacketOf(1)], {
    segmentsPerPage: 2,
  }),
  naiveOggOpus([opusPacketOf(30), opusPacketOf(31), opusPacketOf(32)]),
  readFixture("multiplexed-vorbis-opus.ogg"),
  readFixture("surround-5.1.opus"),
  readFixture("speech-page-per-packet.opus"),
];

/** What may be held back: the longest header packet, and the header of a page. */
const BUFFERED_BYTES_MAX = DEFAULT_OGG_OPUS_LIMITS.tagsBytesMax + 27 + 255;

it(`seed ${SEED}: ${RUNS} mutated files`, { timeout: RUN_MS_MAX }, () => {
  for (let run = 0; run < RUNS; run++) {
    const random = mulberry32(SEED * 1_000_003 + run);
    const input = mutate(random);
    const options = { checkCrc: random() < 0.3 };
    try {
      checkOne(input, options, random);
    } catch (error) {
      throw new Error(`seed ${SEED}, run ${run}, ${input.length} bytes`, { cause: error });
    }
  }
});

function checkOne(input: Uint8Array, options: { checkCrc: boolean }, random: () => number): void {
  const whole = demux([input], options);
  const cuts = Array.from({ length: 1 + below(20, random) }, () => below(input.length + 1, random));
  expect(transcript(demux(cutAt(input, cuts), options))).toBe(transcript(whole));

  const demuxer = new OggOpusDemuxer(options);
  let packetBytes = 0;
  for (const chunk of chunksOf(input, 1 + below(300, random))) {
    for (const event of demuxer.push(chunk)) {
      if (event.type === "packet") packetBytes += event.data.length;
    }
    expect(demuxer.bufferedBytes).toBeLessThanOrEqual(BUFFERED_BYTES_MAX);
  }
  demuxer.end();
  expect(packetBytes).toBeLessThanOrEqual(input.length);
  // Nothing follows `malformed`.
  expect(whole.slice(0, -1).every((event) => event.type !== "malformed")).toBe(true);
}

/** One of the corpus, or two in a row, with some bytes changed, dropped or repeated; CRCs repaired half the time. */
function mutate(random: () => number): Uint8Array {
  const pick = () => CORPUS[below(CORPUS.length, random)]!;
  let bytes: Uint8Array = random() < 0.2 ? Buffer.concat([pick(), pick()]) : pick().slice();
  for (let i = below(6, random); i > 0; i--) {
    const at = below(bytes.length, random);
    const length = below(60, random);
    switch (below(5, random)) {
      case 0:
        bytes[at]! ^= 1 << below(8, random);
        break;
      case 1:
        bytes[at] = below(256, random);
        break;
      case 2:
        bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)]);
        break;
      case 3:
        bytes = Buffer.concat([bytes.subarray(0, at + length), bytes.subarray(at)]);
        break;
      default:
        // Header fields are where it hurts.
        bytes[headerByte(bytes, random)] = below(256, random);
    }
    if (bytes.length === 0) return bytes;
  }
  return random() < 0.5 ? repairCrcs(bytes) : bytes;
}

/** Offset of a random byte of the first 40 of a random page, or of anything where pages cannot be told. */
function headerByte(bytes: Uint8Array, random: () => number): number {
  const offsets = wholePages(bytes);
  const offset = offsets[below(Math.max(1, offsets.length), random)] ?? 0;
  return Math.min(bytes.length - 1, offset + below(40, random));
}

function repairCrcs(bytes: Uint8Array): Uint8Array {
  const offsets = [...wholePages(bytes), bytes.length];
  for (let i = 0; i + 1 < offsets.length; i++) {
    const page = Buffer.from(bytes.subarray(offsets[i], offsets[i + 1]));
    if (page.length < 27) continue;
    page.writeUInt32LE(0, 22);
    page.writeUInt32LE(naiveCrc(page), 22);
    bytes.set(page, offsets[i]);
  }
  return bytes;
}

function wholePages(bytes: Uint8Array): number[] {
  return pageOffsets(bytes).filter((offset) => offset + 27 <= bytes.length);
}

function below(bound: number, random: () => number): number {
  return Math.floor(random() * bound);
}

/** A small seeded generator of numbers from 0 to 1 (Tommy Ettinger's mulberry32). */
function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
