/** Keeps the record of one turn: what it read, how it ended, where its time went, and what the chat has open after it. */
import type { DraftEnd, DraftEvent } from "../capability/draft.js";
import type { Answer, Outcome } from "../domain/answer.js";
import {
  afterTurn,
  completed,
  type Dialogue,
  OPTIONS_MAX,
  type PendingProposal,
  type PendingQuestion,
  QUESTION_MS_MAX,
} from "../domain/dialogue.js";
import type { TurnFailure } from "../domain/failure.js";
import { distinctSources, documentSources, resourceSources, type SourceRef } from "../domain/source-ref.js";
import type { HistoryEntry, TurnEvent, TurnRequest } from "../domain/turn.js";
import type { Clock } from "../lib/clock.js";
import type { DeliveryResult } from "./delivery.js";
import type { TurnMeter } from "./meter.js";
import { type Choice, isNewSubject } from "./route.js";

export class TurnRecorder {
  readonly #startMs: number;
  #sources: readonly SourceRef[] = [];
  #passages: readonly string[] = [];
  #answer: Answer | undefined;
  #end: DraftEnd | undefined;
  #choice: Choice | undefined;
  #admitted = false;
  #question = "";

  /** `tell` hears what the turn does, as it happens. */
  constructor(
    private readonly request: Omit<TurnRequest, "text">,
    private readonly deps: { readonly clock: Clock; readonly telemetry: TurnMeter },
    private readonly tell: (event: TurnEvent) => void,
  ) {
    this.#startMs = deps.clock.monotonic();
  }

  /** What was asked; "" as long as it is not known. */
  get question(): string {
    return this.#question;
  }

  /** What was asked is known from here on, and was perhaps spoken. */
  understood({ heardFrom = [], text }: TurnRequest, isSpoken: boolean): void {
    if (isSpoken) this.deps.telemetry.waterfall.mark("transcribed");
    this.#question = text;
    this.#readFrom(heardFrom);
  }

  /** What the turn remembers leaves its mark: its answer may repeat any of it. */
  remember({ history, pending }: Dialogue): void {
    this.#admitted = true;
    this.#readFrom([...history, ...pending].flatMap(({ sources }) => sources));
  }

