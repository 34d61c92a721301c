/**
 * Answering without any model: the sentences of the documents, or of what the caller attached, that fit the question
 * best, word for word.
 */
import type { Passage } from "../domain/passage.js";
import type { HistoryEntry } from "../domain/turn.js";
import type { DraftEvent } from "../grounding/draft.js";
import { type ExtractedAnswer, extractAnswer } from "../llm/extractive.js";
import type { Prompts } from "../llm/prompts.js";
import { questionParts } from "../llm/question-parts.js";
import { allTrusted } from "./all-trusted.js";
import { asPassages, attachedEvidence, attachments } from "./attached.js";
import { type OldRevision, oldRevisionIn } from "./old-revision.js";
import { type Phrases, phrasesFor } from "./phrases.js";
import type { AskRequest, Capability } from "./port.js";
import { correction } from "./premise.js";
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
export const KIOSK_SENTENCES_MAX = 1;

export function createOfflineAsk(deps: OfflineAskDeps): Capability {
  return (request, signal) => answer(request, deps, signal);
}

async function* answer(
  request: AskRequest,
  deps: OfflineAskDeps,
  signal: AbortSignal,
): AsyncGenerator<DraftEvent, void, undefined> {
  const { access, history } = request;
  const phrases = phrasesFor(request.persona, request.locale);
  const question = clarified(request.question, history);
  if (question !== request.question) yield { type: "about", question };
  const attached = attachments(request.context);
  if (attached.length > 0) yield attachedEvidence(attached, phrases.fromAttached);
  const search = { ...deps, telemetry: request.telemetry };
  const parts = isClarifying(history) ? [] : questionParts(question);
  if (parts.length > 1) {
    const inParts = await answerParts(parts, request, search, asPassages(attached, access), signal);
    if (inParts.some(({ answered }) => answered.extracted.type === "answer")) {
      yield* toldInParts(inParts, phrases);
      return;
    }
  }
  const query = rawQuery(request.question, history);
  yield { type: "queries", queries: [query] };
  let found = await searchAll([query], access, search, signal);
  yield { type: "passages", passages: allPassages(found) };

  const asked = { ...request, question };
  let answered = await answerFrom(asked, asPassages(attached, access), allPassages(found));
  const other = reformulated(question, query);
  if (isNothing(answered) && other !== undefined && fitsBadly(found, deps.retryBelow ?? 0)) {
    const more = await searchAll([other], access, search, signal);
    answered = await answerFrom(asked, [], allPassages(more));
    tellRetried(request, answered);
    if (!isNothing(answered)) {
      found = [...found, ...more];
      yield { type: "queries", queries: [other] };
      yield { type: "passages", passages: allPassages(found) };
    }
  }
  yield* told(asked, answered, found, phrases);
}

/** One of several questions of a turn. */
interface Part {
  readonly question: string;
  readonly query: string;
  readonly found: Found;
  readonly answered: Answered;
}

/** Each question for itself; what comes after the first may lean on the one before it. */
async function answerParts(
  questions: readonly string[],
  request: AskRequest,
  search: SearchDeps,
  attached: readonly Passage[],
  signal: AbortSignal,
): Promise<readonly Part[]> {
  const histories = questions.map((_, i) => {
    const before = questions[i - 1];
    if (before === undefined) return request.history;
    return [{ role: "user", text: before, documentIds: [] } as const];
  });
  const queries = questions.map((question, i) => rawQuery(question, histories[i]!));
  const found = await searchAll(queries, request.access, search, signal);
  const parts: Part[] = [];
  for (const [i, question] of questions.entries()) {
    const asked = { ...request, question, history: histories[i]! };
    const answered = await answerFrom(asked, attached, allPassages([found[i]!]));
    parts.push({ question, query: queries[i]!, found: found[i]!, answered });
  }
  return parts;
}

