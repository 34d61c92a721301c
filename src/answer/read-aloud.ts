/** The last step of degradation: no model can be reached, so the best passage is read aloud, word for word. */

import type { AskRequest } from "../capability/capability.js";
import type { DraftEvent } from "../capability/draft.js";
import { TurnFailure } from "../domain/failure.js";
import type { Passage } from "../domain/passage.js";
import { unitsAloud } from "../extractive/answer-text.js";
import { extractAnswer } from "../extractive/extractive.js";
import { passageUnits } from "../extractive/passage-units.js";
import type { ReadDocument } from "../extractive/procedure.js";
import { sourceAloud } from "../grounding/checkers/source.js";
import { readingsOf } from "./interpretations.js";
import type { Phrases } from "./phrases.js";
import { allPassages, allTrusted, type SearchResult, searchedOf, withPassages } from "./search.js";
import { respelled } from "./spelling.js";

/**
 * `found` is what was searched already, if anything was. Where it was not, or where it does not fit, since the query was
 * of a model that has failed, the question itself is searched for. Throws `TurnFailure` when no passage fits.
 */
export async function* readAloud(
  { history, question }: AskRequest,
  found: readonly SearchResult[] | undefined,
  phrases: Phrases,
  readDocument: ReadDocument,
  search: (queries: readonly string[]) => Promise<readonly SearchResult[]>,
): AsyncGenerator<DraftEvent, void, undefined> {
  const readings = readingsOf(question, history);
  const fitting = async (results: readonly SearchResult[]): Promise<Passage | undefined> => {
    const passages = await allTrusted(allPassages(results));
    for (const { asked = question, prior } of readings) {
      const answer = await extractAnswer(respelled(asked, passages), prior, passages, { readDocument });
      if (answer.type === "answer") return answer.passages[0];
    }
    return undefined;
  };
  let results = found ?? [];
  let passage = await fitting(results);
  // A search that has just failed would fail again, and take the time that is left.
  if (passage === undefined && (found === undefined || searchedOf(found) !== "unavailable")) {
    results = [...results, ...(await search(readings.map(({ query }) => query)))];
    passage = await fitting(results);
  }
  if (passage === undefined)
    throw new TurnFailure("assistant_unavailable", "The assistant cannot be reached. Try again in a moment.");
  yield { type: "passages", passages: withPassages(allPassages(results), [passage]) };
  yield { type: "phrase", text: phrases.readingAloud(sourceAloud(passage, phrases.locale)) };
  yield { type: "text", text: unitsAloud(passageUnits(passage)) };
  yield { type: "end", searched: searchedOf(results), degraded: true, outcome: "partial" };
}
