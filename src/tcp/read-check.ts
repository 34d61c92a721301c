/**
 * Whether a relay reads what it is sent [LT-105]. What the kernel takes is not read yet, and no socket tells when it is.
 * So a relay that has promised to echo is asked in line, behind its frames: the echo says that it has read them.
 */
import { UNREAD_MS_MAX } from "./limits.js";

/** What every question begins with; an echo is the same bytes. */
const QUESTION = '{"command":"keep_alive","read":';

export class ReadCheck {
  #asked = 0;
  /** The question without an echo. */
  #open: { readonly json: Uint8Array; readonly sinceMs: number } | undefined;
  /** What had been handed over when the last question was asked. */
  #coveredFrames = 0;
  /** Whether the relay has promised to echo. */
  #promised = false;

  /** The relay has said whether it echoes. What was asked before the promise may go without. */
  promise(promised: boolean): void {
    if (promised && !this.#promised) this.#open = undefined;
    this.#promised = promised;
  }

  /** Whether frames were handed over that no question stands behind. */
  isDue(handedOver: number): boolean {
    return this.#promised && this.#open === undefined && handedOver > this.#coveredFrames;
  }

  /** Asks; `post` tells whether the question was taken. */
  ask(handedOver: number, nowMs: number, post: (json: Uint8Array) => boolean): void {
    const json = Buffer.from(`${QUESTION}${this.#asked + 1}}`);
    if (!post(json)) return;
    this.#asked += 1;
    this.#open = { json, sinceMs: nowMs };
    this.#coveredFrames = handedOver;
  }

  /** Whether these bytes of a `keep_alive` are an echo, which is not answered. */
  hears(json: Uint8Array): boolean {
    const echo = Buffer.from(json.buffer, json.byteOffset, json.byteLength);
    if (this.#open !== undefined && echo.equals(this.#open.json)) this.#open = undefined;
    return echo.subarray(0, QUESTION.length).equals(QUESTION_BYTES);
  }

  /** Whether the relay has broken its promise: what it was sent is unread for too long. */
  isOverdue(nowMs: number): boolean {
    return this.#promised && this.#open !== undefined && nowMs - this.#open.sinceMs >= UNREAD_MS_MAX;
  }
}

const QUESTION_BYTES = Buffer.from(QUESTION);
