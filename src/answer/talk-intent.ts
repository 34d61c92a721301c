/** What a turn wants that is about the conversation itself, as far as its words tell without a model. Pure. */
import type { Intent, Phrase } from "../locale/commands/intents.js";
import { commands } from "../routing/commands.js";

/** The phrases that answer small talk, by intent; `stop` wants nothing more to be said. */
const SMALL_TALK = { greeting: "greeting", thanks: "welcome", goodbye: "goodbye", stop: "stopped" } as const;

/** Of the answer before, wherever they are said, the first that fits. */
const WITHIN = ["translate", "shorter", "meaning"] as const satisfies readonly Phrase[];

/** `rephrase`: in other words, or anything else about the answer before. */
export type TalkIntent = keyof typeof SMALL_TALK | (typeof WITHIN)[number] | "continue" | "rephrase";

function isTalk(intent: Intent): intent is Extract<Intent, TalkIntent> {
  return intent in SMALL_TALK || intent === "continue" || WITHIN.some((one) => one === intent);
}

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

/** The name of the phrase that answers small talk; undefined for all else. */
export const COURTESIES: Partial<Record<TalkIntent, (typeof SMALL_TALK)[keyof typeof SMALL_TALK]>> =
  SMALL_TALK;
