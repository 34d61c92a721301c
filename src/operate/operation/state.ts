/** The states of an operation, what happens to it, and what it wants to have done: values. `reduce.ts` leads from one to the next. */
import {
  type CallOutcome,
  type CallReply,
  CONSENT_MS_MAX,
  type GivenUp,
  type Proposal,
  type Reply,
  type ReplyResult,
  type ReplyVerdict,
  type VoidReason,
} from "../../domain/operation.js";
import type { Reading } from "../../domain/reading.js";
import type { AskedAs } from "../../domain/turn.js";
import { sameUser, type User } from "../../domain/user.js";
import type { LedgerEntry } from "../ledger/port.js";

/** How long a person who is asked has to hear a readback to its end, in milliseconds. */
export const ASKED_MS_MAX = 300_000;

/** How long what came of it is worth telling, in milliseconds. */
export const NEWS_MS_MAX = 12 * 3_600_000;

/** When something happened: monotonic, which is all that counts; and in Unix milliseconds, which is written down. */
export interface Moment {
  readonly atMs: number;
  readonly wallMs: number;
}

export interface Frozen {
  readonly proposal: Proposal;
  readonly readback: string;
  readonly askedAs: AskedAs;
}

/** Somebody to whom the readback was played while they were asked. */
export interface Listener {
  readonly by: User;
  /** When they heard it to its end last, monotonic; absent: the last one was cut off. */
  readonly heardMs: number | undefined;
  /** A readback that ended before is none: they were not asked yet, or it was cut off since. */
  readonly notBeforeMs: number;
}

export type CallState =
  /** `waiting`: it was found as it was before. */
  | { readonly type: "unchecked" | "waiting" }
  | Watched
  | { readonly type: "done"; readonly outcome: CallOutcome; readonly reading?: Reading | undefined };

/** A call that was made, and whose postcondition is looked at once all are made. Monotonic milliseconds. */
export interface Watched {
  readonly type: "watched";
  readonly calledMs: number;
  readonly untilMs: number;
  /** A match shows that the call took effect: its reply said so, or it was otherwise before. */
  readonly isConclusive: boolean;
  /** Counts the looks; an answer to another one is none. The last was, or the next will be, at `lookMs`. */
  readonly look: number;
  readonly lookMs: number;
  readonly isLooking: boolean;
  /** What was read last after the call. */
  readonly reading?: Reading | undefined;
}

export type Phase =
  | { readonly type: "proposing" | "checking" | "verifying" }
  /** `sinceMs`: since when they are asked, monotonic. */
  | {
      readonly type: "awaiting";
      readonly asked: "asker" | "second";
      readonly sinceMs: number;
      readonly misses: number;
    }
  /** The row of `call` is being written. */
  | { readonly type: "recording"; readonly call: number }
  /** `isStopped`: no further call is made. */
  | { readonly type: "executing"; readonly call: number; readonly isStopped: boolean }
  /** `tellMs`: until when its asker has to be told, monotonic; absent: they know, or need not. */
  | {
      readonly type: "ended";
      readonly reason?: VoidReason | undefined;
      readonly tellMs?: number | undefined;
    };

export interface OperationState extends Frozen {
  readonly phase: Phase;
  /** Of each call of the proposal, in order. */
  readonly calls: readonly CallState[];
  /** Whose yes counted, in order. */
  readonly consents: readonly User[];
  /** Those who heard it, or a part of it, of the people who are asked now. */
  readonly listeners: readonly Listener[];
}

/** What happens. `call` counts from 0. */
export type OperationEvent = { readonly at: Moment } & (
  | { readonly type: "recorded"; readonly entry: LedgerEntry }
  | { readonly type: "record_failed" }
  /** Absent `heardMs`: it was cut off. */
  | { readonly type: "readback"; readonly to: User; readonly heardMs: number | undefined }
  | { readonly type: "reply"; readonly reply: Reply; readonly verdict: ReplyVerdict }
  | { readonly type: "stop"; readonly by: User }
  /** Absent `reading`: it could not be read. `isForbidden`: nothing may be done to it now. */
  | {
      readonly type: "read";
      readonly call: number;
      readonly look: number;
      readonly reading: Reading | undefined;
      readonly isForbidden: boolean;
    }
  | { readonly type: "called"; readonly call: number; readonly reply: CallReply }
  /** Somebody has heard what came of it, or will not hear of it any more. */
  | { readonly type: "told"; readonly to: User; readonly givenUp?: GivenUp | undefined }
  /** `dueMs` of the state has come. */
  | { readonly type: "tick" }
);

