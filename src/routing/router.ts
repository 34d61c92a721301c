/**
 * Which capability a turn needs. Four layers, the surest first: what the caller declares, rules, a small classifier,
 * and a language model for what is left; what is still not clear is asked back. Each turn tells which layer decided.
 */
import type { RouteDecision } from "../domain/answer.js";
import type { User } from "../domain/user.js";
import type { Clock } from "../lib/clock.js";
import type { LanguageModel } from "../llm/port.js";
import type { Prompts } from "../llm/prompts.js";
import type { Command, Commands } from "../locale/commands/commands.js";
import type { RouteLog } from "../store/route-log.js";
import type { Telemetry } from "../telemetry/events.js";
import { type AttachedKinds, usesAttached, wantsTextExplained } from "./attachments.js";
import type { RouteClassifier, RouteGuess } from "./classifier.js";
import { askModel } from "./model-layer.js";
import { type NormalizedMessage, utterance } from "./normalized-message.js";
import type { RouteKind } from "./options.js";
import { type PastRoute, topicOf } from "./past-routes.js";
import { ellipsisOf, refersBack, routeReferredTo } from "./reference.js";
import { declaredDecision, defaultRoute, type Route, routeNamed, routeOf } from "./routes.js";
import { routeByPrefix, ruledCapability } from "./rules.js";

export interface RouteRequest {
  readonly user: User;
  /** Id of the turn. */
  readonly turn: string;
  readonly question: string;
  /** `TurnRequest.route`; doors refuse an unknown one by `declaredRouteProblem`, here it counts as none. */
  readonly declared?: string | undefined;
  /** The last turns of the chat, newest last. */
  readonly intents: readonly PastRoute[];
  readonly attached: AttachedKinds;
  /** Templates that know what a site has; absent: those that are shipped. */
  readonly commands?: Commands | undefined;
}

/** A command about the answer that was just given, obeyed from the stored answer without any model. */
export type Replay = "repeat" | "source" | "slower";

function isReplay(intent: string): intent is Replay {
  return intent === "repeat" || intent === "source" || intent === "slower";
}

export type RoutingResult =
  | {
      readonly type: "route";
      readonly decision: RouteDecision;
      readonly route: Route;
      /** What was ordered or asked for, with its arguments, where a template has it. */
      readonly command?: Command | undefined;
      /** Whether the question speaks of what the caller attached, so that it may be used. */
      readonly usesContext: boolean;
    }
  /** Nothing is sure enough: one short question back. `decision` is what it would have been. */
  | { readonly type: "ask"; readonly decision: RouteDecision; readonly between: RoutePair }
  /** To be obeyed from the stored answer, without a model. */
  | { readonly type: "replay"; readonly decision: RouteDecision; readonly what: Replay }
  /** The model says that the message tells of an emergency. */
  | { readonly type: "emergency"; readonly decision: RouteDecision }
  /** The assistant is to say what it is and what can be asked. */
  | { readonly type: "introduce"; readonly decision: RouteDecision };

/** The two things that the user is asked to choose between; undefined when it is not clear at all what is wanted. */
export type RoutePair = readonly [Route, Route] | undefined;

export interface RouterOptions {
  readonly routes: readonly Route[];
  readonly confidenceMin: number;
  readonly askBelow: number;
}

export interface RouterDeps {
  readonly clock: Clock;
  readonly telemetry: Telemetry;
  readonly prompts: Prompts;
  readonly classifier: RouteClassifier;
  /** Absent: no language model is configured. */
  readonly model?: LanguageModel | undefined;
  /** Absent: nothing of a chat is kept. */
  readonly log?: Pick<RouteLog, "add"> | undefined;
}

/** How sure a rule is: the share of it that was right on the labelled utterances (`npm run bench -- router`). */
export const RULE_CONFIDENCE = 0.98;

/** How often the language model is taken to be right, before the classifier's opinion of its choice is counted in. */
const MODEL_RELIABILITY = 0.9;

