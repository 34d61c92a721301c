/**
 * Decoder throughput against the parsers of two well-known text-header protocols, in one run:
 *
 *     node dist/bench/decoder.js
 *
 * All three read the same information, seven values a frame, from one long stream in chunks of 64 KiB, as a busy socket
 * delivers it. The contestants take turns within each round, so that what disturbs the machine disturbs all of them;
 * each figure is the median of the rounds.
 */
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { EnvelopeDecoder } from "@readback/protocol";

/** A parser of a stream: `parse` takes the next chunk and returns how many frames it completed. */
interface Contestant {
  readonly label: string;
  /** What a completed frame is, since the three do not give the same. */
  readonly yields: string;
  readonly chunks: readonly Uint8Array[];
  readonly streamBytes: number;
  start(): { parse(chunk: Uint8Array): number };
}

/** One frame's seven values. */
interface Frame {
  readonly contentType: "json" | "a";
  readonly network: string;
  readonly username: string;
  readonly connectionId: string;
  readonly messageId: number;
  readonly packetId: number;
  readonly payload: Buffer;
}

interface NatsInternals {
  readonly Parser: new (dispatcher: { push(message: unknown): void }) => { parse(chunk: Uint8Array): void };
}
type RedisParser = new (options: {
  returnReply(reply: readonly unknown[]): void;
  returnError(error: Error): void;
  returnBuffers: boolean;
}) => { execute(chunk: Uint8Array): void };

const FRAMES = 20_000;
const USERS = 10;
const CHUNK_BYTES = 65_536;
const ROUNDS = 9;
const WARM_UP_ROUNDS = 2;
const AUDIO_PAYLOAD_BYTES = 60;

const require = createRequire(import.meta.url);
const { Parser: NatsParser } = require("@nats-io/nats-core/internal") as NatsInternals;
const RedisReplyParser = require("redis-parser") as RedisParser;

/** Prints the table. */
export async function run(): Promise<void> {
  for (const kind of ["json", "audio"] as const) {
    const frames = Array.from({ length: FRAMES }, (_, i) => makeFrame(kind, i));
    const payloadBytes = frames[0]!.payload.length;
    console.log(
      `\nDecoder, ${kind} frames with ${payloadBytes} bytes of payload, ${USERS} users, ${FRAMES} frames a stream`,
    );
    report([ours(frames), nats(frames), redis(frames, true), redis(frames, false)]);
  }
}

function report(contestants: readonly Contestant[]): void {
  const seconds = contestants.map((): number[] => []);
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++) {
    contestants.forEach((contestant, index) => {
      const elapsed = measure(contestant);
      if (round >= WARM_UP_ROUNDS) seconds[index]!.push(elapsed);
    });
  }
  const medians = seconds.map(median);
  const ourRate = FRAMES / medians[0]!;
  contestants.forEach(({ label, yields, streamBytes }, index) => {
    const rate = FRAMES / medians[index]!;
    const megabytes = streamBytes / medians[index]! / 1e6;
    const ratio = index === 0 ? "" : `  readback is ${(ourRate / rate).toFixed(2)}×`;
    console.log(
      `  ${label.padEnd(30)} ${(rate / 1e6).toFixed(2)} M frames/s ${megabytes.toFixed(0).padStart(5)} MB/s${ratio}`,
    );
    console.log(`  ${"".padEnd(30)} ${yields}`);
  });
}

/** Seconds for one pass over the stream. */
function measure({ label, chunks, start }: Contestant): number {
  const parser = start();
  let frames = 0;
  const from = process.hrtime.bigint();
  for (const chunk of chunks) frames += parser.parse(chunk);
  const elapsed = Number(process.hrtime.bigint() - from) / 1e9;
  if (frames !== FRAMES) throw new Error(`${label} found ${frames} frames of ${FRAMES}`);
  return elapsed;
}

