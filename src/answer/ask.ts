/**
 * Answering with a model, in two stages: in the first it must call the search tool, in the second it may call nothing
 * and answers from what was found. When the model cannot be reached, the best passage is read aloud instead.
 */

import type { AskRequest, Draft } from "../capability/capability.js";
import type { DraftEvent } from "../capability/draft.js";
import { type User, userOf } from "../domain/user.js";
import { withoutInjections } from "../grounding/injection.js";
import { languageOf } from "../grounding/language.js";
import { DeadlineExceeded, withDeadline } from "../lib/deadline.js";
import { ModelFailure, type ModelMessage, type ToolSpec } from "../llm/port.js";
import type { Prompts } from "../llm/prompts.js";
import type { RetryDeps } from "../llm/retry.js";
import { attachedEvidence, attachments } from "./attachments.js";
import { RETRIEVED_TOKENS_MAX } from "./budget.js";
import { CLAIMS_FORMAT, DraftWriter } from "./claims.js";
import { brokenOff, composed } from "./compose.js";
import { readingsOf } from "./interpretations.js";
import { openingMessages, resultMessages } from "./messages.js";
import { createOfflineAsk } from "./offline.js";
import { type Phrases, phrasesFor } from "./phrases.js";
import { type PlannedSearch, plan, type SearchPlan, searchFor, searchTool } from "./plan.js";
import { correction } from "./premise.js";
import { readAloud } from "./read-aloud.js";
import {
  allPassages,
  documentReader,
  type SearchDeps,
  type SearchResult,
  searchAll,
  searchedOf,
} from "./search.js";
import {
  fitOf,
  fitsBadly,
  newSearches,
  RETRY_MS_MIN,
  RETRY_PLAN_MS_MAX,
  type SearchedAgain,
  unfittingMessages,
} from "./search-again.js";
import { Speculation } from "./speculation.js";
import { respelled } from "./spelling.js";

/** What is kept of a turn's time for reading a passage aloud when the model fails. */
export const RESCUE_MS = 3_000;

export interface AskOptions {
  readonly toolName: string;
  readonly outputTokensMax: number;
  /** Whether to search on the user's own words while the model still writes its query. */
  readonly speculate: boolean;
  searchLanguage(network: string): string;
  /** Whether every sentence must come with the words that it rests on. */
  quotes(network: string): boolean;
}

export interface AskDeps extends SearchDeps {
  readonly prompts: Prompts;
  readonly model: Omit<RetryDeps, "clock" | "onRetry">;
  readonly options: AskOptions;
  /** Answers what the model says is an emergency. */
  readonly emergency: Draft;
}

export function createAsk(deps: AskDeps): Draft {
  const offline = createOfflineAsk(deps);
  // What is left of a list or a procedure is read out: no model may write it anew.
  return (request, signal) =>
    request.alreadySaid !== undefined
      ? offline(request, signal)
      : new ModelAnswer(request, deps, signal).events();
}

/** One answer: what it has come to so far, for whoever must carry on when the model fails. */
class ModelAnswer {
  readonly #user: User;
  readonly #phrases: Phrases;
  readonly #tool: ToolSpec;
  /** Until when the model may take, before the answer is rescued without it. */
  readonly #giveUpAtMs: number;
  #stage: "plan" | "compose" = "plan";
  #found: readonly SearchResult[] | undefined;
  #ahead: Speculation | undefined;

  constructor(
    private readonly request: AskRequest,
    private readonly deps: AskDeps,
    private readonly signal: AbortSignal,
  ) {
    const { options, prompts } = deps;
    this.#user = userOf(request.access);
    this.#phrases = phrasesFor(request.persona, request.locale);
    this.#tool = searchTool(options.toolName, prompts, options.searchLanguage(this.#user.network));
    this.#giveUpAtMs = request.beginByMs - RESCUE_MS;
  }

