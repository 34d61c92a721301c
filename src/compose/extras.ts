/** Puts together what is offered beside answers: suggested questions and summaries. */
import { Suggestions } from "../answer/suggestions.js";
import type { Config } from "../config/schema.js";
import { TurnFailure } from "../domain/failure.js";
import type { SuggestQuestions } from "../http/kiosk/door.js";
import type { Clock } from "../lib/clock.js";
import type { Random } from "../lib/random.js";
import type { Prompts } from "../llm/prompts.js";
import type { Locales } from "../locale/locales.js";
import type { Telemetry } from "../telemetry/events.js";
import { Extras, type ExtrasOffered } from "../turn/extras.js";
import { modelOf, searchLanguageOf } from "./capabilities.js";
import type { Knowledge } from "./knowledge.js";
import type { Models } from "./models.js";

export interface ExtrasParts extends Pick<Knowledge, "groups" | "retrieval"> {
  readonly clock: Clock;
  readonly random: Random;
  readonly telemetry: Telemetry;
  readonly prompts: Prompts;
  readonly locales: Locales;
  readonly models: Models;
}

export function createExtras({ llm, retrieval: options }: Config, parts: ExtrasParts): Extras {
  const { clock, groups, locales, models, prompts, random, retrieval, telemetry } = parts;
  const model = models.main && modelOf(models.main, random);
  const shared = { clock, telemetry, prompts, locales, retrieval, model };
  const suggestions = new Suggestions({ ...shared, ...options, searchLanguage: searchLanguageOf(llm) });
  return new Extras({ ...shared, groups, suggestions });
}

/** A kiosk that cannot be told what to ask is still one that can be asked. */
export function suggestAtKiosk(extras: ExtrasOffered): SuggestQuestions {
  return async (identity, language, signal) => {
    const request = { ...identity, ...(language === undefined ? {} : { language }) };
    try {
      return await extras.suggest(request, signal);
    } catch (error) {
      if (!(error instanceof TurnFailure)) throw error;
      return [];
    }
  };
}
