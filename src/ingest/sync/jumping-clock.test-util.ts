/** A clock for tests in which waiting takes no time: a short pause is over at once, and time is then that much later. */
import type { Clock, Timer } from "../../lib/clock.js";

/** Longer waits than this are deadlines and renewals: they only fire when pauses have brought their time. */
const PAUSE_MS_MAX = 12_000;

interface Waiting {
  readonly atMs: number;
  readonly callback: () => void;
}

export class JumpingClock implements Clock {
  #nowMs = Date.UTC(2026, 0, 1);
  readonly #waiting = new Set<Waiting>();
  readonly #onJump: (() => void)[] = [];

  now(): number {
    return this.#nowMs;
  }

  monotonic(): number {
    return this.#nowMs;
  }

  after(delayMs: number, callback: () => void): Timer {
    const waiting = { atMs: this.#nowMs + Math.max(0, delayMs), callback };
    this.#waiting.add(waiting);
    if (delayMs <= PAUSE_MS_MAX) {
      setImmediate(() => {
        if (this.#waiting.has(waiting)) this.jumpTo(waiting.atMs);
      });
    }
    return { cancel: () => this.#waiting.delete(waiting) };
  }

  /** Fires what falls due until then, in order. */
  jumpTo(atMs: number): void {
    for (let next = this.#next(atMs); next !== undefined; next = this.#next(atMs)) {
      this.#waiting.delete(next);
      this.#nowMs = Math.max(this.#nowMs, next.atMs);
      next.callback();
    }
    this.#nowMs = Math.max(this.#nowMs, atMs);
    for (const tell of this.#onJump) tell();
  }

  /** Called whenever time has passed: for what others do meanwhile. */
  onJump(tell: () => void): void {
    this.#onJump.push(tell);
  }

  #next(atMs: number): Waiting | undefined {
    let first: Waiting | undefined;
    for (const waiting of this.#waiting) {
      if (waiting.atMs <= atMs && (first === undefined || waiting.atMs < first.atMs)) first = waiting;
    }
    return first;
  }
}

/** The same clock for somebody who may die: his timers die with him. */
export class MortalClock implements Clock {
  #isDead = false;

  constructor(private readonly clock: Clock) {}

  now(): number {
    return this.clock.now();
  }

  monotonic(): number {
    return this.clock.monotonic();
  }

  after(delayMs: number, callback: () => void): Timer {
    if (this.#isDead) return { cancel: () => {} };
    return this.clock.after(delayMs, () => {
      if (!this.#isDead) callback();
    });
  }

  kill(): void {
    this.#isDead = true;
  }
}
