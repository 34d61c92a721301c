/**
 * What a user may ask for beside an answer: questions to ask, and summaries. Neither goes through the mailbox or changes
 * what a chat remembers; both go through the same access and, where something is said of a text, the same gate as
 * answers.
 */
import { namedDocument } from "../answer/named-document.js";
import { phrasesFor } from "../answer/phrases.js";
import type { Persona } from "../answer/port.js";
import type { WritingModel } from "../answer/suggestion-writer.js";
import { SUGGEST_MS_MAX, SUGGESTIONS_COUNT, type Suggestions } from "../answer/suggestions.js";
import {
  asLines,
  extractiveDraft,
  modelDraft,
  NO_DOCUMENT,
  type SummaryMaterial,
} from "../answer/summary.js";
import type { Answer } from "../domain/answer.js";
import { TurnFailure } from "../domain/failure.js";
import type { HistoryEntry, TurnRequest } from "../domain/turn.js";
import { type Access, type User, userKey } from "../domain/user.js";
import type { DraftEvent } from "../grounding/draft.js";
import type { Guard } from "../guard/port.js";
import type { Clock } from "../lib/clock.js";
import { DeadlineExceeded, withDeadline } from "../lib/deadline.js";
import { SlidingWindow } from "../lib/sliding-window.js";
import { ModelFailure } from "../llm/port.js";
import type { Prompts } from "../llm/prompts.js";
import type { Locales } from "../locale/locales.js";
import { type Retrieval, SearchUnavailable } from "../retrieval/port.js";
import type { Telemetry } from "../telemetry/events.js";
import { type GroupSources, turnAccess } from "./access.js";
import { pass } from "./admit.js";
import { Gate } from "./gate.js";
import { turnLanguage } from "./language.js";
import { choosePersona } from "./persona.js";
import { recall } from "./recall.js";

/** Who asks, as every door hands it in. */
export type ExtraRequest = Pick<TurnRequest, "user" | "mode" | "features" | "groups" | "language">;

/** What is to be summarised. */
export type SummarySubject =
  | { readonly type: "text"; readonly text: string }
  /** As a person would call it. */
  | { readonly type: "document"; readonly name: string }
  /** What the user's chat remembers. */
  | { readonly type: "chat"; readonly history: readonly HistoryEntry[] };

export interface ExtrasDeps {
  readonly clock: Clock;
  readonly telemetry: Telemetry;
  readonly prompts: Prompts;
  readonly locales: Locales;
  readonly retrieval: Retrieval;
  readonly groups: GroupSources;
  readonly guard?: Guard;
  readonly suggestions: Suggestions;
  /** Absent: a summary is made of the text's own sentences. */
  readonly model?: WritingModel | undefined;
}

/** What the doors ask for. */
export type ExtrasOffered = Pick<Extras, "suggest" | "summarize">;

/** Summaries of one user within an hour, as in the reference. */
export const SUMMARIES_PER_HOUR_MAX = 10;
const HOUR_MS = 3_600_000;

/** Users whose summaries are counted. */
const COUNTED_USERS_MAX = 100_000;

/** A summary takes longer than an answer: a long text is read in parts. */
export const SUMMARY_MS_MAX = 40_000;

/** What is kept of that for the text's own sentences when the model fails. */
const RESCUE_MS = 5_000;

/** Characters of a text that is sent to be summarised. */
export const SUMMARY_TEXT_CHARS_MAX = 60_000;

/** Passages of a document that are read, and documents among which one is looked for. */
const PASSAGES_MAX = 80;
const DOCUMENTS_MAX = 10_000;

/** Suggestions and summaries under way at once; more are turned away. */
const AT_ONCE_MAX = 64;

/** Of these, one user's: nobody takes the others' places, whatever a relay or a page sends. */
export const AT_ONCE_PER_USER_MAX = 4;

export class Extras {
  readonly #summaries: SlidingWindow;
  readonly #closing = new AbortController();
  /** Under way, by user; nobody is in it with none. */
  readonly #running = new Map<string, number>();

  constructor(private readonly deps: ExtrasDeps) {
    const limits = { timesMax: SUMMARIES_PER_HOUR_MAX, windowMs: HOUR_MS, keysMax: COUNTED_USERS_MAX };
    this.#summaries = new SlidingWindow(deps.clock, limits);
  }

