/**
 * A user's line: one reply at a time, to the relay on which the user was last seen. When the user shows up on
 * another relay, what the old one was not yet given goes to the new one, in the middle of a sentence if need be.
 */
import type { TurnEvent } from "../domain/turn.js";
import type { Clock } from "../lib/clock.js";
import { Condition } from "../lib/condition.js";
import type { Outlet, OutletFrame, OutletLink, Revocation, SendResult } from "./outlet.js";

/** How long a reply waits for a user whose connection is gone. */
export const USER_ABSENCE_MS_MAX = 10_000;

/** The user did not turn up on any connection in time. */
export class UserGone extends Error {
  override readonly name = "UserGone";
}

type MessageFrame = OutletFrame & { readonly type: "message" };

/** The reply that is on its way, or the last one, of which frames may still wait in an outbox. */
interface Reply {
  readonly mid: number;
  /** What opened it, for a voice reply. */
  readonly head?: MessageFrame;
  /** The packet that comes next: all before it were given to one relay or another. */
  nextPid: number;
  /** `stranded`: the relay on which the user is now was not told of this reply, and gets no packet of it. */
  phase: "open" | "stranded" | "ended";
}

type VoiceReply = Reply & { readonly head: MessageFrame };

export type MoveListener = (mid: number, firstPid: number) => void;

export class Line {
  #outlet: Outlet;
  #reply: Reply | undefined;
  readonly #arrival = new Condition();

  constructor(
    outlet: Outlet,
    private readonly clock: Clock,
    private readonly onMoved: MoveListener,
  ) {
    this.#outlet = outlet;
  }

  /** Where the user was seen last. */
  get outlet(): Outlet {
    return this.#outlet;
  }

  /** The user was seen on `outlet`: from here on everything goes there. */
  attach(outlet: Outlet): void {
    const previous = this.#outlet;
    this.#outlet = outlet;
    if (previous.link !== outlet.link) this.#carryOver(previous);
    this.#arrival.notify();
  }

  /** The connection on which the user was seen last. */
  get link(): OutletLink {
    return this.#outlet.link;
  }

  /** Tells the user's door what turn `turn` does, if it wants to know. */
  observe(turn: string, event: TurnEvent): void {
    this.#outlet.observe?.(turn, event);
  }

  /** Whether the user's door has sent words of turn `turn` that cannot be taken back. */
  committed(turn: string): boolean {
    return this.#outlet.committed?.(turn) ?? false;
  }

  /** Whether a voice message is open. */
  get speaking(): boolean {
    return this.#reply !== undefined && this.#reply.phase !== "ended";
  }

  /** Sends now, to wherever the user is; a reply that must not be lost goes through `deliver`. */
  send(frame: OutletFrame): SendResult {
    if (frame.type === "message" && !this.#isWelcome(frame)) return "refused";
    if (this.#reply?.phase === "stranded" && "mid" in frame && frame.mid === this.#reply.mid) {
      if (frame.type === "audio") return "refused";
      if (frame.type === "end_message") {
        this.#reply.phase = "ended";
        return "accepted";
      }
    }
    const result = this.#outlet.send(frame);
    if (result === "accepted") this.#note(frame);
    return result;
  }

  /** Sends, waiting for the user to turn up if the connection is gone. Rejects with `UserGone` or the signal's reason. */
  async deliver(frame: OutletFrame, signal: AbortSignal): Promise<"accepted" | "refused"> {
    const { clock } = this;
    const until = clock.monotonic() + USER_ABSENCE_MS_MAX;
    for (;;) {
      const result = this.send(frame);
      if (result !== "closed") return result;
      const isBack = await this.#arrival.wait(signal, { clock, ms: until - clock.monotonic() });
      if (!isBack) throw new UserGone(`the user did not return within ${USER_ABSENCE_MS_MAX} ms`);
    }
  }

  /** Takes back the packets of `mid` that were not handed over. Returns how many were, on whichever relay. */
  giveUp(mid: number): number {
    const reply = this.#voiceReply(mid);
    if (reply === undefined) return 0;
    this.#reopen(reply, this.#takeBack(reply));
    return reply.nextPid;
  }

  /**
   * Ends the voice reply `mid` at once, waiting for nobody: what was not handed over is taken back. Returns how many
   * packets were handed over; undefined when the user has got nothing of it, not even that it begins.
   */
  breakOff(mid: number, flag?: "interrupted"): number | undefined {
    const reply = this.#voiceReply(mid);
    if (reply === undefined) return undefined;
    const unsent = this.#takeBack(reply);
    if (reply.nextPid === 0 && (reply.phase === "stranded" || unsent.some(isMessage))) {
      this.#reply = undefined;
      return undefined;
    }
    this.#reopen(reply, unsent);
    if (reply.phase === "open" || unsent.some(isEnd)) this.#outlet.send(endOf(reply, flag));
    reply.phase = "ended";
    return reply.nextPid;
  }

  /** Whether the relay on which the user is now takes such a message. */
  #isWelcome({ kind, shape }: MessageFrame): boolean {
    return this.link.accepts(shape) && (kind !== "acknowledgement" || this.link.acknowledges === true);
  }