/** A decision with what it is made of, before events and the log are told. */
interface Ruling {
  readonly decision: RouteDecision;
  readonly ends: "route" | "ask" | "introduce" | "emergency" | Replay;
  readonly attached: boolean;
  /** The two routes that it lies between, the better first. */
  readonly between: readonly Route[];
}

export class Router {
  constructor(
    private readonly options: RouterOptions,
    private readonly deps: RouterDeps,
  ) {}

  /** The route that answers from the documents: taken when nothing else fits. */
  get fallback(): Route {
    return defaultRoute(this.options.routes);
  }

  /** Emits `turn_routed`, and what a model took. Rejects with the signal's reason and nothing else. */
  async route(
    request: RouteRequest,
    signal: AbortSignal,
    telemetry: Telemetry = this.deps.telemetry,
  ): Promise<RoutingResult> {
    signal.throwIfAborted();
    const { clock } = this.deps;
    const startMs = clock.monotonic();
    const said = utterance(request.question, request.commands);
    const found = this.#certain(request, said) ?? (await this.#weighed(request, said, telemetry, signal));
    const { user } = request;
    const ms = clock.monotonic() - startMs;
    telemetry.emit({ type: "turn_routed", user, ...found.decision, asked: found.ends === "ask", ms });
    return this.#told(request, said, found);
  }

