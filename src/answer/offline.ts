/**
 * Answering without any model: the sentences of the documents, or of what the caller attached, that fit the question
 * best, word for word.
 */

import type { AskRequest, Draft } from "../capability/capability.js";
import type { DraftEnd, DraftEvent } from "../capability/draft.js";
import { completed, type Option } from "../domain/dialogue.js";
import type { Passage } from "../domain/passage.js";
import { type ExtractedAnswer, type FoundSentences, NONE } from "../extractive/answer-text.js";
import { extractAnswer } from "../extractive/extractive.js";
import { withNumbers } from "../extractive/named-numbers.js";
import { type ReadDocument, sectionOf } from "../extractive/procedure.js";
import { type Question, readQuestion } from "../extractive/question.js";
import { questionParts } from "../extractive/question-parts.js";
import { contextTerms, QuestionScale } from "../extractive/question-scale.js";
import { termsOf } from "../extractive/terms.js";
import { isAmongClosest } from "../grounding/answerability/closest.js";
import { type OldRevision, oldRevisionIn } from "../grounding/checkers/old-revision.js";
import { asPassages, attachedEvidence, attachments } from "./attachments.js";
import { closestAnswer } from "./closest-answer.js";
import { type Interpretation, readingsOf } from "./interpretations.js";
import { type Phrases, phrasesFor } from "./phrases.js";
import { correction } from "./premise.js";
import {
  allPassages,
  allTrusted,
  documentReader,
  type SearchDeps,
  type SearchResult,
  searchAll,
  searchedOf,
  withPassages,
} from "./search.js";
import { respelled } from "./spelling.js";

/** A kiosk answers in one sentence. */
export const KIOSK_SENTENCES_MAX = 1;

export function createOfflineAsk(deps: SearchDeps): Draft {
  return async function* (request, signal) {
    const { access, alreadySaid, chosen, history, persona } = request;
    const question = chosen?.asked ?? request.question;
    const phrases = phrasesFor(persona, request.locale);
    const given = attachments(request.context);
    if (given.length > 0) yield attachedEvidence(given, phrases.fromAttached);
    const asked: OfflineRequest = {
      ...request,
      question,
      attached: asPassages(given, access.network),
      limits: {
        from: alreadySaid ?? 0,
        ...(persona === "kiosk" ? { sentencesMax: KIOSK_SENTENCES_MAX } : {}),
      },
      readDocument: documentReader(access, deps, signal),
      search: (queries) => searchAll(queries, request, deps, signal),
    };
    const parts = alreadySaid === undefined ? questionParts(question) : [question];
    if (parts.length > 1) {
      const answers = await answersTo(parts, asked);
      if (answers.some(({ extracted }) => extracted.type === "answer"))
        return yield* toldInParts(answers, phrases);
    }
    const readings =
      chosen === undefined ? readingsOf(question, history) : [{ query: request.question, prior: undefined }];
    let best = (await offeredSection(asked)) ?? (await bestAnswer(asked, readings));
    yield { type: "queries", queries: best.queries };
    const found = allPassages(best.found);
    if (best.extracted.type === "none" && chosen !== undefined)
      best = { ...best, ...(await answerFrom({ ...asked, question: request.question }, undefined, found)) };
    if (best.extracted.type === "none" && request.isNotOffered !== true && request.emergency === undefined)
      best = { ...best, ...(await closest(asked, readings[0]!, found)) };
    yield { type: "passages", passages: withPassages(found, usedIn(best)) };
    if (best.question !== question) yield { type: "about", question: best.question };
    yield* told(best, asked, phrases);
  };
}

/** What is asked, with what it may be answered from. */
interface OfflineRequest extends AskRequest {
  readonly attached: readonly Passage[];
  readonly limits: { readonly from: number; readonly sentencesMax?: number };
  readonly readDocument: ReadDocument;
  search(queries: readonly string[]): Promise<readonly SearchResult[]>;
}

/** What is to be said, as far as passages tell. */
interface OfflineAnswer {
  /** As it was understood. */
  readonly question: string;
  readonly extracted: ExtractedAnswer;
  readonly old?: OldRevision | undefined;
}

/** An answer, and how it was searched for. */
interface FoundAnswer extends OfflineAnswer {
  readonly queries: readonly string[];
  readonly found: readonly SearchResult[];
}

