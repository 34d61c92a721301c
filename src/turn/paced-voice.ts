/**
 * The packets of one voice message on their way to its user's line, each when its time has come. A voice in the metronome
 * gives what is due at once; where it has to wait for something else it leaves, and is waited for.
 */
import { AsyncResource } from "node:async_hooks";
import type { Clock } from "../lib/clock.js";
import type { Line } from "./line.js";
import { type Due, Metronome } from "./metronome.js";
import type { OutletFrame } from "./outlet.js";
import { Pacer } from "./pacer.js";

/** Where the packets come from. */
export interface PacketSource {
  /** Packet `pid`; undefined where it is not there. What it throws ends the playing. */
  take(pid: number): Uint8Array | undefined;
  /** Packet `pid` has left; its receiver had run dry for `dryMs` before. */
  left?(pid: number, dryMs: number): void;
}

/** What every packet of the voice has in common. */
export interface VoiceHead {
  readonly mid: number;
  readonly packetMs: number;
  readonly requestId?: string | undefined;
}

/** Why a voice leaves the metronome: the next packet is not there, the line does not take it, or it must not go on. */
type Pause = "dry" | "refused" | "closed" | { readonly error: unknown };

export class PacedVoice implements Due {
  /** What a packet brings about belongs to the turn of this voice, not to the one that has set the metronome's timer. */
  readonly beat = AsyncResource.bind((nowMs: number, dueMs: number) => this.#give(nowMs, dueMs));
  /** The packet that leaves next: all before it were given to the line, and not given up by a relay. */
  nextPid = 0;
  /** When the last packet was due, and when it left (monotonic). */
  lastDueMs: number | undefined;
  lastLeftMs: number | undefined;
  readonly #pacer: Pacer;
  /** The next packet, where it is there already. */
  #packet: Uint8Array | undefined;
  /** Absent while it gives nothing by itself. */
  #leave: ((pause: Pause) => void) | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly line: Line,
    readonly head: VoiceHead,
    private readonly source: PacketSource,
  ) {
    this.#pacer = new Pacer(head.packetMs);
  }

  get audioMs(): number {
    return this.nextPid * this.head.packetMs;
  }

  /** When the receiver will have played all it was given (monotonic); infinite before the first packet. */
  get dryMs(): number {
    return this.#pacer.dryMs;
  }

  /**
   * Plays `packet` and those after it, until one is not there; false when the relay takes no more of the voice. Waits for
   * a user whose connection is gone. Rejects with `UserGone`, the signal's reason, or what the source throws.
   */
  async play(packet: Uint8Array, signal: AbortSignal): Promise<boolean> {
    this.#packet = packet;
    for (;;) {
      const pause = await this.#untilPause(signal);
      if (pause === "dry") return true;
      if (typeof pause === "object") throw pause.error;
      const dueMs = this.clock.monotonic();
      if (
        pause === "refused" ||
        (await this.line.deliver(this.#frame(this.#packet!), signal)) === "refused"
      ) {
        this.nextPid = this.line.giveUp(this.head.mid);
        return false;
      }
      this.#left(this.clock.monotonic(), dueMs);
    }
  }

  /** Gives what may leave at `nowMs`, and was due at `dueMs`. Returns when more may. */
  #give(nowMs: number, dueMs: number): number | undefined {
    try {
      while (this.#leave !== undefined) {
        this.#packet ??= this.source.take(this.nextPid);
        const packet = this.#packet;
        const nextMs = packet && this.line.link.paced !== false ? this.#pacer.dueMs(nowMs) : nowMs;
        if (nextMs > nowMs) return nextMs;
        const result = packet === undefined ? "dry" : this.line.send(this.#frame(packet));
        if (result === "accepted") this.#left(nowMs, dueMs);
        else this.#leave?.(result);
      }
    } catch (error) {
      this.#leave?.({ error });
    }
    return undefined;
  }

  /** Gives what is due now, and in the metronome what is due later. */
  #untilPause(signal: AbortSignal): Promise<Pause> {
    const metronome = Metronome.of(this.clock);
    return new Promise((resolve) => {
      const onAbort = () => this.#leave?.({ error: signal.reason });
      this.#leave = (pause) => {
        this.#leave = undefined;
        signal.removeEventListener("abort", onAbort);
        metronome.remove(this);
        resolve(pause);
      };
      if (signal.aborted) return onAbort();
      signal.addEventListener("abort", onAbort, { once: true });
      const nowMs = this.clock.monotonic();
      const dueMs = this.#give(nowMs, nowMs);
      if (dueMs !== undefined) metronome.add(this, dueMs);
    });
  }

  #frame(packet: Uint8Array): OutletFrame {
    const { mid, requestId } = this.head;
    return { type: "audio", mid, pid: this.nextPid, packet, requestId };
  }

  #left(nowMs: number, dueMs: number): void {
    const dryMs = this.#pacer.sent(nowMs);
    const pid = this.nextPid++;
    this.#packet = undefined;
    this.lastDueMs = dueMs;
    this.lastLeftMs = nowMs;
    this.source.left?.(pid, dryMs);
  }
}
