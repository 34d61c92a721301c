/** What drafts answers: with models where they are set, with the documents' own words otherwise; and who chooses. */

import { createAnswerCache } from "../answer/answer-cache.js";
import { createAsk } from "../answer/ask.js";
import { createConverse } from "../answer/converse.js";
import { createEmergency } from "../answer/emergency.js";
import { createIntroduction, type IntroductionDeps } from "../answer/introduction.js";
import { createOfflineAsk } from "../answer/offline.js";
import { createPlatform } from "../answer/platform.js";
import { createReplay } from "../answer/replay.js";
import { Suggestions } from "../answer/suggestions.js";
import {
  type Capabilities,
  type CapabilityName,
  type CheckCapability,
  type Draft,
  type GuideCapability,
  type OperateCapability,
  type SiteCapability,
  USUAL_LIMITS,
} from "../capability/capability.js";
import type { Config } from "../config/schema.js";
import type { User } from "../domain/user.js";
import type { Clock } from "../lib/clock.js";
import type { Random } from "../lib/random.js";
import type { Prompts } from "../llm/prompts.js";
import type { Locales } from "../locale/locales.js";
import type { Retrieval } from "../retrieval/port.js";
import { loadClassifier } from "../routing/classifier.js";
import { Router } from "../routing/router.js";
import type { RouteLog } from "../store/route-log.js";
import type { Telemetry } from "../telemetry/events.js";
import type { ModelSlot, Models } from "./models.js";

export interface CapabilityDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly telemetry: Telemetry;
  readonly prompts: Prompts;
  readonly models: Models;
  readonly retrieval: Retrieval;
  readonly locales: Locales;
  /** Absent where no site is configured. */
  readonly check?: CheckCapability | undefined;
  /** Absent where nothing may be operated. */
  readonly operate?: OperateCapability | undefined;
  readonly guide: GuideCapability;
  readonly build: SiteCapability;
  /** Absent where no site is configured. */
  readonly things?: IntroductionDeps["things"];
}

export function createCapabilities(config: Config, deps: CapabilityDeps): Capabilities {
  const { build, check, clock, guide, locales, models, operate, prompts, random, retrieval, things } = deps;
  const model = models.conversational && { ...modelOf(models.conversational, random) };
  const talk = { clock, prompts, ...(model === undefined ? {} : { model }) };
  const phraseOf = locales.emergency.bind(locales);
  const voidFor = (user: User) => deps.operate?.stop(user);
  const emergency = createEmergency({ clock, retrieval, ...config.retrieval, phraseOf, voidFor });
  const suggestions = questionsOf(config, deps);
  return {
    knowledge: usual("knowledge", createKnowledge(config, emergency, deps)),
    conversational: usual("conversational", createConverse({ ...talk, retrieval, ...config.retrieval })),
    platform: usual("platform", createPlatform(talk)),
    introduction: usual("introduction", createIntroduction({ clock, retrieval, suggestions, things })),
    repeat: usual("repeat", createReplay("repeat")),
    slower: usual("slower", createReplay("slower")),
    source: usual("source", createReplay("source", clock)),
    emergency: usual("emergency", emergency),
    ...(check === undefined ? {} : { check }),
    ...(operate === undefined ? {} : { operate }),
    guide,
    build,
  };
}

function usual(name: CapabilityName, draft: Draft) {
  return { name, limits: USUAL_LIMITS, draft };
}

/** Questions that can be told at once: made from templates, and answered without a model. */
function questionsOf({ llm, retrieval: options }: Config, deps: CapabilityDeps): Suggestions {
  return new Suggestions({ ...deps, ...options, searchLanguage: searchLanguageOf(llm) });
}

/** The language of a network's documents, in words. */
export function searchLanguageOf({ searchLanguage, searchLanguageByNetwork }: Config["llm"]) {
  return (network: string): string => searchLanguageByNetwork[network] ?? searchLanguage;
}

/** Answers from documents: by a model, which is not asked twice where the settings say so, or by their own words. */
function createKnowledge(
  config: Config,
  emergency: Draft,
  { clock, models, prompts, random, retrieval }: CapabilityDeps,
): Draft {
  const search = { clock, retrieval, ...config.retrieval };
  if (models.main === undefined) return createOfflineAsk(search);
  const options = askOptions(config, models.main);
  const ask = createAsk({ ...search, prompts, model: modelOf(models.main, random), options, emergency });
  const { answerCache, answerCacheMaxAgeMs: maxAgeMs } = config.llm;
  return answerCache ? createAnswerCache(ask, { ...search, prompts, maxAgeMs }) : ask;
}

/** The model of a slot, as those who write with it take it. */
export function modelOf({ model, limits, outputTokensMax }: ModelSlot, random: Random) {
  return { model, limits, outputTokensMax, random };
}

function askOptions({ grounding, llm, retrieval }: Config, { outputTokensMax }: ModelSlot) {
  return {
    toolName: llm.toolName,
    outputTokensMax,
    speculate: retrieval.speculate,
    searchLanguage: searchLanguageOf(llm),
    quotes: (network: string) => (grounding.modeByNetwork[network] ?? grounding.mode) === "quoted",
  };
}

export interface RouterParts {
  readonly clock: Clock;
  readonly telemetry: Telemetry;
  readonly prompts: Prompts;
  readonly models: Models;
  /** Where decisions are kept as training data, if they are. */
  readonly log: RouteLog | undefined;
}

/** Rejects with a readable error when the classifier's file cannot be used. */
export async function createRouter({ routing }: Config, parts: RouterParts): Promise<Router> {
  const { clock, log, models, prompts, telemetry } = parts;
  const classifier = await loadClassifier(routing.classifierFile);
  return new Router(routing, { clock, telemetry, prompts, classifier, model: models.main?.model, log });
}