  /** The layers that need no weighing. */
  #certain(
    { declared, question, intents, attached }: RouteRequest,
    said: NormalizedMessage,
  ): Ruling | undefined {
    const { routes } = this.options;
    const decision = declaredDecision(routes, declared);
    if (decision !== undefined) return certainty(decision);
    const command = said.command;
    if (command !== undefined && isReplay(command.intent))
      return { ...byRule(this.#standing("conversational")), ends: command.intent };
    if (command?.intent === "introduce")
      return { ...byRule(this.#standing("conversational")), ends: "introduce" };
    const byPrefix = routeByPrefix(routes, question);
    if (byPrefix !== undefined) return byRule(byPrefix);
    if (attached.text && wantsTextExplained(said)) return byRule(this.#standing("knowledge"));
    const capability = ruledCapability(question, said);
    const ruled = capability && routeOf(routes, capability);
    if (ruled !== undefined) return byRule(ruled);
    const ellipsis = capability === undefined ? ellipsisOf(said) : undefined;
    const referred = ellipsis && routeReferredTo(ellipsis, intents, routes);
    return referred && byRule(referred);
  }

  /** The classifier, and where it hesitates the model. */
  async #weighed(
    request: RouteRequest,
    said: NormalizedMessage,
    telemetry: Telemetry,
    signal: AbortSignal,
  ): Promise<Ruling> {
    const guesses = this.#guesses(said);
    const [best, second] = guesses;
    const between = [best, second].filter((guess) => guess !== undefined).map(({ route }) => route);
    const undecided = { attached: false, between };
    const decided = (guess: Guess, layer: "classifier" | "default"): RouteDecision => ({
      route: guess.route.name,
      layer,
      confidence: guess.confidence,
    });
    const fallback: Guess = { route: defaultRoute(this.options.routes), confidence: 0 };
    if (best !== undefined && best.confidence >= this.options.confidenceMin)
      return { ...undecided, decision: decided(best, "classifier"), ends: "route" };
    if (this.deps.model === undefined) {
      const sure = best !== undefined && best.confidence >= this.options.askBelow;
      return {
        ...undecided,
        decision: decided(best ?? fallback, "classifier"),
        ends: sure ? "route" : "ask",
      };
    }
    const intents = refersBack(said) ? request.intents : [];
    const { routes } = this.options;
    const word = await askModel(
      request.question,
      routes,
      intents,
      { ...this.deps, model: this.deps.model },
      signal,
    );
    if (word.type !== "failed")
      telemetry.emit({
        type: "tokens_used",
        user: request.user,
        stage: "route",
        slot: "main",
        ...word.usage,
      });
    if (word.type === "route") return this.#confirmed(word, guesses);
    if (word.type === "emergency") {
      const decision = { route: fallback.route.name, layer: "model", confidence: MODEL_RELIABILITY } as const;
      return { ...undecided, decision, ends: "emergency" };
    }
    if (word.type === "unclear") {
      const decision = { ...decided(best ?? fallback, "classifier"), layer: "model" } as const;
      return { ...undecided, decision, ends: "ask" };
    }
    telemetry.emit({ type: "route_model_failed", user: request.user, error: word.error });
    const sure = best !== undefined && best.confidence >= this.options.askBelow;
    return {
      ...undecided,
      decision: sure ? decided(best, "classifier") : decided(fallback, "default"),
      ends: "route",
    };
  }

  /** The model's choice, with the classifier's opinion of it: both are taken as independent witnesses. */
  #confirmed(word: { readonly route: Route; readonly attached: boolean }, guesses: readonly Guess[]): Ruling {
    const { routes, askBelow } = this.options;
    const others = (1 - MODEL_RELIABILITY) / Math.max(1, routes.length - 1);
    const posterior = routes.map((route) => {
      const prior = guesses.find((guess) => guess.route === route)?.confidence ?? 1 / routes.length;
      return { route, weight: prior * (route === word.route ? MODEL_RELIABILITY : others) };
    });
    const sum = posterior.reduce((total, { weight }) => total + weight, 0);
    const confidence = posterior.find(({ route }) => route === word.route)!.weight / sum;
    const rest = guesses.map(({ route }) => route).filter((route) => route !== word.route);
    return {
      decision: { route: word.route.name, layer: "model", confidence },
      ends: confidence < askBelow ? "ask" : "route",
      attached: word.attached,
      between: [word.route, ...rest].slice(0, 2),
    };
  }

  /** What the classifier says of the routes that there are; nothing of those that it cannot tell apart. */
  #guesses({ core }: NormalizedMessage): readonly Guess[] {
    const sums = new Map<Route, number>();
    for (const guess of this.deps.classifier.guesses(core)) {
      const route = this.#meant(guess);
      if (route !== undefined) sums.set(route, (sums.get(route) ?? 0) + guess.confidence);
    }
    return [...sums]
      .map(([route, confidence]) => ({ route, confidence }))
      .sort((a, b) => b.confidence - a.confidence);
  }

  /**
   * A classifier may know other routes than there are: its own name counts, else the capability of that name. Where
   * several share that, or none has it, the model is left to choose; without a model the first, or the default, is.
   */
  #meant({ route }: RouteGuess): Route | undefined {
    const { routes } = this.options;
    const meant = routeNamed(routes, route) ?? routeOf(routes, route as RouteKind);
    if (meant !== undefined || this.deps.model !== undefined) return meant;
    return routes.find(({ capability }) => capability === route) ?? defaultRoute(routes);
  }

  #standing(capability: RouteKind): Route {
    return routeOf(this.options.routes, capability) ?? defaultRoute(this.options.routes);
  }

  #told(request: RouteRequest, said: NormalizedMessage, found: Ruling): RoutingResult {
    const { decision, ends } = found;
    const route = routeNamed(this.options.routes, decision.route) ?? defaultRoute(this.options.routes);
    if (ends === "ask") return { type: "ask", decision, between: twoOf(found.between) };
    if (ends === "introduce" || ends === "emergency") return { type: ends, decision };
    if (ends !== "route") return { type: "replay", decision, what: ends };
    const { user, question, attached } = request;
    this.deps.log?.add({ network: user.network, topic: topicOf(question), ...decision });
    const referred = found.attached && (attached.text || attached.platform);
    const usesContext = referred || usesAttached(said, attached, route.capability);
    return { type: "route", decision, route, command: said.command, usesContext };
  }
}

interface Guess {
  readonly route: Route;
  readonly confidence: number;
}

function twoOf(routes: readonly Route[]): RoutePair {
  const [first] = routes;
  const second = routes.find(({ capability }) => capability !== first?.capability);
  return first === undefined || second === undefined ? undefined : [first, second];
}

function certainty(decision: RouteDecision): Ruling {
  return { decision, ends: "route", attached: false, between: [] };
}

function byRule({ name }: Route): Ruling {
  return certainty({ route: name, layer: "rule", confidence: RULE_CONFIDENCE });
}
