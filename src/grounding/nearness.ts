/** How alike the surroundings of two words are: which of several amounts or words in the evidence is the one meant. */
import { compareAmounts } from "./quantity.js";
import type { Sentence } from "./sentence.js";

/** Tokens that are looked at on each side. */
const REACH = 16;
/** What stands behind a comma or an "and" belongs there rather than here. */
const BREAK_SHARE = 0.5;
/** What a word is worth less per token of distance. */
const DISTANCE_LOSS = 0.3;
const LIGHT_SHARE = 0.3;

/**
 * 0 where no content word near `at` in `a` stands near `bt` in `b`; the more and the nearer, the more. `width` is
 * how many tokens of `a` are the thing itself, and no surroundings.
 */
export function nearness(a: Sentence, at: number, b: Sentence, bt: number, width = 1): number {
  let sum = 0;
  for (const one of a.words) {
    if (one.info.weight === "function" || (one.token >= at && one.token < at + width)) continue;
    const own = closeness(a, one.token, at);
    if (own === 0) continue;
    let best = 0;
    for (const other of b.words)
      if (other.term === one.term && other.token !== bt) best = Math.max(best, closeness(b, other.token, bt));
    sum += best * own * (one.info.weight === "light" ? LIGHT_SHARE : 1);
  }
  for (const one of a.quantities) {
    if (one.use === "idiom" || (at >= one.firstToken && at <= one.lastToken)) continue;
    const own = closeness(a, one.firstToken, at);
    if (own === 0) continue;
    let best = 0;
    for (const other of b.quantities)
      if (compareAmounts(one, other) === "same" && !(bt >= other.firstToken && bt <= other.lastToken))
        best = Math.max(best, closeness(b, other.firstToken, bt));
    sum += best * own;
  }
  return sum;
}

function closeness({ breaks }: Sentence, token: number, at: number): number {
  const distance = Math.abs(token - at);
  if (distance > REACH) return 0;
  const between = Math.abs(breaks[token]! - breaks[at]!);
  return BREAK_SHARE ** Math.min(between, 4) / (1 + DISTANCE_LOSS * (distance - 1));
}
