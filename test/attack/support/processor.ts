/**
 * Processor time of the main thread of a process, where its event loop runs, as Linux counts it. Unlike time on the
 * clock it does not depend on what else the machine has to do.
 */
import { readFileSync } from "node:fs";

const NS_PER_MS = 1e6;

/** In milliseconds, since the process began. */
export function loopMs(pid = process.pid): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, "latin1").split(" ", 1)[0]) / NS_PER_MS;
}

/** What the loop did between the answers that somebody else got, one after the other, while it was attacked. */
export class Rounds {
  readonly #startMs: number;
  #lastMs: number;
  #longestMs = 0;
  #count = 0;

  /** `pid`: the process that is attacked. */
  constructor(private readonly pid = process.pid) {
    this.#startMs = loopMs(pid);
    this.#lastMs = this.#startMs;
  }

  /** Another answer has come. */
  answered(): void {
    const nowMs = loopMs(this.pid);
    this.#longestMs = Math.max(this.#longestMs, nowMs - this.#lastMs);
    this.#lastMs = nowMs;
    this.#count += 1;
  }

  get count(): number {
    return this.#count;
  }

  /** Processor time of the loop in all, in milliseconds. */
  get busyMs(): number {
    return this.#lastMs - this.#startMs;
  }

  /** The most of it that passed between two answers. */
  get longestMs(): number {
    return this.#longestMs;
  }

  /**
   * The share of the whole that the longest wait took; 0 of what was over too soon to say. A loop that is held up by
   * one request until it is done comes near to 1.
   */
  get longestShare(): number {
    return this.busyMs < MEASURABLE_MS ? 0 : this.#longestMs / this.busyMs;
  }

  toString(): string {
    const [busy, longest] = [this.busyMs, this.#longestMs].map((ms) => ms.toFixed(0));
    return `${busy} ms of processor time, ${this.#count} answers to others, at most ${longest} ms between two`;
  }
}

/** An attack that takes the loop less than this has held up nobody for long. */
const MEASURABLE_MS = 1_000;
