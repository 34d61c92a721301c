/** What waits to be said to a user unasked: the newest few, one of each subject, and none that is of no use any more. */
import type { User } from "../domain/user.js";
import type { Clock } from "../lib/clock.js";
import type { EventOf, Telemetry } from "../telemetry/events.js";
import type { Announcement } from "../turn/announce.js";

/** Announcements that wait for one user; the oldest make room. */
export const ANNOUNCEMENTS_MAX = 8;

type Reason = EventOf<"announcement_dropped">["reason"];

export class Announcements {
  /** Oldest first. */
  #waiting: readonly Announcement[] = [];
  #closed = false;
  /** One was not heard, and its user has not been heard of since. */
  #isPaused = false;

  constructor(
    private readonly user: User,
    private readonly deps: { readonly clock: Clock; readonly telemetry: Telemetry },
  ) {}

  /** A new one takes the place of an older one of its subject. */
  add(announcement: Announcement): void {
    this.#isPaused = false;
    this.#keep("replaced", ({ subject }) => subject !== announcement.subject);
    this.#put([...this.#waiting, announcement]);
  }

  /** The user was heard of: what was put back may be tried again. */
  resume(): void {
    this.#isPaused = false;
  }

  /** The oldest that is of use; none after one was put back, until the user is heard of. */
  take(): Announcement | undefined {
    if (this.#isPaused) return undefined;
    const nowMs = this.deps.clock.now();
    this.#keep("expired", ({ untilMs }) => nowMs < untilMs);
    const [next, ...rest] = this.#waiting;
    this.#waiting = rest;
    return next;
  }

  /** It was taken and not heard: it waits again, where there is no newer one of its subject. */
  putBack(announcement: Announcement): void {
    this.#isPaused = true;
    this.#put([announcement, ...this.#waiting]);
    const newest = new Map(this.#waiting.map((one) => [one.subject, one]));
    this.#keep("replaced", (one) => newest.get(one.subject) === one);
  }

  /** None of them is said any more, nor any that is put back. */
  close(): void {
    this.#closed = true;
    this.#keep("closed", () => false);
  }

  #put(all: readonly Announcement[]): void {
    this.#waiting = all;
    if (this.#closed) this.close();
    this.#keep("crowded_out", (_, i) => i >= all.length - ANNOUNCEMENTS_MAX);
  }

  #keep(reason: Reason, isKept: (one: Announcement, i: number) => boolean): void {
    const all = this.#waiting;
    this.#waiting = all.filter(isKept);
    for (const { id: turn, subject } of all.filter((one) => !this.#waiting.includes(one)))
      this.deps.telemetry.emit({ type: "announcement_dropped", user: this.user, turn, subject, reason });
  }
}
