/** Whether a sentence claims that we did, do or will do something, and which actions it names. */

import { FUNCTION_WORDS } from "../../words/function-words.js";
import { STOP_WORDS } from "../../words/polarity.js";
import { SENTENCE_CHARS_MAX } from "../limits.js";
import { ACTION_WORDS, type ActionWords, plainWords } from "./words.js";

export interface ActionClaim {
  /** `by_us`: the speaker says so of themselves. `done`: it says nothing else. `of_it`: of a thing that an order named. */
  readonly type: "by_us" | "done" | "of_it";
  readonly words: ActionWords;
}

/** Undefined where a sentence claims nothing of the kind. `question`: what it answers. */
export function actionClaim(sentence: string, question: string): ActionClaim | undefined {
  const text = asWords(sentence);
  const isQuestion = sentence.trimEnd().endsWith("?");
  const claiming = (type: ActionClaim["type"], isSo: (words: ActionWords) => boolean) => {
    const words = ACTION_WORDS.find(isSo);
    return words && { type, words };
  };
  return (
    claiming("by_us", ({ byUs }) => byUs.test(text)) ??
    claiming("done", ({ done }) => done.test(text)) ??
    (isQuestion ? undefined : claiming("of_it", (words) => isOfOrder(text, asWords(question), words)))
  );
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

export interface NamedActions {
  /** Names of the actions that a sentence has words of. */
  readonly actions: readonly string[];
  /** What else it says: words that are no names of `names`, and say something. */
  readonly rest: readonly string[];
}

/** What a sentence says besides names. */
export function namedActions(
  text: string,
  { actions, soon }: ActionWords,
  names: readonly string[],
): NamedActions {
  let left = plainWords(text);
  for (const name of names.toSorted((a, b) => b.length - a.length))
    left = left.replaceAll(plainWords(name), " ");
  const found: string[] = [];
  for (const [action, forms] of actions) {
    const without = left.replace(forms, " ");
    if (without !== left) found.push(action);
    left = without;
  }
  const words = left.replace(soon, " ").split(" ");
  return { actions: found, rest: words.filter((word) => word !== "" && !SAYS_NOTHING.has(word)) };
}

const SAYS_NOTHING: ReadonlySet<string> = new Set([...FUNCTION_WORDS, ...Object.values(STOP_WORDS).flat()]);

/** The name of an action as the languages' tables have it, for a word of the settings; undefined: they do not have it. */
export function actionNamed(word: string): string | undefined {
  for (const { orders } of ACTION_WORDS)
    for (const [name, order] of orders) if (name === word || order.test(plainWords(word))) return name;
  return undefined;
}
