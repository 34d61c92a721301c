/**
 * A question as it was meant: a word that stands in nothing of what was found is read as a word of it that differs by no
 * more than a slip. Only what this user may read is looked at. Pure.
 */
import type { Passage } from "../domain/passage.js";
import { readQuestion } from "../extractive/question.js";
import { neighbours } from "../extractive/question-scale.js";
import { common } from "../extractive/terms.js";
import { documentFrequency } from "../grounding/answerability/background.js";
import { type Like, likesOf } from "../lib/edit-distance.js";
import { analyzeWithOffsets, type OffsetTerm } from "../lib/english-analyzer.js";
import { once } from "../lib/once.js";

/** `question` with such words in the form that the passages have; the question itself where there is none. */
export function respelled(question: string, passages: readonly Passage[]): string {
  const { telling } = readQuestion(question);
  const known = passages.map(wordsOf);
  const asked = analyzeWithOffsets(question);
  // A word that a sample of English has is meant as it stands.
  const isWidelyUsed = (term: string) => documentFrequency(term) > documentFrequency("");
  const isUnknown = ({ term }: OffsetTerm) =>
    telling.has(common(term)) && !isWidelyUsed(term) && !known.some(({ byTerm }) => byTerm.has(term));
  let text = question;
  let unknown = 0;
  // From the end, so that places before it stay as they are.
  for (let at = asked.length - 1; at >= 0 && unknown < WORDS_MAX; at--) {
    const word = asked[at]!;
    if (!isUnknown(word)) continue;
    unknown += 1;
    const beside = [asked[at - 1]?.term, asked[at + 1]?.term] as const;
    const meant = meantBy(word.term, beside, known);
    if (meant !== undefined) text = `${text.slice(0, word.start)}${meant}${text.slice(word.end)}`;
  }
  return text;
}

/** Words of a question that are looked for among their likes, the last of it. */
const WORDS_MAX = 8;

type Beside = readonly [before: string | undefined, after: string | undefined];

/** The nearest word of the passages, and of several the one that the first passage has. */
function meantBy(term: string, beside: Beside, known: readonly PassageWords[]): string | undefined {
  const likes = known.flatMap((words) =>
    likesOf(term, words.byTerm.keys())
      .filter((like) => isSlip(term, like) || standsBeside(like.term, beside, words))
      .map((like) => ({ ...like, words })),
  );
  const least = Math.min(...likes.map(({ edits }) => edits));
  const nearest = likes.find(({ edits }) => edits === least);
  return nearest?.words.byTerm.get(nearest.term);
}

/**
 * A search may take "oven" for "open", since it finds only where to look. An answer may not: of short words each edit
 * makes another one, and few people mistype the first letter.
 */
function isSlip(term: string, { edits, term: like }: Like): boolean {
  return term.length >= CHARS_MIN[edits]! && term[0] === like[0];
}

/** Characters of a term with no, one and two edits, at the least. */
const CHARS_MIN = [0, 5, 8] as const;

/** "Gift crads" are the cards that the passage has behind "gift". */
function standsBeside(like: string, [before, after]: Beside, { pairs }: PassageWords): boolean {
  return pairs.has(`${before} ${like}`) || pairs.has(`${like} ${after}`);
}

interface PassageWords {
  /** Each term with the first of its words. */
  readonly byTerm: ReadonlyMap<string, string>;
  /** Terms that stand side by side, or with one between them. */
  readonly pairs: ReadonlySet<string>;
}

const wordsOf = once(({ headings, text, title }: Passage): PassageWords => {
  const whole = [title, ...headings, text].join(" . ");
  const terms = analyzeWithOffsets(whole);
  const byTerm = new Map<string, string>();
  for (const { end, start, term } of terms)
    if (!byTerm.has(term)) byTerm.set(term, whole.slice(start, end).toLowerCase());
  const inOrder = terms.map(({ term }) => term);
  return { byTerm, pairs: neighbours(inOrder, BESIDE_TERMS) };
});

/** How far apart terms may stand that are side by side. */
const BESIDE_TERMS = 2;
