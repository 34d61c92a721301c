/** What a turn wants that is about the conversation itself, as far as its words tell without a model. Pure. */
import type { Intent, Phrase } from "../locale/commands/intents.js";
import { commands } from "../routing/commands.js";

/** The intents of conversation; `stop` wants nothing more to be said. */
const WHOLE = [
  "greeting",
  "thanks",
  "goodbye",
  "stop",
  "translate",
  "shorter",
  "meaning",
  "continue",
] as const;

export type TalkIntent =
  | (typeof WHOLE)[number]
  /** In other words, or anything else about the answer before. */
  | "rephrase";

/** Wherever they are said, the first that fits. */
const WITHIN = ["translate", "shorter", "meaning"] as const satisfies readonly Phrase[];

const isTalk = (intent: Intent): intent is (typeof WHOLE)[number] => WHOLE.some((one) => one === intent);

/** The intent of a whole utterance. */
export function talkIntent(utterance: string): TalkIntent {
  const said = commands.hear(utterance);
  for (const { intent, slots } of commands.of(said)) {
    if (isTalk(intent)) return intent;
    // The next step of an answer that was not given whole.
    if (slots.move?.value === "next") return "continue";
  }
  const within = commands.phrases(said.words);
  return WITHIN.find((phrase) => within.has(phrase)) ?? "rephrase";
}

/** Whether a message is small talk and nothing else. */
export function isCourtesy(utterance: string): boolean {
  return COURTESIES[talkIntent(utterance)] !== undefined;
}

/** The phrases that answer small talk, by name. */
export const COURTESIES: Partial<Record<TalkIntent, "greeting" | "welcome" | "goodbye" | "stopped">> = {
  greeting: "greeting",
  thanks: "welcome",
  goodbye: "goodbye",
  stop: "stopped",
};
