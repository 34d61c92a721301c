/** Keeps the record of one turn: what it read, how it ended, where its time went, and what the chat is to remember of it. */
import type { Answer, Outcome, RouteDecision } from "../domain/answer.js";
import type { TurnFailure } from "../domain/failure.js";
import type { HistoryEntry, TurnEvent, TurnRequest } from "../domain/turn.js";
import type { Clock } from "../lib/clock.js";
import type { Delivered } from "./delivery.js";
import type { TurnMeter } from "./meter.js";

export class TurnRecorder {
  readonly #startMs: number;
  readonly #documentIds = new Set<string>();
  #passages: readonly string[] = [];
  #answer: Answer | undefined;
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

  /** What was asked is known from here on. */
  understood({ heardFrom = [], text }: TurnRequest): void {
    this.#question = text;
    for (const id of heardFrom) this.#documentIds.add(id);
  }

  /** What the turn remembers leaves its mark: its answer may repeat any of it. */
  remember(history: readonly HistoryEntry[]): readonly HistoryEntry[] {
    this.#admitted = true;
    for (const entry of history) for (const id of entry.documentIds) this.#documentIds.add(id);
    return history;
  }

  routed(decision: RouteDecision): void {
    this.tell({ type: "routed", decision });
  }

  async *watch(events: AsyncIterable<TurnEvent>): AsyncGenerator<TurnEvent, void, undefined> {
    for await (const event of events) {
      if (event.type === "passages") {
        for (const passage of event.passages) this.#documentIds.add(passage.documentId);
        this.#passages = event.passages.map((passage) => passage.text);
      } else if (event.type === "answer") {
        this.#answer = event.answer;
      } else if (event.type === "text") {
        this.deps.telemetry.waterfall.mark("first_sentence");
      }
      // It is not checked, and shown to nobody.
      if (event.type !== "clause") this.tell(event);
      yield event;
    }
  }

  /** The first packet has left, or the whole text. */
  first(what: "packet" | "text"): void {
    this.deps.telemetry.waterfall.mark(what === "packet" ? "first_packet" : "text_sent");
    if (what === "text") return;
    this.deps.telemetry.emit({ type: "first_packet", user: this.request.user, ms: this.#elapsedMs() });
  }

  delivered(delivered: Delivered): readonly HistoryEntry[] {
    const { user } = this.request;
    const question = this.#question;
    const { heard } = delivered;
    const outcome = this.#answer?.outcome ?? "partial";
    this.#finish(outcome, delivered);
    this.deps.telemetry.emit({
      type: "answer_inspected",
      user,
      outcome,
      question,
      answer: heard,
      passages: this.#passages,
    });
    if (question === "") return [];
    if (heard === "") return [this.#entry("user", question)];
    const answer = this.#answer === undefined ? {} : { answer: this.#answer };
    return [this.#entry("user", question), { ...this.#entry("assistant", heard), ...answer }];
  }

  /** A message that was not admitted is not remembered either. */
  failed(failure: TurnFailure): readonly HistoryEntry[] {
    this.#finish(failure.code, undefined, failure);
    return this.#admitted && this.#question !== "" ? [this.#entry("user", this.#question)] : [];
  }

  #entry(role: HistoryEntry["role"], text: string): HistoryEntry {
    const { context } = this.request;
    const read = context?.readAtMs === undefined ? {} : { readAtMs: context.readAtMs };
    return { role, text, documentIds: [...this.#documentIds], ...read };
  }

  #finish(
    result: Outcome | TurnFailure["code"],
    delivered: Delivered | undefined,
    failure?: TurnFailure,
  ): void {
    const { user, responseType } = this.request;
    const { telemetry } = this.deps;
    const ms = this.#elapsedMs();
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
    const waterfall = telemetry.waterfall.value;
    telemetry.emit({ type: "turn_waterfall", user, responseType, ...waterfall });
    this.tell({
      type: "finished",
      report: {
        answer: delivered === undefined ? undefined : this.#answer,
        ...(failure === undefined ? {} : { failure: { code: failure.code, error: failure.message } }),
        documentIds: [...this.#documentIds],
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
