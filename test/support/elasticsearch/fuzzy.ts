/** Terms that are a few typing errors away, as Lucene's fuzzy query counts them. */
import { illegalArgument } from "./errors.js";
import type { Json } from "./json.js";

/** Most terms that one fuzzy term stands for. */
export const EXPANSIONS_MAX = 50;

const EDITS_MAX = 2;

/** Edits that `fuzziness` allows for `term`: a number, or by its length with `AUTO` (`AUTO:low,high`). */
export function editsAllowed(fuzziness: Json | undefined, term: string): number {
  if (fuzziness === undefined || fuzziness === null) return 0;
  const auto = /^AUTO(?::(\d+),(\d+))?$/i.exec(String(fuzziness));
  if (auto === null) {
    const edits = Number(fuzziness);
    if (!Number.isInteger(edits) || edits < 0 || edits > EDITS_MAX)
      throw illegalArgument(
        `Invalid value for fuzziness: [${String(fuzziness)}]: valid edit distances are [0, 1, 2]`,
      );
    return edits;
  }
  const length = [...term].length;
  if (length < Number(auto[1] ?? 3)) return 0;
  return length < Number(auto[2] ?? 6) ? 1 : 2;
}

/** Insertions, deletions, substitutions and swaps of neighbours between two terms; `undefined` above `max`. */
export function distance(one: string, other: string, max: number): number | undefined {
  const [a, b] = [[...one], [...other]];
  if (Math.abs(a.length - b.length) > max) return undefined;
  let before: number[] = [];
  let last = b.map((_, index) => index).concat(b.length);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, before[j - 2]! + 1);
      row.push(best);
    }
    [before, last] = [last, row];
  }
  const edits = last[b.length]!;
  return edits <= max ? edits : undefined;
}
