/**
 * One user's chat: an actor that answers one message at a time from a small mailbox, remembers the last lines and
 * keeps the line on which the user was last seen. A press of the button is the floor: it stops the answer under way,
 * nothing is answered while it lasts, and what was spoken is answered before what waits. What is to be said unasked
 * waits until the user is quiet, or goes before the next answer.
 */
import { afterTurn, type Dialogue, NOTHING_OPEN } from "../domain/dialogue.js";
import { TurnFailure } from "../domain/failure.js";
import type {
  ChatRequest,
  HeardRequest,
  HistoryEntry,
  ListeningResult,
  ResponseType,
  SpokenRequest,
  TurnRequest,
} from "../domain/turn.js";
import type { User } from "../domain/user.js";
import type { Clock, Timer } from "../lib/clock.js";
import { currentOrigin, type Origin, workFor } from "../lib/origin.js";
import { emergencyIn } from "../locale/emergency.js";
import { type Telemetry, withinTurn } from "../telemetry/events.js";
import type { Announcement, AnnouncementResult } from "../turn/announce.js";
import type { Line } from "../turn/line.js";
import type { ChatClosedReason, Outlet } from "../turn/outlet.js";
import type { Admission } from "./admission.js";
import { Announcements } from "./announcements.js";
import type { Recording } from "./recording.js";
import { NOT_UNDERSTOOD_HERE, refusalReport, STOPPED } from "./refusals.js";
import { onEmergency, runWhenAdmitted } from "./urgent.js";

/** Messages that wait behind the one being answered. */
export const MAILBOX_MAX = 10;

/** How long a message waits at the most before its answer is begun. */
export const MAILBOX_WAIT_MS_MAX = 60_000;

/** Runs one turn, received at `receivedMs` (monotonic), to its end and gives back what is open then; never rejects. */
export type RunTurn = (
  request: TurnRequest | HeardRequest,
  dialogue: Dialogue,
  line: Line,
  stop: AbortSignal,
  receivedMs: number,
) => Promise<Dialogue>;

/** Says something unasked; never rejects. */
export type RunAnnouncement = (
  announcement: Announcement,
  dialogue: Dialogue,
  line: Line,
  stop: AbortSignal,
) => Promise<AnnouncementResult>;

/** Finds out what was spoken, from the first packet on; never rejects. */
export type Listen = (request: SpokenRequest, stop: AbortSignal) => Promise<ListeningResult>;

export interface ChatDeps {
  readonly clock: Clock;
  readonly telemetry: Telemetry;
  readonly admission: Admission;
  readonly runTurn: RunTurn;
  readonly announce: RunAnnouncement;
  /** Absent: spoken questions cannot be understood here. */
  readonly listen?: Listen | undefined;
  /** The failure as its user is told of it; absent: as it is. */
  readonly explained?: (failure: TurnFailure, asked: ChatRequest | HeardRequest) => TurnFailure;
  /** Whether a typed message of this network stops the answer under way, as a press of the button does; absent: no. */
  readonly anyMessageInterrupts?: (network: string) => boolean;
}

export interface ChatDescription {
  readonly chatId: string;
  readonly messageCount: number;
  readonly lastUpdateMs: number;
  readonly mode: string | undefined;
  readonly speaking: boolean;
}

interface Waiting {
  readonly request: TurnRequest | HeardRequest;
  readonly stop: AbortController;
  readonly sinceMs: number;
  readonly timer: Timer;
  /** It tells of an emergency: its turn waits for no place. */
  readonly isUrgent: boolean;
  /** Its turn may be begun by the end of another. */
  readonly origin: Origin;
}

/** The user holds the button and speaks. */
interface Speaking {
  readonly request: HeardRequest;
  /** The relay that it came from: each numbers its voice messages by itself. */
  readonly link: object;
  readonly recording: Recording;
  readonly stop: AbortController;
}

/** The answer under way, or the announcement. */
interface Answering {
  readonly type: "answering";
  readonly turn: string;
  readonly isAnnouncement: boolean;
  readonly stop: AbortController;
  readonly done: Promise<void>;
}

type State =
  | { readonly type: "idle" }
  | Answering
  | {
      readonly type: "closed";
      readonly failure: TurnFailure;
      readonly done: Promise<void>;
      /** What may finish still. */
      readonly last: Answering | undefined;
    };

