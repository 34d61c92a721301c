/**
 * A voice message as it comes in, packet by packet, while its sender holds the button. It keeps the bounds: its length,
 * its size, the silence between packets, their order, how far they may run ahead of time, and the shape that was
 * announced. Who breaks one ends the message.
 */
import { TurnFailure } from "../domain/failure.js";
import type { Utterance, UtteranceShape } from "../domain/utterance.js";
import type { Clock, Timer } from "../lib/clock.js";
import { Condition } from "../lib/condition.js";
import { voicePacketFault } from "../speech/voice-packet.js";
import type { VoiceHold, Voices } from "./voices.js";

/** A question is no longer than this. */
export const UTTERANCE_MS_MAX = 60_000;

/** Its packets come to no more than this; speech needs a tenth of it. */
export const UTTERANCE_BYTES_MAX = 1_048_576;

/** While the button is held something comes at least this often; who is gone for longer does not keep the floor. */
export const UTTERANCE_GAP_MS_MAX = 5_000;

/** A button is held no longer than this, however little comes meanwhile: as long as a question may be, and delays. */
export const UTTERANCE_HELD_MS_MAX = 80_000;

/** How far a relay that has stored packets may run ahead of the time that has passed. */
export const UTTERANCE_AHEAD_MS_MAX = 30_000;

type State =
  | { readonly type: "open"; readonly gap: Timer }
  | { readonly type: "ended" }
  | { readonly type: "given_up"; readonly failure: TurnFailure };

export class Recording implements Utterance {
  #packets: Uint8Array[] = [];
  readonly #hold: VoiceHold;
  readonly #changed = new Condition();
  readonly pressedMs: number;
  #count = 0;
  #bytes = 0;
  #state: State;

  /** `onBroken` is told once, when a bound is broken, room is needed or nothing comes any more. */
  constructor(
    readonly shape: UtteranceShape,
    private readonly clock: Clock,
    private readonly onBroken: (failure: TurnFailure) => void,
    voices: Pick<Voices, "hold">,
  ) {
    this.pressedMs = clock.monotonic();
    this.#hold = voices.hold((failure) => this.#break(failure));
    this.#state = this.#open();
  }

  get audioMs(): number {
    return this.#count * this.shape.packetMs;
  }

  /** Takes the next packet in; a copy of it, since it may be a view of something large. */
  add(pid: number, packet: Uint8Array): void {
    if (this.#state.type !== "open") return;
    const failure = this.#faultOf(pid, packet);
    if (failure !== undefined) return this.#break(failure);
    this.#packets.push(packet.slice());
    this.#count += 1;
    this.#bytes += packet.length;
    this.#state.gap.cancel();
    this.#state = this.#open();
    this.#changed.notify();
    this.#hold.grow(packet.length);
  }

  /** The button is released. */
  end(): void {
    this.#close({ type: "ended" });
  }

  /** The message is not wanted any more: who reads it meets `failure`. */
  giveUp(failure: TurnFailure): void {
    this.#close({ type: "given_up", failure });
    this.forget();
  }

  /** Nobody reads it any more. */
  forget(): void {
    this.#packets = [];
    this.#hold.release();
  }

  async *packets(): AsyncGenerator<Uint8Array, void, undefined> {
    const forever = new AbortController().signal;
    for (let next = 0; ; ) {
      for (let packet = this.#packets[next]; packet !== undefined; packet = this.#packets[next]) {
        next += 1;
        yield packet;
      }
      if (this.#state.type === "ended") return;
      if (this.#state.type === "given_up") throw this.#state.failure;
      await this.#changed.wait(forever);
    }
  }

  #faultOf(pid: number, packet: Uint8Array): TurnFailure | undefined {
    const expected = this.#count;
    if (pid !== expected)
      return new TurnFailure("bad_parameter", `Packet ${pid} came where ${expected} was due. Speak again.`);
    const lie = voicePacketFault(packet, this.shape);
    if (lie !== undefined) return new TurnFailure("unsupported_audio", `Packet ${pid} ${lie}.`);
    const audioMs = this.audioMs + this.shape.packetMs;
    if (audioMs > UTTERANCE_MS_MAX)
      return tooLong(`A question is at most ${UTTERANCE_MS_MAX / 1_000} s long. Ask a shorter one.`);
    if (this.#bytes + packet.length > UTTERANCE_BYTES_MAX)
      return tooLong(`A question has at most ${UTTERANCE_BYTES_MAX} bytes. Ask a shorter one.`);
    const heldMs = this.clock.monotonic() - this.pressedMs;
    if (heldMs > UTTERANCE_HELD_MS_MAX)
      return tooLong(`The button is held for ${UTTERANCE_HELD_MS_MAX / 1_000} s at most. Press it again.`);
    const aheadMs = audioMs - heldMs;
    if (aheadMs > UTTERANCE_AHEAD_MS_MAX)
      return new TurnFailure(
        "rate_limited",
        "The voice message comes faster than anybody speaks. Slow down.",
      );
    return undefined;
  }

  #open(): State {
    const gap = this.clock.after(UTTERANCE_GAP_MS_MAX, () =>
      this.#break(new TurnFailure("timeout", "The voice message broke off. Say it again.")),
    );
    return { type: "open", gap };
  }

  #break(failure: TurnFailure): void {
    this.giveUp(failure);
    this.onBroken(failure);
  }

  #close(state: State): void {
    if (this.#state.type !== "open") return;
    this.#state.gap.cancel();
    this.#state = state;
    this.#changed.notify();
  }
}

function tooLong(text: string): TurnFailure {
  return new TurnFailure("message_too_long", text);
}
