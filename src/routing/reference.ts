/**
 * Utterances that say nothing by themselves: "the same for the other one", "and for pump 4", "yes". They take their
 * route from the last turn, and nothing else does: what an utterance says outright is never read in the light of what
 * was asked before (RC-03 of the reference).
 */

import { commandsOf } from "./commands.js";
import type { Intent } from "./intents.js";
import { whole } from "./replay.js";
import { type Route, routeNamed } from "./routes.js";

/**
 * What of it refers back. `content`: another thing of the same kind, so that the last turn that was about a thing
 * counts, not a rephrasing in between. `answer`: a yes, a no, a stop. What it answers is known to the dialogue
 * (take.ts), which is asked first: where it answers nothing it is small talk, and never an order.
 */
export type Ellipsis = "content" | "answer" | "onward";

export function ellipsisOf(core: string, text: string): Ellipsis | undefined {
  if (ANSWER.test(core)) return "answer";
  if (ONWARD.test(core)) return "onward";
  if (AGAIN.test(core)) return "content";
  const rest = LEAD.exec(text)?.[1];
  if (rest === undefined || rest.split(" ").length > REST_WORDS_MAX || OWN_SENSE.test(rest)) return undefined;
  return "content";
}

/** Whether it holds a word that only the turns before can explain: the model is shown these then, and only then. */
export function refersBack(core: string, text: string): boolean {
  return ellipsisOf(core, text) !== undefined || PRONOUN.test(core);
}

/** The route that an elliptical utterance takes up; `undefined` when nothing came before that it could mean. */
export function routeReferredTo(
  ellipsis: Ellipsis,
  intents: readonly Intent[],
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

const REST_WORDS_MAX = 8;

const ANSWER = whole(
  "yes|yeah|yep|yup|aye|affirmative|correct|right|sure|confirm(?:ed)?|roger(?: that)?|go ahead|go for it|do it|do that|do not do (?:it|that)|do not(?: run that)?|do not run (?:it|that)|no|nope|nah|negative|cancel(?: (?:it|that))?|abort|never ?mind|forget (?:it|that)|stop(?: (?:it|that))?|wait|hold on|not now|not yet|leave it|yes (?:please|do it|go ahead|do that)|no (?:wait|stop|do not|leave it|cancel(?: that)?)|si|claro|correcto|confirmo|adelante|hazlo|no lo hagas|para|espera|cancela(?:lo)?|dejalo|olvidalo",
  ...commandsOf("answer"),
);

const ONWARD = whole(
  "continue|go on|carry on|keep going|keep reading|proceed|resume|and then(?: what)?|then(?: what)?|what then|more|tell me more|continua|sigue|y luego(?: que)?|y despues(?: que)?|luego(?: que)?|continuar|continue usted|siga|prosiga",
  ...commandsOf("onward"),
);

const ONE =
  "(?:the )?(?:other|second|first|third|next|last|same|left|right|upper|lower|big|small)(?: (?:one|ones|two|side|thing))?";

const AGAIN = new RegExp(
  `^(?:${[
    `(?:now )?(?:do|try|check|run)(?: (?:it|that|this|the same(?: thing)?|exactly that)(?: (?:again|once more))?| again)(?: (?:but )?(?:for|with|on|to|in|at) .{1,60})?`,
    `(?:now )?(?:and )?${ONE}(?: (?:too|as well|also|please|now))?`,
    `(?:the )?same(?: (?:thing|again|one|question|procedure))?(?: (?:for|with|on|to|in|at|as) .{1,60})?`,
    "(?:that|this) one(?: (?:too|as well|also))?",
    "(?:both|all of them|all three|them too|that too|it too|these too)",
    "(?:haz )?(?:lo mismo|otra vez lo mismo|hazlo otra vez|hazlo de nuevo)(?: (?:para|con|en|por) .{1,60})?",
    "(?:y )?(?:el|la|los|las) (?:otro|otra|otros|otras|segundo|segunda|siguiente|de al lado)(?: tambien)?",
  ].join("|")})$`,
);

const LEAD =
  /^(?:(?:ok|okay|so|um|uh) )*(?:and (?:what|how) about|what about|how about|and for|and with|and in|and on|and at|and|y para|y con|y en|y que tal|que tal|y|what of|also for|only for) (.+)$/;

/** A rest with a verb or a question of its own is no mere continuation. */
const OWN_SENSE =
  /\b(?:how|what|when|where|why|who|whom|which|whose|is|are|was|were|am|do|does|did|can|could|should|must|may|might|will|would|shall|have|has|had|need|needs|tell|give|show|say|explain|translate|repeat|open|close|start|stop|restart|reset|turn|switch|set|walk|guide|talk|take|check|read|put|make|write|shorter|longer|simpler|english|spanish|french|german|polish|arabic|turkish|thanks|thank|como|cual|cuando|donde|que|quien|cuanto|cuanta|cuantos|por|esta|estan|es|son|debo|puedo|tengo|hay|abre|cierra|arranca|para|pon|apaga|enciende|ingles|espanol|corto|resumen)\b/;

const PRONOUN =
  /\b(?:this|that|it|its|these|those|them|they|one|ones|same|again|former|latter|other|eso|esto|esa|ese|esas|esos|aquello|aquella|lo mismo|otra|otro|ahi|alli)\b/;
