/** Answering without any model: the sentences of the documents that fit the question best, word for word. */
import type { TurnEvent } from "../domain/turn.js";
import { extractAnswer } from "../llm/extractive.js";
import type { Prompts } from "../llm/prompts.js";
import { phrasesFor } from "./phrases.js";
import type { Ask, AskRequest } from "./port.js";
import {
  allPassages,
  previousQuestion,
  rawQuery,
  type SearchDeps,
  searchAll,
  searchFailed,
} from "./search.js";

export interface OfflineAskDeps extends SearchDeps {
  readonly prompts: Prompts;
}

/** A kiosk answers in one sentence. */
const KIOSK_SENTENCES_MAX = 1;

export function createOfflineAsk(deps: OfflineAskDeps): Ask {
  return (request, signal) => answer(request, deps, signal);
}

async function* answer(
  request: AskRequest,
  deps: OfflineAskDeps,
  signal: AbortSignal,
): AsyncGenerator<TurnEvent, void, undefined> {
  const { access, history, persona, question } = request;
  const phrases = phrasesFor(persona, deps.prompts);
  const queries = [rawQuery(question, history)];
  yield { type: "queries", queries };
  const found = await searchAll(queries, access, deps, signal);
  const passages = allPassages(found);
  yield { type: "passages", passages };
  if (searchFailed(found)) {
    yield { type: "text", text: phrases.searchUnavailable };
    yield { type: "outcome", outcome: "search_unavailable", degraded: false };
    return;
  }
  const limits = persona === "kiosk" ? { sentencesMax: KIOSK_SENTENCES_MAX } : {};
  const extracted = extractAnswer(question, previousQuestion(history), passages, limits);
  if (extracted.type === "none") {
    yield { type: "text", text: phrases.notInDocuments };
    yield { type: "outcome", outcome: "not_in_documents", degraded: false };
    return;
  }
  const { title } = extracted.passages[0]!;
  const opening = extracted.complete ? [] : [phrases.partOfProcedure(title)];
  yield { type: "text", text: [...opening, ...extracted.sentences].join(" ") };
  yield { type: "outcome", outcome: extracted.complete ? "answered" : "partial", degraded: false };
}
