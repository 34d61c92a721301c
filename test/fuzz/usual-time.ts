/** What is usual for an input of its length, and what is far from it. */

/** An input is slow when it takes so many times as long as usual for its length … */
export const SLOW_TIMES = 40;
/** … and at least so long, in milliseconds: below that the machine may be to blame. */
export const SLOW_MS_MIN = 300;

/** A mean that follows slowly, by powers of two of the length. */
const WEIGHT = 0.05;

export class UsualTime {
  readonly #meansMs = new Map<number, number>();

  isSlow(chars: number, ms: number): boolean {
    const usualMs = this.#meansMs.get(bucketOf(chars));
    return usualMs !== undefined && ms > SLOW_MS_MIN && ms > SLOW_TIMES * usualMs;
  }

  learn(chars: number, ms: number): void {
    const bucket = bucketOf(chars);
    const meanMs = this.#meansMs.get(bucket) ?? ms;
    this.#meansMs.set(bucket, meanMs + (ms - meanMs) * WEIGHT);
  }
}

function bucketOf(chars: number): number {
  return Math.floor(Math.log2(chars + 1));
}
