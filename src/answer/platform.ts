/**
 * Questions about the caller's account, its usage and its bill: answered from what the caller's platform attached to
 * the question, and from nothing else. The documents are never asked.
 */

import type { Draft } from "../capability/capability.js";
import { type DraftEvent, END } from "../capability/draft.js";
import { readQuestion } from "../extractive/question.js";
import { passageTerms, QuestionScale } from "../extractive/question-scale.js";
import { withoutInjections } from "../grounding/injection.js";
import { pattern } from "../lib/pattern.js";
import { pause } from "../lib/pause.js";
import { splitSentences } from "../lib/sentence-end.js";
import {
  type Attachment,
  asPassages,
  attachedEvidence,
  attachments,
  foreignIn,
  questionWithAttached,
} from "./attachments.js";
import { modelText, type TalkDeps } from "./compose.js";
import { conversation } from "./messages.js";
import { type Phrases, phrasesFor } from "./phrases.js";

/** Values of the data that one answer says, at the most. */
const VALUES_MAX = 3;

export function createPlatform(deps: TalkDeps): Draft {
  return async function* (request, signal) {
    const { context, persona, question } = request;
    const phrases = phrasesFor(persona, request.locale);
    const given = attachments(context);
    if (given.length === 0) {
      yield { type: "phrase", text: phrases.talk.nothingAttached };
      return yield { ...END, outcome: "not_in_documents" };
    }
    yield attachedEvidence(given);
    const messages = () => {
      const content = questionWithAttached(question, context, "all", deps.prompts);
      const who = { prompt: "platform", notFound: phrases.talk.notInAttached } as const;
      return conversation(request, who, { content, foreign: foreignIn(context, question) }, deps.prompts);
    };
    const values = (degraded: boolean) => fittingValues(question, given, phrases, degraded);
    yield* modelText(request, messages, values, deps, signal);
  };
}

/** The account or the user as such, and nothing of it, in six languages: it ends the question. */
const WHOLE_ACCOUNT = pattern("iu")`
  (?<!\p{L})(?:account|profile?|konto|koncie|cuenta|perfil|compte
  |обліков\p{L}+ запис\p{L}*|акаунт\p{L}*|профіл\p{L}*|about me|who (?:am i|i am)
  |wer (?:bin ich|ich bin)|quién soy|qui (?:suis-je|je suis)|kim jestem|хто я)[\s?.!]*$
`;

/** Everything that is known of the user, where no part of it is asked for. */
function ofAccount(question: string, given: readonly Attachment[]): readonly string[] {
  if (!WHOLE_ACCOUNT.test(question)) return [];
  return given.filter(({ source }) => source === "attached.user_info").flatMap(({ text }) => linesOf(text));
}

function linesOf(text: string): readonly string[] {
  return splitSentences(withoutInjections(text))
    .flatMap((part) => part.split("\n"))
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== "");
}

/** The sentences or fields of the data that share the most telling words with the question. */
async function* fittingValues(
  question: string,
  given: readonly Attachment[],
  { talk }: Phrases,
  degraded: boolean,
): AsyncGenerator<DraftEvent> {
  const sentences = given.flatMap(({ text }) => linesOf(text));
  const texts = asPassages(sentences.map((text) => ({ source: "attached.extra_context", text })));
  const scale = new QuestionScale(readQuestion(question), texts);
  const scores: number[] = [];
  for (const text of texts) {
    await pause();
    scores.push(scale.share(passageTerms(text)));
  }
  const best = Math.max(0, ...scores);
  const fitting =
    best > 0
      ? sentences.filter((_, i) => scores[i] === best).slice(0, VALUES_MAX)
      : ofAccount(question, given);
  if (fitting.length === 0) {
    yield { type: "phrase", text: talk.notInAttached };
    return yield { ...END, degraded, outcome: "not_in_documents" };
  }
  yield { type: "text", text: fitting.join("\n\n") };
  yield { type: "end", searched: "not_needed", degraded };
}
