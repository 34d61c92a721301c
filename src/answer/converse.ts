/**
 * Turns about the answer before, and small talk: nothing is searched. The model is shown the answers that it may
 * restate with the passages that they rest on, and what it writes is checked against those passages. Without a model
 * the documents' own words have to do.
 */

import type { AskRequest, Draft } from "../capability/capability.js";
import { END } from "../capability/draft.js";
import type { ForeignText } from "../domain/foreign-text.js";
import { documentSources } from "../domain/source-ref.js";
import type { HistoryEntry } from "../domain/turn.js";
import { orElse, withDeadline } from "../lib/deadline.js";
import type { ModelMessage } from "../llm/port.js";
import type { Prompts } from "../llm/prompts.js";
import type { Retrieval } from "../retrieval/port.js";
import { documentRules, recall } from "../retrieval/recall.js";
import { RETRIEVED_TOKENS_MAX, TokenBudget } from "./budget.js";
import { modelText, type TalkDeps } from "./compose.js";
import { conversation, passagesText } from "./messages.js";
import { type Phrases, phrasesFor } from "./phrases.js";
import { nothingSaid, saidAgain } from "./replay.js";
import { type Earlier, earlierAnswers, evidenceFor } from "./retelling.js";
import { COURTESIES, talkIntent } from "./talk-intent.js";

export interface ConverseDeps extends TalkDeps {
  /** Asked for access alone, never searched. */
  readonly retrieval: Pick<Retrieval, "readable">;
  readonly searchTimeoutMs: number;
}

/** Answers that a turn may restate, the newest. */
export const RESTATED_MAX = 3;

export function createConverse(deps: ConverseDeps): Draft {
  return async function* (request, signal) {
    const phrases = phrasesFor(request.persona, request.locale);
    const intent = talkIntent(request.question);
    const courtesy = COURTESIES[intent];
    if (courtesy !== undefined) {
      yield { type: "phrase", text: phrases.talk[courtesy] };
      return yield END;
    }
    const readable = await stillReadable(request, deps, signal);
    const earlier = earlierAnswers(readable).slice(0, RESTATED_MAX);
    const [last] = earlier;
    if (last === undefined) return yield* nothingSaid(phrases);
    yield { type: "about", question: last.question };
    for (const one of earlier) yield* evidenceFor(one, phrases);
    const nowMs = deps.clock.now();
    const inDocumentsWords = (degraded: boolean) =>
      saidAgain({ what: intent, degraded, nowMs }, last, phrases);
    const messages = () => talkMessages(request, readable, earlier, phrases, deps.prompts);
    yield* modelText(request, messages, inDocumentsWords, deps, signal);
  };
}

/** The history without what may not be read now: it was read a while ago, and an answer kept is read again here. */
async function stillReadable(
  { access, history }: AskRequest,
  { clock, retrieval, searchTimeoutMs }: ConverseDeps,
  signal: AbortSignal,
): Promise<readonly HistoryEntry[]> {
  const lines = history.map((line) => {
    const documents = (line.answer?.passages ?? []).map(({ documentId }) => documentId);
    return { ...line, sources: [...line.sources, ...documentSources(documents)] };
  });
  const readable = withDeadline(clock, "the access check", searchTimeoutMs, signal, (within) =>
    recall(lines, access, documentRules(retrieval), within),
  );
  return orElse(readable, signal, () => lines.filter(({ sources }) => sources.length === 0));
}

/** The persona of such turns, what was said within its budget, and the message with the passages as data. */
async function talkMessages(
  request: AskRequest,
  history: readonly HistoryEntry[],
  earlier: readonly Earlier[],
  phrases: Phrases,
  prompts: Prompts,
): Promise<readonly ModelMessage[]> {
  const passages = new Map(
    earlier.flatMap(({ answer }) => answer?.passages ?? []).map((passage) => [passage.chunkId, passage]),
  );
  const foreign: ForeignText[] = [{ what: "question", text: request.question }];
  const budget = new TokenBudget(RETRIEVED_TOKENS_MAX);
  const shown = await passagesText([...passages.values()], budget, prompts, foreign);
  const content = shown === "" ? request.question : `${shown}\n\n${request.question}`;
  const who = { prompt: "conversational", notFound: phrases.notInDocuments } as const;
  return conversation({ ...request, history }, who, { content, foreign }, prompts);
}