export type EventAs<Type extends OperationEvent["type"]> = Extract<OperationEvent, { readonly type: Type }>;

/** What is to be done, in this order; each but `answer` is answered by an event of its own. */
export type OperationEffect =
  | { readonly type: "record"; readonly entry: LedgerEntry }
  /** `look`: 0 before the call. */
  | { readonly type: "read"; readonly call: number; readonly look: number }
  | { readonly type: "execute"; readonly call: number; readonly key: string }
  /** What the reply that just came is told. A reply without one waits until it is decided. */
  | { readonly type: "answer"; readonly result: ReplyResult };

export interface OperationStep {
  readonly state: OperationState;
  readonly effects: readonly OperationEffect[];
}

/** On the way to a state: yields what is to be done, in this order. */
export type Way = Generator<OperationEffect, OperationState, undefined>;

export function step(way: Way): OperationStep {
  const effects: OperationEffect[] = [];
  for (;;) {
    const { done, value } = way.next();
    if (done) return { state: value, effects };
    effects.push(value);
  }
}

/** `Omit` for each member of a union by itself. */
export type OmitEach<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

/** The row with what every row of this operation has. */
export function record(
  { proposal }: Frozen,
  entry: OmitEach<LedgerEntry, "operation" | "network">,
): OperationEffect {
  const row = { operation: proposal.id, network: proposal.askedOf.network, ...entry } as LedgerEntry;
  return { type: "record", entry: row };
}

/** Whether it has to be told why nothing was done, or what was: what people denied or let lapse is no news to them. */
function isNews(reason: VoidReason | undefined): boolean {
  return reason === undefined || /^(restarted|state_changed|unreadable|withdrawn)$/.test(reason);
}

/** Whether an operation is over with this row, and nobody has to be told of it. */
export function isLast(entry: LedgerEntry): boolean {
  return entry.type === "told" || (entry.type === "ended" && !isNews(entry.reason));
}

/** It is over; `reason`: without a call. */
export function* ended(state: OperationState, at: Moment, reason?: VoidReason): Way {
  yield record(state, { type: "ended", reason });
  return endedSince(state, at.atMs, reason);
}

export function endedSince(state: OperationState, sinceMs: number, reason?: VoidReason): OperationState {
  const tellMs = isNews(reason) ? sinceMs + NEWS_MS_MAX : undefined;
  return { ...state, phase: { type: "ended", reason, tellMs } };
}

/** Its asker was told what came of it, or is not told any more. */
export function* told(state: OperationState, to: User, givenUp?: GivenUp): Way {
  const { phase, proposal } = state;
  const isOwed = phase.type === "ended" && phase.tellMs !== undefined && sameUser(to, proposal.askedOf);
  if (!isOwed) return state;
  yield record(state, { type: "told", to: to.username, givenUp });
  return { ...state, phase: { ...phase, tellMs: undefined } };
}

/** Until when it can be consented to, as it is now: monotonic milliseconds. Undefined: it is not asked about. */
export function consentUntilMs({ listeners, phase }: OperationState): number | undefined {
  if (phase.type !== "awaiting") return undefined;
  const heard = listeners.flatMap(({ heardMs }) => heardMs ?? []).map((ms) => ms + CONSENT_MS_MAX);
  const toHearMs = phase.sinceMs + ASKED_MS_MAX;
  // Further people may still turn up as the second; there is but one asker.
  return phase.asked === "second" ? Math.max(toHearMs, ...heard) : (heard[0] ?? toHearMs);
}

/** When it wants a `tick`, in monotonic milliseconds. Undefined: it waits for something else, or for nothing. */
export function dueMs(state: OperationState): number | undefined {
  if (state.phase.type === "ended") return state.phase.tellMs;
  if (state.phase.type !== "verifying") return consentUntilMs(state);
  const looks = state.calls.flatMap((call) =>
    call.type === "watched" && !call.isLooking ? call.lookMs : [],
  );
  return looks.length === 0 ? undefined : Math.min(...looks);
}

/** A monotonic time in Unix milliseconds, as the wall clock is set now. */
export function wallOf(ms: number, { atMs, wallMs }: Moment): number {
  return Math.round(wallMs - (atMs - ms));
}
