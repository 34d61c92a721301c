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
import { BoundedWork } from "../turn/bounded-work.js";
import type { Overview } from "../turn/overview.js";
import { createSuggest } from "../turn/suggest.js";
import { Summaries } from "../turn/summarize.js";
import { modelOf, searchLanguageOf } from "./capabilities.js";
import type { Knowledge } from "./knowledge.js";
import type { Models } from "./models.js";

export interface OverviewParts extends Pick<Knowledge, "groups" | "retrieval"> {
  readonly clock: Clock;
  readonly random: Random;
  readonly telemetry: Telemetry;
  readonly prompts: Prompts;
  readonly locales: Locales;
  readonly models: Models;
}

export interface ClosableOverview extends Overview {
  /** Ends what is under way. */
  close(): void;
}

export function createOverview({ llm, retrieval: options }: Config, parts: OverviewParts): ClosableOverview {
  const { clock, groups, locales, models, prompts, random, retrieval, telemetry } = parts;
  const model = models.main && modelOf(models.main, random);
  const shared = { clock, telemetry, prompts, locales, retrieval, model };
  const suggestions = new Suggestions({ ...shared, ...options, searchLanguage: searchLanguageOf(llm) });
  const work = new BoundedWork(parts);
  const summaries = new Summaries({ ...shared, groups }, work);
  return {
    suggest: createSuggest({ ...shared, groups, suggestions }, work),
    summarize: (...asked) => summaries.summarize(...asked),
    close: () => work.close(),
  };
}

/** A kiosk that cannot be told what to ask is still one that can be asked. */
export function suggestAtKiosk(overview: Overview): SuggestQuestions {
  return async (identity, language, signal) => {
    const request = { ...identity, ...(language === undefined ? {} : { language }) };
    try {
      return await overview.suggest(request, signal);
    } catch (error) {
      if (!(error instanceof TurnFailure)) throw error;
      return [];
    }
  };
}
