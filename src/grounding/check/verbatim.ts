/** Sentences that stand in the evidence word for word: whatever they say, the evidence says it. */
import { once } from "../../lib/once.js";
import type { EvidenceSentence, PreparedEvidence } from "../evidence.js";

/** Consecutive sentences of one text that a claim may be made of at the most. */
const SENTENCES_MAX = 8;

/**
 * The whole sentences of the evidence that `claim` consists of, marks of the layout and the heading that they stand under
 * aside; `undefined` when it does not.
 */
export function verbatimIn(
  claim: string,
  evidence: PreparedEvidence,
): readonly EvidenceSentence[] | undefined {
  const wanted = wordsOf(claim);
  if (wanted === "") return undefined;
  for (const { source, sentences } of evidence.parts) {
    const heading = `${wordsOf(source.headings?.at(-1) ?? "")} `;
    const below = heading !== " " && wanted.startsWith(heading) ? wanted.slice(heading.length) : wanted;
    for (const first of sentences.keys()) {
      const run =
        runFrom(first, wanted, sentences) ??
        (below === wanted ? undefined : runFrom(first, below, sentences));
      if (run !== undefined) return run;
    }
  }
  return undefined;
}

function runFrom(
  first: number,
  wanted: string,
  sentences: readonly EvidenceSentence[],
): readonly EvidenceSentence[] | undefined {
  let words = "";
  for (let last = first; last < sentences.length && last < first + SENTENCES_MAX; last++) {
    const sentence = sentences[last]!;
    // Longer than any sentence that is checked.
    if (sentence.excess !== undefined) return undefined;
    words = `${words} ${keyOf(sentence)}`.trimStart();
    if (words === wanted) return sentences.slice(first, last + 1);
    if (!wanted.startsWith(words)) return undefined;
  }
  return undefined;
}

const keyOf = once(({ text }: EvidenceSentence) => wordsOf(text));

/** A unit keeps its case: 5 mW are not 5 MW. */
const WORD_OF_NO_NUMBER = /(?<!\p{L}|\d\s?)\p{L}+/gu;

/** In lower case on one line, without list marks, emphasis, quotation marks and full stops behind a word. */
function wordsOf(text: string): string {
  return text
    .normalize("NFKC")
    .replace(WORD_OF_NO_NUMBER, (word) => word.toLowerCase())
    .replace(/^[\s>#*_+•–-]*(?:(?:step\s+)?\d{1,3}[.):]\s+)?/, "")
    .replace(/\*\*|__|[`"“”„«»]/g, "")
    .replace(/(?<![.!?:;])[.!?:;]+(?=\s|$)/g, "")
    .replace(/\s+/g, " ")
    .trim();
}
