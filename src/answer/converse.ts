/**
 * Turns about the answer before, and small talk: nothing is searched. The model is shown the answers that it may
 * restate with the passages that they rest on, and what it writes is checked against those passages. Without a model
 * the documents' own words have to do.
 */

import type { AskRequest, Draft } from "../capability/capability.js";
import type { DraftEvent } from "../capability/draft.js";
import type { ForeignText } from "../domain/foreign-text.js";
import { documentSources, type SourceRef } from "../domain/source-ref.js";
import type { HistoryEntry } from "../domain/turn.js";
import type { Clock } from "../lib/clock.js";
import { DeadlineExceeded, withDeadline } from "../lib/deadline.js";
import type { ModelMessage } from "../llm/port.js";
import { languageOf, type Prompts } from "../llm/prompts.js";
import type { Retrieval } from "../retrieval/port.js";
import { documentRules, recall } from "../retrieval/recall.js";
import { historyWithinBudget, RETRIEVED_TOKENS_MAX, TokenBudget } from "./budget.js";
import { passagesText } from "./messages.js";
import { modelText, type TalkModel } from "./model-text.js";
import { type Phrases, phrasesFor } from "./phrases.js";
import { evidenceFor, nothingSaid, saidAgain } from "./replay.js";
import { type Earlier, earlierAnswers } from "./retelling.js";
import { COURTESIES, talkIntent } from "./talk-intent.js";

export interface TalkDeps {
  readonly clock: Clock;
  readonly prompts: Prompts;
  /** Absent: no model is set. */
  readonly model?: TalkModel | undefined;
}

export interface ConverseDeps extends TalkDeps {
  /** Asked for access alone, never searched. */
  readonly retrieval: Pick<Retrieval, "readable">;
  readonly searchTimeoutMs: number;
}

/** Answers that a turn may restate, the newest. */
export const RESTATED_MAX = 3;

export function createConverse(deps: ConverseDeps): Draft {
  return (request, signal) => converse(request, deps, signal);
}

async function* converse(
  request: AskRequest,
  deps: ConverseDeps,
  signal: AbortSignal,
): AsyncGenerator<DraftEvent, void, undefined> {
  const phrases = phrasesFor(request.persona, request.locale);
  const intent = talkIntent(request.question);
  const courtesy = COURTESIES[intent];
  if (courtesy !== undefined) {
    yield { type: "phrase", text: phrases.talk[courtesy] };
    yield { type: "end", searched: "not_needed", degraded: false, outcome: "answered" };
    return;
  }
  const readable = await stillReadable(request, deps, signal);
  const earlier = earlierAnswers(readable).slice(0, RESTATED_MAX);
  const [last] = earlier;
  if (last === undefined) return yield* nothingSaid(phrases);
  yield { type: "about", question: last.question };
  for (const one of earlier) yield* evidenceFor(one, phrases);
  const nowMs = deps.clock.now();
  const inDocumentsWords = (degraded: boolean) => saidAgain({ what: intent, degraded, nowMs }, last, phrases);
  if (deps.model === undefined) return yield* inDocumentsWords(false);
  const messages = await talkMessages(request, readable, earlier, phrases, deps.prompts);
  const otherwise = () => inDocumentsWords(true);
  const { clock, model } = deps;
  yield* modelText(request, messages, { clock, model, otherwise, restIsLost: phrases.restIsLost }, signal);
}

/** The history without what may not be read now: it was read a while ago, and an answer kept is read again here. */
async function stillReadable(
  { access, history }: AskRequest,
  { clock, retrieval, searchTimeoutMs }: ConverseDeps,
  signal: AbortSignal,
): Promise<readonly HistoryEntry[]> {
  const lines = history.map((line) => ({ ...line, sources: [...line.sources, ...passagesOf(line)] }));
  try {
    return await withDeadline(clock, "the access check", searchTimeoutMs, signal, (within) =>
      recall(lines, access, documentRules(retrieval), within),
    );
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof DeadlineExceeded)) throw error;
    return lines.filter(({ sources }) => sources.length === 0);
  }
}

function passagesOf({ answer }: HistoryEntry): readonly SourceRef[] {
  return documentSources((answer?.passages ?? []).map(({ documentId }) => documentId));
}

/** The persona of such turns, what was said within its budget, and the message with the passages as data. */
async function talkMessages(
  request: AskRequest,
  history: readonly HistoryEntry[],
  earlier: readonly Earlier[],
  phrases: Phrases,
  prompts: Prompts,
): Promise<readonly ModelMessage[]> {
  const system = prompts.render("conversational", {
    output: prompts.render(`output-${request.responseType}`),
    not_found: phrases.notInDocuments,
    language: languageOf(request, prompts),
  });
  const remembered = historyWithinBudget(history).map(({ role, text }) => ({ role, content: text }));
  const passages = new Map(
    earlier.flatMap(({ answer }) => answer?.passages ?? []).map((passage) => [passage.chunkId, passage]),
  );
  const foreign: ForeignText[] = [{ what: "question", text: request.question }];
  const budget = new TokenBudget(RETRIEVED_TOKENS_MAX);
  const shown = await passagesText([...passages.values()], budget, prompts, foreign);
  const content = shown === "" ? request.question : `${shown}\n\n${request.question}`;
  return [{ role: "system", content: system }, ...remembered, { role: "user", content, foreign }];
}
