/** Sentences that stand in the evidence word for word: whatever they say, the evidence says it, if it is all of it. */
import { once } from "../../lib/once.js";
import { wordSet } from "../../lib/word-set.js";
import { listMarkerEnd } from "../../words/quantity/quantities.js";
import type { EvidenceSentence, PreparedEvidence } from "../evidence.js";
import type { Sentence } from "../sentence/sentence.js";
import { type Finding, gap } from "./check.js";

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

/** Whether a sentence is whole: small models break off. */
export function checkWhole(claim: Sentence, window: readonly EvidenceSentence[]): Finding[] {
  const whole = window.find((sentence) => breaksOff(claim, sentence));
  return whole === undefined ? [] : [gap("words_not_found", `breaks off "${whole.text}"`)];
}

const SENTENCE_END = /[.!?…:;。！？]["'”’)\]*]*\s*$/u;

/** Word for word the beginning of a sentence that goes on with what the verb needs: "Do not clean up | a large spill". */
function breaksOff(claim: Sentence, sentence: Sentence): boolean {
  if (SENTENCE_END.test(claim.text)) return false;
  const own = claim.tokens.slice(listMarkerEnd(claim.tokens));
  const next = sentence.tokens[own.length];
  if (own.length === 0 || next === undefined || next.kind === "stop" || MAY_FOLLOW.has(next.lower))
    return false;
  return own.every(({ lower }, at) => sentence.tokens[at]?.lower === lower);
}

/** Words before which a sentence may end. */
const MAY_FOLLOW = wordSet(
  "and or but in on at by for from with to into over under before after until when if because so while unless as than of",
);
