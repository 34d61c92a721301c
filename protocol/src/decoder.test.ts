/** Tests of the decoder beyond the golden vectors: memory, ownership, misuse, and what holds for any bytes. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as arbitrary from "./arbitraries.test-util.js";
import { decodeChunks } from "./decode-chunks.test-util.js";
import { EnvelopeDecoder } from "./decoder.js";
import { encodeEnvelope } from "./encoder.js";
import type { Envelope } from "./envelope.js";
import { AUDIO_PAYLOAD_BYTES_MAX, HEADER_BYTES_MAX, JSON_PAYLOAD_BYTES_MAX } from "./limits.js";
import { naiveFrame, toVector } from "./naive.test-util.js";

const AUDIO_LINES = ["ct:a", "nw:acme", "un:ann", "mid:7", "pid:0"];

function nextEnvelope(decoder: EnvelopeDecoder): Envelope {
  const result = decoder.next();
  if (result.type !== "envelope") throw new Error(`expected an envelope, got ${result.type}`);
  return result.envelope;
}

describe("memory", () => {
  test("a header that promises the largest payload costs nothing until bytes come", () => {
    const decoder = new EnvelopeDecoder();
    decoder.push(naiveFrame(["ct:json", `cl:${JSON_PAYLOAD_BYTES_MAX}`]));
    expect(decoder.next().type).toBe("incomplete");
    expect(decoder.bufferedBytes).toBe(0);
    decoder.push(new Uint8Array(10));
    expect(decoder.next().type).toBe("incomplete");
    expect(decoder.bufferedBytes).toBe(10);
  });

  test("nor does it reserve memory on the word of a header", () => {
    const decoders = Array.from({ length: 200 }, () => new EnvelopeDecoder());
    const begun = naiveFrame(["ct:json", `cl:${JSON_PAYLOAD_BYTES_MAX}`], "x");
    const before = process.memoryUsage().arrayBuffers;
    for (const decoder of decoders) {
      decoder.push(begun);
      expect(decoder.next().type).toBe("incomplete");
    }
    const reserved = process.memoryUsage().arrayBuffers - before;
    expect(reserved / decoders.length).toBeLessThan(JSON_PAYLOAD_BYTES_MAX / 10);
  });

  test("the largest payload in small pieces comes out whole", () => {
    const payload = Uint8Array.from({ length: JSON_PAYLOAD_BYTES_MAX }, (_, i) => i % 251);
    const frame = naiveFrame(["ct:json"], payload);
    const decoder = new EnvelopeDecoder();
    let held = 0;
    for (let at = 0; at < frame.length - 1; at += 1_000) {
      decoder.push(frame.subarray(at, Math.min(at + 1_000, frame.length - 1)));
      expect(decoder.next().type).toBe("incomplete");
      held = Math.max(held, decoder.bufferedBytes);
    }
    expect(held).toBe(JSON_PAYLOAD_BYTES_MAX - 1);
    decoder.push(frame.subarray(-1));
    expect(Buffer.compare(nextEnvelope(decoder).payload, payload)).toBe(0);
    expect(decoder.bufferedBytes).toBe(0);
  });

  test("a malformed stream is forgotten, and stays malformed", () => {
    const decoder = new EnvelopeDecoder();
    decoder.push(Buffer.from("GET / HTTP/1.1\r\n\r\n"));
    const first = decoder.next();
    expect(first).toMatchObject({ type: "malformed", reason: "bad_magic" });
    expect(decoder.bufferedBytes).toBe(0);
    decoder.push(naiveFrame(["ct:json"]));
    expect(decoder.next()).toBe(first);
    expect(decoder.bufferedBytes).toBe(0);
  });
});

describe("ownership", () => {
  test("a payload that lies whole in a chunk is a view of it", () => {
    const frame = naiveFrame(AUDIO_LINES, "opus");
    const decoder = new EnvelopeDecoder();
    decoder.push(frame);
    const { payload } = nextEnvelope(decoder);
    expect(payload.buffer).toBe(frame.buffer);
    frame[frame.length - 1] = 0x21;
    expect(Buffer.from(payload).toString()).toBe("opu!");
  });

  test("a payload that was split is a copy", () => {
    const frame = naiveFrame(AUDIO_LINES, "opus");
    const decoder = new EnvelopeDecoder();
    decoder.push(frame.subarray(0, -2));
    expect(decoder.next().type).toBe("incomplete");
    decoder.push(frame.subarray(-2));
    const { payload } = nextEnvelope(decoder);
    frame.fill(0);
    expect(Buffer.from(payload).toString()).toBe("opus");
  });

  test("two split payloads do not share memory", () => {
    const [first, second] = ["first", "other"].map((payload) => naiveFrame(AUDIO_LINES, payload));
    const decoder = new EnvelopeDecoder();
    const payloads: Uint8Array[] = [];
    for (const chunk of [
      first!.subarray(0, -2),
      first!.subarray(-2),
      second!.subarray(0, -2),
      second!.subarray(-2),
    ]) {
      decoder.push(chunk);
      for (let result = decoder.next(); result.type === "envelope"; result = decoder.next()) {
        payloads.push(result.envelope.payload);
      }
    }
    expect(payloads.map((payload) => Buffer.from(payload).toString())).toEqual(["first", "other"]);
  });

  test("what the decoder holds does not change with the chunk it came from", () => {
    const frame = naiveFrame(AUDIO_LINES, "opus");
    const first = Buffer.from(frame.subarray(0, 20));
    const decoder = new EnvelopeDecoder();
    decoder.push(first);
    expect(decoder.next().type).toBe("incomplete");
    first.fill(0);
    decoder.push(frame.subarray(20));
    expect(nextEnvelope(decoder)).toMatchObject({ network: "acme", username: "ann" });
  });

  test("a chunk is never written to", () => {
    const frame = naiveFrame([...AUDIO_LINES, "cid:ü", "zz:1"], "opus");
    const before = Buffer.from(frame);
    for (const at of frame.keys()) decodeChunks([frame.subarray(0, at), frame.subarray(at)]);
    expect(frame.equals(before)).toBe(true);
  });
});

describe("names", () => {
  test("two names of one hash stay two names", () => {
    // The hash is Σ byte × 31^k: "Aa" and "BB" collide, as they do in Java.
    const frames = ["Aa", "BB", "Aa"].map((username) => naiveFrame(["ct:json", "nw:acme", `un:${username}`]));
    expect(decodeChunks([Buffer.concat(frames)]).envelopes).toMatchObject([
      { username: "Aa" },
      { username: "BB" },
      { username: "Aa" },
    ]);
  });

  test("more names than are remembered", () => {
    const names = Array.from({ length: 1_000 }, (_, i) => `worker-${i}`);
    const frames = [...names, ...names].map((username) =>
      naiveFrame(["ct:json", "nw:acme", `un:${username}`]),
    );
    const { envelopes } = decodeChunks([Buffer.concat(frames)]);
    expect(envelopes.map((envelope) => (envelope as { username: string }).username)).toEqual([
      ...names,
      ...names,
    ]);
  });
});

test("pushing before the last chunk is consumed is refused", () => {
  const decoder = new EnvelopeDecoder();
  decoder.push(naiveFrame(["ct:json"]));
  expect(() => decoder.push(new Uint8Array(1))).toThrow(/until it answers incomplete/);
});

test("an empty chunk changes nothing", () => {
  const frame = naiveFrame(AUDIO_LINES, "opus");
  const empty = new Uint8Array(0);
  expect(
    decodeChunks([
      empty,
      frame.subarray(0, 5),
      empty,
      frame.subarray(5, 60),
      empty,
      frame.subarray(60),
      empty,
    ]),
  ).toEqual(decodeChunks([frame]));
});

test("each content type has its own payload limit, whatever the order of keys", () => {
  const cases = [
    { lines: ["ct:json", `cl:${JSON_PAYLOAD_BYTES_MAX}`], end: "incomplete" },
    { lines: [`cl:${AUDIO_PAYLOAD_BYTES_MAX + 1}`, "ct:json"], end: "incomplete" },
    { lines: [`cl:${AUDIO_PAYLOAD_BYTES_MAX + 1}`, ...AUDIO_LINES], end: { malformed: "payload_too_large" } },
    { lines: [...AUDIO_LINES, `cl:${AUDIO_PAYLOAD_BYTES_MAX}`], end: "incomplete" },
  ];
  for (const { lines, end } of cases) expect(decodeChunks([naiveFrame(lines)]).end).toEqual(end);
});

describe("properties", () => {
  test("decode(encode(x)) = x, in any chunks", () => {
    fc.assert(
      fc.property(
        fc.array(arbitrary.envelope, { maxLength: 4 }),
        fc.infiniteStream(fc.integer({ min: 1, max: 200 })),
        (envelopes, sizes) => {
          const stream = Buffer.concat(envelopes.map(encodeEnvelope));
          expect(decodeChunks(cut(stream, sizes))).toEqual({
            envelopes: envelopes.map(toVector),
            end: "incomplete",
          });
        },
      ),
      { numRuns: 300 },
    );
  });

  test("any bytes: no throw, no hang, bounded memory, and one meaning however they are split", () => {
    const fragment = fc.oneof(
      fc.uint8Array({ maxLength: 40 }),
      fc
        .constantFrom(
          "LT\n",
          "ct:a\n",
          "ct:json\n",
          "cl:0\n",
          "cl:5\n",
          "nw:a\n",
          "un:b\n",
          "mid:1\n",
          "pid:1\n",
          "cid:\n",
          "x:y\n",
          "\n",
          "{}",
        )
        .map((text) => Buffer.from(text)),
    );
    fc.assert(
      fc.property(
        fc.array(fragment, { maxLength: 30 }),
        fc.infiniteStream(fc.integer({ min: 1, max: 60 })),
        (parts, sizes) => {
          const stream = Buffer.concat(parts);
          expect(decodeChunks(cut(stream, sizes))).toEqual(decodeChunks([stream]));
        },
      ),
      { numRuns: 1_000 },
    );
  });

  test("a header longer than the limit is never held", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5_000 }), (size) => {
        const stream = Buffer.from(`LT\nx:${"y".repeat(3 * HEADER_BYTES_MAX)}`);
        expect(decodeChunks(cut(stream, [size].values(), size)).end).toEqual({
          malformed: "header_too_large",
        });
      }),
      { numRuns: 50 },
    );
  });
});

/** `bytes` in chunks of these sizes, then of `rest` bytes. */
function* cut(bytes: Uint8Array, sizes: Iterator<number>, rest = bytes.length || 1): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; ) {
    const size = sizes.next().value ?? rest;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}
