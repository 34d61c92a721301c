/** How alike the surroundings of two words are: which of several amounts or words in the evidence is the one meant. */
import { compareAmounts } from "../../words/quantity/quantity.js";
import type { Sentence } from "../sentence/sentence.js";

/** Tokens that are looked at on each side. */
const REACH = 16;
/** What stands behind a comma or an "and" belongs there rather than here. */
const BREAK_SHARE = 0.5;
/** What a word is worth less per token of distance. */
const DISTANCE_LOSS = 0.3;
const LIGHT_SHARE = 0.3;

/** 0 where no content word near `at` in `a` stands near `bt` in `b`; the more and the nearer, the more. */
export function nearness(a: Sentence, at: number, b: Sentence, bt: number): number {
  let sum = 0;
  const from = firstWithin(b, bt);
  for (let i = firstWithin(a, at); i < a.words.length && a.words[i]!.token <= at + REACH; i++) {
    const one = a.words[i]!;
    if (one.info.weight === "function" || one.token === at) continue;
    let best = 0;
    for (let j = from; j < b.words.length && b.words[j]!.token <= bt + REACH; j++) {
      const other = b.words[j]!;
      if (other.term === one.term && other.token !== bt) best = Math.max(best, closeness(b, other.token, bt));
    }
    if (best > 0) sum += best * closeness(a, one.token, at) * (one.info.weight === "light" ? LIGHT_SHARE : 1);
  }
  for (const one of a.quantities) {
    if (one.use === "idiom" || (at >= one.firstToken && at <= one.lastToken)) continue;
    const own = closeness(a, one.firstToken, at);
    if (own === 0) continue;
    let best = 0;
    for (const other of b.quantities) {
      if (Math.abs(other.firstToken - bt) > REACH) continue;
      if (compareAmounts(one, other) === "same" && !(bt >= other.firstToken && bt <= other.lastToken))
        best = Math.max(best, closeness(b, other.firstToken, bt));
    }
    sum += best * own;
  }
  return sum;
}

/** The first word within reach of token `at`: words stand in the order of their tokens. */
function firstWithin({ words }: Sentence, at: number): number {
  let [low, high] = [0, words.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (words[middle]!.token < at - REACH) low = middle + 1;
    else high = middle;
  }
  return low;
}

function closeness({ breaks }: Sentence, token: number, at: number): number {
  const distance = Math.abs(token - at);
  if (distance > REACH) return 0;
  const between = Math.abs(breaks[token]! - breaks[at]!);
  return BREAK_SHARE ** Math.min(between, 4) / (1 + DISTANCE_LOSS * (distance - 1));
}
