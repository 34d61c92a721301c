/** What is fuzzed: a function of the product, texts or bytes to begin with, and what has to hold for all others. */

export interface Target {
  readonly name: string;
  /** Inputs to begin with; bytes are written as Latin-1. Several texts in one input are set apart by `SEPARATOR`. */
  readonly seeds: readonly string[];
  /** Words that mean something to the function. */
  readonly words: readonly string[];
  /** Characters of an input at the most. */
  readonly charsMax: number;
  /** Throws or rejects when something that has to hold does not. Says nothing else, and does the same for the same input. */
  check(input: string): void | Promise<void>;
}

/** No keyboard types it. */
export const SEPARATOR = "\u241E";

/** The texts of an input, as many as asked for; the last has all the rest, missing ones are empty. */
export function partsOf(input: string, count: number): string[] {
  const parts = input.split(SEPARATOR);
  const rest = parts.slice(count - 1).join(SEPARATOR);
  return [...parts, ...Array<string>(count).fill("")].slice(0, count - 1).concat(rest);
}

/** Throws with these words when `holds` is false. */
export function must(holds: boolean, words: string): asserts holds {
  if (!holds) throw new Error(words);
}

/** Runs `work`; what it throws has to be one of these. */
export function throwsOnly<T>(
  work: () => T,
  ...known: readonly (abstract new (
    ...parameters: never[]
  ) => Error)[]
): T | undefined {
  try {
    return work();
  } catch (error) {
    if (!known.some((kind) => error instanceof kind)) throw error;
    return undefined;
  }
}
