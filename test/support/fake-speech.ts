/** A synthesizer that says what a test scripted, in real Opus: it fails on calls not expected and on calls missing. */
import assert from "node:assert/strict";
import { muxOggOpus, type OggOpusMuxerOptions, OpusPacketEncoder } from "@readback/audio";
import { Channel } from "../../src/lib/channel.js";
import { type Clock, sleep } from "../../src/lib/clock.js";
import { abortable } from "../../src/lib/deadline.js";
import type { SpeechRequest, TextToSpeech } from "../../src/speech/port.js";

/** The bytes of one answer of the synthesizer; stops with the signal's reason. */
export type Body = (signal: AbortSignal) => AsyncIterable<Uint8Array>;

export class ScriptedSpeech implements TextToSpeech {
  readonly name = "scripted";
  usualPacketMs: number | undefined;
  /** Signals of the calls so far, in order: a test may look whether work was stopped. */
  readonly signals: AbortSignal[] = [];
  /** What was asked for so far, likewise. */
  readonly requests: SpeechRequest[] = [];
  /** What is said to a call that was not scripted, for tests that do not know the words; absent: it fails. */
  otherwise: ((text: string) => Body) | undefined;
  readonly #expected: { readonly text: string; readonly body: Body }[] = [];
  readonly #unexpected: string[] = [];

  /** The next call is to be for `text`. */
  expect(text: string, body: Body): this {
    this.#expected.push({ text, body });
    return this;
  }

  /** Calls so far. */
  get calls(): number {
    return this.signals.length;
  }

  synthesize(speech: SpeechRequest, signal: AbortSignal): AsyncIterable<Uint8Array> {
    const { text } = speech;
    this.requests.push(speech);
    this.signals.push(signal);
    const next = this.#expected.shift();
    if (next === undefined && this.otherwise !== undefined) return this.otherwise(text)(signal);
    if (next?.text === text) return next.body(signal);
    this.#unexpected.push(text);
    throw new Error(`unexpected: ${text}`);
  }

  async warm(): Promise<void> {}

  async close(): Promise<void> {}

  /** To be called after each test. */
  verify(): void {
    assert.deepEqual(this.#unexpected, [], "calls that were not expected");
    assert.deepEqual(
      this.#expected.map(({ text }) => text),
      [],
      "calls that never came",
    );
  }
}

export interface Sample {
  readonly packets: readonly Uint8Array[];
  /** The Ogg file that holds them. */
  readonly ogg: Uint8Array;
}

const PACKETS_ENCODED = 40;
const encoded = new Map<number, readonly Uint8Array[]>();

/** Mono speech of `count` packets at 16 kHz: a tone, of which the packets differ. */
export function opusSample(
  count: number,
  { packetMs = 60, ...options }: OggOpusMuxerOptions & { packetMs?: 20 | 40 | 60 } = {},
): Sample {
  const tone = encoded.get(packetMs) ?? encodeTone(packetMs);
  encoded.set(packetMs, tone);
  const packets = Array.from({ length: count }, (_, i) => tone[i % tone.length]!);
  return { packets, ogg: muxOggOpus(packets, { inputSampleRateHz: 16_000, ...options }) };
}

function encodeTone(packetMs: 20 | 40 | 60): readonly Uint8Array[] {
  const encoder = new OpusPacketEncoder({ sampleRateHz: 16_000, packetMs });
  const pcm = Int16Array.from({ length: PACKETS_ENCODED * packetMs * 16 }, (_, i) =>
    Math.round(8_000 * Math.sin(i * (0.05 + i * 1e-6))),
  );
  return encoder.encode(pcm);
}

/** All of it at once. */
export function atOnce(...chunks: readonly Uint8Array[]): Body {
  return async function* (signal) {
    for (const chunk of chunks) {
      signal.throwIfAborted();
      yield chunk;
    }
  };
}

/** A failure, after some bytes. */
export function failing(error: unknown, ...chunks: readonly Uint8Array[]): Body {
  return async function* (signal) {
    yield* atOnce(...chunks)(signal);
    throw error;
  };
}

/** Nothing, until it is stopped. */
export const hanging: Body = async function* (signal) {
  yield* [];
  await abortable(new Promise<never>(() => {}), signal);
};

/** `chunkBytes` every `everyMs`, the first at once. */
export function dripping(clock: Clock, ogg: Uint8Array, chunkBytes: number, everyMs: number): Body {
  return async function* (signal) {
    for (let at = 0; at < ogg.length; at += chunkBytes) {
      if (at > 0) await sleep(clock, everyMs, signal);
      yield ogg.subarray(at, at + chunkBytes);
    }
  };
}

/** Bytes as the test hands them out. */
export class Tap {
  readonly #bytes = new Channel<Uint8Array>(Number.POSITIVE_INFINITY);

  readonly body: Body = async function* (this: Tap, signal: AbortSignal) {
    const iterator = this.#bytes[Symbol.asyncIterator]();
    for (;;) {
      const next = await abortable(iterator.next(), signal);
      if (next.done) return;
      yield next.value;
    }
  }.bind(this);

  pour(bytes: Uint8Array): void {
    this.#bytes.put(bytes);
  }

  close(): void {
    this.#bytes.close();
  }

  fail(error: unknown): void {
    this.#bytes.fail(error);
  }
}
