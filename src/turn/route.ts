/**
 * From a message to the capability that drafts its answer: what the chat has open has the first claim on it, the router
 * the second, and what is not offered here says so.
 */
import { isCourtesy } from "../answer/talk-intent.js";
import type { Capabilities, Capability, CapabilityName } from "../capability/capability.js";
import type { RouteDecision } from "../domain/answer.js";
import {
  type ChosenDocument,
  completed,
  type Option,
  type Pending,
  type PendingQuestion,
} from "../domain/dialogue.js";
import type { Alternative, AttachedContext, HistoryEntry, TurnRequest } from "../domain/turn.js";
import type { Access, User } from "../domain/user.js";
import type { Commands } from "../locale/commands/commands.js";
import type { Emergency } from "../locale/emergency.js";
import type { Locale } from "../locale/locale.js";
import type { Locales } from "../locale/locales.js";
import { type AttachedKinds, attachedKinds } from "../routing/attachments.js";
import { pastRoutes } from "../routing/past-routes.js";
import { type Router, type RoutingResult, RULE_CONFIDENCE } from "../routing/router.js";
import type { Route } from "../routing/routes.js";
import { take } from "../routing/take.js";
import type { Telemetry } from "../telemetry/events.js";
import { asksForRule } from "../words/questions.js";
import type { Basis } from "./basis.js";
import { followed, type LastBegun, preceded, withOther } from "./beside.js";
import type { NoAnswer } from "./outcome.js";
import { asksBack, says } from "./phrases.js";

export interface RouteDeps {
  readonly router: Pick<Router, "route" | "fallback">;
  readonly capabilities: Capabilities;
  readonly locales: Locales;
  /** Templates that know what of a site an access may know of; absent: there is no site. */
  readonly commandsFor?: ((access: Access) => Promise<Commands>) | undefined;
}

export interface Choice {
  readonly capability: Capability;
  readonly decision: RouteDecision;
  /** What is asked: what was said, or the question before, where that is answered now. */
  readonly question: string;
  /** The document that the user chose. */
  readonly chosen?: ChosenDocument | undefined;
  /** Resources that the user marked, or the one that was chosen. */
  readonly mentions?: readonly string[] | undefined;
  /** Parts of the answer that were said before, where it goes on. */
  readonly alreadySaid?: number;
  /** What the caller attached, if the message refers to it. */
  readonly context?: AttachedContext | undefined;
  /** Absent: that the documents do not answer. */
  readonly notFound?: NoAnswer | undefined;
  /** What a model says that the message tells of. */
  readonly emergency?: Emergency;
  /** What the message was the answer to. */
  readonly closed?: Pending;
}

type Deps = RouteDeps & { readonly telemetry: Telemetry };

/** An emergency is no matter of routes: nothing is weighed, and what the caller declares does not count. */
export function emergencyChoice(
  { text: question, user }: TurnRequest,
  { router, capabilities }: RouteDeps,
): Choice {
  const decision = ruled(router.fallback.name);
  return led({ capability: capabilities.emergency, decision, question }, capabilities, user);
}

function ruled(route: string): RouteDecision {
  return { route, layer: "rule", confidence: RULE_CONFIDENCE };
}

/** Whoever is led through a guide is led on behind an answer to something else; in an emergency those who help are told. */
function led(choice: Choice, { guide }: Capabilities, user: User): Choice {
  const { capability } = choice;
  const isEmergency = capability.name === "emergency";
  if (guide === undefined || capability.name === "guide" || !guide.leads(user)) return choice;
  const last: LastBegun = isEmergency
    ? (request, signal) => {
        const called = guide.callsHelp(request, signal);
        // An answer that is given up before its end waits for nothing.
        void Promise.allSettled([called]);
        return () => called;
      }
    : (request, signal) => () => guide.comesBack(request, signal);
  return { ...choice, capability: followed(capability, guide, last) };
}

/**
 * What the message is to what is open, and else what the router takes it for; with what has to be told of operations
 * besides. Rejects with the signal's reason only.
 */
export async function chooseCapability(
  request: TurnRequest,
  basis: Omit<Basis, "language">,
  deps: Deps,
  signal: AbortSignal,
): Promise<Choice> {
  const { operate } = deps.capabilities;
  const choice = led(await chosenBy(request, basis, deps, signal), deps.capabilities, request.user);
  const { consent, mentions, text: question } = request;
  const denied = await operate?.deniedBy({ ...basis, question, mentions, consent });
  const owed = operate?.owed(basis.access);
  if (UNINFORMED.has(choice.capability.name)) return choice;
  const { capability } = choice;
  if (denied !== undefined) return { ...choice, capability: withOther(capability, denied, "ahead") };
  return owed === undefined ? choice : { ...choice, capability: withOther(capability, owed, "behind") };
}

