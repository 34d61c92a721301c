/**
 * The models of the service, one for each purpose, built from the settings. The main one is `llm` itself; the others
 * take from it what they do not set. Each is a list: who comes later answers when those before cannot.
 */
import type { Config } from "../config/schema.js";
import { GuardedModel } from "../guard/guarded-model.js";
import type { Guard } from "../guard/port.js";
import type { Clock } from "../lib/clock.js";
import { Breaker } from "../llm/breaker.js";
import { FallbackModel, type Provider } from "../llm/fallback.js";
import { OPENAI_BASE_URL, OpenAiModel, type OpenAiModelOptions, type ServiceTier } from "../llm/openai.js";
import { dialectOf } from "../llm/openai-dialect.js";
import { chosenProvider } from "../llm/options.js";
import type { LanguageModel } from "../llm/port.js";
import type { Price } from "../llm/price.js";
import type { RetryLimits } from "../llm/retry.js";
import type { SlotName, Telemetry } from "../telemetry/events.js";
import { createGuard, createLocalGuard } from "./guarding.js";
import { keyed, modelServer, type ServerSettings } from "./model-server.js";

export interface ModelSlot {
  readonly name: SlotName;
  /** Counts what it costs and tells who has answered, in the usage of each reply. */
  readonly model: LanguageModel;
  readonly limits: RetryLimits;
  /** Of the first model of the slot, if it is known; `usage.costUsd` goes by the one that has answered. */
  readonly price: Price | undefined;
  readonly outputTokensMax: number;
}

export interface Models {
  /** `undefined`: no model is set, and sentences of the documents are the answers. */
  readonly main: ModelSlot | undefined;
  /** For turns that search nothing; there whenever the main one is. */
  readonly conversational: ModelSlot | undefined;
  /** Drafts guides in conversations, by what an action needs; there whenever the main one is. */
  readonly drafting: Readonly<Record<"full" | "light", ModelSlot>> | undefined;
  /** Judges answers in evaluations; `undefined` unless one is set. */
  readonly judge: ModelSlot | undefined;
  /** Reads a second time what the rules let through; `undefined` unless one is set. */
  readonly verifier: ModelSlot | undefined;
}

export interface ModelsDeps {
  readonly clock: Clock;
  readonly telemetry: Telemetry;
  /** What requests go through; Node's own `fetch` unless given. */
  readonly fetch?: typeof fetch;
  readonly guard?: Guard;
}

type Llm = Config["llm"];
type Fallback = Llm["fallbacks"][number];

/** Everything that one slot needs, after what it leaves out has been filled in. */
type SlotSettings = ServerSettings & {
  readonly organization?: string | undefined;
  readonly project?: string | undefined;
  readonly serviceTier?: ServiceTier | undefined;
  readonly price?: Price | undefined;
} & Pick<
    Llm,
    | "model"
    | "dialect"
    | "temperature"
    | "firstByteTimeoutMs"
    | "idleTimeoutMs"
    | "outputTokensMax"
    | "fallbacks"
  >;

export function createModels(config: Pick<Config, "llm" | "guard">, deps: ModelsDeps): Models {
  const { llm } = config;
  const guard = deps.guard ?? createGuard(config, deps);
  const here = createLocalGuard(config, deps);
  const guarded = (model: LanguageModel) => new GuardedModel(model, guard, here);
  const breakers = new Breakers(llm.breaker, deps);
  const limits = { attemptsMax: llm.attemptsMax, delayMs: llm.retryDelayMs, delayMaxMs: llm.retryDelayMaxMs };
  const slot = (name: SlotName, settings: SlotSettings): ModelSlot => ({
    name,
    model: guarded(new FallbackModel(providersOf(name, settings, breakers, deps), { slot: name, ...deps })),
    limits,
    price: settings.price,
    outputTokensMax: settings.outputTokensMax,
  });
  const isOnline = chosenProvider(llm) === "openai";
  return {
    main: isOnline ? slot("main", llm) : undefined,
    conversational: isOnline
      ? slot("conversational", filledIn("conversational", llm.conversational, llm))
      : undefined,
    drafting: isOnline ? draftingSlots(llm, slot) : undefined,
    judge: isGiven(llm.judge) ? slot("judge", filledIn("judge", llm.judge, llm)) : undefined,
    verifier: isGiven(llm.verifier) ? slot("verifier", filledIn("verifier", llm.verifier, llm)) : undefined,
  };
}

function draftingSlots(llm: Llm, slot: (name: SlotName, settings: SlotSettings) => ModelSlot) {
  const { lightModel, ...own } = llm.drafting;
  const light = lightModel === undefined ? own : { ...own, model: lightModel, price: undefined };
  return {
    full: slot("drafting", filledIn("drafting", own, llm)),
    light: slot("drafting", filledIn("drafting", light, llm)),
  };
}

