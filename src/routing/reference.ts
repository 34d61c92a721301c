/**
 * Utterances that say nothing by themselves: "the same for the other one", "and for pump 4", "yes". They take their
 * route from the last turn, and nothing else does: what an utterance says outright is never read in the light of what
 * was asked before (RC-03 of the reference).
 */

import type { Intent as CommandIntent } from "../locale/commands/intents.js";
import { commands } from "./commands.js";
import type { NormalizedMessage } from "./normalized-message.js";
import type { PastRoute } from "./past-routes.js";
import { type Route, routeNamed } from "./routes.js";

/**
 * What of it refers back. `content`: another thing of the same kind, so that the last turn that was about a thing
 * counts, not a rephrasing in between. `answer`: a yes, a no, a stop. What it answers is known to the dialogue
 * (take.ts), which is asked first: where it answers nothing it is small talk, and never an order.
 */
export type Ellipsis = "content" | "answer" | "onward";

const ELLIPSES: Partial<Record<CommandIntent, Ellipsis>> = {
  yes: "answer",
  no: "answer",
  stop: "answer",
  continue: "onward",
  again: "content",
};

export function ellipsisOf(said: NormalizedMessage): Ellipsis | undefined {
  const command = said.command;
  return command && ELLIPSES[command.intent];
}

/** Whether it holds a word that only the turns before can explain: the model is shown these then, and only then. */
export function refersBack(said: NormalizedMessage): boolean {
  return ellipsisOf(said) !== undefined || commands.phrases(said.said.core).has("refers_back");
}
/** The route that an elliptical utterance takes up; `undefined` when nothing came before that it could mean. */
export function routeReferredTo(
  ellipsis: Ellipsis,
  intents: readonly PastRoute[],
  routes: readonly Route[],
): Route | undefined {
  const past = intents
    .map(({ route }) => routeNamed(routes, route))
    .filter((route): route is Route => route !== undefined)
    .reverse();
  if (ellipsis === "content")
    return past.find(({ capability }) => capability !== "conversational") ?? past[0];
  const [last] = past;
  if (ellipsis === "onward" && last?.capability === "guide") return last;
  return routes.find(({ capability }) => capability === "conversational");
}
