/**
 * What a text, a document or a chat says, in short. A summary neither goes through the mailbox nor changes what the chat
 * remembers; it rests on the same access as an answer, and goes through the same gate.
 */
import type { WritingModel } from "../answer/compose.js";
import { namedDocument } from "../answer/named-document.js";
import { phrasesFor } from "../answer/phrases.js";
import {
  asLines,
  extractiveDraft,
  modelDraft,
  NO_DOCUMENT,
  type SummaryMaterial,
} from "../answer/summary.js";
import type { Persona } from "../capability/capability.js";
import type { DraftEvent } from "../capability/draft.js";
import type { Answer } from "../domain/answer.js";
import { TurnFailure } from "../domain/failure.js";
import { type Access, type User, userKey } from "../domain/user.js";
import type { Clock } from "../lib/clock.js";
import { DeadlineExceeded, withDeadline } from "../lib/deadline.js";
import { SlidingWindow } from "../lib/sliding-window.js";
import { ModelFailure } from "../llm/port.js";
import type { Prompts } from "../llm/prompts.js";
import { type Basis, type BasisDeps, basisOf } from "./basis.js";
import type { BoundedWork } from "./bounded-work.js";
import { Gate } from "./gate.js";
import type { OverviewRequest, SummarySubject } from "./overview.js";
import { choosePersona } from "./persona.js";

export interface SummariesDeps extends BasisDeps {
  readonly clock: Clock;
  readonly prompts: Prompts;
  /** Absent: a summary is made of the text's own sentences. */
  readonly model?: WritingModel | undefined;
}

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

export class Summaries {
  readonly #summaries: SlidingWindow;

  constructor(
    private readonly deps: SummariesDeps,
    private readonly work: BoundedWork,
  ) {
    const limits = { timesMax: SUMMARIES_PER_HOUR_MAX, windowMs: HOUR_MS, keysMax: COUNTED_USERS_MAX };
    this.#summaries = new SlidingWindow(deps.clock, limits);
  }

  /** What the subject says, in short. Rejects with `TurnFailure`. */
  summarize(request: OverviewRequest, subject: SummarySubject, signal: AbortSignal): Promise<string> {
    return this.work.run(request.user, "the summary", SUMMARY_MS_MAX, signal, async (within) => {
      const text = subject.type === "text" ? subject.text : "";
      if (text.length > SUMMARY_TEXT_CHARS_MAX) {
        const sorry = `The text has ${text.length} characters and the limit is ${SUMMARY_TEXT_CHARS_MAX}. Send a shorter one.`;
        throw new TurnFailure("message_too_long", sorry);
      }
      const said = { history: subject.type === "chat" ? subject.history : [], pending: [] };
      const basis = await basisOf({ ...request, text }, said, this.deps, within);
      const material = await this.#materialOf(subject, basis, within);
      this.#count(request.user);
      const answer = await this.#gated(material, basis.access, choosePersona(request), within);
      await this.#confirm(material, basis.access, within);
      return answer.text;
    });
  }

  #count(user: User): void {
    const taken = this.#summaries.take(userKey(user));
    if (taken.type === "allowed") return;
    const minutes = Math.max(1, Math.ceil(taken.retryAfterMs / 60_000));
    const sorry = `You have had ${SUMMARIES_PER_HOUR_MAX} summaries within an hour. Try again in ${minutes} min.`;
    throw new TurnFailure("rate_limited", sorry);
  }

  async #materialOf(
    subject: SummarySubject,
    { access, history, language, locale }: Basis,
    signal: AbortSignal,
  ): Promise<SummaryMaterial> {
    if (subject.type === "document") {
      const passages = await this.#document(subject.name, access, signal);
      const { title } = passages[0]!;
      const introduction = locale.say("summary.of_document", { title });
      return { passages, what: `the document "${title}"`, introduction, locale, language };
    }
    const isText = subject.type === "text";
    const answers = history.filter(({ role, text }) => role === "assistant" && text.trim() !== "");
    if (!isText && answers.length === 0)
      throw new TurnFailure("not_found", locale.say("summary.nothing_yet"));
    const passages = asLines(isText ? [subject.text] : answers.map(({ text }) => text), access);
    const what = isText ? "a text" : "what an assistant has told a worker";
    return { passages, what, introduction: locale.say("summary.of_chat"), locale, language };
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
