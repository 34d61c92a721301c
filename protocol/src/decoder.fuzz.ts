/**
 * Mutation fuzzing of decoder and parsers, from the golden vectors. With a fixed seed it is part of the tests;
 * to search further, and to repeat what was found:
 *
 *     FUZZ_SEED=12345 FUZZ_RUNS=1000000 npx vitest run protocol/src/decoder.fuzz.ts --testTimeout=0
 */
import { expect, test } from "vitest";
import { decodeChunks } from "./decode-chunks.test-util.js";
import { EnvelopeDecoder } from "./decoder.js";
import { encodeEnvelope } from "./encoder.js";
import type { Envelope } from "./envelope.js";
import { envelopeVectors, relayVectors, serviceVectors } from "./golden.test-util.js";
import { toVector, xorshift32 } from "./naive.test-util.js";
import { readPlainly } from "./naive-reader.test-util.js";
import { parseRelayCommand } from "./relay-commands.js";
import { parseServiceCommand } from "./service-commands.js";

const SEED = Number(process.env.FUZZ_SEED ?? 1);
const RUNS = Number(process.env.FUZZ_RUNS ?? 10_000);
/** Larger vectors only repeat themselves. */
const SEED_BYTES_MAX = 2_000;
const MUTATIONS_MAX = 6;

const corpus = [...envelopeVectors, ...relayVectors, ...serviceVectors]
  .map(({ bytes }) => bytes)
  .filter((bytes) => bytes.length > 0 && bytes.length <= SEED_BYTES_MAX);
const INTERESTING = [
  "\n",
  ":",
  "\r",
  "\0",
  "LT\n",
  "ct:a\n",
  "cl:",
  "cl:0\n",
  "mid:4294967296\n",
  "nw:\n",
  "un:\n",
  "cid:\n",
  "mid:\n",
  "pid:\n",
  "\xff",
  '"',
  "{",
  "\\ud800",
  "__proto__",
];

test(`seed ${SEED}, ${RUNS} runs`, () => {
  const random = xorshift32(SEED);
  const below = (bound: number) => random() % bound;
  for (let run = 0; run < RUNS; run++) {
    let stream = pick(corpus, below);
    for (let left = 1 + below(MUTATIONS_MAX); left > 0; left--) stream = mutate(stream, below);
    try {
      check(stream, below);
    } catch (error) {
      throw new Error(`FUZZ_SEED=${SEED}, run ${run}: ${stream.toString("hex")}`, { cause: error });
    }
  }
});

/**
 * What holds for any bytes: the meaning that a plain reader finds, however split, bounded memory, and envelopes that
 * survive a round trip.
 */
function check(stream: Buffer, below: (bound: number) => number): void {
  const before = Buffer.from(stream);
  const whole = decodeChunks([stream]);
  expect(decodeChunks(cut(stream, below))).toEqual(whole);
  expect(whole).toEqual(readPlainly(stream));
  expect(stream.equals(before)).toBe(true);
  const decoder = new EnvelopeDecoder();
  decoder.push(stream);
  for (let result = decoder.next(); result.type === "envelope"; result = decoder.next())
    checkEnvelope(result.envelope);
}

function checkEnvelope(envelope: Envelope): void {
  expect(decodeChunks([encodeEnvelope(envelope)])).toEqual({
    envelopes: [toVector(envelope)],
    end: "incomplete",
  });
  if (envelope.contentType === "audio") return;
  for (const parse of [parseRelayCommand, parseServiceCommand]) {
    const result = parse(envelope);
    expect(["command", "refused"]).toContain(result.type);
    if (result.type === "refused") expect(result.error.length).toBeLessThan(500);
  }
}

function mutate(bytes: Buffer, below: (bound: number) => number): Buffer {
  const at = below(bytes.length + 1);
  const to = Math.min(bytes.length, at + 1 + below(20));
  const before = bytes.subarray(0, at);
  switch (below(7)) {
    case 0: // change a byte
      return Buffer.concat([before, Buffer.from([below(256)]), bytes.subarray(at + 1)]);
    case 1: // flip a bit
      return Buffer.concat([
        before,
        Buffer.from([(bytes[at] ?? 0) ^ (1 << below(8))]),
        bytes.subarray(at + 1),
      ]);
    case 2: // remove some
      return Buffer.concat([before, bytes.subarray(to)]);
    case 3: // repeat some
      return Buffer.concat([before, bytes.subarray(at, to), bytes.subarray(at)]);
    case 4: // insert something that means something
      return Buffer.concat([before, Buffer.from(pick(INTERESTING, below), "latin1"), bytes.subarray(at)]);
    case 5: // go on with another
      return Buffer.concat([before, pick(corpus, below)]);
    default: // add another
      return Buffer.concat([bytes, pick(corpus, below)]);
  }
}

function pick<T>(from: readonly T[], below: (bound: number) => number): T {
  return from[below(from.length)]!;
}

function* cut(bytes: Buffer, below: (bound: number) => number): Generator<Buffer> {
  for (let at = 0; at < bytes.length; ) {
    const size = 1 + below(below(4) === 0 ? 400 : 20);
    yield bytes.subarray(at, at + size);
    at += size;
  }
}
