/** Answering without any model: the sentences of the documents that fit the question best, word for word. */
import type { DraftEvent } from "../grounding/draft.js";
import { extractAnswer } from "../llm/extractive.js";
import type { Prompts } from "../llm/prompts.js";
import { phrasesFor } from "./phrases.js";
import type { AskRequest, Capability } from "./port.js";
import { allPassages, previousQuestion, rawQuery, type SearchDeps, searchAll, searchedOf } from "./search.js";

export interface OfflineAskDeps extends Omit<SearchDeps, "telemetry"> {
  readonly prompts: Prompts;
}

/** A kiosk answers in one sentence. */
const KIOSK_SENTENCES_MAX = 1;

export function createOfflineAsk(deps: OfflineAskDeps): Capability {
  return (request, signal) => answer(request, deps, signal);
}

async function* answer(
  request: AskRequest,
  deps: OfflineAskDeps,
  signal: AbortSignal,
): AsyncGenerator<DraftEvent, void, undefined> {
  const { access, history, persona, question } = request;
  const phrases = phrasesFor(persona, deps.prompts);
  const queries = [rawQuery(question, history)];
  yield { type: "queries", queries };
  const found = await searchAll(queries, access, { ...deps, telemetry: request.telemetry }, signal);
  const searched = searchedOf(found);
  const passages = allPassages(found);
  yield { type: "passages", passages };
  const limits = persona === "kiosk" ? { sentencesMax: KIOSK_SENTENCES_MAX } : {};
  const extracted = extractAnswer(question, previousQuestion(history), passages, limits);
  if (extracted.type === "none") {
    yield { type: "end", searched, degraded: false };
    return;
  }
  if (!extracted.complete) {
    yield { type: "phrase", text: phrases.partOfProcedure(extracted.passages[0]!.title) };
  }
  yield { type: "text", text: extracted.sentences.join(" ") };
  const outcome = extracted.complete ? {} : ({ outcome: "partial" } as const);
  yield { type: "end", searched, degraded: false, ...outcome };
}