  #note(frame: OutletFrame): void {
    const reply = this.#reply;
    if (frame.type === "message") {
      this.#reply = { mid: frame.mid, head: frame, nextPid: frame.firstPid ?? 0, phase: "open" };
    } else if (frame.type === "text_message") {
      this.#reply = { mid: frame.mid, nextPid: 0, phase: "ended" };
    } else if (frame.type === "audio" && reply?.mid === frame.mid) {
      reply.nextPid = frame.pid + 1;
    } else if (frame.type === "end_message" && reply?.mid === frame.mid) {
      reply.phase = "ended";
    }
  }

  #voiceReply(mid: number): VoiceReply | undefined {
    const reply = this.#reply;
    return reply?.mid === mid && reply.head !== undefined ? (reply as VoiceReply) : undefined;
  }

  /** What the relay has not got of the reply; `nextPid` then tells what it has. */
  #takeBack(reply: Reply): readonly OutletFrame[] {
    const { frames, firstPid } = this.#outlet.revoke(reply.mid);
    reply.nextPid = firstPid ?? reply.nextPid;
    return frames;
  }

  /** Puts what opens the reply back, if it was taken back with the rest. */
  #reopen(reply: Reply, unsent: readonly OutletFrame[]): void {
    const opening = unsent.find(isMessage);
    if (opening !== undefined && this.#outlet.send(opening) !== "accepted") reply.phase = "stranded";
  }

  #carryOver(previous: Outlet): void {
    const reply = this.#reply;
    if (reply === undefined) return;
    const unsent = previous.revoke(reply.mid);
    let rest = unsent.frames.filter((frame) => !isMessage(frame));
    const voice = this.#voiceReply(reply.mid);
    if (voice !== undefined && (voice.phase === "open" || rest.some(isEnd))) {
      const moved = this.#move(voice, unsent, previous);
      if (!moved) rest = rest.filter(({ type }) => type === "transcription");
    }
    for (const frame of rest) this.#outlet.send(frame);
  }

  /** Closes a voice reply on the relay that the user left and opens it here; false when the rest cannot go here. */
  #move(reply: VoiceReply, { frames, firstPid }: Revocation, previous: Outlet): boolean {
    const given = reply.nextPid;
    reply.nextPid = firstPid ?? given;
    if (!frames.some(isMessage)) previous.send(endOf(reply, "moved"));
    this.onMoved(reply.mid, reply.nextPid);
    const whole = given === reply.nextPid || frames.some(({ type }) => type === "audio");
    const opening = { ...reply.head, firstPid: reply.nextPid };
    // One that was begun where it was welcome, or before an answer, does not go on where nobody asked for it.
    const isWelcome =
      this.#isWelcome(reply.head) && (reply.head.kind !== "announcement" || this.link.announces === true);
    const opened = whole && isWelcome && this.#outlet.send(opening) === "accepted";
    if (opened) reply.nextPid = given;
    else if (reply.phase === "open") reply.phase = "stranded";
    return opened;
  }
}

function isMessage(frame: OutletFrame): boolean {
  return frame.type === "message";
}

function isEnd(frame: OutletFrame): boolean {
  return frame.type === "end_message";
}

/** The end of a voice reply after the packets before `nextPid`. */
function endOf({ head, mid, nextPid }: VoiceReply, flag?: "interrupted" | "moved"): OutletFrame {
  const durationMs = nextPid * head.shape.packetMs;
  return { type: "end_message", mid, durationMs, flag, requestId: head.requestId };
}
