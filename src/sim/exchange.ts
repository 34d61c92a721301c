/** One thing that a user did and what came of it, as the user hears it: a question and its answer, or a command and its reply. */
import type { ServiceCommand } from "@readback/protocol";
import { Condition } from "../lib/condition.js";
import type { PlannedStep } from "./plan.js";
import type { SentCommand } from "./trace.js";

export type ExchangeResult =
  | { readonly type: "voice" | "interrupted"; readonly text: string; readonly atMs: number }
  | { readonly type: "text"; readonly text: string; readonly atMs: number }
  | { readonly type: "error"; readonly code: string; readonly error: string; readonly atMs: number }
  /** A reply that is no answer. */
  | { readonly type: "done"; readonly atMs: number };

export class Exchange {
  /** From here on the user waits: the question was sent, or the button was released. */
  askedMs: number;
  outcome: ExchangeResult | undefined;
  /** What the service understood of a spoken question. */
  understood: string | undefined;
  /** Of the answer, not of an acknowledgement. */
  firstSoundMs: number | undefined;
  acknowledgedMs: number | undefined;
  lastPacketMs: number | undefined;
  packets = 0;
  /** When the user did something that stops the answer while it was spoken. */
  stoppedMs: number | undefined;
  endedMs: number | undefined;
  /** The connection of the user broke before the outcome came. */
  cutOff = false;
  readonly changed = new Condition();
  #interrupted = false;

  constructor(
    readonly username: string,
    readonly requestId: string,
    readonly command: SentCommand | "announcement",
    readonly step: PlannedStep,
    readonly startMs: number,
  ) {
    this.askedMs = startMs;
  }

  /** Whether the answer is being spoken. */
  get speaking(): boolean {
    return this.firstSoundMs !== undefined && this.endedMs === undefined;
  }

  /** A packet of the answer. */
  packet(atMs: number): void {
    this.packets += 1;
    this.lastPacketMs = atMs;
    if (this.firstSoundMs !== undefined) return;
    this.firstSoundMs = atMs;
    this.changed.notify();
  }

  /** A command that carries this request's id; `acknowledgement`: it belongs to one. */
  receive(command: ServiceCommand, atMs: number, acknowledgement: boolean): void {
    switch (command.command) {
      case "message":
        if (acknowledgement) this.acknowledgedMs ??= atMs;
        return;
      case "end_message":
        if (acknowledgement || command.ending === "moved") return;
        this.endedMs = atMs;
        this.#interrupted = command.ending === "interrupted";
        this.changed.notify();
        return;
      case "transcription":
        if (command.role === "question") this.understood = command.text;
        else if (!acknowledgement)
          this.#settle({ type: this.#interrupted ? "interrupted" : "voice", text: command.text, atMs });
        return;
      case "text_message":
        this.#settle({ type: "text", text: command.text, atMs });
        return;
      case "ai_message_error":
        this.#settle({ type: "error", code: command.code, error: command.error, atMs });
        return;
      case "keep_alive":
        return;
      default:
        this.#settle({ type: "done", atMs });
    }
  }

  /** The user is somewhere else now: what waits for something here need not wait any longer. */
  cut(): void {
    this.cutOff = true;
    this.changed.notify();
  }

  /** The first outcome counts; a second one is a violation, which others see. */
  #settle(outcome: ExchangeResult): void {
    this.outcome ??= outcome;
    this.changed.notify();
  }
}
