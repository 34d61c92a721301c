/**
 * An answer as one voice message: sentences are synthesized while the answer is still being written, and their
 * packets leave at the pace of speech. The order on the wire is `message`, audio, `end_message`, `transcription`;
 * when speech fails before the first packet it is one `text_message` instead.
 */
import { type TurnEvent, TurnFailure } from "../domain/turn.js";
import { sleep } from "../lib/clock.js";
import { Condition } from "../lib/condition.js";
import { DeadlineExceeded, withDeadline } from "../lib/deadline.js";
import type { SpeechPacket } from "../speech/packets.js";
import { SpeechFailure } from "../speech/port.js";
import { deliverAsText } from "./deliver-text.js";
import {
  type Delivered,
  type Delivery,
  type DeliveryDeps,
  type DeliveryJob,
  requestIdOf,
} from "./delivery.js";
import { wordsHeard } from "./heard.js";
import type { AudioShape, OutletFrame } from "./outlet.js";
import { Pacer } from "./pacer.js";
import { Script } from "./script.js";
import { Synthesis } from "./synthesis.js";

/** Audio of one answer at the most; what is over is left to the transcription. */
export const ANSWER_AUDIO_MS_MAX = 120_000;

/** A receiver that stays dry for longer than this has lost the voice. */
export const UNDERRUN_MS_MAX = 2_000;

/** Speech cannot go on for a reason that is not the synthesizer's. */
class SpeechBroken extends Error {
  override readonly name = "SpeechBroken";
  constructor(readonly kind: "given_up" | "underrun" | "too_long") {
    super(`speech broke off: ${kind}`);
  }
}

/** The one voice message of this answer, from its `message` frame on. */
interface Voice {
  readonly mid: number;
  readonly shape: AudioShape;
  readonly pacer: Pacer;
  nextPid: number;
}

export class VoiceDelivery implements Delivery {
  readonly #changed = new Condition();
  readonly #script = new Script(this.#changed);
  readonly #synthesis: Synthesis;
  #voice: Voice | undefined;

  constructor(
    private readonly deps: DeliveryDeps,
    private readonly job: DeliveryJob,
  ) {
    this.#synthesis = new Synthesis(this.#script, this.#changed, deps, job.request.user, job.signal);
  }

  async run(events: AsyncIterable<TurnEvent>): Promise<Delivered> {
    const reading = this.#read(events);
    try {
      await this.#speak();
      return await this.#finish();
    } catch (error) {
      return await this.#recover(error);
    } finally {
      this.#synthesis.abort();
      await reading;
    }
  }

  rewind(): boolean {
    if (this.#voice !== undefined) return false;
    this.#synthesis.abort();
    this.#script.clear();
    return true;
  }

  /** Never rejects: a writer that breaks down is met by whoever reads the script. */
  async #read(events: AsyncIterable<TurnEvent>): Promise<void> {
    try {
      for await (const event of events) {
        if (event.type === "text") this.#script.append(event.text);
        else if (event.type === "cut") this.#script.cut();
      }
      this.#script.close();
    } catch (error) {
      this.#script.fail(error);
    }
  }