/** What the section that was offered says of it; undefined: none was, or it is not there any more. */
async function offeredSection(asked: OfflineRequest): Promise<FoundAnswer | undefined> {
  const { chosen, question, readDocument } = asked;
  if (chosen?.chunkId === undefined) return undefined;
  const { passages: document } = await readDocument(chosen.documentId);
  const chunk = document.find(({ chunkId }) => chunkId === chosen.chunkId);
  if (chunk === undefined) return undefined;
  const found = { type: "found", query: question, passages: sectionOf(chunk, document) } as const;
  const answer = await closest(asked, { query: question, prior: undefined }, found.passages);
  return { ...answer, queries: [question], found: [found] };
}

/** Each question for itself; what comes after the first may lean on the one before it. */
function answersTo(questions: readonly string[], asked: OfflineRequest): Promise<readonly FoundAnswer[]> {
  return Promise.all(
    questions.map((question, i) => {
      const before = questions[i - 1];
      const history =
        before === undefined ? asked.history : [{ role: "user", text: before, sources: [] } as const];
      return bestAnswer({ ...asked, question }, readingsOf(question, history));
    }),
  );
}

/**
 * Of what the readings come to, the one that holds most of the question, and, weighing less, of the question before.
 * Only the document that was chosen is read, if one was.
 */
async function bestAnswer(asked: OfflineRequest, readings: readonly Interpretation[]): Promise<FoundAnswer> {
  const { chosen, question } = asked;
  const queries = readings.map(({ query }) => query);
  const isMeant = ({ documentId }: Passage) => chosen === undefined || documentId === chosen.documentId;
  const results = (await asked.search(queries)).map((one) =>
    one.type === "found" ? { ...one, passages: one.passages.filter(isMeant) } : one,
  );
  const answers: FoundAnswer[] = [];
  for (const [i, { asked: meant = question, prior }] of readings.entries()) {
    const found = [results[i]!];
    const one = await answerFrom({ ...asked, question: meant }, prior, allPassages(found));
    answers.push({ ...one, queries, found });
    if (meant !== question && one.extracted.type === "answer") return { ...one, queries, found };
  }
  const scale = readQuestion(question, readings.at(-1)!.prior);
  return answers.reduce((best, other) => (evidenceIn(other, scale) > evidenceIn(best, scale) ? other : best));
}

/** The share of a question's weight that an answer and its headings hold; less than none where there is no answer. */
function evidenceIn({ extracted }: OfflineAnswer, question: Question): number {
  if (extracted.type === "none" || extracted.type === "likely") return -2;
  if (extracted.type === "several") return -1;
  const said = new Set(termsOf(extracted.sentences.join("\n")));
  return new QuestionScale(question, []).share(said, ...extracted.passages.map(contextTerms));
}

/** What the user attached and speaks of counts for more than documents. */
async function answerFrom(
  { attached, limits, locale, question, readDocument }: OfflineRequest,
  prior: string | undefined,
  found: readonly Passage[],
): Promise<OfflineAnswer> {
  const shown = await extractAnswer(question, prior, await allTrusted(attached), limits);
  if (shown.type === "answer") return { question, extracted: shown };
  const passages = await allTrusted(found);
  const meant = withNumbers(respelled(question, passages), passages);
  const old = oldRevisionIn(meant, passages, locale);
  const options = { ...limits, readDocument };
  const asked = old?.question ?? meant;
  const held = await extractAnswer(asked, prior, passages, options);
  const unit = held.type === "answer" ? held.unit : undefined;
  // What holds the words of the question has to be about the same, too.
  const isAgreed = unit === undefined || (await isAmongClosest(unit, asked, prior, passages));
  const extracted = isAgreed ? held : NONE;
  const isAboutOld = usedIn({ extracted }).some(({ documentId }) => documentId === old?.documentId);
  return { question: meant, extracted, old: isAboutOld ? old : undefined };
}

/** What is closest to the question in what was found, where nothing holds its words. */
async function closest(
  { chosen, limits, question, readDocument }: OfflineRequest,
  { asked = question, prior }: Interpretation,
  found: readonly Passage[],
): Promise<OfflineAnswer> {
  const passages = await allTrusted(found);
  const meant = withNumbers(asked, passages);
  const options = { ...limits, readDocument, isMeant: chosen !== undefined };
  return { question: asked, extracted: await closestAnswer(meant, prior, passages, options) };
}

