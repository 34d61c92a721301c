/**
 * One sentence on its way through the synthesizer: its packets pile up at network speed (the provider's adapter
 * bounds a body's bytes) until the speaker takes them at the pace of speech.
 */
import type { Clock } from "../lib/clock.js";
import type { Condition } from "../lib/condition.js";
import { opusPackets } from "../speech/packets.js";
import { SpeechFailure, type TextToSpeech } from "../speech/port.js";
import { type ShapeChoice, shaped } from "../speech/shape.js";

type State =
  | { readonly type: "streaming" }
  | { readonly type: "complete" }
  | { readonly type: "failed"; readonly error: unknown };

export interface UnitReport {
  /** From the request to the last packet. */
  readonly ms: number;
  readonly firstPacketMs: number;
  readonly packets: number;
  /** What a player that knew the container would leave out at both ends: reported, applied to nothing. At 48 kHz. */
  readonly preSkipSamples: number;
  readonly endTrimSamples: number;
}

export interface UnitListener {
  onFirstByte(): void;
  onFinished(report: UnitReport): void;
}

export class SpeechUnit {
  #packets = 0;
  /** Those that came since all before them were taken. */
  #waiting: Uint8Array[] = [];
  #taken = 0;
  #state: State = { type: "streaming" };
  readonly #abort = new AbortController();

  /** Starts synthesizing `speakable` at once. `text` is what it stands for in the answer. */
  constructor(
    readonly text: string,
    speakable: string,
    private readonly deps: {
      readonly tts: TextToSpeech;
      readonly clock: Clock;
      readonly shape: ShapeChoice;
    },
    private readonly changed: Condition,
    private readonly listener: UnitListener,
    signal: AbortSignal,
  ) {
    void this.#run(speakable, AbortSignal.any([signal, this.#abort.signal]));
  }

  /** Packets known so far, taken ones included. */
  get packets(): number {
    return this.#packets;
  }

  get complete(): boolean {
    return this.#state.type === "complete";
  }

  get failed(): boolean {
    return this.#state.type === "failed";
  }

  /** The next packet, if it is there. Throws what synthesis failed with, after the packets that came before. */
  take(): Uint8Array | "pending" | "done" {
    const packet = this.#waiting[this.#taken];
    if (packet !== undefined) {
      this.#taken += 1;
      return packet;
    }
    this.#waiting = [];
    this.#taken = 0;
    if (this.#state.type === "failed") throw this.#state.error;
    return this.#state.type === "complete" ? "done" : "pending";
  }

  abort(): void {
    this.#abort.abort();
  }

  async #run(speakable: string, signal: AbortSignal): Promise<void> {
    const { clock, tts, shape } = this.deps;
    const startMs = clock.monotonic();
    let firstPacketMs = 0;
    try {
      const { preferred } = shape;
      const request = { text: speakable, ...(preferred === undefined ? {} : { shape: preferred }) };
      const body = this.#heard(tts.synthesize(request, signal));
      const packets = shaped(opusPackets(body), shape);
      let next = await packets.next();
      for (; !next.done; next = await packets.next()) {
        if (this.#packets === 0) firstPacketMs = clock.monotonic() - startMs;
        for (const packet of next.value.packets) this.#waiting.push(packet);
        this.#packets += next.value.packets.length;
        this.changed.notify();
      }
      this.#state = { type: "complete" };
      this.listener.onFinished({ ms: clock.monotonic() - startMs, firstPacketMs, ...next.value });
    } catch (error) {
      this.#state = { type: "failed", error: asSpeechFailure(error) };
    }
    this.changed.notify();
  }

  async *#heard(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
    let begun = false;
    for await (const bytes of body) {
      if (!begun) this.listener.onFirstByte();
      begun = true;
      yield bytes;
    }
  }
}

/** Whatever a synthesizer fails with, the answer goes on as text. */
function asSpeechFailure(error: unknown): SpeechFailure {
  if (error instanceof SpeechFailure) return error;
  return new SpeechFailure("unavailable", String(error), { cause: error });
}
