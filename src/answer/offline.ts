/**
 * Answering without any model: the sentences of the documents, or of what the caller attached, that fit the question
 * best, word for word.
 */

import type { AskRequest, Draft, Persona } from "../capability/capability.js";
import type { DraftEvent } from "../capability/draft.js";
import { completed, type Option } from "../domain/dialogue.js";
import type { Passage } from "../domain/passage.js";
import type { ExtractedAnswer, ExtractOptions } from "../extractive/answer-text.js";
import { extractAnswer } from "../extractive/extractive.js";
import type { ReadDocument } from "../extractive/procedure.js";
import { type Question, readQuestion } from "../extractive/question.js";
import { questionParts } from "../extractive/question-parts.js";
import { contextTerms, QuestionScale } from "../extractive/question-scale.js";
import { termsOf } from "../extractive/terms.js";
import { type OldRevision, oldRevisionIn } from "../grounding/checkers/old-revision.js";
import type { Prompts } from "../llm/prompts.js";
import { allTrusted } from "./all-trusted.js";
import { asPassages, attachedEvidence, attachments } from "./attachments.js";
import { closestAnswer } from "./closest-answer.js";
import { type Interpretation, readingsOf } from "./interpretations.js";
import { type Phrases, phrasesFor } from "./phrases.js";
import { correction } from "./premise.js";
import { allPassages, type SearchDeps, type SearchResult, searchAll, searchedOf } from "./search.js";
import { fitsBadly, reformulated } from "./search-again.js";
import { respelled } from "./spelling.js";
import { documentReader, withPassages } from "./whole-document.js";

export interface OfflineAskDeps extends Omit<SearchDeps, "telemetry"> {
  readonly prompts: Prompts;
}

/** A kiosk answers in one sentence. */
export const KIOSK_SENTENCES_MAX = 1;

export function createOfflineAsk(deps: OfflineAskDeps): Draft {
  return (request, signal) => answer(request, deps, signal);
}

async function* answer(
  request: AskRequest,
  deps: OfflineAskDeps,
  signal: AbortSignal,
): AsyncGenerator<DraftEvent, void, undefined> {
  const { access, chosen, history } = request;
  const question = chosen?.asked ?? request.question;
  const phrases = phrasesFor(request.persona, request.locale);
  const readings =
    chosen === undefined ? readingsOf(question, history) : [{ query: request.question, prior: undefined }];
  const attached = attachments(request.context);
  if (attached.length > 0) yield attachedEvidence(attached, phrases.fromAttached);
  const search = { ...deps, telemetry: request.telemetry };
  const readDocument = documentReader(access, deps, signal);
  const parts = questionParts(question);
  if (parts.length > 1 && request.alreadySaid === undefined) {
    const inParts = await answerParts(
      parts,
      { ...request, readDocument },
      search,
      asPassages(attached, access),
      signal,
    );
    if (inParts.some(({ answered }) => answered.extracted.type === "answer")) {
      yield* toldInParts(inParts, phrases);
      return;
    }
  }
  const asked = { ...request, question, readDocument };
  const queries = readings.map(({ query }) => query);
  yield { type: "queries", queries };
  const results = ofDocument(chosen?.documentId, await searchAll(queries, access, search, signal));
  let { answered, found } = await bestOf(asked, readings, asPassages(attached, access), results);
  if (chosen !== undefined && isNothing(answered))
    answered = await answerFrom({ ...asked, question: request.question }, undefined, [], allPassages(found));
  yield { type: "passages", passages: withPassages(allPassages(found), usedIn(answered)) };

  const other = reformulated(question, queries[0]!);
  if (isNothing(answered) && other !== undefined && fitsBadly(results, deps.retryBelow ?? 0)) {
    const more = await searchAll([other], access, search, signal);
    answered = await answerFrom(asked, readings.at(-1)!.prior, [], allPassages(more));
    tellRetried(request, answered);
    if (!isNothing(answered)) {
      found = [...found, ...more];
      yield { type: "queries", queries: [other] };
      yield { type: "passages", passages: withPassages(allPassages(found), usedIn(answered)) };
    }
  }
  if (isNothing(answered) && request.isNotOffered !== true && request.emergency === undefined) {
    answered = await closest(asked, readings[0], chosen?.documentId, allPassages(found));
    if (!isNothing(answered))
      yield { type: "passages", passages: withPassages(allPassages(found), usedIn(answered)) };
  }
  if (answered.question !== question) yield { type: "about", question: answered.question };
  yield* told(answered, found, request.alreadySaid ?? 0, phrases);
}