  async #speak(): Promise<void> {
    for (;;) {
      const next = this.#synthesis.next(this.#voice?.nextPid ?? 0);
      if (next.type === "end") return;
      if (next.type === "packet") await this.#release(next.packet);
      else await this.#change();
    }
  }

  /** Waits for more text or more packets; once speaking, only as long as the receiver can bear. */
  async #change(): Promise<void> {
    const { signal } = this.job;
    if (this.#voice === undefined) return this.#changed.wait(signal);
    const patienceMs = this.#voice.pacer.dryMs + UNDERRUN_MS_MAX - this.deps.clock.monotonic();
    try {
      await withDeadline(this.deps.clock, "the next packet", patienceMs, signal, (both) =>
        this.#changed.wait(both),
      );
    } catch (error) {
      if (error instanceof DeadlineExceeded && !signal.aborted) throw new SpeechBroken("underrun");
      throw error;
    }
  }

  /** Hands one packet to the user's line when its time has come. */
  async #release(packet: SpeechPacket): Promise<void> {
    const { clock, telemetry } = this.deps;
    const voice = this.#voice ?? (await this.#open(packet.shape));
    if (!sameShape(packet.shape, voice.shape))
      throw new SpeechFailure("wrong_shape", "the packets change shape");
    if ((voice.nextPid + 1) * voice.shape.packetMs > ANSWER_AUDIO_MS_MAX) throw new SpeechBroken("too_long");
    const earlyMs = voice.pacer.earliestMs - clock.monotonic();
    if (earlyMs > 0) await sleep(clock, earlyMs, this.job.signal);
    await this.#deliver({ type: "audio", mid: voice.mid, pid: voice.nextPid, packet: packet.bytes });
    voice.nextPid += 1;
    const dryMs = voice.pacer.sent(clock.monotonic());
    if (dryMs > 0) telemetry.emit({ type: "speech_underrun", user: this.job.request.user, ms: dryMs });
    if (voice.nextPid === 1) this.job.onFirst();
  }

  async #open(shape: AudioShape): Promise<Voice> {
    if (!this.job.line.accepts(shape))
      throw new SpeechFailure("wrong_shape", "the relay does not take this shape");
    const voice = { mid: this.deps.nextMid(), shape, pacer: new Pacer(shape.packetMs), nextPid: 0 };
    this.#voice = voice;
    await this.#deliver({ type: "message", mid: voice.mid, shape });
    return voice;
  }

  async #deliver(frame: OutletFrame): Promise<void> {
    const result = await this.job.line.deliver(
      { ...frame, ...requestIdOf(this.job.request) },
      this.job.signal,
    );
    if (result === "refused") throw new SpeechBroken("given_up");
  }

  async #finish(): Promise<Delivered> {
    const text = this.#script.text;
    if (this.#voice === undefined) return this.#asText(text);
    const { mid, nextPid } = this.#voice;
    await this.#deliver({ type: "end_message", mid, durationMs: this.#audioMs(nextPid) });
    await this.#deliver({ type: "transcription", mid, text });
    return { text, heard: text, audioMs: this.#audioMs(nextPid), interrupted: false };
  }

  /** What is left to do when speech broke off. Rejects with `error` when nothing of the answer has left. */
  async #recover(error: unknown): Promise<Delivered> {
    this.#synthesis.abort();
    const speechFailed = error instanceof SpeechFailure || error instanceof SpeechBroken;
    if (speechFailed) this.#tell(error);
    if (this.#voice !== undefined && speechFailed) return this.#endWithText(this.#voice, error);
    if (this.#voice !== undefined) return this.#breakOff(this.#voice, error);
    if (!speechFailed) throw error;
    return this.#asText(await this.#script.whole(this.job.signal));
  }

  async #asText(text: string): Promise<Delivered> {
    await deliverAsText(text, this.deps, this.job);
    return { text, heard: text, audioMs: 0, interrupted: false };
  }

  /** The voice is lost, the answer is not: the audio ends here and the whole text follows. */
  async #endWithText(voice: Voice, error: SpeechFailure | SpeechBroken): Promise<Delivered> {
    const givenUp = error.kind === "given_up" ? this.job.line.revoke(voice.mid) : undefined;
    const packets = givenUp?.firstPid ?? voice.nextPid;
    this.#send({ type: "end_message", mid: voice.mid, durationMs: this.#audioMs(packets) });
    const text = await this.#script.whole(this.job.signal).catch(() => this.#script.text);
    this.#send({ type: "transcription", mid: voice.mid, text });
    return { text, heard: text, audioMs: this.#audioMs(packets), interrupted: false };
  }

  /** Somebody stopped the answer, or its writer broke down: it ends with the words that were heard. */
  #breakOff(voice: Voice, error: unknown): Delivered {
    const revoked = this.job.line.revoke(voice.mid);
    if (revoked.frames.some((frame) => frame.type === "message")) throw error;
    const packets = revoked.firstPid ?? voice.nextPid;
    const interrupted = error instanceof TurnFailure;
    const heard = wordsHeard(this.#synthesis.spoken(voice.shape.packetMs), packets);
    const flag = interrupted ? { flag: "interrupted" as const } : {};
    this.#send({ type: "end_message", mid: voice.mid, durationMs: this.#audioMs(packets), ...flag });
    this.#send({ type: "transcription", mid: voice.mid, text: heard });
    return { text: this.#script.text, heard, audioMs: this.#audioMs(packets), interrupted };
  }

  /** Sends if the user is there: what ends an answer waits for nobody. */
  #send(frame: OutletFrame): void {
    this.job.line.send({ ...frame, ...requestIdOf(this.job.request) });
  }

  #audioMs(packets: number): number {
    return packets * (this.#voice?.shape.packetMs ?? 0);
  }

  #tell(error: SpeechFailure | SpeechBroken): void {
    const { user } = this.job.request;
    const midStream = this.#voice !== undefined;
    this.deps.telemetry.emit({
      type: "speech_failed",
      user,
      kind: error.kind,
      midStream,
      error: error.message,
    });
  }
}

function sameShape(one: AudioShape, other: AudioShape): boolean {
  return one.packetMs === other.packetMs && one.sampleRateHz === other.sampleRateHz;
}