  async *events(): AsyncGenerator<DraftEvent, void, undefined> {
    const { options, prompts } = this.deps;
    const { context, history, locale, telemetry } = this.request;
    try {
      const [{ query }] = readingsOf(this.request.question, history);
      if (options.speculate) this.#ahead = new Speculation(query, this.request, this.deps, this.signal);
      const opening = openingMessages(this.request, this.#phrases, prompts);
      const planned = await this.#plan(opening, this.#giveUpAtMs);
      const queries = planned.searches.map(({ query }) => query);
      if (planned.isEmergency) {
        const emergency = { language: locale.language, signs: queries[0] ?? "" };
        return yield* this.deps.emergency({ ...this.request, emergency }, this.signal);
      }
      yield { type: "queries", queries };

      const attached = attachments(context);
      if (attached.length > 0) yield attachedEvidence(attached, this.#phrases.fromAttached);
      const found = await this.#search(queries);
      this.#found = found;
      const again = attached.length === 0 ? await this.#searchAgain(opening, planned, found) : undefined;
      if (again !== undefined) {
        yield { type: "passages", passages: allPassages(found) };
        this.#found = [...found, ...again.found];
        yield { type: "queries", queries: again.searches.map(({ query }) => query) };
      }

      const passages = allPassages(this.#found);
      const question = respelled(this.request.question, passages);
      const { events: corrected } = await correction(question, passages, this.#phrases);
      const searches = [...planned.searches, ...(again?.searches ?? [])];
      const results = await resultMessages(searches, this.#found, this.#phrases, prompts, context);
      const cut = { user: this.#user, tokens: results.tokens, limit: RETRIEVED_TOKENS_MAX };
      if (results.truncated) telemetry.emit({ type: "passages_truncated", ...cut });
      // The gate reads them as soon as it has them: not before the model can be asked.
      yield { type: "passages", passages };
      if (question !== this.request.question) yield { type: "about", question };
      this.#stage = "compose";
      yield* this.#compose([...opening, ...results.messages], results.shown, corrected);
      yield { type: "end", searched: searchedOf(this.#found), degraded: false };
    } catch (error) {
      if (!(error instanceof ModelFailure)) throw error;
      yield* this.#rescue(error);
    } finally {
      this.#ahead?.end();
    }
  }

  #search(queries: readonly string[]): Promise<readonly SearchResult[]> {
    return searchAll(queries, this.request, this.deps, this.signal, this.#ahead);
  }

  /** What was found in other words, where the first found too little and the second is better. */
  async #searchAgain(
    opening: readonly ModelMessage[],
    { searches }: SearchPlan,
    found: readonly SearchResult[],
  ): Promise<SearchedAgain | undefined> {
    const { clock, retryBelow = 0 } = this.deps;
    const nowMs = clock.monotonic();
    if (!fitsBadly(found, retryBelow) || this.#giveUpAtMs - nowMs < RETRY_MS_MIN) return undefined;
    const again =
      (await this.#inOwnWords(searches, retryBelow)) ??
      (await this.#inNewWords(opening, searches, found, nowMs + RETRY_PLAN_MS_MAX));
    const result = again === undefined ? "no better" : "better";
    this.request.telemetry.emit({ type: "retrieval_retried", user: this.#user, result });
    return again;
  }

  /** The user's own words, which have been searched for already, where what they find fits. */
  async #inOwnWords(before: readonly PlannedSearch[], fitMin: number): Promise<SearchedAgain | undefined> {
    const { history, question } = this.request;
    const [{ query }] = readingsOf(question, history);
    const searches = newSearches([searchFor(query, this.#tool)], before);
    if (searches.length === 0) return undefined;
    const found = await this.#search([query]);
    return fitsBadly(found, fitMin) ? undefined : { searches, found };
  }

  /** The model's second try. */
  async #inNewWords(
    opening: readonly ModelMessage[],
    before: readonly PlannedSearch[],
    found: readonly SearchResult[],
    untilMs: number,
  ): Promise<SearchedAgain | undefined> {
    const messages = [...opening, ...unfittingMessages(before, this.deps.prompts)];
    try {
      const planned = await this.#plan(messages, untilMs);
      const searches = newSearches(planned.searches, before);
      const queries = searches.map(({ query }) => query);
      const more = queries.length === 0 ? [] : await searchAll(queries, this.request, this.deps, this.signal);
      return fitOf(more) > fitOf(found) ? { searches, found: more } : undefined;
    } catch (error) {
      if (!(error instanceof ModelFailure)) throw error;
      this.#tell(error);
      return undefined;
    }
  }

  async #plan(messages: readonly ModelMessage[], untilMs: number): Promise<SearchPlan> {
    const { clock, options } = this.deps;
    const { telemetry } = this.request;
    const user = this.#user;
    const startMs = clock.monotonic();
    const remainingMs = untilMs - startMs;
    const work = (signal: AbortSignal) =>
      plan(messages, this.#tool, options.outputTokensMax, untilMs, this.#retry(), signal);
    try {
      const planned = await withDeadline(clock, "the model's search query", remainingMs, this.signal, work);
      telemetry.emit({ type: "tokens_used", user, stage: "plan", slot: "main", ...planned.usage });
      return planned;
    } catch (error) {
      this.signal.throwIfAborted();
      throw error instanceof DeadlineExceeded ? new ModelFailure("timeout", error.message) : error;
    } finally {
      telemetry.emit({ type: "stage_finished", user, stage: "plan", ms: clock.monotonic() - startMs });
    }
  }

  async *#compose(
    messages: readonly ModelMessage[],
    shown: readonly string[],
    corrected: readonly DraftEvent[],
  ): AsyncGenerator<DraftEvent, void, undefined> {
    const { options, prompts } = this.deps;
    const { telemetry } = this.request;
    // What is attached is no passage, so nothing of it could be quoted by number.
    const quotes = this.#quotes() && attachments(this.request.context).length === 0;
    const writer = new DraftWriter(quotes ? shown : undefined);
    // What the model is told of the form comes last, so that it counts.
    const form: ModelMessage = { role: "system", content: prompts.render("quoted") };
    const request = {
      messages: quotes ? [...messages, form] : messages,
      tools: [this.#tool],
      toolChoice: "none",
      outputTokensMax: options.outputTokensMax,
      ...(quotes ? { responseFormat: CLAIMS_FORMAT } : {}),
    } as const;
    let begun = false;
    const rewind = () => {
      const rewound = this.request.rewind();
      if (rewound) begun = false;
      if (rewound) writer.restart();
      return rewound;
    };
    const deps = { telemetry, user: this.#user, slot: "main", retry: this.#retry(), rewind } as const;
    for await (const text of composed(request, this.#giveUpAtMs, deps, this.signal)) {
      if (!begun) yield* corrected;
      begun = true;
      yield* writer.push(text);
    }
    yield* writer.end();
  }

  /** Where answer and documents are in different languages, only a quotation ties one to the other. */
  #quotes(): boolean {
    const { language, question } = this.request;
    if (this.deps.options.quotes(this.#user.network)) return true;
    const answer = language?.split("-")[0]?.toLowerCase() ?? languageOf(question);
    const documents = languageOf(
      allPassages(this.#found ?? [])
        .map(({ text }) => withoutInjections(text))
        .join("\n"),
    );
    return answer !== undefined && documents !== undefined && answer !== documents;
  }

  /** The model failed: if something was said already the rest is lost, else a passage is read aloud. */
  async *#rescue(failure: ModelFailure): AsyncGenerator<DraftEvent, void, undefined> {
    this.#tell(failure);
    if (!this.request.rewind())
      return yield* brokenOff(this.#phrases.restIsLost, searchedOf(this.#found ?? []));
    this.request.telemetry.emit({ type: "answer_degraded", user: this.#user, from: this.#stage });
    const search = (queries: readonly string[]) => this.#search(queries);
    const readDocument = documentReader(this.request.access, this.deps, this.signal);
    yield* readAloud(this.request, this.#found, this.#phrases, readDocument, search);
  }

  #retry(): RetryDeps {
    const { clock, model } = this.deps;
    return { ...model, clock, onRetry: (failure) => this.#tell(failure) };
  }

  #tell({ kind, message }: ModelFailure): void {
    const error = `${kind}: ${message}`;
    this.request.telemetry.emit({ type: "model_failed", user: this.#user, stage: this.#stage, error });
  }
}