/** A judge or a verifier is wanted as soon as the settings say who it is. */
function isGiven({ model, baseUrl, apiKey }: Llm["judge" | "verifier"]): boolean {
  return model !== undefined || baseUrl !== undefined || apiKey !== undefined;
}

/**
 * What a slot does not set is as in `llm`: the bill and the price only where they are for the same thing, the fallbacks
 * with the servers that they have there. A judge that another model stands in for would measure something else, and a
 * verifier has no time for another one.
 */
function filledIn(name: SlotName, own: Llm["conversational"], llm: Llm): SlotSettings {
  const server = modelServer(own, llm);
  const isSameServer = addressOf(server) === addressOf(llm);
  const model = own.model ?? llm.model;
  const inherited =
    name === "judge" || name === "verifier" ? [] : llm.fallbacks.map((fallback) => located(fallback, llm));
  return {
    ...server,
    model,
    ...(isSameServer
      ? { organization: llm.organization, project: llm.project, serviceTier: llm.serviceTier }
      : {}),
    dialect: own.dialect ?? (isSameServer ? llm.dialect : "auto"),
    temperature: own.temperature === undefined ? llm.temperature : own.temperature,
    firstByteTimeoutMs: own.firstByteTimeoutMs ?? llm.firstByteTimeoutMs,
    idleTimeoutMs: own.idleTimeoutMs ?? llm.idleTimeoutMs,
    outputTokensMax: own.outputTokensMax ?? llm.outputTokensMax,
    price: own.price ?? (isSameServer && model === llm.model ? llm.price : undefined),
    fallbacks: own.fallbacks ?? inherited,
  };
}

/** The fallback with its server and its key written out, so that it means the same in another slot. */
function located(fallback: Fallback, slot: ServerSettings): Fallback {
  const { baseUrl = OPENAI_BASE_URL, apiKey } = modelServer(fallback, slot);
  return { ...fallback, baseUrl, ...(apiKey === undefined ? {} : { apiKey }) };
}

function providersOf(
  name: SlotName,
  slot: SlotSettings,
  breakers: Breakers,
  { clock, fetch }: ModelsDeps,
): readonly [Provider, ...Provider[]] {
  const section = name === "main" ? "llm" : `llm.${name}`;
  const provider = (options: OpenAiModelOptions, price: Price | undefined): Provider => ({
    model: new OpenAiModel(clock, { ...options, fetch }),
    price,
    breaker: breakers.of(options),
  });
  const first = { ...keyed(section, slot), dialect: dialectOf(slot.dialect, slot.baseUrl) };
  const others = slot.fallbacks.map((fallback) => {
    const server = keyed(`${section}.fallbacks`, modelServer(fallback, slot));
    const isElsewhere = addressOf(server) !== addressOf(slot);
    const { temperature, idleTimeoutMs, organization, project, serviceTier } = slot;
    const options: OpenAiModelOptions = {
      ...server,
      ...(isElsewhere ? {} : { organization, project, serviceTier }),
      temperature,
      idleTimeoutMs,
      model: fallback.model,
      name: isElsewhere ? `${fallback.model} at ${new URL(addressOf(server)).host}` : fallback.model,
      dialect: dialectOf(fallback.dialect, server.baseUrl),
      firstByteTimeoutMs: fallback.firstByteTimeoutMs ?? slot.firstByteTimeoutMs,
    };
    return provider(options, fallback.price);
  });
  return [provider(first, slot.price), ...others];
}

/** One breaker for each model at each server, whatever it is used for. */
class Breakers {
  readonly #byModel = new Map<string, Breaker>();

  constructor(
    private readonly settings: Llm["breaker"],
    private readonly deps: ModelsDeps,
  ) {}

  of(options: OpenAiModelOptions): Breaker {
    const { model, name = model } = options;
    const key = `${addressOf(options)} ${model}`;
    const known = this.#byModel.get(key);
    if (known !== undefined) return known;
    const { failuresMax, pauseMs, pauseMsMax } = this.settings;
    const limits = { failuresMax, pauseMs, pauseMsMax: Math.max(pauseMs, pauseMsMax) };
    const breaker = new Breaker(this.deps.clock, limits, (state) =>
      this.deps.telemetry.emit({ type: "model_breaker_changed", model: name, state }),
    );
    this.#byModel.set(key, breaker);
    return breaker;
  }
}

function addressOf({ baseUrl = OPENAI_BASE_URL }: ServerSettings): string {
  return baseUrl;
}
