/**
 * Which blocks of the product's code have run, by V8's precise coverage. V8 lists a block apart from its function only
 * where their counts differ, so that what has *not* run is the exact statement: the ranges with a count of 0.
 */
import { type Profiler, Session } from "node:inspector";

/** What did not run of each function that did. */
export type Seen = ReadonlyMap<string, readonly Range[]>;

/** From one offset of a script to the next, the end not included. */
type Range = readonly [from: number, to: number];

export class Coverage {
  readonly #session = new Session();
  /** What never ran, of each function that ever did. */
  readonly #dark = new Map<string, readonly Range[]>();

  /** `isOurs`: the scripts that count, by their addresses. */
  constructor(private readonly isOurs: (url: string) => boolean) {
    this.#session.connect();
    this.#post("Profiler.enable");
    this.#post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  }

  /** What ran since the last look, and what of it did not. */
  look(): Seen {
    const { result } = this.#post("Profiler.takePreciseCoverage") as Profiler.TakePreciseCoverageReturnType;
    const seen = new Map<string, readonly Range[]>();
    for (const { url, scriptId, functions } of result) {
      if (!this.isOurs(url)) continue;
      for (const { ranges } of functions) {
        const [whole, ...blocks] = ranges;
        if (whole === undefined || whole.count === 0) continue;
        const dark = blocks.filter(({ count }) => count === 0);
        seen.set(
          `${scriptId}:${whole.startOffset}:${whole.endOffset}`,
          dark.map(({ startOffset, endOffset }): Range => [startOffset, endOffset]),
        );
      }
    }
    return seen;
  }

  /** Whether something of it had never run before. */
  isNew(seen: Seen): boolean {
    return [...seen].some(([key, dark]) => {
      const before = this.#dark.get(key);
      return before === undefined || lengthOf(overlaps(before, dark)) < lengthOf(before);
    });
  }

  learn(seen: Seen): void {
    for (const [key, dark] of seen) {
      const before = this.#dark.get(key);
      this.#dark.set(key, before === undefined ? dark : overlaps(before, dark));
    }
  }

  close(): void {
    this.#session.disconnect();
  }

  /** Posts to this very thread are answered before they return. */
  #post(method: string, parameters: object = {}): unknown {
    let answer: unknown;
    this.#session.post(method, parameters, (error: Error | null, result?: object) => {
      if (error !== null) throw error;
      answer = result;
    });
    return answer;
  }
}

/** What is in both. Ranges of one function that did not run do not lie in each other. */
function overlaps(one: readonly Range[], other: readonly Range[]): Range[] {
  return one.flatMap(([from, to]) =>
    other
      .map(([otherFrom, otherTo]): Range => [Math.max(from, otherFrom), Math.min(to, otherTo)])
      .filter(([start, end]) => start < end),
  );
}

function lengthOf(ranges: readonly Range[]): number {
  return ranges.reduce((sum, [from, to]) => sum + to - from, 0);
}
