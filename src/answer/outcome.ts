/** Which of the outcomes an answer came to, from what was found and what was said. */
import type { Outcome } from "../domain/turn.js";
import type { Phrases } from "./phrases.js";
import { allPassages, type Found, searchFailed } from "./search.js";

/** `text` is the whole answer. */
export function outcomeOf(text: string, found: readonly Found[], phrases: Phrases): Outcome {
  if (searchFailed(found)) return "search_unavailable";
  if (allPassages(found).length === 0 || text.trim() === phrases.notInDocuments) return "not_in_documents";
  return found.some(({ type }) => type === "unavailable") ? "partial" : "answered";
}
