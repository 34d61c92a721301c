/**
 * An answer as one voice message: sentences are synthesized while the answer is still being written, and their
 * packets leave at the pace of speech. The order on the wire is `message`, audio, `end_message`, `transcription`;
 * when speech fails before the first packet it is one `text_message` instead.
 */
import { TurnFailure } from "../domain/failure.js";
import type { TurnEvent } from "../domain/turn.js";
import { Condition } from "../lib/condition.js";
import { DeadlineExceeded } from "../lib/deadline.js";
import { SpeechFailure } from "../speech/port.js";
import { ShapeChoice } from "../speech/shape.js";
import { deliverAsText } from "./deliver-text.js";
import {
  type Acknowledging,
  type Delivery,
  type DeliveryDeps,
  type DeliveryJob,
  type DeliveryResult,
  deliver,
} from "./delivery.js";
import { wordsHeard } from "./heard.js";
import type { AudioShape } from "./outlet.js";
import { PacedVoice } from "./paced-voice.js";
import { Script } from "./script.js";
import { Synthesis } from "./synthesis.js";

/** Audio of one answer at the most; what is over is left to the transcription. */
export const ANSWER_AUDIO_MS_MAX = 120_000;

/** A receiver that stays dry for longer than this has lost the voice. */
export const UNDERRUN_MS_MAX = 2_000;

type Breach =
  /** The relay takes no voice of this shape, or has no room for one. */
  | "not_taken"
  /** The relay does not read: the rest of the voice was given up. */
  | "given_up"
  /** The first packet does not come in time, though the text is there; or the receiver ran dry. */
  | "late"
  | "underrun"
  | "too_long";

/** Speech cannot go on. The answer can, as text. */
class SpeechBroken extends Error {
  override readonly name = "SpeechBroken";
  constructor(readonly kind: Breach) {
    super(`speech broke off: ${kind}`);
  }
}

export class VoiceDelivery implements Delivery {
  readonly #changed = new Condition();
  readonly #script = new Script(this.#changed);
  readonly #shape: ShapeChoice;
  readonly #synthesis: Synthesis;
  #acknowledging: Acknowledging | undefined;
  /** The one voice message of this answer, from its `message` frame on. */
  #voice: PacedVoice | undefined;
  /** A new object for each draft of the answer. */
  #draft: object = {};

  constructor(
    private readonly deps: DeliveryDeps,
    private readonly job: DeliveryJob,
  ) {
    this.#shape = new ShapeChoice(() => job.line.link.shapes ?? []);
    this.#synthesis = new Synthesis(this.#script, this.#changed, { ...deps, shape: this.#shape }, job);
  }

  async run(events: AsyncIterable<TurnEvent>): Promise<DeliveryResult> {
    this.#acknowledging = this.deps.acknowledger?.begin(this.job);
    void this.#read(events);
    try {
      await this.#speak();
      return await this.#conclude();
    } catch (error) {
      return this.#breakOff(error);
    } finally {
      this.#synthesis.abort();
      if (this.#voice?.lastLeftMs !== undefined) this.job.mark("last_packet", this.#voice.lastLeftMs);
      await this.#acknowledging?.end();
    }
  }

  rewind(): boolean {
    if (this.#voice !== undefined) return false;
    this.#draft = {};
    this.#synthesis.abort();
    this.#shape.reset();
    this.#script.clear();
    return true;
  }

  /** Never rejects: a writer that breaks down is met by whoever reads the script. */
  async #read(events: AsyncIterable<TurnEvent>): Promise<void> {
    try {
      for await (const event of events) {
        if (event.type === "text") this.#script.append(event.text);
        else if (event.type === "clause") this.#synthesis.prepare(event.text);
      }
      this.#script.close();
    } catch (error) {
      this.#script.fail(error);
    }
  }

  /** Speaks until all is said, or until the voice is lost: then the text is what is left of the answer. */
  async #speak(): Promise<void> {
    try {
      for (;;) {
        const next = this.#next();
        if (next === "end") return;
        if (next === "pending") await this.#change();
        else if (this.#voice !== undefined || (await this.#hasTheFloor())) await this.#play(next);
      }
    } catch (error) {
      this.#lose(this.#asBreach(error));
    }
  }

  /** Throws `error` when it is not only the voice that is lost. */
  #asBreach(error: unknown): SpeechFailure | SpeechBroken {
    if (this.job.signal.aborted) {
      const late = this.job.signal.reason instanceof DeadlineExceeded && this.#voice === undefined;
      if (late && this.#script.complete) return new SpeechBroken("late");
      throw error;
    }
    if (error instanceof SpeechFailure || error instanceof SpeechBroken) return error;
    throw error;
  }

  /** Waits for more text or more packets; once speaking, only as long as the receiver can bear. */
  async #change(): Promise<void> {
    const { clock } = this.deps;
    const limit = this.#voice && { clock, ms: this.#voice.dryMs + UNDERRUN_MS_MAX - clock.monotonic() };
    if (!(await this.#changed.wait(this.job.signal, limit))) throw new SpeechBroken("underrun");
  }

  #next(): ReturnType<Synthesis["next"]> {
    const voice = this.#voice;
    const next = this.#synthesis.next(voice?.nextPid ?? 0);
    const isPacket = typeof next !== "string";
    if (isPacket && voice && voice.audioMs + voice.head.packetMs > ANSWER_AUDIO_MS_MAX)
      throw new SpeechBroken("too_long");
    return next;
  }

  /** Plays `packet` and those after it that are there. */
  async #play(packet: Uint8Array): Promise<void> {
    const voice = this.#voice ?? (await this.#open(this.#shape.settled!));
    if (!(await voice.play(packet, this.job.signal))) throw new SpeechBroken("given_up");
  }