/** What the documents say of several questions, of which they answer at least one. */
async function* toldInParts(parts: readonly Part[], phrases: Phrases): AsyncGenerator<DraftEvent> {
  const found = parts.map((part) => part.found);
  yield { type: "queries", queries: parts.map(({ query }) => query) };
  yield { type: "passages", passages: allPassages(found) };
  const said = new Set<string>();
  for (const {
    answered: { extracted },
    ...part
  } of parts) {
    yield* (await correction(part.question, allPassages([part.found]), phrases)).events;
    if (extracted.type !== "answer") continue;
    if (!extracted.complete) yield partOfProcedure(extracted.passages[0]!, phrases);
    const sentences = extracted.sentences.filter((sentence) => !said.has(sentence));
    for (const sentence of sentences) said.add(sentence);
    if (sentences.length > 0) yield { type: "text", text: `${sentences.join(" ")}\n\n` };
  }
  const isWhole = parts.every(({ answered: { extracted } }) => extracted.type === "answer");
  if (!isWhole) yield { type: "phrase", text: phrases.restNotCovered };
  const isComplete = isWhole && parts.every(({ answered }) => isCompletelyTold(answered));
  const end = { type: "end", searched: searchedOf(found), degraded: false } as const;
  if (parts.some(({ answered }) => answered.old !== undefined)) yield { ...end, outcome: "conflicting" };
  else yield isComplete ? end : { ...end, outcome: "partial" };
}

function isCompletelyTold({ extracted }: Answered): boolean {
  return extracted.type === "answer" && extracted.complete;
}

function partOfProcedure({ title }: Passage, phrases: Phrases): DraftEvent {
  return { type: "phrase", text: phrases.partOfProcedure(title) };
}

/** What is to be said, as far as passages tell. */
interface Answered {
  readonly extracted: ExtractedAnswer;
  readonly old: OldRevision | undefined;
}

/** What the user attached and speaks of counts for more than documents. */
async function answerFrom(
  { history, locale, persona, question }: AskRequest,
  attached: readonly Passage[],
  found: readonly Passage[],
): Promise<Answered> {
  const limits = persona === "kiosk" ? { sentencesMax: KIOSK_SENTENCES_MAX } : {};
  const prior = isClarifying(history) ? undefined : previousQuestion(history);
  const shown = await extractAnswer(question, prior, await allTrusted(attached), limits);
  if (shown.type === "answer") return { extracted: shown, old: undefined };
  const passages = await allTrusted(found);
  const old = oldRevisionIn(question, passages, locale);
  const extracted = await extractSelfContained(old?.question ?? question, prior, passages, limits);
  const isAboutOld =
    extracted.type === "answer" &&
    extracted.passages.some(({ documentId }) => documentId === old?.documentId);
  return { extracted, old: isAboutOld ? old : undefined };
}

/** A question that leans on none before it is answered as if it were the first. */
async function extractSelfContained(
  question: string,
  prior: string | undefined,
  passages: readonly Passage[],
  limits: Parameters<typeof extractAnswer>[3],
): Promise<ExtractedAnswer> {
  const extracted = await extractAnswer(question, prior, passages, limits);
  if (extracted.type !== "none" || prior === undefined) return extracted;
  const alone = await extractAnswer(question, undefined, passages, limits);
  return alone.type === "answer" ? alone : extracted;
}

function isNothing({ extracted }: Answered): boolean {
  return extracted.type === "none";
}

async function* told(
  { question }: AskRequest,
  { extracted, old }: Answered,
  found: readonly Found[],
  phrases: Phrases,
): AsyncGenerator<DraftEvent> {
  const end = { type: "end", searched: searchedOf(found), degraded: false } as const;
  const passages = allPassages(found);
  if (extracted.type === "several") {
    const last = extracted.names.at(-1)!;
    const others = extracted.names.slice(0, -1).join(", ");
    yield { type: "phrase", text: phrases.whichOne(others, last) };
    yield { ...end, outcome: "ambiguous" };
    return;
  }
  const corrected = await correction(question, passages, phrases);
  yield* corrected.events;
  if (extracted.type === "none") {
    yield end;
    return;
  }
  // The gate itself says that an older revision does not hold any more.
  if (!extracted.complete) yield partOfProcedure(extracted.passages[0]!, phrases);
  const sentences = extracted.sentences.filter((sentence) => sentence !== corrected.sentence);
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
  return `${before.replace(/(?<![\s?.!])[\s?.!]+$/, "")} ${question.trim()}`;
}

function tellRetried({ access, telemetry }: AskRequest, answered: Answered): void {
  const user = { network: access.network, username: access.username };
  telemetry.emit({ type: "retrieval_retried", user, result: isNothing(answered) ? "no better" : "better" });
}
