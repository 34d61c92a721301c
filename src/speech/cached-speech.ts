/**
 * A voice that remembers what it said: the same words need not be spoken twice. Fixed phrases come again and again, and
 * so do answers to the same question. Kept in memory only, the longest unused forgotten first, and only whole bodies
 * that were sound; what is asked for while it is being spoken is spoken once.
 *
 * Why this opens no way around permissions: an entry is found by its exact text and holds that text spoken, nothing
 * else. Who has the text has passed the gate with it under their own access; who has not cannot name the entry. A hit
 * is told from a miss by its time alone, and only to who asks for the same words.
 */
import type { StreamEnd } from "../lib/channel.js";
import { Condition } from "../lib/condition.js";
import { opusPackets } from "./packets.js";
import type { SpeechRequest, TextToSpeech } from "./port.js";

export interface SpeechCacheOptions {
  /** Bodies at the most. */
  readonly entriesMax: number;
  /** Bytes of all bodies together at the most. */
  readonly bytesMax: number;
  /** What is spoken ahead, once the voice is warm. */
  phrases(): readonly string[];
  /** `shared`: somebody else had asked for it and it was still being spoken. */
  readonly onLookUp: (result: "hit" | "miss" | "shared") => void;
  /** A phrase could not be spoken ahead; the rest are not tried. */
  readonly onFailed: (error: unknown) => void;
}

/** Phrases that are spoken ahead at the most. */
export const WARM_PHRASES_MAX = 100;

export class CachedSpeech implements TextToSpeech {
  readonly name: string;
  readonly usualPacketMs: number | undefined;
  /** The longest unused first. */
  readonly #bodies = new Map<string, Uint8Array>();
  readonly #flights = new Map<string, Flight>();
  #bytes = 0;
  #ahead: Promise<void> | undefined;
  readonly #closed = new AbortController();

  constructor(
    private readonly voice: TextToSpeech,
    private readonly options: SpeechCacheOptions,
  ) {
    this.name = voice.name;
    this.usualPacketMs = voice.usualPacketMs;
  }

  /** Bytes of what is kept. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Prepares the voice; phrases are spoken ahead afterwards, while others go about their work. */
  async warm(signal: AbortSignal): Promise<void> {
    await this.voice.warm(signal);
    this.#ahead ??= this.#speakAhead(this.#closed.signal);
  }

  /** Resolves when the phrases have been spoken ahead, as far as they could be. */
  get ahead(): Promise<void> {
    return this.#ahead ?? Promise.resolve();
  }

  async *synthesize(speech: SpeechRequest, signal: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
    const key = this.#keyOf(speech);
    const body = this.#bodies.get(key);
    if (body !== undefined) {
      this.options.onLookUp("hit");
      this.#bodies.delete(key);
      this.#bodies.set(key, body);
      yield body;
      return;
    }
    this.options.onLookUp(this.#flights.has(key) ? "shared" : "miss");
    yield* this.#flight(key, speech).listen(signal);
  }

  close(): Promise<void> {
    this.#closed.abort();
    for (const flight of this.#flights.values()) flight.abort();
    this.#bodies.clear();
    this.#bytes = 0;
    return this.voice.close();
  }

  /** One after the other, so that a user waits for one of them at the most. */
  async #speakAhead(signal: AbortSignal): Promise<void> {
    try {
      for (const text of this.options.phrases().slice(0, WARM_PHRASES_MAX)) {
        const key = this.#keyOf({ text });
        if (!this.#bodies.has(key)) for await (const _ of this.#flight(key, { text }).listen(signal));
      }
    } catch (error) {
      if (!signal.aborted) this.options.onFailed(error);
    }
  }

  /** What a body depends on: a voice that passes its packets on as they are heeds no shape. */
  #keyOf({ text, language, shape }: SpeechRequest): string {
    const { name, usualPacketMs } = this.voice;
    const packetMs = usualPacketMs === undefined ? null : (shape?.packetMs ?? usualPacketMs);
    return JSON.stringify([name, language ?? null, packetMs, text]);
  }

  #flight(key: string, speech: SpeechRequest): Flight {
    const known = this.#flights.get(key);
    if (known !== undefined) return known;
    const flight = new Flight(
      (signal) => this.voice.synthesize(speech, signal),
      (body) => {
        // A later flight for the same words may have taken the place of one that nobody listened to any more.
        if (this.#flights.get(key) === flight) this.#flights.delete(key);
        if (body !== undefined) this.#keep(key, body);
      },
    );
    this.#flights.set(key, flight);
    return flight;
  }

  #keep(key: string, body: Uint8Array): void {
    const { bytesMax, entriesMax } = this.options;
    if (body.length > bytesMax || this.#bodies.has(key)) return;
    this.#bodies.set(key, body);
    this.#bytes += body.length;
    for (const [oldest, { length }] of this.#bodies) {
      if (this.#bytes <= bytesMax && this.#bodies.size <= entriesMax) return;
      this.#bodies.delete(oldest);
      this.#bytes -= length;
    }
  }
}

/** One synthesis under way and all who listen to it; it stops when the last of them has left. */
class Flight {
  readonly #chunks: Uint8Array[] = [];
  readonly #changed = new Condition();
  readonly #abort = new AbortController();
  #ending: StreamEnd = { type: "open" };
  #listeners = 0;

  /** `onEnd` is told once: the body if it is whole and sound. */
  constructor(
    speak: (signal: AbortSignal) => AsyncIterable<Uint8Array>,
    private readonly onEnd: (body: Uint8Array | undefined) => void,
  ) {
    void this.#run(speak);
  }

  /** All chunks from the first on, as they come. Throws what the synthesis fails with, or the signal's reason. */
  async *listen(signal: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
    this.#listeners += 1;
    try {
      for (let next = 0; ; ) {
        signal.throwIfAborted();
        const chunk = this.#chunks[next];
        if (chunk !== undefined) {
          next += 1;
          yield chunk;
        } else if (this.#ending.type === "failed") throw this.#ending.error;
        else if (this.#ending.type === "closed") return;
        else await this.#changed.wait(signal);
      }
    } finally {
      this.#listeners -= 1;
      if (this.#listeners === 0) this.abort();
    }
  }

  /** Stops the work; nothing is kept of what is not whole. */
  abort(): void {
    if (this.#ending.type !== "open") return;
    this.#end({ type: "failed", error: new Error("the synthesis was stopped") }, undefined);
    this.#abort.abort();
  }

  async #run(speak: (signal: AbortSignal) => AsyncIterable<Uint8Array>): Promise<void> {
    try {
      for await (const chunk of speak(this.#abort.signal)) {
        this.#chunks.push(chunk);
        this.#changed.notify();
      }
      // In a buffer of its own: a chunk may be a small view of a large one.
      const body = (await isSound(this.#chunks)) ? new Uint8Array(Buffer.concat(this.#chunks)) : undefined;
      this.#end({ type: "closed" }, body);
    } catch (error) {
      this.#end({ type: "failed", error }, undefined);
    }
  }

  #end(ending: StreamEnd, body: Uint8Array | undefined): void {
    if (this.#ending.type !== "open") return;
    this.#ending = ending;
    this.onEnd(body);
    this.#changed.notify();
  }
}

/** Whether a body can be played to its end: what a server sends with good manners may still be no audio. */
async function isSound(chunks: readonly Uint8Array[]): Promise<boolean> {
  async function* body() {
    yield* chunks;
  }
  try {
    const packets = opusPackets(body());
    while (!(await packets.next()).done);
    return true;
  } catch {
    // Whoever listens meets the same failure and reports it.
    return false;
  }
}