/** What is closest to the question in what was found, or in the document that is meant, where nothing holds its words. */
async function closest(
  { alreadySaid = 0, persona, question, readDocument }: OfflineRequest,
  { asked = question, prior }: Interpretation,
  documentId: string | undefined,
  found: readonly Passage[],
): Promise<OfflineAnswer> {
  const isMeant = documentId !== undefined;
  const options = { from: alreadySaid, readDocument, isMeant, ...sentencesMaxOf(persona) };
  const within = isMeant ? found.filter((passage) => passage.documentId === documentId) : found;
  const extracted = await closestAnswer(asked, prior, await allTrusted(within), options);
  return { question: asked, extracted, old: undefined };
}

/** What was found in the one document that is meant, if one is; all of it where that is nothing. */
function ofDocument(documentId: string | undefined, found: readonly SearchResult[]): readonly SearchResult[] {
  const isMeant = (passage: Passage) => passage.documentId === documentId;
  if (!allPassages(found).some(isMeant)) return found;
  return found.map((one) =>
    one.type === "found" ? { ...one, passages: one.passages.filter(isMeant) } : one,
  );
}

/** What is asked, with how to read on in a document. */
interface OfflineRequest extends AskRequest {
  readonly readDocument: ReadDocument;
}

/** What one way to understand a question came to. */
interface InterpretationResult {
  readonly answered: OfflineAnswer;
  readonly found: readonly SearchResult[];
}

/**
 * Of what the readings came to, `results` in their order, the one that holds most of the question's own words, and
 * where they hold as much, most of the words of the question before.
 */
async function bestOf(
  asked: OfflineRequest,
  readings: readonly Interpretation[],
  attached: readonly Passage[],
  results: readonly SearchResult[],
): Promise<InterpretationResult> {
  const outcomes: InterpretationResult[] = [];
  for (const [i, { asked: question = asked.question, prior }] of readings.entries()) {
    const found = [results[i]!];
    const answered = await answerFrom({ ...asked, question }, prior, attached, allPassages(found));
    if (question !== asked.question && answered.extracted.type === "answer") return { answered, found };
    outcomes.push({ answered, found });
  }
  const isBetter = (one: InterpretationResult, other: InterpretationResult) => {
    const scales = [undefined, readings.at(-1)!.prior].map((prior) => readQuestion(asked.question, prior));
    const gains = scales.map((scale) => evidenceIn(one, scale) - evidenceIn(other, scale));
    return (gains.find((gain) => gain !== 0) ?? 0) > 0;
  };
  return outcomes.reduce((best, other) => (isBetter(other, best) ? other : best));
}

/** The share of a question's weight that an answer and its headings hold; less than none where there is no answer. */
function evidenceIn({ answered: { extracted } }: InterpretationResult, question: Question): number {
  if (extracted.type === "none" || extracted.type === "likely") return -2;
  if (extracted.type === "several") return -1;
  const said = new Set(termsOf(extracted.sentences.join("\n")));
  return new QuestionScale(question, []).share(said, ...extracted.passages.map(contextTerms));
}

/** One of several questions of a turn. */
interface Part {
  readonly queries: readonly string[];
  readonly found: readonly SearchResult[];
  readonly answered: OfflineAnswer;
}

/** Each question for itself; what comes after the first may lean on the one before it. */
async function answerParts(
  questions: readonly string[],
  request: OfflineRequest,
  search: SearchDeps,
  attached: readonly Passage[],
  signal: AbortSignal,
): Promise<readonly Part[]> {
  const readings = questions.map((question, i) => {
    const before = questions[i - 1];
    if (before === undefined) return readingsOf(question, request.history);
    return readingsOf(question, [{ role: "user", text: before, sources: [] }]);
  });
  const queries = readings.map((ofPart) => ofPart.map(({ query }) => query));
  const results = [...(await searchAll(queries.flat(), request.access, search, signal))];
  const parts: Part[] = [];
  for (const [i, question] of questions.entries()) {
    const ofPart = results.splice(0, queries[i]!.length);
    const best = await bestOf({ ...request, question }, readings[i]!, attached, ofPart);
    parts.push({ queries: queries[i]!, ...best });
  }
  return parts;
}

