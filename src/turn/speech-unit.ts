/**
 * One sentence on its way through the synthesizer: its packets pile up at network speed (the provider's adapter
 * bounds a body's bytes) until the speaker takes them at the pace of speech.
 */
import type { StreamEnd } from "../lib/channel.js";
import type { Clock } from "../lib/clock.js";
import type { Condition } from "../lib/condition.js";
import { opusPackets } from "../speech/packets.js";
import { SpeechFailure, type TextToSpeech } from "../speech/port.js";
import { type ShapeChoice, shaped } from "../speech/shape.js";
import type { Telemetry } from "../telemetry/events.js";
import type { DeliveryJob } from "./delivery.js";

export interface SynthesisDeps {
  readonly clock: Clock;
  readonly tts: TextToSpeech;
  readonly telemetry: Telemetry;
  /** What shape the packets are to have, all of them the same. */
  readonly shape: ShapeChoice;
}

export type SynthesisJob = Pick<DeliveryJob, "language" | "mark" | "request" | "signal">;

export class SpeechUnit {
  #packets = 0;
  /** Those that came since all before them were taken. */
  #waiting: Uint8Array[] = [];
  #taken = 0;
  #ending: StreamEnd = { type: "open" };
  readonly #abort = new AbortController();
  readonly #requestedMs: number;
  #firstByteMs: number | undefined;
  #isAdopted = false;

  /** Starts synthesizing `speakable` at once. `text` is what it stands for in the answer. */
  constructor(
    readonly text: string,
    speakable: string,
    private readonly deps: SynthesisDeps,
    private readonly changed: Condition,
    private readonly job: SynthesisJob,
  ) {
    this.#requestedMs = deps.clock.monotonic();
    void this.#run(speakable, AbortSignal.any([job.signal, this.#abort.signal]));
  }

  /** It is a part of the answer from here on: what it came past, and will, counts. */
  adopt(): this {
    this.#isAdopted = true;
    this.job.mark("tts_request", this.#requestedMs);
    if (this.#firstByteMs !== undefined) this.job.mark("tts_first_byte", this.#firstByteMs);
    return this;
  }

  /** Packets known so far, taken ones included. */
  get packets(): number {
    return this.#packets;
  }

  get complete(): boolean {
    return this.#ending.type === "closed";
  }

  get failed(): boolean {
    return this.#ending.type === "failed";
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
    if (this.#ending.type === "failed") throw this.#ending.error;
    return this.complete ? "done" : "pending";
  }

  abort(): void {
    this.#abort.abort();
  }

  async #run(speakable: string, signal: AbortSignal): Promise<void> {
    const { clock, tts, shape, telemetry } = this.deps;
    const sinceMs = () => clock.monotonic() - this.#requestedMs;
    let firstPacketMs = 0;
    try {
      const body = tts.synthesize({ text: speakable, shape: shape.preferred }, signal);
      const packets = shaped(opusPackets(body, this.#heard), shape);
      let next = await packets.next();
      for (; !next.done; next = await packets.next()) {
        if (this.#packets === 0) firstPacketMs = sinceMs();
        for (const packet of next.value.packets) this.#waiting.push(packet);
        this.#packets += next.value.packets.length;
        this.changed.notify();
      }
      this.#ending = { type: "closed" };
      const about = { user: this.job.request.user, model: tts.name, ms: sinceMs(), firstPacketMs };
      telemetry.emit({ type: "speech_unit_finished", ...about, ...next.value });
    } catch (error) {
      this.#ending = { type: "failed", error: asSpeechFailure(error) };
    }
    this.changed.notify();
  }

  readonly #heard = (): void => {
    if (this.#firstByteMs !== undefined) return;
    this.#firstByteMs = this.deps.clock.monotonic();
    if (this.#isAdopted) this.job.mark("tts_first_byte", this.#firstByteMs);
  };
}

/** Whatever a synthesizer fails with, the answer goes on as text. */
function asSpeechFailure(error: unknown): SpeechFailure {
  if (error instanceof SpeechFailure) return error;
  return new SpeechFailure("unavailable", String(error), { cause: error });
}
