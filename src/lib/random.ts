/** The only door to chance: seeded in tests, the system's elsewhere. */
import { randomBytes } from "node:crypto";

export interface Random {
  /** A number in [0, 1). */
  fraction(): number;
  /** A new identifier: 16 lower-case hexadecimal digits. */
  id(): string;
}

export const systemRandom: Random = {
  fraction: () => Math.random(),
  id: () => randomBytes(8).toString("hex"),
};

/** Chance that repeats itself, from a seed: for samples that others shall be able to draw again (mulberry32). */
export function seededRandom(seed: number): Random {
  let state = seed | 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const digits = () => next().toString(16).padStart(8, "0");
  return { fraction: () => next() / 2 ** 32, id: () => digits() + digits() };
}