  #left(pid: number, dryMs: number): void {
    const { user } = this.job.request;
    if (dryMs > 0) this.deps.telemetry.emit({ type: "speech_underrun", user, ms: dryMs });
    if (pid === 0) this.job.onFirst("packet");
  }

  /** Waits for an acknowledgement to end; false when the answer was begun anew meanwhile. */
  async #hasTheFloor(): Promise<boolean> {
    const draft = this.#draft;
    await this.#acknowledging?.giveWay("packet");
    return draft === this.#draft;
  }

  async #open(shape: AudioShape): Promise<PacedVoice> {
    const { kind, line, request } = this.job;
    const head = { mid: this.deps.nextMid(), packetMs: shape.packetMs, requestId: request.requestId };
    const voice = new PacedVoice(this.deps.clock, line, head, {
      take: () => {
        const next = this.#next();
        return typeof next === "string" ? undefined : next;
      },
      left: (pid, dryMs) => this.#left(pid, dryMs),
    });
    // From here on there is no way back: the frame may leave at any time.
    this.#voice = voice;
    if ((await deliver(this.job, { type: "message", mid: head.mid, shape, kind })) === "accepted")
      return voice;
    this.#voice = undefined;
    throw new SpeechBroken("not_taken");
  }

  #lose(error: SpeechFailure | SpeechBroken): void {
    const { user } = this.job.request;
    const { kind, message } = error;
    const midStream = this.#voice !== undefined;
    this.deps.telemetry.emit({ type: "speech_failed", user, kind, midStream, error: message });
    this.#synthesis.abort();
  }

  /** The end of the voice message and the whole text; just the text when no packet has left. */
  async #conclude(): Promise<DeliveryResult> {
    const voice = this.#voice;
    if (voice === undefined) {
      const text = await this.#script.whole(this.job.signal);
      await this.#acknowledging?.giveWay("text");
      await deliverAsText(text, this.deps, this.job);
      return { text, heard: text, audioMs: 0, interrupted: false };
    }
    const { audioMs } = voice;
    await deliver(this.job, { type: "end_message", mid: voice.head.mid, durationMs: audioMs });
    const text = await this.#script.whole(this.job.signal);
    await deliver(this.job, { type: "transcription", mid: voice.head.mid, text });
    return { text, heard: text, audioMs, interrupted: false, lastDueMs: voice.lastDueMs };
  }

  /**
   * Somebody stopped the answer, its user is gone, or its writer broke down: it ends with the words that were heard.
   * Throws `error` when there were none of it.
   */
  #breakOff(error: unknown): DeliveryResult {
    const { line, signal } = this.job;
    const voice = this.#voice;
    const interrupted = signal.aborted && error instanceof TurnFailure;
    const packets = voice && line.breakOff(voice.head.mid, interrupted ? "interrupted" : undefined);
    if (voice === undefined || packets === undefined) throw error;
    const { mid, packetMs, requestId } = voice.head;
    const heard = wordsHeard(this.#synthesis.spoken(packetMs), packets);
    line.send({ type: "transcription", mid, text: heard, requestId });
    const audioMs = packets * packetMs;
    return { text: this.#script.text, heard, audioMs, interrupted, lastDueMs: voice.lastDueMs };
  }
}
