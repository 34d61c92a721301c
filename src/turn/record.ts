/** Keeps the record of one turn: what it read, how it ended, and what the chat is to remember of it. */
import type { Outcome } from "../domain/answer.js";
import type { HistoryEntry, TurnEvent, TurnFailure, TurnRequest } from "../domain/turn.js";
import type { Clock } from "../lib/clock.js";
import type { Telemetry } from "../telemetry/events.js";
import type { Delivered } from "./delivery.js";

export class TurnRecorder {
  readonly #startMs: number;
  readonly #documentIds = new Set<string>();
  #passages: readonly string[] = [];
  #outcome: Outcome = "partial";
  #degraded = false;
  #admitted = false;

  constructor(
    private readonly request: TurnRequest,
    private readonly deps: { readonly clock: Clock; readonly telemetry: Telemetry },
  ) {
    this.#startMs = deps.clock.monotonic();
  }

  /** What the turn remembers leaves its mark: its answer may repeat any of it. */
  remember(history: readonly HistoryEntry[]): readonly HistoryEntry[] {
    this.#admitted = true;
    for (const entry of history) for (const id of entry.documentIds) this.#documentIds.add(id);
    return history;
  }

  async *watch(events: AsyncIterable<TurnEvent>): AsyncGenerator<TurnEvent, void, undefined> {
    for await (const event of events) {
      if (event.type === "passages") {
        for (const passage of event.passages) this.#documentIds.add(passage.documentId);
        this.#passages = event.passages.map((passage) => passage.text);
      } else if (event.type === "outcome") {
        this.#outcome = event.outcome;
        this.#degraded = event.degraded;
      }
      yield event;
    }
  }

  /** The first packet has left. */
  firstPacket(): void {
    const { user, id: turn } = this.request;
    this.deps.telemetry.emit({ type: "first_packet", user, turn, ms: this.#elapsedMs() });
  }

  delivered(delivered: Delivered): readonly HistoryEntry[] {
    const { user, id: turn, text: question } = this.request;
    const { heard } = delivered;
    this.#finish(this.#outcome, delivered);
    this.deps.telemetry.emit({
      type: "answer_inspected",
      user,
      turn,
      question,
      answer: heard,
      passages: this.#passages,
    });
    return heard === ""
      ? [this.#entry("user", question)]
      : [this.#entry("user", question), this.#entry("assistant", heard)];
  }

  /** A message that was not admitted is not remembered either. */
  failed(failure: TurnFailure): readonly HistoryEntry[] {
    this.#finish(failure.code, undefined, failure);
    return this.#admitted ? [this.#entry("user", this.request.text)] : [];
  }

  #entry(role: HistoryEntry["role"], text: string): HistoryEntry {
    return { role, text, documentIds: [...this.#documentIds] };
  }

  #finish(
    result: Outcome | TurnFailure["code"],
    delivered: Delivered | undefined,
    failure?: TurnFailure,
  ): void {
    const { user, id: turn, responseType } = this.request;
    this.deps.telemetry.emit({
      type: "turn_finished",
      user,
      turn,
      responseType,
      result,
      answered: delivered !== undefined,
      degraded: this.#degraded,
      interrupted: delivered?.interrupted ?? false,
      ms: this.#elapsedMs(),
      answerCharacters: delivered?.text.length ?? 0,
      audioMs: delivered?.audioMs ?? 0,
      ...(failure?.cause === undefined ? {} : { cause: String(failure.cause) }),
    });
  }

  #elapsedMs(): number {
    return this.deps.clock.monotonic() - this.#startMs;
  }
}
