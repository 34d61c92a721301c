/** The last step of degradation: no model can be reached, so the best passage is read aloud, word for word. */
import { TurnFailure } from "../domain/failure.js";
import type { DraftEvent } from "../grounding/draft.js";
import { trusted } from "../grounding/injection.js";
import { bestPassageAloud, extractAnswer } from "../llm/extractive.js";
import type { Phrases } from "./phrases.js";
import type { AskRequest } from "./port.js";
import { allPassages, type Found, previousQuestion, rawQuery, searchedOf } from "./search.js";
import { sourceAloud } from "./source.js";

/** `found` is what was searched already, if anything was; `search` is asked otherwise. Throws `TurnFailure` when no passage fits the question. */
export async function* readAloud(
  request: AskRequest,
  found: readonly Found[] | undefined,
  phrases: Phrases,
  search: (query: string) => Promise<readonly Found[]>,
): AsyncGenerator<DraftEvent, void, undefined> {
  const { history, question } = request;
  const results = found ?? (await search(rawQuery(question, history)));
  const passages = allPassages(results);
  if (found === undefined) yield { type: "passages", passages };
  const fitting = extractAnswer(question, previousQuestion(history), passages.map(trusted), {});
  if (fitting.type !== "answer") {
    throw new TurnFailure("assistant_unavailable", "The assistant cannot be reached. Try again in a moment.");
  }
  const passage = fitting.passages[0]!;
  yield { type: "phrase", text: phrases.readingAloud(sourceAloud(passage)) };
  yield { type: "text", text: bestPassageAloud(passage) };
  yield { type: "end", searched: searchedOf(results), degraded: true, outcome: "partial" };
}
