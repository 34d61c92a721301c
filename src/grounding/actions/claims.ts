/** Whether a sentence claims that we did, do or will do something. */
import { SENTENCE_CHARS_MAX } from "../limits.js";
import { ACTION_WORDS, type ActionWords, plainWords } from "./words.js";

/** `by_us`: the speaker says so of themselves. `done`: it says nothing else. `of_it`: of a thing that an order named. */
export type ActionClaim = "by_us" | "done" | "of_it";

/** Undefined where a sentence claims nothing of the kind. `question`: what it answers. */
export function actionClaim(sentence: string, question: string): ActionClaim | undefined {
  const text = asWords(sentence);
  if (ACTION_WORDS.some(({ byUs }) => byUs.test(text))) return "by_us";
  if (ACTION_WORDS.some(({ done }) => done.test(text))) return "done";
  if (sentence.trimEnd().endsWith("?")) return undefined;
  return ACTION_WORDS.some((words) => isOfOrder(text, asWords(question), words)) ? "of_it" : undefined;
}

/** Whether an utterance is an order, in any of the languages. */
export function isOrder(utterance: string): boolean {
  const text = asWords(utterance);
  return ACTION_WORDS.some(({ asked }) => asked.test(text));
}

function asWords(text: string): string {
  return plainWords(text.slice(0, SENTENCE_CHARS_MAX));
}

/** A sentence tells the same of what was not ordered, or of another time, as a document may. */
function isOfOrder(text: string, question: string, { asked, elsewhen, ofIt }: ActionWords): boolean {
  return ofIt.test(text) && !elsewhen.test(text) && asked.test(question);
}