/** Behind these nothing of another matter is told. */
const UNINFORMED: ReadonlySet<CapabilityName> = new Set(["emergency", "operate"]);

/** In this order. */
const CLAIMING = ["build", "operate", "guide"] as const;

async function chosenBy(
  request: TurnRequest,
  basis: Omit<Basis, "language">,
  deps: Deps,
  signal: AbortSignal,
): Promise<Choice> {
  const { locale, pending } = basis;
  const { route: declared, text: question } = request;
  const { name: usual } = deps.router.fallback;
  // What is told to be written down is no order; what waits for consent and an order need no router, nor does a guide's answer.
  for (const name of declared === undefined ? CLAIMING : []) {
    const led = question !== "" || name === "guide" ? await claimed(name, request, basis, deps) : undefined;
    if (led !== undefined) return led;
  }
  const nothing = { route: usual, layer: "default", confidence: 0 } as const;
  if (question === "") return { question, decision: nothing, capability: asksBack(locale.say("not_caught")) };
  const taken = take(pending, question);
  const closed = { question, decision: ruled(usual) };
  switch (taken.type) {
    case "chosen": {
      const meant = meaningOf(taken.option, taken.pending);
      const asked = { ...request, ...meant };
      const isOfGuide = taken.pending.route === deps.capabilities.guide?.route;
      const begun = isOfGuide ? await claimed("guide", asked, { ...basis, pending: [] }, deps) : undefined;
      const choice = begun ?? (await routed(asked, basis, deps, signal));
      return { ...choice, ...meant, closed: taken.pending };
    }
    case "refused":
      return { ...closed, capability: says(locale.say("reply_refused")), closed: taken.pending };
    case "cancelled":
      return { ...closed, capability: says(locale.say("stopped")), closed: taken.pending };
    case "unclear":
      return {
        ...closed,
        question: taken.pending.asked,
        capability: asksBack(taken.pending.words, taken.pending.options),
      };
    case "answers_nothing":
      if (declared === undefined) return { ...closed, capability: asksBack(locale.say("answers_nothing")) };
      break;
    case "not_about_it":
      break;
  }
  const { unsure } = request;
  if (unsure !== undefined && !isAsked(unsure, pending)) {
    const options = unsure.map(
      ({ question: said, words }): Option => ({ words, means: { type: "said", question: said } }),
    );
    return { ...closed, capability: asksBack(whichSaid(unsure, locale), options) };
  }
  return routed(request, basis, deps, signal);
}

/** What is asked when an option was chosen: the first question, made complete. */
function meaningOf({ means }: Option, { asked, route }: PendingQuestion) {
  switch (means.type) {
    case "route":
      return { text: asked, question: asked, route: means.route };
    case "document": {
      const { chunkId, documentId, title } = means;
      const question = completed(asked, title);
      return { text: question, question, route, chosen: { documentId, chunkId, asked } };
    }
    case "question":
      return { text: means.question, question: means.question, route };
    case "resource":
      return { text: asked, question: asked, route, mentions: [means.id] };
    case "rest":
      return { text: asked, question: asked, route, alreadySaid: means.said, chosen: means.chosen };
    case "said":
      return { text: means.question, question: means.question };
  }
}

/** Whether that was the last question back: whoever says it again means what is heard. */
function isAsked(unsure: readonly Alternative[], pending: readonly Pending[]): boolean {
  return pending.some(
    (one) =>
      one.type === "question" &&
      unsure.every(({ words }) => one.options.some((option) => option.words === words)),
  );
}

/** "Pump 2 or pump 10?" */
function whichSaid(unsure: readonly Alternative[], locale: Locale): string {
  const said = unsure.map(({ words }) => words);
  const question = locale.say("which_said", { first: said.slice(0, -1).join(", "), second: said.at(-1)! });
  return question.replace(/\p{L}/u, (letter) => letter.toUpperCase());
}

