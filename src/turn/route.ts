/** From a message to the capability that drafts its answer: the router decides, and what is not offered here says so. */

import type { EmergencyAnswers } from "../answer/emergency.js";
import type { AskRequest, Capability } from "../answer/port.js";
import { isCourtesy } from "../answer/talk-intent.js";
import type { RouteDecision } from "../domain/answer.js";
import type { AttachedContext, HistoryEntry, TurnRequest } from "../domain/turn.js";
import type { DraftEvent } from "../grounding/draft.js";
import type { Emergency } from "../locale/emergency.js";
import type { Locale } from "../locale/locale.js";
import { type AttachedKinds, attachedKinds } from "../routing/attached.js";
import { INTENTS_MAX, type Intent, topicOf } from "../routing/intents.js";
import type { Replay } from "../routing/replay.js";
import { type Routed, type Router, RULE_CONFIDENCE } from "../routing/router.js";
import type { Route } from "../routing/routes.js";
import type { Telemetry } from "../telemetry/events.js";

/** What drafts answers here. A guide is looked up, and a reading is too, where nothing better is offered. */
export interface Capabilities {
  readonly knowledge: Capability;
  readonly conversational: Capability;
  readonly platform: Capability;
  readonly introduction: Capability;
  /** Obeys a command about the last answer. */
  replay(what: Replay): Capability;
  /** Tells somebody in danger what to do. */
  readonly emergency: EmergencyAnswers;
}

export interface RouteDeps {
  readonly router: Pick<Router, "route" | "fallback">;
  readonly capabilities: Capabilities;
}

export interface Choice {
  readonly capability: Capability;
  readonly decision: RouteDecision;
  /** What the caller attached, if the message refers to it. */
  readonly context: AttachedContext | undefined;
  /** What is said where the documents do not answer; absent: that they do not. */
  readonly notFound?: string;
}

/** An emergency is no matter of routes: nothing is weighed, and what the caller declares does not count. */
export function emergencyChoice({ signs }: Emergency, { router, capabilities }: RouteDeps): Choice {
  const decision = { route: router.fallback.name, layer: "rule", confidence: RULE_CONFIDENCE } as const;
  return { capability: capabilities.emergency(signs), decision, context: undefined };
}

/** Rejects with the signal's reason only. */
export async function chooseCapability(
  request: TurnRequest,
  history: readonly HistoryEntry[],
  locale: Locale,
  { router, capabilities, telemetry }: RouteDeps & { readonly telemetry: Telemetry },
  signal: AbortSignal,
): Promise<Choice> {
  const { context, id, route: declared, text: question, user } = request;
  if (question === "") return notCaught(router.fallback.name, locale);
  const attached = attachedKinds(context);
  const routed = await router.route(
    { user, turn: id, question, declared, intents: intentsOf(history, router.fallback.name), attached },
    signal,
    telemetry,
  );
  const { decision } = routed;
  switch (routed.type) {
    case "ask": {
      const { between } = routed;
      // Whether to do what nobody can do here is no question.
      if (between === undefined || between.every(isOffered))
        return { capability: asksBack(whichOf(between, locale)), decision, context: undefined };
      const asked = { capability: capabilities.knowledge, decision, context: undefined };
      return between.includes("operate") ? { ...asked, notFound: locale.say("operate_not_offered") } : asked;
    }
    case "replay":
      return { capability: capabilities.replay(routed.what), decision, context: undefined };
    case "emergency":
      return { capability: capabilities.emergency(question), decision, context: undefined };
    case "introduce":
      return { capability: capabilities.introduction, decision, context: undefined };
    case "route": {
      const used = routed.usesContext ? context : undefined;
      if (isIdle(routed, question, history, attached)) {
        return {
          capability: capabilities.knowledge,
          decision: { ...decision, route: router.fallback.name, layer: "default" },
          context: used,
        };
      }
      const capability = capabilityOf(routed, capabilities, locale);
      // Nobody may take it for done where nothing was read out either.
      const isOrder = routed.route.capability === "operate";
      const notFound = isOrder ? { notFound: locale.say("operate_not_offered") } : {};
      return { capability, decision, context: used, ...notFound };
    }
  }
}

