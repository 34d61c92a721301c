/** From the fragments that Elasticsearch marks to the sentences of a passage that say most of what was asked. Pure. */
import { analyze } from "../../lib/english-analyzer.js";
import { splitSentences } from "../../lib/sentence-end.js";

/** Sentences that one passage is marked with at the most. */
export const HIGHLIGHTS_MAX = 3;

export const MARK_BEFORE = "<em>";
export const MARK_AFTER = "</em>";

/**
 * The sentences of `text` in the fragments, those with most words of the query first; without a fragment, of all of
 * `text`. A fragment that is the whole text marks nothing by itself, and sentences without a word of the query count
 * only where the engine chose them from a larger text. Each is a part of `text`.
 */
export function sentencesOf(text: string, fragments: readonly string[], query: string): string[] {
  const terms = new Set(analyze(query));
  const marked = fragments.map(withoutMarks).filter((fragment) => fragment !== "" && text.includes(fragment));
  const ranked = uniqueSentences(marked.length > 0 ? marked : [text])
    .map((sentence) => ({ sentence, worth: countTerms(sentence, terms) }))
    .sort((a, b) => b.worth - a.worth);
  const chosen = marked.length > 0 && !marked.includes(text.trim());
  const telling = ranked.filter(({ worth }) => worth > 0);
  const best = telling.length === 0 && chosen ? ranked : telling;
  return best.slice(0, HIGHLIGHTS_MAX).map(({ sentence }) => sentence);
}

function withoutMarks(fragment: string): string {
  return fragment.replaceAll(MARK_BEFORE, "").replaceAll(MARK_AFTER, "").trim();
}

function uniqueSentences(parts: readonly string[]): string[] {
  const sentences = parts.flatMap((part) => splitSentences(part).map((sentence) => sentence.trim()));
  return [...new Set(sentences.filter((sentence) => sentence !== ""))];
}

function countTerms(sentence: string, terms: ReadonlySet<string>): number {
  return new Set(analyze(sentence).filter((term) => terms.has(term))).size;
}
