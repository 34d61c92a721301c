/**
 * One user's chat: an actor that answers one message at a time from a small mailbox, remembers the last lines and
 * keeps the line on which the user was last seen.
 */
import type { AnswerReport } from "../domain/answer-report.js";
import { TurnFailure } from "../domain/failure.js";
import type { HistoryEntry, TurnRequest } from "../domain/turn.js";
import type { User } from "../domain/user.js";
import type { Clock, Timer } from "../lib/clock.js";
import type { Telemetry } from "../telemetry/events.js";
import { lengthFailure } from "../turn/admit.js";
import type { Line } from "../turn/line.js";
import type { ChatClosedReason } from "../turn/outlet.js";
import type { Admission } from "./admission.js";
import { History } from "./history.js";

/** Messages that wait behind the one being answered. */
export const MAILBOX_MAX = 10;

/** How long a message waits at the most before its answer is begun. */
export const MAILBOX_WAIT_MS_MAX = 60_000;

/** Runs one turn to its end and gives back what to remember; never rejects. */
export type RunTurn = (
  request: TurnRequest,
  history: readonly HistoryEntry[],
  line: Line,
  stop: AbortSignal,
) => Promise<readonly HistoryEntry[]>;

export interface ChatDeps {
  readonly clock: Clock;
  readonly telemetry: Telemetry;
  readonly admission: Admission;
  readonly runTurn: RunTurn;
}

export interface ChatDescription {
  readonly chatId: string;
  readonly messageCount: number;
  readonly lastUpdateMs: number;
  readonly mode: string | undefined;
  readonly speaking: boolean;
}

interface Waiting {
  readonly request: TurnRequest;
  readonly sinceMs: number;
  readonly timer: Timer;
}

type State =
  | { readonly type: "idle" }
  | {
      readonly type: "answering";
      readonly turn: string;
      readonly stop: AbortController;
      readonly done: Promise<void>;
    }
  | { readonly type: "closed"; readonly failure: TurnFailure; readonly done: Promise<void> };

export class Chat {
  readonly #history = new History();
  #mailbox: Waiting[] = [];
  #state: State = { type: "idle" };
  #lastUpdateMs: number;
  #mode: string | undefined;

  /** `previous` is what this chat waits for before its first answer: two answers to one user never overlap. */
  constructor(
    readonly id: string,
    readonly user: User,
    /** Which of the user's chats this is; see the registry. */
    readonly session: string,
    readonly line: Line,
    private readonly deps: ChatDeps,
    private readonly previous: Promise<void>,
  ) {
    this.#lastUpdateMs = deps.clock.now();
  }

