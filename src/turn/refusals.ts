/** What the writer is told to say where it finds nothing: our own phrases, which are told by ourselves at the end. */
import type { Phrases } from "../answer/phrases.js";
import { splitSentences } from "../lib/sentence-end.js";

/** Whether a sentence is one of them. They may be in any language, and in an operator's own words. */
export function refusalTest({
  notInDocuments,
  searchUnavailable,
  talk,
}: Phrases): (sentence: string) => boolean {
  const phrases = [notInDocuments, searchUnavailable, talk.notInAttached];
  const known = new Set(phrases.flatMap(splitSentences).map(folded));
  return (sentence) => known.has(folded(sentence));
}

function folded(sentence: string): string {
  return sentence
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}
