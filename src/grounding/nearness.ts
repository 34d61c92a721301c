/** How alike the surroundings of two words are: which of several amounts or words in the evidence is the one meant. */
import type { Sentence } from "./sentence.js";

/** Words that are looked at on each side. */
const REACH = 8;

/** 0 where no content word near `at` in `a` stands near `bt` in `b`; the more and the nearer, the more. */
export function nearness(a: Sentence, at: number, b: Sentence, bt: number): number {
  let sum = 0;
  const clauseA = clauseAt(a, at);
  const clauseB = clauseAt(b, bt);
  for (const one of a.words) {
    const distance = Math.abs(one.token - at);
    if (distance === 0 || distance > REACH * 2 || one.info.weight === "function") continue;
    let best = 0;
    for (const other of b.words) {
      if (other.term !== one.term || other.token === bt) continue;
      const between = Math.abs(other.token - bt);
      if (between > REACH * 2) continue;
      const own = other.clause === clauseB ? 1 : 0.6;
      best = Math.max(best, own / (1 + 0.35 * between));
    }
    if (best === 0) continue;
    const share = one.info.weight === "light" ? 0.3 : 1;
    sum += (share * best * (one.clause === clauseA ? 1 : 0.6)) / (1 + 0.35 * distance);
  }
  return sum;
}

function clauseAt({ clauses }: Sentence, token: number): number {
  let found = 0;
  for (let i = 0; i < clauses.length; i++) if (clauses[i]!.from <= token) found = i;
  return found;
}
