/** Whether the documents answer a question, found out before anybody is invited to ask it. */

import type { Persona } from "../capability/capability.js";
import type { Passage } from "../domain/passage.js";
import type { Access } from "../domain/user.js";
import { extractAnswer } from "../extractive/extractive.js";
import { answerability } from "../grounding/answerability/answerability.js";
import { SearchUnavailable } from "../retrieval/port.js";
import { KIOSK_SENTENCES_MAX } from "./offline.js";
import { allPassages, allTrusted, documentReader, type SearchDeps, searchOne } from "./search.js";

export interface AnswerableDeps extends SearchDeps {
  /** Whether a model writes the answers: it answers more than can be found word for word. */
  readonly hasModel: boolean;
}

/**
 * From this probability on a model is trusted to find the answer in what was searched. High on purpose: a suggestion too
 * few is nothing, one that leads nowhere is a promise broken.
 */
export const ANSWERABLE_MIN = 0.8;

export interface AnsweredBy {
  readonly documentIds: readonly string[];
  /** Whether steps were found, as far as can be told. */
  readonly hasSteps: boolean;
}

/**
 * What answers `question` for `access`; `undefined` when nothing does. `query` is what is searched for, where that is in
 * another language. Rejects with `SearchUnavailable`, or with the signal's reason.
 */
export async function answeredBy(
  question: { readonly text: string; readonly query?: string },
  { access, persona }: { readonly access: Access; readonly persona: Persona },
  deps: AnswerableDeps,
  signal: AbortSignal,
): Promise<AnsweredBy | undefined> {
  // A model searches in the documents' language, whatever language the question is in.
  const asked = deps.hasModel ? (question.query ?? question.text) : question.text;
  const found = await searchOne(asked, access, deps, signal);
  if (found.type === "unavailable") throw new SearchUnavailable(found.error);
  const passages = await allTrusted(allPassages([found]));
  const limits = persona === "kiosk" && !deps.hasModel ? { sentencesMax: KIOSK_SENTENCES_MAX } : {};
  const readDocument = documentReader(access, deps, signal);
  const extracted = await extractAnswer(asked, undefined, passages, { ...limits, readDocument });
  if (extracted.type === "answer" && extracted.complete)
    return {
      documentIds: documentsOf(extracted.passages),
      hasSteps: extracted.sentences.some((sentence) => /^Step \d/.test(sentence)),
    };
  if (!deps.hasModel || extracted.type === "several") return undefined;
  if (answerability(asked, passages) < ANSWERABLE_MIN) return undefined;
  return { documentIds: documentsOf(passages), hasSteps: false };
}

function documentsOf(passages: readonly Passage[]): readonly string[] {
  return [...new Set(passages.map(({ documentId }) => documentId))];
}
