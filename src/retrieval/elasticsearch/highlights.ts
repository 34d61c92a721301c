/** From the fragments that Elasticsearch marks to the sentences of a passage that say most of what was asked. Pure. */
import { analyze } from "../../lib/english-analyzer.js";
import { splitSentences } from "../../lib/sentence-end.js";

/** Sentences that one passage is marked with at the most. */
export const HIGHLIGHTS_MAX = 3;

export const MARK_BEFORE = "<em>";
export const MARK_AFTER = "</em>";

/**
 * The sentences of `text` that the fragments touch, those with most words of the query first. Fragments that touch all
 * of it, and no fragments, mark nothing by themselves: then only sentences with a word of the query count. Each is a
 * part of `text`, which is not so of every fragment: the semantic field holds titles and headings, too.
 */
export function sentencesOf(text: string, fragments: readonly string[], query: string): string[] {
  const terms = new Set(analyze(query));
  const sentences = [...new Set(splitSentences(text).map((sentence) => sentence.trim()))].filter(
    (sentence) => sentence !== "",
  );
  const marked = fragments.map(withoutMarks).filter((fragment) => fragment !== "");
  const touched = sentences.filter((sentence) => marked.some((fragment) => overlap(fragment, sentence)));
  const isChoice = touched.length > 0 && touched.length < sentences.length;
  const ranked = (isChoice ? touched : sentences)
    .map((sentence) => ({ sentence, worth: countTerms(sentence, terms) }))
    .sort((a, b) => b.worth - a.worth);
  const telling = ranked.filter(({ worth }) => worth > 0);
  const best = telling.length === 0 && isChoice ? ranked : telling;
  return best.slice(0, HIGHLIGHTS_MAX).map(({ sentence }) => sentence);
}

function withoutMarks(fragment: string): string {
  return fragment.replaceAll(MARK_BEFORE, "").replaceAll(MARK_AFTER, "").trim();
}

/** A fragment ends where the server thinks that a sentence ends, which is not always where we do. */
function overlap(fragment: string, sentence: string): boolean {
  return fragment.includes(sentence) || sentence.includes(fragment);
}

function countTerms(sentence: string, terms: ReadonlySet<string>): number {
  return new Set(analyze(sentence).filter((term) => terms.has(term))).size;
}