function ours(frames: readonly Frame[]): Contestant {
  const stream = frames.map(
    ({ contentType, network, username, connectionId, messageId, packetId, payload }) => [
      `LT\nct:${contentType}\ncl:${payload.length}\nnw:${network}\nun:${username}\ncid:${connectionId}\n` +
        `mid:${messageId}\npid:${packetId}\n\n`,
      payload,
    ],
  );
  return {
    label: "@readback/protocol",
    yields: "envelope: names checked and as strings, ids as numbers, payload a view",
    ...chunked(stream),
    start: () => {
      const decoder = new EnvelopeDecoder();
      return {
        parse: (chunk) => {
          let found = 0;
          decoder.push(chunk);
          for (let result = decoder.next(); result.type !== "incomplete"; result = decoder.next()) {
            if (result.type === "malformed") throw new Error(result.detail);
            found++;
          }
          return found;
        },
      };
    },
  };
}

function nats(frames: readonly Frame[]): Contestant {
  const stream = frames.map(
    ({ contentType, network, username, connectionId, messageId, packetId, payload }) => [
      `MSG ${contentType}.${network}.${username}.${connectionId}.${messageId}.${packetId} 1 ${payload.length}\r\n`,
      payload,
      "\r\n",
    ],
  );
  return {
    label: "@nats-io/nats-core 3.3.1 MSG",
    yields: "subject as bytes, not split, not decoded; payload a view",
    ...chunked(stream),
    start: () => {
      let found = 0;
      const parser = new NatsParser({
        push: () => {
          found++;
        },
      });
      return {
        parse: (chunk) => {
          const before = found;
          parser.parse(chunk);
          return found - before;
        },
      };
    },
  };
}

function redis(frames: readonly Frame[], returnBuffers: boolean): Contestant {
  const stream = frames.map(
    ({ contentType, network, username, connectionId, messageId, packetId, payload }) => [
      "*7\r\n",
      ...[contentType, network, username, connectionId, String(messageId), String(packetId)].map(bulkString),
      `$${payload.length}\r\n`,
      payload,
      "\r\n",
    ],
  );
  return {
    label: `redis-parser 3.0.0 ${returnBuffers ? "buffers" : "strings"}`,
    yields: returnBuffers
      ? "array of seven views, nothing decoded"
      : "array of seven strings, payload decoded too",
    ...chunked(stream),
    start: () => {
      let found = 0;
      const parser = new RedisReplyParser({
        returnBuffers,
        returnReply: () => {
          found++;
        },
        returnError: (error) => {
          throw error;
        },
      });
      return {
        parse: (chunk) => {
          const before = found;
          parser.execute(chunk);
          return found - before;
        },
      };
    },
  };
}

function bulkString(text: string): string {
  return `$${Buffer.byteLength(text)}\r\n${text}\r\n`;
}

function chunked(
  frames: readonly (readonly (string | Buffer)[])[],
): Pick<Contestant, "chunks" | "streamBytes"> {
  const stream = Buffer.concat(frames.flat().map((part) => Buffer.from(part)));
  const chunks: Buffer[] = [];
  for (let at = 0; at < stream.length; at += CHUNK_BYTES)
    chunks.push(Buffer.from(stream.subarray(at, at + CHUNK_BYTES)));
  return { chunks, streamBytes: stream.length };
}

function makeFrame(kind: "json" | "audio", index: number): Frame {
  const user = index % USERS;
  const common = {
    network: "acme-logistics",
    username: `forklift-${user}`,
    connectionId: `c-${4_000 + user}`,
  };
  const ids = { messageId: 70_000 + user, packetId: Math.floor(index / USERS) };
  if (kind === "audio") {
    return { contentType: "a", ...common, ...ids, payload: Buffer.alloc(AUDIO_PAYLOAD_BYTES, "opus") };
  }
  const payload = Buffer.from(JSON.stringify({ command: "get_chat", request_id: `r-${user}` }));
  return { contentType: "json", ...common, ...ids, payload };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) await run();
