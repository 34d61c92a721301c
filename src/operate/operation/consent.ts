/** Who is asked, what they have heard, and what their reply counts: all rules of consent but those of its words. Pure. */
import { CONSENT_MS_MAX, type Reply, type ReplyVerdict } from "../../domain/operation.js";
import type { User } from "../../domain/user.js";
import type { NotCounted } from "../operations.js";
import { withheld } from "./execution.js";
import {
  common,
  type InPhase,
  type Listener,
  type Moment,
  type OperationEffect,
  type OperationState,
  type OperationStep,
  preceded,
  record,
  sameUser,
  voided,
  wallOf,
} from "./state.js";

/** Replies of those who are asked now that nobody understands; the last one voids. */
export const MISSES_MAX = 3;

/** People whose readbacks are remembered at once while a second person is looked for; a further one is not asked. */
export const LISTENERS_MAX = 16;

type Awaiting = InPhase<"awaiting">;

/** A readback was played to somebody. It counts for them alone, and only while it is they who are asked. */
export function readBack(
  state: OperationState,
  to: User,
  heardMs: number | undefined,
  at: Moment,
): OperationStep {
  if (state.phase !== "awaiting" || !isAskedNow(state, to)) return { state, effects: [] };
  const before = listenerOf(state, to);
  const others = state.listeners.filter((one) => one !== before);
  const notBeforeMs = before?.notBeforeMs ?? state.sinceMs;
  // What comes in late or twice tells of a readback that counts already, or does not count any more.
  const counts = heardMs !== undefined && heardMs > (before?.heardMs ?? notBeforeMs);
  if ((heardMs !== undefined && !counts) || others.length >= LISTENERS_MAX) return { state, effects: [] };
  const listener: Listener = counts
    ? { by: to, heardMs, notBeforeMs }
    : { by: to, heardMs: undefined, notBeforeMs: at.atMs };
  const row = record(state, {
    type: "readback",
    to: to.username,
    ...(counts && { heardAtMs: wallOf(heardMs, at) }),
  });
  return { state: { ...state, listeners: [...others, listener] }, effects: [row] };
}

/** Somebody said something to it. */
export function replied(
  state: OperationState,
  reply: Reply,
  verdict: ReplyVerdict,
  at: Moment,
): OperationStep {
  const { pressedMs, ...rest } = reply;
  const row = (refused?: string): OperationEffect =>
    record(state, { type: "reply", reply: rest, verdict, refused, pressedAtMs: wallOf(pressedMs, at) });
  if (state.phase === "ended") {
    const { reason } = state;
    const result =
      reason === undefined ? { type: "unknown_operation" as const } : { type: "ended" as const, reason };
    return { state, effects: [{ type: "answer", result }] };
  }
  if (verdict === "denied" && mayDeny(state, reply.by)) return preceded(row(), withheld(state, "denied", at));
  if (state.phase !== "awaiting") {
    const refused = mayDeny(state, reply.by) ? "already_decided" : "not_asked_of_you";
    const told = refused === "not_asked_of_you" ? [notCounted(refused, MISSES_MAX)] : [];
    return { state, effects: [row(refused), ...told] };
  }
  const why = refusalOf(state, reply, verdict, at);
  if (why === undefined) return preceded(row(), consented(state, reply.by, at));
  const misses = state.misses + (why === "unclear" ? 1 : 0);
  if (misses >= MISSES_MAX) return preceded(row(why), voided(state, "missed"));
  return { state: { ...state, misses }, effects: [row(why), notCounted(why, MISSES_MAX - misses)] };
}

/** "Stop" of somebody who is or was asked. Of others it means something else. */
export function stopped(state: OperationState, by: User, at: Moment): OperationStep {
  const isFor = sameUser(by, state.proposal.askedOf) || listenerOf(state, by) !== undefined;
  return isFor ? withheld(state, "stopped", at) : { state, effects: [] };
}

/** What was heard of it by now: within its time, when the words come in. */
function heardBy(state: Awaiting, by: User, atMs: number): number | undefined {
  const heardMs = listenerOf(state, by)?.heardMs;
  return heardMs === undefined || atMs >= heardMs + CONSENT_MS_MAX ? undefined : heardMs;
}

/** Why a reply is no consent. Undefined: it is. */
function refusalOf(
  state: Awaiting,
  { by, isRough, isTrusted, pressedMs }: Reply,
  verdict: ReplyVerdict,
  { atMs }: Moment,
): NotCounted | undefined {
  const { isRoughEnough, proposal } = state;
  if (state.asked === "second" && sameUser(by, proposal.askedOf)) return "same_person";
  if (!isAskedNow(state, by)) return "not_asked_of_you";
  const heardMs = heardBy(state, by, atMs);
  if (heardMs === undefined) return "readback_not_heard";
  if (verdict !== "approved") return "unclear";
  if (Math.min(pressedMs, atMs) <= heardMs) return "pressed_too_early";
  if (proposal.level === "plain") return undefined;
  if (isRough && !isRoughEnough) return "rough_recogniser";
  return isTrusted ? undefined : "not_trusted";
}

/** A yes that counts: the next person is asked, or the targets are read once more. */
function consented(state: Awaiting, by: User, { atMs }: Moment): OperationStep {
  const { proposal } = state;
  const consents = [...state.consents, by];
  if (proposal.level === "second_person" && state.asked === "asker") {
    const { number } = proposal;
    return {
      state: { ...state, consents, asked: "second", sinceMs: atMs, misses: 0 },
      effects: [{ type: "answer", result: { type: "needs_second_person", number } }],
    };
  }
  return {
    state: { ...common(state), consents, phase: "checking", isSame: proposal.calls.map(() => false) },
    effects: proposal.calls.map((_, call) => ({ type: "read_state", call })),
  };
}

/** The asker alone; then anybody else of the network. */
function isAskedNow({ asked, proposal }: Awaiting, by: User): boolean {
  const isAsker = sameUser(by, proposal.askedOf);
  return asked === "asker" ? isAsker : !isAsker && by.network === proposal.askedOf.network;
}

/** Those who have been asked may deny, whether they heard all of it or not. */
function mayDeny(state: OperationState, by: User): boolean {
  const { askedOf, level } = state.proposal;
  const isSecondAsked = level === "second_person" && state.consents.length > 0;
  return sameUser(by, askedOf) || (isSecondAsked && by.network === askedOf.network);
}

function listenerOf({ listeners }: OperationState, by: User): Listener | undefined {
  return listeners.find((one) => sameUser(one.by, by));
}

function notCounted(why: NotCounted, missesLeft: number): OperationEffect {
  return { type: "answer", result: { type: "not_counted", why, missesLeft } };
}