async function routed(
  request: TurnRequest,
  basis: Omit<Basis, "language">,
  deps: Deps,
  signal: AbortSignal,
): Promise<Choice> {
  const { router, capabilities, commandsFor, telemetry } = deps;
  const { context, id, route: declared, text: question, user } = request;
  const { history, locale } = basis;
  const checked = declared === undefined ? await claimed("check", request, basis, deps) : undefined;
  if (checked !== undefined) return checked;
  const attached = attachedKinds(context);
  const routed = await router.route(
    {
      ...{ user, turn: id, question, declared, attached },
      intents: pastRoutes(history, router.fallback.name),
      commands: await commandsFor?.(basis.access),
    },
    signal,
    telemetry,
  );
  const { decision } = routed;
  const to = (capability: Capability, more?: Partial<Choice>) => ({
    capability,
    decision,
    question,
    ...more,
  });
  switch (routed.type) {
    case "ask": {
      const { between } = routed;
      // Whether to do what nobody can do here is no question: there may be no answer yet to say differently.
      const isPossible = (route: Route): route is OfferedRoute =>
        isOffered(route) &&
        (route.capability !== "platform" || attached.platform) &&
        (route.capability !== "conversational" || history.some(({ role }) => role === "assistant"));
      if (between === undefined || between.every(isPossible)) return to(whichOf(between, locale));
      const isOrder = between.some(({ capability }) => capability === "operate");
      return to(capabilities.knowledge, isOrder ? notOffered(orderText(capabilities, locale)) : {});
    }
    case "replay":
      return to(capabilities[routed.what]);
    case "emergency":
      return to(capabilities.emergency, { emergency: { language: locale.language, signs: question } });
    case "introduce":
      return to(capabilities.introduction);
    case "route": {
      const used = { context: routed.usesContext ? context : undefined };
      if (isIdle(routed, question, history, attached)) {
        const usual = { ...decision, route: router.fallback.name, layer: "default" } as const;
        return to(capabilities.knowledge, { decision: usual, ...used });
      }
      const asked = { ...basis, question, mentions: request.mentions };
      const isCheck = routed.route.capability === "check";
      const nothing = isCheck ? await capabilities.check?.nothingFor(asked) : undefined;
      const { capability, notFound } = capabilityOf(routed, capabilities, locale, question, nothing);
      return to(capability, { notFound, mentions: request.mentions, ...used });
    }
  }
}

/** What the site's systems can answer or do, and that names nothing else, needs no router. */
async function claimed(
  name: "check" | (typeof CLAIMING)[number],
  request: TurnRequest,
  basis: Omit<Basis, "language">,
  { capabilities }: Deps,
): Promise<Choice | undefined> {
  const capability = capabilities[name];
  const { consent, mentions, text: question } = request;
  const isClaimed = await capability?.claims({ ...basis, question, mentions, consent });
  if (capability === undefined || isClaimed !== true) return undefined;
  return { capability, decision: ruled(capability.route), question, mentions };
}

/** What speaks of the dialogue itself, and not of a subject: a question back can be answered after it. */
const ASIDE: ReadonlySet<CapabilityName> = new Set([
  "build",
  "conversational",
  "emergency",
  "guide",
  "introduction",
  "phrase",
  "repeat",
  "slower",
  "source",
]);

/** Whether the user went on to something else than what is open. */
export function isNewSubject({ capability }: Choice): boolean {
  return !ASIDE.has(capability.name);
}

/** A route that needs no site system. */
type OfferedRoute = Route & { readonly capability: Exclude<Route["capability"], "operate" | "check"> };

function isOffered(route: Route): route is OfferedRoute {
  return route.capability !== "operate" && route.capability !== "check";
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
  { decision, route }: RoutingResult & { readonly type: "route" },
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
  { decision, route }: RoutingResult & { readonly type: "route" },
  capabilities: Capabilities,
  locale: Locale,
  question: string,
  nothing?: { readonly text?: string },
): Pick<Choice, "capability" | "notFound"> {
  const capability = capabilities.knowledge;
  switch (route.capability) {
    case "conversational":
    case "platform":
      return { capability: capabilities[route.capability] };
    // What a document says of a value must not pass for the value; a mere guess at the route needs no apology.
    case "check":
      if (isGuess(decision) && asksForRule(question)) return { capability };
      if (capabilities.check !== undefined && nothing === undefined)
        return { capability: capabilities.check };
      if (isGuess(decision)) return { capability, ...(nothing?.text && notOffered(nothing.text)) };
      return {
        capability: preceded(nothing?.text ?? locale.say("check_not_offered"), capability),
        ...notOffered(),
      };
    // Nobody may take it for done where nothing was read out either.
    case "operate":
      if (decision.layer === "declared" && capabilities.operate !== undefined)
        return { capability: capabilities.operate };
      return { capability, ...notOffered(orderText(capabilities, locale)) };
    default:
      return { capability };
  }
}

function orderText({ operate }: Capabilities, locale: Locale): string {
  return locale.say(operate === undefined ? "operate_not_offered" : "operate_not_known");
}

/** Nothing here can do it: `text` says so where the documents do not help either; absent: the capability has said so. */
function notOffered(text?: string): Pick<Choice, "notFound"> {
  return { notFound: { outcome: "not_offered", text } };
}

/** Asks the user to choose between two things, in their words. */
function whichOf(between: readonly OfferedRoute[] | undefined, locale: Locale): Capability {
  if (between === undefined) return asksBack(locale.say("which_route_unknown"));
  const options = between.map(({ capability, name }) => ({
    words: locale.say(`which_route_${capability}`),
    means: { type: "route", route: name } as const,
  }));
  const [first, second] = options.map(({ words }) => words) as [string, string];
  return asksBack(locale.say("which_route", { first, second }), options);
}
