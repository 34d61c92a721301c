/**
 * A user's line: one reply at a time, to the relay on which the user was last seen. When the user shows up on
 * another relay, what the old one was not yet given goes to the new one, in the middle of a sentence if need be.
 */
import type { Clock } from "../lib/clock.js";
import { DeadlineExceeded, withDeadline } from "../lib/deadline.js";
import type { AudioShape, Outlet, OutletFrame, Revoked, SendResult } from "./outlet.js";

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
  nextPid: number;
  ended: boolean;
  /** The relay that the user moved to cannot take this shape. */
  stranded: boolean;
}

export type MoveListener = (mid: number, firstPid: number) => void;

export class Line {
  #outlet: Outlet;
  #reply: Reply | undefined;
  readonly #arrivals = new Set<() => void>();

  constructor(
    outlet: Outlet,
    private readonly clock: Clock,
    private readonly onMoved: MoveListener,
  ) {
    this.#outlet = outlet;
  }

  /** The user was seen on `outlet`: from here on everything goes there. */
  attach(outlet: Outlet): void {
    const previous = this.#outlet;
    this.#outlet = outlet;
    if (previous.link !== outlet.link) this.#carryOver(previous, outlet);
    for (const arrived of this.#arrivals) arrived();
    this.#arrivals.clear();
  }

  /** Whether a voice message is open. */
  get speaking(): boolean {
    return this.#reply !== undefined && !this.#reply.ended;
  }

  accepts(shape: AudioShape): boolean {
    return this.#outlet.accepts(shape);
  }

  /** Sends now, to wherever the user is; a reply that must not be lost goes through `deliver`. */
  send(frame: OutletFrame): SendResult {
    if (frame.type === "audio" && this.#reply?.stranded) return "refused";
    const result = this.#outlet.send(frame);
    if (result === "accepted") this.#note(frame);
    return result;
  }

  /** Sends, waiting for the user to turn up if the connection is gone. Rejects with `UserGone` or the signal's reason. */
  async deliver(frame: OutletFrame, signal: AbortSignal): Promise<"accepted" | "refused"> {
    const first = this.send(frame);
    if (first !== "closed") return first;
    const until = this.clock.monotonic() + USER_ABSENCE_MS_MAX;
    for (;;) {
      await this.#arrival(until - this.clock.monotonic(), signal);
      const result = this.send(frame);
      if (result !== "closed") return result;
    }
  }

  /** Takes back what was not handed over of `mid`. */
  revoke(mid: number): Revoked {
    return this.#outlet.revoke(mid);
  }

  #note(frame: OutletFrame): void {
    if (frame.type === "message") {
      this.#reply = {
        mid: frame.mid,
        head: frame,
        nextPid: frame.firstPid ?? 0,
        ended: false,
        stranded: false,
      };
    } else if (frame.type === "text_message") {
      this.#reply = { mid: frame.mid, nextPid: 0, ended: true, stranded: false };
    } else if (frame.type === "audio" && this.#reply?.mid === frame.mid) {
      this.#reply.nextPid = frame.pid + 1;
    } else if (frame.type === "end_message" && this.#reply?.mid === frame.mid) {
      this.#reply.ended = true;
    }
  }

  #carryOver(previous: Outlet, next: Outlet): void {
    const reply = this.#reply;
    if (reply === undefined) return;
    const unsent = previous.revoke(reply.mid);
    if (reply.head !== undefined && (unsent.firstPid !== undefined || !reply.ended)) {
      const firstPid = unsent.firstPid ?? reply.nextPid;
      const opened = !unsent.frames.some((frame) => frame.type === "message");
      if (opened) previous.send(movedEnd(reply.head, firstPid));
      reply.stranded = !next.accepts(reply.head.shape);
      if (!reply.stranded) next.send({ ...reply.head, firstPid });
      this.onMoved(reply.mid, firstPid);
    }
    for (const frame of unsent.frames) {
      if (frame.type === "message" || (frame.type === "audio" && reply.stranded)) continue;
      next.send(frame);
    }
  }

  async #arrival(withinMs: number, signal: AbortSignal): Promise<void> {
    const arrival = () => new Promise<void>((resolve) => this.#arrivals.add(resolve));
    try {
      await withDeadline(this.clock, "the user's return", withinMs, signal, arrival);
    } catch (error) {
      if (error instanceof DeadlineExceeded && !signal.aborted) throw new UserGone(error.message);
      throw error;
    }
  }
}

/** Tells the relay that the user left that the rest of this reply goes elsewhere. */
function movedEnd(head: MessageFrame, firstPid: number): OutletFrame {
  const durationMs = firstPid * head.shape.packetMs;
  const request = head.requestId === undefined ? {} : { requestId: head.requestId };
  return { type: "end_message", mid: head.mid, durationMs, flag: "moved", ...request };
}
