/** The states of an operation, what happens to it, and what it wants to have done: values. `reduce.ts` leads from one to the next. */
import {
  type CallOutcome,
  type CallReply,
  CONSENT_MS_MAX,
  type Proposal,
  type Reply,
  type ReplyVerdict,
  type VoidReason,
} from "../../domain/operation.js";
import type { Reading } from "../../domain/reading.js";
import type { User } from "../../domain/user.js";
import type { LedgerEntry } from "../ledger/port.js";
import type { ReplyResult } from "../operations.js";

/** How long a person who is asked has to hear a readback to its end, in milliseconds. */
export const ASKED_MS_MAX = 300_000;

/** When something happened: monotonic, which is all that counts; and in Unix milliseconds, which is written down. */
export interface Moment {
  readonly atMs: number;
  readonly wallMs: number;
}

/** What never changes of an operation. */
export interface Frozen {
  readonly proposal: Proposal;
  readonly readback: string;
  /** A recogniser that is marked as rough may give more than plain consent. */
  readonly isRoughEnough: boolean;
}

/** Somebody to whom the readback was played while they were asked. */
export interface Listener {
  readonly by: User;
  /** When they heard it to its end last, monotonic; absent: the last one was cut off. */
  readonly heardMs: number | undefined;
  /** A readback that ended before is none: they were not asked yet, or it was cut off since. */
  readonly notBeforeMs: number;
}

/** How far one call is. */
export type CallState =
  | { readonly type: "waiting" }
  /** `calledMs`: when its reply came or was given up, monotonic. */
  | { readonly type: "called"; readonly isLost: boolean; readonly calledMs: number }
  | Watched
  | { readonly type: "done"; readonly outcome: CallOutcome; readonly reading?: Reading | undefined };

/** A call whose postcondition is looked at. Monotonic milliseconds. */
export interface Watched {
  readonly type: "watched";
  readonly calledMs: number;
  readonly untilMs: number;
  /** A match shows that the call took effect: its reply said so, or it was otherwise before. */
  readonly isConclusive: boolean;
  /** Counts the looks; an answer to another one is none. */
  readonly look: number;
  /** When it was or will be looked at. */
  readonly lookMs: number;
  readonly isLooking: boolean;
  /** What was read last after the call. */
  readonly reading?: Reading | undefined;
}

interface Common extends Frozen {
  /** Whose yes counted, in order. */
  readonly consents: readonly User[];
  /** Those who heard it, or a part of it, of the people who are asked now. */
  readonly listeners: readonly Listener[];
}

export type OperationState = Common &
  (
    | { readonly phase: "proposing" }
    | {
        readonly phase: "awaiting";
        readonly asked: "asker" | "second";
        /** Since when they are asked, monotonic. */
        readonly sinceMs: number;
        readonly misses: number;
      }
    /** Of each call, whether it was found as it was before. */
    | { readonly phase: "checking"; readonly isSame: readonly boolean[] }
    /** The row of `call` is being written. */
    | { readonly phase: "recording"; readonly call: number; readonly calls: readonly CallState[] }
    | {
        readonly phase: "executing";
        readonly call: number;
        readonly calls: readonly CallState[];
        /** No further call is made. */
        readonly isStopped: boolean;
      }
    | { readonly phase: "verifying"; readonly calls: readonly CallState[] }
    | {
        readonly phase: "ended";
        readonly calls: readonly CallState[];
        readonly reason?: VoidReason | undefined;
      }
  );

export type InPhase<P extends OperationState["phase"]> = Extract<OperationState, { readonly phase: P }>;

/** What happens. `call` counts from 0. */
export type OperationEvent = { readonly at: Moment } & (
  | { readonly type: "recorded"; readonly entry: LedgerEntry }
  | { readonly type: "record_failed" }
  /** Absent `heardMs`: it was cut off. */
  | { readonly type: "readback"; readonly to: User; readonly heardMs: number | undefined }
  | { readonly type: "reply"; readonly reply: Reply; readonly verdict: ReplyVerdict }
  | { readonly type: "stop"; readonly by: User }
  /** What was read after consent; absent: it could not be read. */
  | {
      readonly type: "checked";
      readonly call: number;
      readonly reading: Reading | undefined;
      readonly isForbidden: boolean;
    }
  | { readonly type: "called"; readonly call: number; readonly reply: CallReply }
  | {
      readonly type: "observed";
      readonly call: number;
      readonly look: number;
      readonly reading: Reading | undefined;
    }
  /** `dueMs` of the state has come. */
  | { readonly type: "tick" }
);

/** What is to be done, in this order; each but `answer` is answered by an event of its own. */
export type OperationEffect =
  | { readonly type: "record"; readonly entry: LedgerEntry }
  | { readonly type: "read_state"; readonly call: number }
  | { readonly type: "execute"; readonly call: number; readonly key: string }
  | { readonly type: "observe"; readonly call: number; readonly look: number }
  /** What the reply that just came is told. A reply without one waits until it is decided. */
  | { readonly type: "answer"; readonly result: ReplyResult };

export interface OperationStep {
  readonly state: OperationState;
  readonly effects: readonly OperationEffect[];
}

/** What stays the same from phase to phase. */
export function common({ consents, isRoughEnough, listeners, proposal, readback }: OperationState): Common {
  return { proposal, readback, isRoughEnough, consents, listeners };
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

/** The same step, with something to be done before. */
export function preceded(first: OperationEffect, { effects, state }: OperationStep): OperationStep {
  return { state, effects: [first, ...effects] };
}

export function sameUser(one: User, other: User): boolean {
  return one.network === other.network && one.username === other.username;
}

/** It is over without a further call. */
export function voided(state: OperationState, reason: VoidReason): OperationStep {
  const calls = state.proposal.calls.map(() => ({ type: "waiting" }) as const);
  return {
    state: { ...common(state), phase: "ended", calls, reason },
    effects: [record(state, { type: "ended", reason })],
  };
}

/** Until when it can be consented to, as it is now: monotonic milliseconds. Undefined: it is not asked about. */
export function consentUntilMs(state: OperationState): number | undefined {
  if (state.phase !== "awaiting") return undefined;
  const heard = state.listeners.flatMap(({ heardMs }) => heardMs ?? []).map((ms) => ms + CONSENT_MS_MAX);
  const toHearMs = state.sinceMs + ASKED_MS_MAX;
  // Further people may still turn up as the second; there is but one asker.
  return state.asked === "second" ? Math.max(toHearMs, ...heard) : (heard[0] ?? toHearMs);
}

/** When it wants a `tick`, in monotonic milliseconds. Undefined: it waits for something else, or for nothing. */
export function dueMs(state: OperationState): number | undefined {
  if (state.phase !== "verifying") return consentUntilMs(state);
  const looks = state.calls.flatMap((call) =>
    call.type === "watched" && !call.isLooking ? call.lookMs : [],
  );
  return looks.length === 0 ? undefined : Math.min(...looks);
}

/** A monotonic time in Unix milliseconds, as the wall clock is set now. */
export function wallOf(ms: number, { atMs, wallMs }: Moment): number {
  return Math.round(wallMs - (atMs - ms));
}
