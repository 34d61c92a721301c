/**
 * Answering without any model: the sentences of the documents, or of what the caller attached, that fit the question
 * best, word for word.
 */
import type { Passage } from "../domain/passage.js";
import type { HistoryEntry } from "../domain/turn.js";
import type { DraftEvent } from "../grounding/draft.js";
import { trusted } from "../grounding/injection.js";
import { type ExtractedAnswer, extractAnswer } from "../llm/extractive.js";
import type { Prompts } from "../llm/prompts.js";
import { asPassages, attachedEvidence, attachments } from "./attached.js";
import { type OldRevision, oldRevisionIn } from "./old-revision.js";
import { type Phrases, phrasesFor } from "./phrases.js";
import type { AskRequest, Capability } from "./port.js";
import { contradictionOf, correctionOf } from "./premise.js";
import {
  allPassages,
  type Found,
  previousQuestion,
  rawQuery,
  type SearchDeps,
  searchAll,
  searchedOf,
} from "./search.js";
import { fitsBadly, reformulated } from "./search-again.js";

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
  const { access, history } = request;
  const phrases = phrasesFor(request.persona, deps.prompts);
  const question = clarified(request.question, history);
  if (question !== request.question) yield { type: "about", question };
  const attached = attachments(request.context);
  if (attached.length > 0) yield attachedEvidence(attached, phrases.fromAttached);
  const query = rawQuery(request.question, history);
  yield { type: "queries", queries: [query] };
  const search = { ...deps, telemetry: request.telemetry };
  let found = await searchAll([query], access, search, signal);
  yield { type: "passages", passages: allPassages(found) };

  const asked = { ...request, question };
  let answered = answerFrom(asked, asPassages(attached, access), allPassages(found));
  const other = reformulated(question, query);
  if (isNothing(answered) && other !== undefined && fitsBadly(found, deps.retryBelow ?? 0)) {
    const more = await searchAll([other], access, search, signal);
    answered = answerFrom(asked, [], allPassages(more));
    tellRetried(request, answered);
    if (!isNothing(answered)) {
      found = [...found, ...more];
      yield { type: "queries", queries: [other] };
      yield { type: "passages", passages: allPassages(found) };
    }
  }
  yield* told(asked, answered, found, phrases);
}

/** What is to be said, as far as passages tell. */
interface Answered {
  readonly extracted: ExtractedAnswer;
  readonly old: OldRevision | undefined;
}

/** What the user attached and speaks of counts for more than documents. */
function answerFrom(
  { history, persona, question }: AskRequest,
  attached: readonly Passage[],
  found: readonly Passage[],
): Answered {
  const limits = persona === "kiosk" ? { sentencesMax: KIOSK_SENTENCES_MAX } : {};
  const prior = isClarifying(history) ? undefined : previousQuestion(history);
  const shown = extractAnswer(question, prior, attached.map(trusted), limits);
  if (shown.type === "answer") return { extracted: shown, old: undefined };
  const passages = found.map(trusted);
  const old = oldRevisionIn(question, passages);
  const extracted = extractAnswer(old?.question ?? question, prior, passages, limits);
  const isAboutOld =
    extracted.type === "answer" &&
    extracted.passages.some(({ documentId }) => documentId === old?.documentId);
  return { extracted, old: isAboutOld ? old : undefined };
}

function isNothing({ extracted }: Answered): boolean {
  return extracted.type === "none";
}

function* told(
  { question }: AskRequest,
  { extracted, old }: Answered,
  found: readonly Found[],
  phrases: Phrases,
): Generator<DraftEvent> {
  const end = { type: "end", searched: searchedOf(found), degraded: false } as const;
  const passages = allPassages(found);
  if (extracted.type === "several") {
    const [first, second] = extracted.passages;
    yield { type: "phrase", text: phrases.whichOne(first.title, second.title) };
    yield { ...end, outcome: "ambiguous" };
    return;
  }
  const corrected = contradictionOf(question, passages);
  yield* correctionOf(question, passages, phrases);
  if (extracted.type === "none") {
    yield end;
    return;
  }
  // The gate itself says that an older revision does not hold any more.
  if (!extracted.complete) {
    yield { type: "phrase", text: phrases.partOfProcedure(extracted.passages[0]!.title) };
  }
  const sentences = extracted.sentences.filter((sentence) => sentence !== corrected);
  if (sentences.length > 0) yield { type: "text", text: sentences.join(" ") };
  if (old !== undefined) yield { ...end, outcome: "conflicting" };
  else yield extracted.complete ? end : { ...end, outcome: "partial" };
}

/** Whether the user was just asked what they mean. */
function isClarifying(history: readonly HistoryEntry[]): boolean {
  const last = history.at(-1);
  return (
    last?.role === "assistant" && last.answer?.outcome === "ambiguous" && last.answer.passages.length > 0
  );
}

/** The answer to a question back completes the question before: "How do I lock it out the press?". */
function clarified(question: string, history: readonly HistoryEntry[]): string {
  const before = previousQuestion(history);
  if (before === undefined || !isClarifying(history)) return question;
  return `${before.replace(/[\s?.!]+$/, "")} ${question.trim()}`;
}

function tellRetried({ access, telemetry }: AskRequest, answered: Answered): void {
  const user = { network: access.network, username: access.username };
  telemetry.emit({ type: "retrieval_retried", user, result: isNothing(answered) ? "no better" : "better" });
}
