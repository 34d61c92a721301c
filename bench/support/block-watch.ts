/**
 * How long the event loop of this process stands still, as time for which its thread kept a processor busy: what other
 * processes do meanwhile does not count. Where the system does not tell, it is time on the clock.
 */
import { openSync, readSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

const LOOK_MS = 1;
const NS_PER_MS = 1e6;
const STAT_BYTES = 64;

export class BlockWatch {
  readonly #stat = Buffer.alloc(STAT_BYTES);
  #file: number | undefined;
  #lookedMs = 0;
  #longestMs = 0;
  #timer: NodeJS.Timeout | undefined;

  /** The longest since the last time of asking, in milliseconds; looks from the first time of asking on. */
  async longestMs(): Promise<number> {
    if (this.#timer === undefined) {
      if (process.platform === "linux")
        this.#file = openSync(`/proc/self/task/${process.pid}/schedstat`, "r");
      this.#timer = setInterval(() => this.#look(), LOOK_MS);
    }
    // What went on until now is seen at the next look.
    await sleep(2 * LOOK_MS);
    const longestMs = this.#longestMs;
    this.#longestMs = 0;
    return longestMs;
  }

  #look(): void {
    const busyMs = this.#busyMs();
    if (this.#lookedMs > 0) this.#longestMs = Math.max(this.#longestMs, busyMs - this.#lookedMs);
    this.#lookedMs = busyMs;
  }

  #busyMs(): number {
    if (this.#file === undefined) return performance.now();
    const bytes = readSync(this.#file, this.#stat, 0, STAT_BYTES, 0);
    return Number(this.#stat.toString("latin1", 0, bytes).split(" ", 1)[0]) / NS_PER_MS;
  }
}