/** What the documents say of several questions, of which they answer at least one. */
async function* toldInParts(parts: readonly Part[], phrases: Phrases): AsyncGenerator<DraftEvent> {
  const found = parts.flatMap((part) => part.found);
  const used = parts.flatMap(({ answered }) => usedIn(answered));
  yield { type: "queries", queries: parts.flatMap(({ queries }) => queries) };
  yield { type: "passages", passages: withPassages(allPassages(found), used) };
  const said = new Set<string>();
  for (const { answered, found: ofPart } of parts) {
    const { extracted, question } = answered;
    yield* (await correction(question, allPassages(ofPart), phrases)).events;
    if (extracted.type !== "answer") continue;
    yield* announced(extracted, 0, phrases);
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

function isCompletelyTold({ extracted }: OfflineAnswer): boolean {
  return extracted.type === "answer" && extracted.complete;
}

/** Before a part of a list or of a procedure: that it is one. */
function* announced(
  { complete, items, passages, sentences }: Extracted,
  alreadySaid: number,
  phrases: Phrases,
): Generator<DraftEvent> {
  if (complete || (items !== undefined && alreadySaid > 0)) return;
  const title = passages[0]!.title;
  const isList = items !== undefined;
  yield {
    type: "phrase",
    text: isList ? phrases.partOfList(sentences.length, items) : phrases.partOfProcedure(title),
  };
}

type Extracted = Extract<ExtractedAnswer, { readonly type: "answer" }>;

/** What is to be said, as far as passages tell. */
interface OfflineAnswer {
  /** As it was understood. */
  readonly question: string;
  readonly extracted: ExtractedAnswer;
  readonly old: OldRevision | undefined;
}

/** What the user attached and speaks of counts for more than documents. */
async function answerFrom(
  { alreadySaid = 0, locale, persona, question, readDocument }: OfflineRequest,
  prior: string | undefined,
  attached: readonly Passage[],
  found: readonly Passage[],
): Promise<OfflineAnswer> {
  const limits = { from: alreadySaid, ...sentencesMaxOf(persona) };
  const shown = await extractAnswer(question, prior, await allTrusted(attached), limits);
  if (shown.type === "answer") return { question, extracted: shown, old: undefined };
  const passages = await allTrusted(found);
  const meant = respelled(question, passages);
  const old = oldRevisionIn(meant, passages, locale);
  const options = { ...limits, readDocument };
  const extracted = await extractSelfContained(old?.question ?? meant, prior, passages, options);
  const isAboutOld =
    extracted.type === "answer" &&
    extracted.passages.some(({ documentId }) => documentId === old?.documentId);
  return { question: meant, extracted, old: isAboutOld ? old : undefined };
}

function sentencesMaxOf(persona: Persona) {
  return persona === "kiosk" ? { sentencesMax: KIOSK_SENTENCES_MAX } : {};
}

/** A question that leans on none before it is answered as if it were the first. */
async function extractSelfContained(
  question: string,
  prior: string | undefined,
  passages: readonly Passage[],
  options: ExtractOptions,
): Promise<ExtractedAnswer> {
  const extracted = await extractAnswer(question, prior, passages, options);
  if (extracted.type !== "none" || prior === undefined) return extracted;
  const alone = await extractAnswer(question, undefined, passages, options);
  return alone.type === "answer" ? alone : extracted;
}

function usedIn({ extracted }: OfflineAnswer): readonly Passage[] {
  return extracted.type === "answer" ? extracted.passages : [];
}

function isNothing({ extracted }: OfflineAnswer): boolean {
  return extracted.type === "none";
}

async function* told(
  { extracted, old, question }: OfflineAnswer,
  found: readonly SearchResult[],
  alreadySaid: number,
  phrases: Phrases,
): AsyncGenerator<DraftEvent> {
  const end = { type: "end", searched: searchedOf(found), degraded: false } as const;
  const passages = allPassages(found);
  if (extracted.type === "several") {
    const last = extracted.names.at(-1)!;
    const others = extracted.names.slice(0, -1).join(", ");
    yield { type: "phrase", text: phrases.whichOne(others, last) };
    const options = extracted.names.map((words, i): Option => {
      const { documentId, title } = extracted.of?.[i] ?? {};
      if (documentId === undefined || title === undefined)
        return { words, means: { type: "question", question: completed(question, words) } };
      return { words, means: { type: "document", documentId, title } };
    });
    yield { ...end, outcome: "ambiguous", options };
    return;
  }
  if (extracted.type === "likely") {
    const { documentId, headings, title } = extracted.passage;
    yield { type: "phrase", text: phrases.offer(headings.at(-1) ?? title, title) };
    yield {
      ...end,
      outcome: "ambiguous",
      options: [{ words: "", means: { type: "document", documentId, title } }],
    };
    return;
  }
  const corrected = await correction(question, passages, phrases);
  yield* corrected.events;
  if (extracted.type === "none") {
    yield end;
    return;
  }
  // The gate itself says that an older revision does not hold any more.
  yield* announced(extracted, alreadySaid, phrases);
  const sentences = extracted.sentences.filter((sentence) => sentence !== corrected.sentence);
  if (sentences.length > 0) yield { type: "text", text: sentences.join(" ") };
  if ((extracted.left ?? 0) > 0 && old === undefined) {
    const said = alreadySaid + extracted.sentences.length;
    yield { type: "phrase", text: phrases.goOn };
    yield { ...end, outcome: "partial", options: [{ words: "", means: { type: "rest", said } }] };
    return;
  }
  if (old !== undefined) yield { ...end, outcome: "conflicting" };
  else yield extracted.complete ? end : { ...end, outcome: "partial" };
}

function tellRetried({ access, telemetry }: AskRequest, answered: OfflineAnswer): void {
  const user = { network: access.network, username: access.username };
  telemetry.emit({ type: "retrieval_retried", user, result: isNothing(answered) ? "no better" : "better" });
}