  /** What is asked, and of whom. */
  chosen(choice: Choice): Choice {
    this.#admitted = true;
    this.#choice = choice;
    this.#question = choice.question;
    const { user } = this.request;
    this.deps.telemetry.emit({ type: "stage_finished", user, stage: "prepare", ms: this.#elapsedMs() });
    this.tell({ type: "routed", decision: choice.decision });
    return choice;
  }

  /** The draft, before any of it is checked. */
  drafted(drafts: AsyncIterable<DraftEvent>): AsyncGenerator<DraftEvent, void, undefined> {
    return this.deps.telemetry.waterfall.watch(drafts, (draft) => {
      if (draft.type === "end") this.#end = draft;
      this.#readFrom(sourcesOf(draft));
    });
  }

  async *watch(events: AsyncIterable<TurnEvent>): AsyncGenerator<TurnEvent, void, undefined> {
    for await (const event of events) {
      if (event.type === "passages") {
        this.#readFrom(documentSources(event.passages.map(({ documentId }) => documentId)));
        this.#passages = event.passages.map((passage) => passage.text);
      } else if (event.type === "answer") {
        this.#answer = event.answer;
        this.#tellPhantoms(event.answer);
      } else if (event.type === "text") {
        this.deps.telemetry.waterfall.mark("first_sentence");
      }
      // It is not checked, and shown to nobody.
      if (event.type !== "clause") this.tell(event);
      yield event;
    }
  }

  /** Tells of each sentence that claims what was not done. */
  #tellPhantoms({ claims }: Answer): void {
    const { telemetry } = this.deps;
    const { model } = telemetry;
    for (const { reasons } of claims)
      if (reasons.some(({ code }) => code === "not_done"))
        telemetry.emit({ type: "phantom_detected", user: this.request.user, model });
  }

  /** The first packet has left, or the whole text. */
  first(what: "packet" | "text"): void {
    this.deps.telemetry.waterfall.mark(what === "packet" ? "first_packet" : "text_sent");
    if (what === "text") return;
    this.deps.telemetry.emit({ type: "first_packet", user: this.request.user, ms: this.#elapsedMs() });
  }

  delivered(delivered: DeliveryResult, dialogue: Dialogue): Dialogue {
    const { heard } = delivered;
    const outcome = this.#answer?.outcome ?? "partial";
    this.#finish(outcome, delivered);
    const inspected = { question: this.#question, answer: heard, passages: this.#passages };
    this.deps.telemetry.emit({ type: "answer_inspected", user: this.request.user, outcome, ...inspected });
    const choice = this.#choice;
    const change = {
      closed: choice?.closed ?? this.#end?.closes,
      isNewSubject: choice !== undefined && isNewSubject(choice),
      opened: this.#proposed() ?? this.#askedBack(),
      targets: this.#end?.targets,
      lines: this.#lines(heard),
    };
    return afterTurn(dialogue, change, this.deps.clock.monotonic());
  }

  /** A message that was not admitted is not remembered either. What was open stays open. */
  failed(failure: TurnFailure, dialogue: Dialogue): Dialogue {
    this.#finish(failure.code, undefined, failure);
    const lines = this.#admitted && failure.code !== "blocked" ? this.#lines("") : [];
    return afterTurn(dialogue, { lines, isNewSubject: false }, this.deps.clock.monotonic());
  }

  #readFrom(sources: readonly SourceRef[]): void {
    this.#sources = distinctSources([...this.#sources, ...sources]);
  }

  #lines(heard: string): readonly HistoryEntry[] {
    const isAsked = this.#question !== "";
    // That nothing could be made out is not worth remembering; what was said unasked took no choice.
    if (!isAsked && this.#choice !== undefined) return [];
    const asked = isAsked ? [this.#entry("user", this.#question)] : [];
    if (heard === "") return asked;
    return [...asked, this.#entry("assistant", heard, this.#answer && remembered(this.#answer))];
  }

  /** The question back that this turn ends with, if it can be answered by a choice or a yes. */
  #askedBack(): PendingQuestion | undefined {
    const { outcome, route, text: words } = this.#answer ?? {};
    const asks = outcome === "ambiguous" || (outcome === "partial" && this.#end?.options !== undefined);
    if (!asks || route === undefined || words === undefined) return undefined;
    const asked = this.#question;
    const own = { words: "", means: { type: "question", question: completed(asked, words) } } as const;
    // Where the draft does not say that it asks back, its writer did: a yes takes the question for what is meant.
    const options = this.#end?.outcome === undefined ? [own] : (this.#end.options ?? []);
    if (options.length === 0) return undefined;
    return {
      type: "question",
      turn: this.request.id,
      untilMs: this.deps.clock.monotonic() + QUESTION_MS_MAX,
      sources: this.#sources,
      asked,
      route: route.route,
      words,
      options: options.slice(0, OPTIONS_MAX),
    };
  }

  /** What waits for consent since this turn. */
  #proposed(): PendingProposal | undefined {
    const { opens } = this.#end ?? {};
    if (opens === undefined) return undefined;
    const { id: turn } = this.request;
    return { type: "proposal", turn, ...opens, sources: this.#sources };
  }

  #entry(role: HistoryEntry["role"], text: string, answer?: Answer): HistoryEntry {
    return { role, text, sources: this.#sources, readAtMs: this.request.context?.readAtMs, answer };
  }

  #finish(
    result: Outcome | TurnFailure["code"],
    delivered: DeliveryResult | undefined,
    failure?: TurnFailure,
  ): void {
    const { user, responseType } = this.request;
    const { telemetry } = this.deps;
    const ms = this.#elapsedMs();
    const waterfall = telemetry.waterfall.value;
    telemetry.emit({ type: "turn_waterfall", user, responseType, ...waterfall });
    telemetry.emit({
      type: "turn_finished",
      user,
      responseType,
      result,
      answered: delivered !== undefined,
      degraded: this.#answer?.degraded ?? false,
      interrupted: delivered?.interrupted ?? false,
      ms,
      answerCharacters: delivered?.text.length ?? 0,
      audioMs: delivered?.audioMs ?? 0,
      ...(failure?.cause === undefined ? {} : { cause: String(failure.cause) }),
    });
    this.tell({
      type: "finished",
      report: {
        answer: delivered === undefined ? undefined : this.#answer,
        ...(failure === undefined ? {} : { failure: { code: failure.code, error: failure.message } }),
        sources: this.#sources,
        timingsMs: { ...telemetry.timingsMs, total: ms },
        usage: telemetry.usage,
        waterfall,
      },
    });
  }

  #elapsedMs(): number {
    return this.deps.clock.monotonic() - this.#startMs;
  }
}

/**
 * The answer as the chat keeps it, with copies of its passages: much is worked out of a passage while a turn runs, and
 * stays as long as that object is in use.
 */
function remembered(answer: Answer): Answer {
  return { ...answer, passages: answer.passages.map((passage) => ({ ...passage })) };
}

/** What a draft rests on, or names, before any of it is checked. */
function sourcesOf(draft: DraftEvent): readonly SourceRef[] {
  switch (draft.type) {
    case "readings":
      return resourceSources((draft.values ?? []).map(({ target }) => target));
    case "phrase":
      return draft.sources ?? [];
    case "end":
      return [
        ...(draft.last ?? []).flatMap(({ sources }) => sources ?? []),
        ...(draft.options ?? []).flatMap(({ means }) =>
          means.type === "resource" ? [{ type: "resource", id: means.id } as const] : [],
        ),
      ];
    default:
      return [];
  }
}
