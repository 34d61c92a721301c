/** How likely passages hold the answer to a question. */
import type { Passage } from "../domain/passage.js";
import { analyze } from "../lib/english-analyzer.js";

export interface Answerability {
  /** 0–1. */
  readonly probability: number;
}

export function answerability(question: string, passages: readonly Passage[]): Answerability {
  const terms = new Set(analyze(question));
  const shares = passages.map(({ title, headings, text }) => {
    const known = new Set(analyze([title, ...headings, text].join(" ")));
    return [...terms].filter((term) => known.has(term)).length / Math.max(1, terms.size);
  });
  return { probability: Math.max(0, ...shares) };
}