  /** Questions that this user could ask and would be answered, `count` at the most. Rejects with `TurnFailure`. */
  suggest(
    request: ExtraRequest,
    signal: AbortSignal,
    count: number = SUGGESTIONS_COUNT,
  ): Promise<readonly string[]> {
    return this.#within(request.user, "the suggestions", SUGGEST_MS_MAX, signal, async (within) => {
      const access = await turnAccess(request, this.deps, within);
      const { locale } = turnLanguage({ ...request, text: "" }, [], this.deps.locales);
      const persona = choosePersona(request);
      return this.deps.suggestions.suggest({ access, persona, locale, count }, within);
    });
  }

  /** What the subject says, in short. Rejects with `TurnFailure`. */
  summarize(request: ExtraRequest, subject: SummarySubject, signal: AbortSignal): Promise<string> {
    return this.#within(request.user, "the summary", SUMMARY_MS_MAX, signal, async (within) => {
      const access = await turnAccess(request, this.deps, within);
      const material = await this.#materialOf(request, subject, access, within);
      this.#count(request.user);
      const answer = await this.#gated(material, access, choosePersona(request), within);
      await this.#confirm(material, access, within);
      return answer.text;
    });
  }

  /** Ends what is under way. */
  close(): void {
    const sorry = "The service is shutting down. Try again in a moment.";
    this.#closing.abort(new TurnFailure("shutting_down", sorry));
  }

  async #within<T>(
    user: User,
    what: string,
    limitMs: number,
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const leave = this.#enter(user);
    try {
      const either = AbortSignal.any([signal, this.#closing.signal]);
      return await withDeadline(this.deps.clock, what, limitMs, either, work);
    } catch (error) {
      signal.throwIfAborted();
      throw this.#asFailure(error, what);
    } finally {
      leave();
    }
  }

  /** Takes a place, which the result gives back. Throws `TurnFailure` when there is none. */
  #enter(user: User): () => void {
    const key = userKey(user);
    const own = this.#running.get(key) ?? 0;
    const all = [...this.#running.values()].reduce((sum, count) => sum + count, 0);
    if (own >= AT_ONCE_PER_USER_MAX)
      throw new TurnFailure("rate_limited", "You ask for too much at once. Wait for what is under way.");
    if (all >= AT_ONCE_MAX)
      throw new TurnFailure("assistant_unavailable", "Too much is asked for at once. Try again in a moment.");
    this.#running.set(key, own + 1);
    return () => {
      const left = (this.#running.get(key) ?? 1) - 1;
      if (left > 0) this.#running.set(key, left);
      else this.#running.delete(key);
    };
  }

  #asFailure(error: unknown, what: string): TurnFailure {
    if (error instanceof TurnFailure) return error;
    const cause = { cause: error };
    if (error instanceof DeadlineExceeded)
      return new TurnFailure("timeout", "That took too long. Try again.", cause);
    if (error instanceof SearchUnavailable) {
      const sorry = "Your documents cannot be reached now. Try again in a moment.";
      return new TurnFailure("assistant_unavailable", sorry, cause);
    }
    this.deps.telemetry.emit({ type: "service_fault", where: what, error: String(error) });
    return new TurnFailure(
      "assistant_unavailable",
      "That is not possible now. Try again in a moment.",
      cause,
    );
  }

  #count(user: User): void {
    const taken = this.#summaries.take(userKey(user));
    if (taken.type === "allowed") return;
    const minutes = Math.max(1, Math.ceil(taken.retryAfterMs / 60_000));
    const sorry = `You have had ${SUMMARIES_PER_HOUR_MAX} summaries within an hour. Try again in ${minutes} min.`;
    throw new TurnFailure("rate_limited", sorry);
  }

  async #materialOf(
    request: ExtraRequest,
    subject: SummarySubject,
    access: Access,
    signal: AbortSignal,
  ): Promise<SummaryMaterial> {
    const { clock, guard, locales, retrieval, telemetry } = this.deps;
    const spoken = (text: string, history: readonly HistoryEntry[] = []) => {
      const { language, locale } = turnLanguage({ ...request, text }, history, locales);
      return { locale, language };
    };
    switch (subject.type) {
      case "text": {
        const { text } = subject;
        if (text.length > SUMMARY_TEXT_CHARS_MAX) throw tooLong(text.length);
        if (guard !== undefined)
          await pass({ text, user: request.user }, guard, { clock, telemetry }, signal);
        const said = spoken(text);
        const introduction = said.locale.say("summary.of_chat");
        return { passages: asLines([text], access), what: "a text", introduction, ...said };
      }
      case "chat": {
        const readable = await recall(subject.history, access, retrieval, signal);
        const said = spoken("", readable);
        const introduction = said.locale.say("summary.of_chat");
        const answers = readable.filter(({ role, text }) => role === "assistant" && text.trim() !== "");
        if (answers.length === 0) throw new TurnFailure("not_found", said.locale.say("summary.nothing_yet"));
        const passages = asLines(
          answers.map(({ text }) => text),
          access,
        );
        return { passages, what: "what an assistant has told a worker", introduction, ...said };
      }
      case "document": {
        const passages = await this.#document(subject.name, access, signal);
        const { title } = passages[0]!;
        const said = spoken("");
        const introduction = said.locale.say("summary.of_document", { title });
        return { passages, what: `the document "${title}"`, introduction, ...said };
      }
    }
  }

  /** What is unknown and what may not be read are one and the same. */
  async #document(name: string, access: Access, signal: AbortSignal): Promise<SummaryMaterial["passages"]> {
    const { retrieval } = this.deps;
    const limits = { documentsMax: DOCUMENTS_MAX, headingsMax: 0 };
    const found = await namedDocument(name, await retrieval.outline(access, limits, signal));
    if (found.type === "several") {
      const titles = found.titles.map((title) => `"${title}"`).join(", ");
      throw new TurnFailure(
        "not_found",
        `Several documents are called like that: ${titles}. Name one of them.`,
      );
    }
    const passages =
      found.type === "none"
        ? []
        : await retrieval.contents(found.document.documentId, access, PASSAGES_MAX, signal);
    if (passages.length === 0) throw new TurnFailure("not_found", "There is no such document.");
    return passages;
  }

  /** What holds of the model's summary, or, where nothing does, of the text's own sentences. */
  async #gated(
    material: SummaryMaterial,
    access: Access,
    persona: Persona,
    signal: AbortSignal,
  ): Promise<Answer> {
    const written = await this.#written(material, access, signal);
    if (written !== undefined) {
      const answer = await this.#checked(written, material, persona);
      if (answer.claims.some(({ said }) => said)) return answer;
    }
    const answer = await this.#checked(await extractiveDraft(material), material, persona);
    if (answer.claims.some(({ said }) => said) || material.passages.length === 0) return answer;
    throw new TurnFailure("not_found", "There is nothing in it that can be summarised.");
  }

  async #written(
    material: SummaryMaterial,
    { network, username }: Access,
    signal: AbortSignal,
  ): Promise<readonly DraftEvent[] | undefined> {
    const { clock, model, prompts, telemetry } = this.deps;
    if (model === undefined) return undefined;
    const user = { network, username };
    const startMs = clock.monotonic();
    const limitMs = SUMMARY_MS_MAX - RESCUE_MS;
    const writer = { clock, telemetry, prompts, model, user, giveUpAtMs: startMs + limitMs };
    try {
      return await withDeadline(clock, "the model's summary", limitMs, signal, (within) =>
        modelDraft(material, writer, within),
      );
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ModelFailure || error instanceof DeadlineExceeded)) throw error;
      telemetry.emit({ type: "model_failed", user, stage: "summarize", error: error.message });
      return undefined;
    } finally {
      telemetry.emit({ type: "stage_finished", user, stage: "summarize", ms: clock.monotonic() - startMs });
    }
  }

  async #checked(
    draft: readonly DraftEvent[],
    { locale, passages }: SummaryMaterial,
    persona: Persona,
  ): Promise<Answer> {
    const { clock } = this.deps;
    const question = passages[0]?.title ?? "";
    const job = { question, persona, phrases: phrasesFor(persona, locale), route: ROUTE };
    for await (const event of new Gate(job, () => clock.monotonic()).run(asStream(draft))) {
      if (event.type === "answer") return event.answer;
    }
    throw new Error("the gate ended without an answer");
  }

  /** While it was written, a permission may have been taken away. */
  async #confirm({ passages }: SummaryMaterial, access: Access, signal: AbortSignal): Promise<void> {
    const ids = [...new Set(passages.map(({ documentId }) => documentId))].filter((id) => id !== NO_DOCUMENT);
    if (ids.length === 0) return;
    const readable = await this.deps.retrieval.readable(ids, access, signal);
    if (ids.some((id) => !readable.has(id))) throw new TurnFailure("not_found", "There is no such document.");
  }
}

/** A summary is routed by its command. */
const ROUTE = { route: "summary", layer: "declared", confidence: 1 } as const;

async function* asStream(events: readonly DraftEvent[]): AsyncGenerator<DraftEvent, void, undefined> {
  yield* events;
}

function tooLong(characters: number): TurnFailure {
  const text = `The text has ${characters} characters and the limit is ${SUMMARY_TEXT_CHARS_MAX}. Send a shorter one.`;
  return new TurnFailure("message_too_long", text);
}