function usedIn({ extracted }: Pick<OfflineAnswer, "extracted">): readonly Passage[] {
  return extracted.type === "answer" ? extracted.passages : [];
}

/** What the documents say of several questions, of which they answer at least one. */
async function* toldInParts(answers: readonly FoundAnswer[], phrases: Phrases): AsyncGenerator<DraftEvent> {
  const found = answers.flatMap((part) => part.found);
  yield { type: "queries", queries: answers.flatMap(({ queries }) => queries) };
  yield { type: "passages", passages: withPassages(allPassages(found), answers.flatMap(usedIn)) };
  const said = new Set<string>();
  for (const { extracted, found: ofPart, question } of answers) {
    yield* (await correction(question, allPassages(ofPart), phrases)).events;
    if (extracted.type !== "answer") continue;
    yield* announced(extracted, 0, phrases);
    const sentences = extracted.sentences.filter((sentence) => !said.has(sentence));
    for (const sentence of sentences) said.add(sentence);
    if (sentences.length > 0) yield { type: "text", text: `${sentences.join(" ")}\n\n` };
  }
  const isWhole = answers.every(({ extracted }) => extracted.type === "answer");
  if (!isWhole) yield { type: "phrase", text: phrases.restNotCovered };
  const isComplete = answers.every(({ extracted }) => extracted.type === "answer" && extracted.complete);
  yield endOf(found, isComplete, answers.find(({ old }) => old !== undefined)?.old);
}

async function* told(
  { extracted, found, old, question }: FoundAnswer,
  { alreadySaid = 0, chosen }: OfflineRequest,
  phrases: Phrases,
): AsyncGenerator<DraftEvent> {
  const end = endOf(found, true);
  if (extracted.type === "several") {
    const last = extracted.names.at(-1)!;
    const others = extracted.names.slice(0, -1).join(", ");
    yield { type: "phrase", text: phrases.whichOne(others, last) };
    const options = extracted.names.map((words, i): Option => {
      const of = extracted.of?.[i];
      return of === undefined
        ? { words, means: { type: "question", question: completed(question, words) } }
        : { words, means: { type: "document", documentId: of.documentId, title: of.title } };
    });
    return yield { ...end, outcome: "ambiguous", options };
  }
  if (extracted.type === "likely") {
    const { chunkId, documentId, headings, title } = extracted.passage;
    const section: Option = { words: "", means: { type: "document", documentId, title, chunkId } };
    yield { type: "phrase", text: phrases.offer(headings.at(-1) ?? title, title) };
    return yield { ...end, outcome: "ambiguous", options: [section] };
  }
  const corrected = await correction(question, allPassages(found), phrases);
  yield* corrected.events;
  if (extracted.type === "none") return yield end;
  // The gate itself says that an older revision does not hold any more.
  yield* announced(extracted, alreadySaid, phrases);
  const sentences = extracted.sentences.filter((sentence) => sentence !== corrected.sentence);
  if (sentences.length > 0) yield { type: "text", text: sentences.join(" ") };
  if ((extracted.left ?? 0) > 0 && old === undefined) {
    const said = alreadySaid + extracted.sentences.length;
    yield { type: "phrase", text: phrases.goOn };
    const rest: Option = { words: "", means: { type: "rest", said, chosen } };
    return yield { ...end, outcome: "partial", options: [rest] };
  }
  yield endOf(found, extracted.complete, old);
}

/** Before a part of a list or of a procedure: that it is one. */
function announced(
  { complete, items, passages, sentences }: FoundSentences,
  alreadySaid: number,
  phrases: Phrases,
): readonly DraftEvent[] {
  if (complete || (items !== undefined && alreadySaid > 0)) return [];
  const ofProcedure = () => phrases.partOfProcedure(passages[0]!.title);
  const text = items === undefined ? ofProcedure() : phrases.partOfList(sentences.length, items);
  return [{ type: "phrase", text }];
}

function endOf(found: readonly SearchResult[], isComplete: boolean, old?: OldRevision): DraftEnd {
  const end = { type: "end", searched: searchedOf(found), degraded: false } as const;
  if (old !== undefined) return { ...end, outcome: "conflicting" };
  return isComplete ? end : { ...end, outcome: "partial" };
}
