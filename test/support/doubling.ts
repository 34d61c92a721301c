/**
 * Holds functions of text to linear time: texts of forty pathological families, and a test that twice the text takes
 * at most two and a half times as long, taken over two doublings, so that one length that suits a cache says little. It
 * compares processor times of one process with each other, shortest against shortest, and tries again before it
 * complains: a busy machine does not fail it, nor pass what is quadratic. An absolute time is never asserted.
 */
import { describe, expect, it } from "vitest";
import { FAMILIES, type Family, repeating } from "./families.js";

export { FAMILIES, type Family, repeating };

/** How much longer twice the text may take. */
const RATIO_MAX = 2.5;
/** Quadratic work is at 4: what is found below this needs no further run. */
const RATIO_SURE = 2.25;
const DOUBLINGS = 2;
const LONGER = 2 ** DOUBLINGS;
/** Below this a time says more of the machine than of the function, in milliseconds. */
const MEASURABLE_MS = 10;
/** What the longer text takes no longer than is quick enough, in milliseconds. */
const QUICK_MS = 20;
const CHARS_MIN = 1_000;
/** A function that is quick even with this much text is quick enough. */
const CHARS_MAX = 64_000;
/** A function that is slower than this with the shortest text is not linear, or might as well not be. */
const HOPELESS_MS = 2_000;
const ATTEMPTS_MAX = 8;
const RUNS_PER_ATTEMPT = 3;
/** A length is shortened by at most this part of it, so that another one is taken each time. */
const SHORTER_BY = 1 / 16;

export interface DoublingOptions {
  /** The longest text that the function is meant for, where that is shorter: its callers cut or refuse the rest. */
  readonly charsMax?: number;
  readonly families?: readonly Family[];
}

/** One test a family: `work` takes at most two and a half times as long for twice the text. */
export function holdsDoubling(
  name: string,
  work: (text: string) => unknown,
  { charsMax = CHARS_MAX, families = FAMILIES }: DoublingOptions = {},
): void {
  describe(`${name}: time by length of text`, () => {
    it.each(families)("$name", async (family) => {
      const { ratio, chars, ms } = await doublingRatio(work, family, charsMax);
      const told = `${chars} characters: ${ms[0].toFixed(1)} ms, ${LONGER} times that: ${ms[1].toFixed(1)} ms`;
      expect(ratio, told).toBeLessThanOrEqual(RATIO_MAX);
    });
  });
}

interface Doubling {
  readonly ratio: number;
  readonly chars: number;
  readonly ms: readonly [number, number];
}

/**
 * How much longer twice the text takes, at the first length that can be measured. `witnesses` attempts
 * have to agree that it is linear: by chance one of them may find so of quadratic work.
 */
export async function doublingRatio(
  work: (text: string) => unknown,
  family: Family,
  charsMax: number,
  witnesses = 1,
): Promise<Doubling> {
  await timed(work, family.text(Math.min(CHARS_MIN, charsMax)));
  let chars = Math.min(CHARS_MIN, charsMax / LONGER);
  let once = await timed(work, family.text(unheard(chars)));
  if (once > HOPELESS_MS) return { ratio: Number.POSITIVE_INFINITY, chars, ms: [once, once] };
  while (once < MEASURABLE_MS && chars * 2 * LONGER <= charsMax) {
    chars *= 2;
    once = await timed(work, family.text(unheard(chars)));
  }
  const unmeasured: Doubling = { ratio: Number.POSITIVE_INFINITY, chars, ms: [once, once] };
  const best = Array.from({ length: witnesses }, () => unmeasured);
  for (let attempt = 0; attempt < ATTEMPTS_MAX && best.at(-1)!.ratio > RATIO_MAX; attempt++) {
    // A cache of the processor that overflows at one length is no matter of the function: half of it is tried as well.
    const found = await (attempt % 2 === 0
      ? compared(work, family, chars, once)
      : compared(work, family, chars / 2));
    if (attempt % 2 === 1 && found.ms[1] < QUICK_MS) continue;
    best.push(found);
    best.sort((one, other) => one.ratio - other.ratio).pop();
  }
  return best.at(-1)!;
}

/**
 * The shortest times for `chars` characters, which took `once` before, and for `LONGER` times as many; of as few runs as
 * leave no doubt. Only the shorter text's time can hide what is quadratic, so that it is taken at least twice.
 */
async function compared(
  work: (text: string) => unknown,
  family: Family,
  chars: number,
  once = Number.POSITIVE_INFINITY,
): Promise<Doubling> {
  const ms: [number, number] = [once, Number.POSITIVE_INFINITY];
  let ratio = Number.POSITIVE_INFINITY;
  const runsMin = once === Number.POSITIVE_INFINITY ? 2 : 1;
  for (let run = 1; run <= RUNS_PER_ATTEMPT && (run <= runsMin || ratio > RATIO_SURE); run++) {
    const length = unheard(chars);
    ms[0] = Math.min(ms[0], await timed(work, family.text(length)));
    ms[1] = Math.min(ms[1], await timed(work, family.text(length * LONGER)));
    ratio = ms[1] < QUICK_MS ? 1 : (ms[1] / Math.max(ms[0], MEASURABLE_MS / LONGER)) ** (1 / DOUBLINGS);
  }
  return { ratio, chars, ms };
}

let lengths = 0;

/** A length of about `chars` that the last texts did not have: a function that remembers them would take no time. */
function unheard(chars: number): number {
  const lengthsInTurn = Math.floor(chars * SHORTER_BY) + 1;
  return chars - (lengths++ % lengthsInTurn);
}

/** Milliseconds of processor time: what other processes do on a busy machine does not count. */
async function timed(work: (text: string) => unknown, text: string): Promise<number> {
  const start = process.cpuUsage();
  await work(text);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}