/** What needs no site system. */
type Offered = Exclude<Route["capability"], "operate" | "check">;

function isOffered(capability: Route["capability"]): capability is Offered {
  return capability !== "operate" && capability !== "check";
}

/** Somebody spoke and could not be understood: there is nothing to answer. */
function notCaught(route: string, locale: Locale): Choice {
  const capability = asksBack(locale.say("not_caught"));
  return { capability, decision: { route, layer: "default", confidence: 0 }, context: undefined };
}

/**
 * How sure a guess must be to keep a question from the documents. On the labelled utterances that were held out
 * (`npm run bench -- router`) 0.8 keeps 41 of 48 right guesses of "conversational" and 4 of 15 wrong ones, and 0.7 keeps
 * 43 of 44 right ones of "operate".
 */
const GUESS_MIN: Partial<Record<Route["capability"], number>> = { conversational: 0.8, operate: 0.7 };

/**
 * Whether a guess is too weak, or leads to where there is nothing to answer from: no answer before it to speak of, no
 * figures of the caller's platform. The documents can at least be asked. What a caller declares, or a rule says, is no
 * guess.
 */
function isIdle(
  { decision, route }: Routed & { readonly type: "route" },
  question: string,
  history: readonly HistoryEntry[],
  attached: AttachedKinds,
): boolean {
  if (!isGuess(decision)) return false;
  if (decision.confidence < (GUESS_MIN[route.capability] ?? 0)) return true;
  if (route.capability === "platform") return !attached.platform;
  if (route.capability !== "conversational" || isCourtesy(question)) return false;
  return !history.some(({ role }) => role === "assistant");
}

function isGuess({ layer }: RouteDecision): boolean {
  return layer !== "declared" && layer !== "rule";
}

function capabilityOf(
  { decision, route }: Routed & { readonly type: "route" },
  capabilities: Capabilities,
  locale: Locale,
): Capability {
  switch (route.capability) {
    case "conversational":
    case "platform":
      return capabilities[route.capability];
    // What a document says of a value must not pass for the value; a mere guess at the route needs no apology.
    case "check":
      return isGuess(decision)
        ? capabilities.knowledge
        : preceded(locale.say("check_not_offered"), capabilities.knowledge);
    default:
      return capabilities.knowledge;
  }
}

/** The same with a phrase before its first word; once more when what was said is taken back. */
function preceded(text: string, capability: Capability): Capability {
  return async function* (request, signal) {
    let isTold = false;
    const rewind = () => {
      const rewound = request.rewind();
      if (rewound) isTold = false;
      return rewound;
    };
    for await (const event of capability({ ...request, rewind }, signal)) {
      if (!isTold && SPOKEN.has(event.type)) {
        isTold = true;
        yield { type: "phrase", text };
      }
      yield event;
    }
  };
}

const SPOKEN: ReadonlySet<DraftEvent["type"]> = new Set(["text", "claim", "phrase", "end"]);

/** Between which two things the user is asked to choose, in their words. */
function whichOf(between: readonly Offered[] | undefined, locale: Locale): string {
  const [first, second] = between ?? [];
  if (first === undefined || second === undefined) return locale.say("which_route_unknown");
  return locale.say("which_route", {
    first: locale.say(`which_route_${first}`),
    second: locale.say(`which_route_${second}`),
  });
}

function asksBack(question: string): Capability {
  return async function* (_request: AskRequest) {
    yield { type: "phrase", text: question };
    yield { type: "end", searched: "not_needed", degraded: false, outcome: "ambiguous" };
  };
}

/**
 * The last turns that were answered, newest last: each with its route and the beginning of its question. A history that
 * a caller brings along does not say which route it took: that counts as `usual`.
 */
export function intentsOf(history: readonly HistoryEntry[], usual: string): readonly Intent[] {
  return history
    .flatMap(({ role, answer }, i): Intent[] => {
      const question = history[i - 1];
      if (role !== "assistant" || question?.role !== "user") return [];
      return [{ route: answer?.route.route ?? usual, topic: topicOf(question.text) }];
    })
    .slice(-INTENTS_MAX);
}
