/** Which of the outcomes an answer came to, from what was found and what was said. */
import type { Outcome } from "../domain/answer.js";
import type { Phrases } from "./phrases.js";
import { allPassages, type Found } from "./search.js";

/** `text` is the whole answer. What could not be searched is not "not in the documents". */
export function outcomeOf(text: string, found: readonly Found[], phrases: Phrases): Outcome {
  const empty = allPassages(found).length === 0 || text.trim() === phrases.notInDocuments;
  const unsearched = found.some(({ type }) => type === "unavailable");
  if (empty) return unsearched ? "search_unavailable" : "not_in_documents";
  return unsearched ? "partial" : "answered";
}