export class Chat {
  /** For whom it was opened. */
  readonly origin: Origin = currentOrigin();
  #dialogue = NOTHING_OPEN;
  readonly #announcements: Announcements;
  #mailbox: Waiting[] = [];
  #state: State = { type: "idle" };
  #floor: Speaking | undefined;
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
    this.#announcements = new Announcements(user, deps);
  }

  /**
   * Takes a message in; a full mailbox refuses the newest, a closed chat every one. One that is spoken, and all there,
   * counts as a press and a release of the button, and so does one that tells of an emergency: it goes first, and where
   * the mailbox is full the last message gives way.
   */
  accept(asked: ChatRequest): void {
    this.#noteArrival(asked);
    const isSpoken = "utterance" in asked;
    const isUrgent = !isSpoken && emergencyIn(asked.text) !== undefined;
    if (isSpoken || isUrgent) this.#interrupt();
    else if (this.deps.anyMessageInterrupts?.(this.user.network)) this.#stopAnswer();
    if (isUrgent && this.#mailbox.length >= MAILBOX_MAX) this.#drop(this.#mailbox.pop()!, MAILBOX_FULL);
    const refusal = this.#refusalOf(asked);
    if (refusal !== undefined) return this.#refuse(asked, refusal);
    const stop = new AbortController();
    const request = isSpoken ? this.#heard(asked, stop) : asked;
    const waiting = this.#waiting(request, stop, isUrgent);
    if (isSpoken || isUrgent) this.#mailbox.unshift(waiting);
    else this.#mailbox.push(waiting);
    this.#answerNext();
  }

  /**
   * Says it when the user is quiet, where the relay takes announcements, or else before the next answer. A press stops
   * it; while none of it was heard, it waits again.
   */
  announce(announcement: Announcement): void {
    this.#announcements.add(announcement);
    this.#answerNext();
  }

  /** The user was seen on `outlet`: whatever is being said goes there, but for what is said unasked. */
  seen(outlet: Outlet): void {
    this.line.attach(outlet);
    this.#announcements.resume();
    const isUnasked = this.#underWay?.isAnnouncement === true && this.#mailbox.length === 0;
    if (isUnasked && !this.line.link.announces) this.#stopAnswer();
    this.#answerNext();
  }

  /** The user presses the button: whatever is being said to or by this user stops, and `recording` has the floor. */
  press(asked: SpokenRequest, recording: Recording): void {
    this.#noteArrival(asked);
    this.#interrupt();
    const refusal = this.#refusalOf(asked);
    if (refusal !== undefined) {
      recording.giveUp(refusal);
      return this.#refuse(asked, refusal);
    }
    const stop = new AbortController();
    const request = this.#heard(asked, stop);
    void request.words.then(() => recording.forget());
    this.#floor = { request, link: this.line.outlet.link, recording, stop };
  }

  /** A packet of a voice message; false when it belongs to none that is open. */
  hear(messageId: number, pid: number, packet: Uint8Array): boolean {
    const speaking = this.#speaking(messageId);
    if (speaking === undefined) return false;
    const { link } = this.line.outlet;
    if (link !== speaking.link) this.#floor = { ...speaking, link };
    speaking.recording.add(pid, packet);
    return true;
  }

  /** The button is released: what was spoken is answered next. False when no such message is open. */
  release(messageId: number): boolean {
    const speaking = this.#speaking(messageId);
    if (speaking === undefined) return false;
    const { recording, request, stop } = speaking;
    this.#floor = undefined;
    this.#lastUpdateMs = this.deps.clock.now();
    recording.end();
    const { audioMs } = recording;
    this.deps.telemetry.emit({ type: "voice_received", user: this.user, turn: request.id, audioMs });
    this.#mailbox.unshift(this.#waiting(request, stop));
    this.#answerNext();
    return true;
  }

  /** The voice message `messageId` broke a bound, or its sender is gone: nobody will answer it. */
  giveUp(messageId: number, failure: TurnFailure): void {
    const speaking = this.#speaking(messageId);
    if (speaking === undefined) return;
    this.#dropSpeech(speaking, failure);
    this.#answerNext();
  }

  /** Whether a voice message with this number is open that came from where the user is now. */
  isSpeaking(messageId: number): boolean {
    return this.#speaking(messageId)?.link === this.line.outlet.link;
  }

  /** The sender of this message does not wait for its answer any more: it is stopped, or never begun. */
  withdraw(turn: string): void {
    const index = this.#mailbox.findIndex(({ request }) => request.id === turn);
    if (index >= 0) {
      for (const waiting of this.#mailbox.splice(index, 1)) this.#drop(waiting, STOPPED);
    } else if (this.#underWay?.turn === turn) {
      this.#underWay.stop.abort(STOPPED);
    }
  }

  /** Stops the answer under way and what is being spoken; false when there is neither. */
  cancel(): boolean {
    const stopped = this.#interrupt();
    this.#answerNext();
    return stopped;
  }

  /**
   * Ends the chat: the answer under way is stopped, or may finish within `finishWithinMs`; then the waiting messages
   * are refused, and the user is told. Resolves when all of that is said.
   */
  close(
    reason: ChatClosedReason,
    { finishWithinMs = 0, requestId }: { finishWithinMs?: number; requestId?: string | undefined } = {},
  ): Promise<void> {
    if (this.#state.type === "closed") return this.#state.done;
    const state = this.#state;
    const failure =
      reason === "shutdown"
        ? new TurnFailure("shutting_down", "The service is shutting down. Try again in a moment.")
        : new TurnFailure("cancelled", "The chat was closed.");
    this.#announcements.close();
    const done = this.#end(state, failure, finishWithinMs).then(() => {
      this.line.send({ type: "chat_closed", reason, requestId });
      this.deps.telemetry.emit({ type: "chat_closed", user: this.user, reason });
    });
    this.#state = { type: "closed", failure, done, last: state.type === "answering" ? state : undefined };
    return done;
  }

  /** Resolves when a closed chat has said its last word. */
  get closed(): Promise<void> | undefined {
    return this.#state.type === "closed" ? this.#state.done : undefined;
  }

  get idle(): boolean {
    return this.#state.type === "idle" && this.#mailbox.length === 0 && this.#floor === undefined;
  }

  /** What the chat remembers, oldest first: of documents that may not be readable any more. */
  get remembered(): readonly HistoryEntry[] {
    return this.#dialogue.history;
  }

  describe(): ChatDescription {
    return {
      chatId: this.id,
      messageCount: this.#dialogue.history.length,
      lastUpdateMs: this.#lastUpdateMs,
      mode: this.#mode,
      speaking: this.line.speaking,
    };
  }

  #interrupt(): boolean {
    const speaking = this.#floor;
    if (speaking !== undefined)
      this.#dropSpeech(speaking, new TurnFailure("cancelled", "The voice message was stopped."));
    return this.#stopAnswer() || speaking !== undefined;
  }

  #stopAnswer(): boolean {
    const answering = this.#underWay;
    answering?.stop.abort(STOPPED);
    return answering !== undefined;
  }

  /** A chat that closes may have an answer to finish, which can be stopped as any other. */
  get #underWay(): Answering | undefined {
    if (this.#state.type === "answering") return this.#state;
    return this.#state.type === "closed" ? this.#state.last : undefined;
  }

  #noteArrival({ id: turn, responseType }: ChatRequest): void {
    this.#lastUpdateMs = this.deps.clock.now();
    this.deps.telemetry.emit({ type: "turn_accepted", user: this.user, turn, chat: this.id, responseType });
  }

  /** Why a message is not taken, if it is not. */
  #refusalOf(asked: ChatRequest): TurnFailure | undefined {
    if (this.#state.type === "closed") return this.#state.failure;
    if ("utterance" in asked && this.deps.listen === undefined)
      return new TurnFailure("transcription_unavailable", NOT_UNDERSTOOD_HERE);
    if (this.#mailbox.length + (this.#floor === undefined ? 0 : 1) >= MAILBOX_MAX) return MAILBOX_FULL;
    this.#mode = asked.mode;
    return undefined;
  }

  #waiting(request: Waiting["request"], stop: AbortController, isUrgent = false): Waiting {
    const timer = this.deps.clock.after(MAILBOX_WAIT_MS_MAX, () => this.#expire(waiting));
    const sinceMs = this.deps.clock.monotonic();
    const waiting: Waiting = { request, stop, sinceMs, timer, isUrgent, origin: currentOrigin() };
    return waiting;
  }

  /** Finding out what is said begins at once. */
  #heard(asked: SpokenRequest, stop: AbortController): HeardRequest {
    const { utterance, ...request } = asked;
    const { consent } = request;
    const { pressedMs } = utterance;
    const pressed =
      pressedMs === undefined ? {} : { pressedMs, ...(consent && { consent: { ...consent, pressedMs } }) };
    return {
      ...request,
      ...pressed,
      words: withinTurn(asked.id, () => this.deps.listen!(asked, stop.signal)),
    };
  }

  #speaking(messageId: number): Speaking | undefined {
    return this.#floor?.request.messageId === messageId ? this.#floor : undefined;
  }

  #dropSpeech({ recording, request, stop }: Speaking, failure: TurnFailure): void {
    this.#floor = undefined;
    recording.giveUp(failure);
    stop.abort(failure);
    this.#refuse(request, failure);
  }

  #drop({ request, stop, timer }: Waiting, failure: TurnFailure): void {
    timer.cancel();
    stop.abort(failure);
    this.#refuse(request, failure);
  }

  #answerNext(): void {
    if (this.#state.type !== "idle" || this.#floor !== undefined) return;
    const next = this.#mailbox[0];
    const announcement = this.#announcementBefore(next);
    if (announcement !== undefined) {
      const stop = new AbortController();
      if (next !== undefined) onEmergency(next.request, () => stop.abort(STOPPED));
      const { id: turn } = announcement;
      const underWay = { turn, isAnnouncement: true, stop } as const;
      return this.#begin(underWay, this.origin, () => this.#say(announcement, stop.signal));
    }
    if (next === undefined) return;
    this.#mailbox.shift();
    const { origin, request, stop } = next;
    const underWay = { turn: request.id, isAnnouncement: false, stop } as const;
    this.#begin(underWay, origin, () => this.#answer(next, stop.signal));
  }

  /** Unasked only where the relay takes it, else before `next`, unless that calls for help. */
  #announcementBefore(next: Waiting | undefined): Announcement | undefined {
    const isWelcome = next === undefined ? this.line.link.announces === true : !next.isUrgent;
    return isWelcome ? this.#announcements.take() : undefined;
  }

  #begin(underWay: Omit<Answering, "type" | "done">, origin: Origin, work: () => Promise<void>): void {
    const { stop, turn } = underWay;
    const done = workFor(origin, () => withinTurn(turn, work)).finally(() => {
      // A recogniser may still be at it, when the turn did not wait for it any longer.
      stop.abort(new TurnFailure("timeout", "The turn is over."));
      this.#lastUpdateMs = this.deps.clock.now();
      if (this.#state.type !== "answering") return;
      this.#state = { type: "idle" };
      this.#answerNext();
    });
    this.#state = { ...underWay, type: "answering", done };
  }

  async #say(announcement: Announcement, stop: AbortSignal): Promise<void> {
    const { admission, announce } = this.deps;
    await this.previous;
    try {
      const { dialogue, isOver } = await admission.run(announcement, stop, (responseType) =>
        announce({ ...announcement, responseType }, this.#dialogue, this.line, stop),
      );
      this.#dialogue = dialogue;
      if (isOver) return;
    } catch (error) {
      if (!(error instanceof TurnFailure)) this.#fault(error);
    }
    this.#announcements.putBack(announcement);
  }

  async #answer({ isUrgent, request, sinceMs, timer }: Waiting, stop: AbortSignal): Promise<void> {
    const { admission, clock, runTurn, telemetry } = this.deps;
    await this.previous;
    try {
      const before = this.#dialogue;
      const begin = (as: ResponseType) => {
        timer.cancel();
        const waitedMs = clock.monotonic() - sinceMs;
        telemetry.emit({ type: "turn_started", user: this.user, waitedMs });
        const asked = as === request.responseType ? request : ({ ...request, withoutVoice: true } as const);
        return runTurn(asked, before, this.line, stop, sinceMs);
      };
      const turn = { request, isUrgent, hasPending: before.pending.length > 0 };
      this.#dialogue = await runWhenAdmitted(turn, begin, admission, stop);
    } catch (error) {
      timer.cancel();
      // What is told of it is said since the last readback, too.
      this.#dialogue = afterTurn(this.#dialogue, { lines: [], isNewSubject: false }, clock.monotonic());
      this.#refuse(request, error instanceof TurnFailure ? error : this.#fault(error));
    }
  }

  async #end(state: State, failure: TurnFailure, finishWithinMs: number): Promise<void> {
    const waiting = this.#mailbox.splice(0);
    for (const { timer } of waiting) timer.cancel();
    if (this.#floor !== undefined) this.#dropSpeech(this.#floor, failure);
    if (state.type === "answering") {
      const stop = () => state.stop.abort(failure);
      if (finishWithinMs === 0) stop();
      const timer = this.deps.clock.after(finishWithinMs, stop);
      await state.done;
      timer.cancel();
    }
    for (const one of waiting) this.#drop(one, failure);
  }

  #expire(waiting: Waiting): void {
    const index = this.#mailbox.indexOf(waiting);
    const late = new TurnFailure("timeout", "The message waited too long. Send it again.");
    if (index >= 0) {
      this.#mailbox.splice(index, 1);
      this.#drop(waiting, late);
    } else if (this.#state.type === "answering") {
      this.#state.stop.abort(late);
    }
  }

  #refuse(request: ChatRequest | HeardRequest, refused: TurnFailure): void {
    const failure = this.deps.explained?.(refused, request) ?? refused;
    const { requestId } = request;
    this.deps.telemetry.emit({ type: "turn_dropped", user: this.user, turn: request.id, code: failure.code });
    this.line.send({ type: "error", code: failure.code, error: failure.message, requestId });
    this.line.observe(request.id, { type: "finished", report: refusalReport(refused, failure) });
  }

  #fault(error: unknown): TurnFailure {
    this.deps.telemetry.emit({ type: "service_fault", where: "chat", error: String(error) });
    return new TurnFailure(
      "assistant_unavailable",
      "The assistant cannot answer now. Try again in a moment.",
    );
  }
}

const MAILBOX_FULL = new TurnFailure(
  "chat_busy",
  `${MAILBOX_MAX} messages are waiting already. Wait for an answer, then send this one again.`,
);