  /** Takes a message in, unless it is too long; a full mailbox refuses the newest, a closed chat every one. */
  accept(request: TurnRequest): void {
    this.#lastUpdateMs = this.deps.clock.now();
    this.deps.telemetry.emit({
      type: "turn_accepted",
      user: this.user,
      turn: request.id,
      responseType: request.responseType,
    });
    if (this.#state.type === "closed") {
      this.#refuse(request, this.#state.failure);
      return;
    }
    const tooLong = lengthFailure(request.text);
    if (tooLong !== undefined) {
      this.#refuse(request, tooLong);
      return;
    }
    if (this.#mailbox.length >= MAILBOX_MAX) {
      const busy = `${MAILBOX_MAX} messages are waiting already. Wait for an answer, then send this one again.`;
      this.#refuse(request, new TurnFailure("chat_busy", busy));
      return;
    }
    this.#mode = request.mode;
    const timer = this.deps.clock.after(MAILBOX_WAIT_MS_MAX, () => this.#expire(waiting));
    const waiting: Waiting = { request, sinceMs: this.deps.clock.monotonic(), timer };
    this.#mailbox.push(waiting);
    this.#answerNext();
  }

  /** The sender of this message does not wait for its answer any more: it is stopped, or never begun. */
  withdraw(turn: string): void {
    const stopped = new TurnFailure("cancelled", "The answer was stopped.");
    const index = this.#mailbox.findIndex(({ request }) => request.id === turn);
    if (index >= 0) {
      const [waiting] = this.#mailbox.splice(index, 1);
      waiting?.timer.cancel();
      if (waiting !== undefined) this.#refuse(waiting.request, stopped);
    } else if (this.#state.type === "answering" && this.#state.turn === turn) {
      this.#state.stop.abort(stopped);
    }
  }

  /** Stops the answer under way; false when there is none. */
  cancel(): boolean {
    if (this.#state.type !== "answering") return false;
    this.#state.stop.abort(new TurnFailure("cancelled", "The answer was stopped."));
    return true;
  }

  /**
   * Ends the chat: the answer under way is stopped, or may finish within `finishWithinMs`; then the waiting messages
   * are refused, and the user is told. Resolves when all of that is said.
   */
  close(
    reason: ChatClosedReason,
    options: { finishWithinMs?: number; requestId?: string } = {},
  ): Promise<void> {
    if (this.#state.type === "closed") return this.#state.done;
    const state = this.#state;
    const failure =
      reason === "shutdown"
        ? new TurnFailure("shutting_down", "The service is shutting down. Try again in a moment.")
        : new TurnFailure("cancelled", "The chat was closed.");
    const done = this.#end(state, failure, options.finishWithinMs ?? 0).then(() => {
      const request = options.requestId === undefined ? {} : { requestId: options.requestId };
      this.line.send({ type: "chat_closed", reason, ...request });
      this.deps.telemetry.emit({ type: "chat_closed", user: this.user, reason });
    });
    this.#state = { type: "closed", failure, done };
    return done;
  }

  /** Resolves when a closed chat has said its last word. */
  get closed(): Promise<void> | undefined {
    return this.#state.type === "closed" ? this.#state.done : undefined;
  }

  get idle(): boolean {
    return this.#state.type === "idle" && this.#mailbox.length === 0;
  }

  describe(): ChatDescription {
    return {
      chatId: this.id,
      messageCount: this.#history.entries.length,
      lastUpdateMs: this.#lastUpdateMs,
      mode: this.#mode,
      speaking: this.line.speaking,
    };
  }

  #answerNext(): void {
    if (this.#state.type !== "idle") return;
    const next = this.#mailbox.shift();
    if (next === undefined) return;
    const stop = new AbortController();
    const done = this.#answer(next, stop.signal).finally(() => {
      this.#lastUpdateMs = this.deps.clock.now();
      if (this.#state.type !== "answering") return;
      this.#state = { type: "idle" };
      this.#answerNext();
    });
    this.#state = { type: "answering", turn: next.request.id, stop, done };
  }

  async #answer({ request, sinceMs, timer }: Waiting, stop: AbortSignal): Promise<void> {
    const { admission, clock, runTurn, telemetry } = this.deps;
    await this.previous;
    try {
      const entries = await admission.run(stop, () => {
        timer.cancel();
        const waitedMs = clock.monotonic() - sinceMs;
        telemetry.emit({ type: "turn_started", user: this.user, turn: request.id, waitedMs });
        return runTurn(request, request.history ?? this.#history.entries, this.line, stop);
      });
      this.#history.add(entries);
    } catch (error) {
      timer.cancel();
      this.#refuse(request, error instanceof TurnFailure ? error : this.#fault(error));
    }
  }

  async #end(state: State, failure: TurnFailure, finishWithinMs: number): Promise<void> {
    const waiting = this.#mailbox.splice(0);
    for (const { timer } of waiting) timer.cancel();
    if (state.type === "answering") {
      const stop = () => state.stop.abort(failure);
      if (finishWithinMs === 0) stop();
      const timer = this.deps.clock.after(finishWithinMs, stop);
      await state.done;
      timer.cancel();
    }
    for (const { request } of waiting) this.#refuse(request, failure);
  }

  #expire(waiting: Waiting): void {
    const index = this.#mailbox.indexOf(waiting);
    const late = new TurnFailure("timeout", "The message waited too long. Send it again.");
    if (index >= 0) {
      this.#mailbox.splice(index, 1);
      this.#refuse(waiting.request, late);
    } else if (this.#state.type === "answering") {
      this.#state.stop.abort(late);
    }
  }

  #refuse(request: TurnRequest, failure: TurnFailure): void {
    const echo = request.requestId === undefined ? {} : { requestId: request.requestId };
    this.deps.telemetry.emit({ type: "turn_dropped", user: this.user, turn: request.id, code: failure.code });
    this.line.send({ type: "error", code: failure.code, error: failure.message, ...echo });
    this.line.observe(request.id, { type: "finished", report: refusalReport(failure) });
  }

  #fault(error: unknown): TurnFailure {
    this.deps.telemetry.emit({ type: "service_fault", where: "chat", error: String(error) });
    return new TurnFailure(
      "assistant_unavailable",
      "The assistant cannot answer now. Try again in a moment.",
    );
  }
}

function refusalReport({ code, message }: TurnFailure): AnswerReport {
  return {
    answer: undefined,
    failure: { code, error: message },
    timingsMs: {},
    usage: { inputTokens: 0, outputTokens: 0 },
  };
}
