/** Who is asked, what they have heard, and what their reply counts: all rules of consent but those of its words. Pure. */
import { CONSENT_MS_MAX, type NotCounted, type Reply, type ReplyVerdict } from "../../domain/operation.js";
import { sameUser, type User } from "../../domain/user.js";
import { withheld } from "./calls.js";
import {
  ended,
  entering,
  type Listener,
  type Moment,
  type OperationEffect,
  type OperationState,
  type OperationStep,
  type Phase,
  preceded,
  record,
  step,
  wallOf,
} from "./state.js";

/** Replies of those who are asked now that nobody understands; the last one voids. */
export const MISSES_MAX = 3;

/** People whose readbacks are remembered at once while a second person is looked for; a further one is not asked. */
export const LISTENERS_MAX = 16;

type Awaiting = Extract<Phase, { readonly type: "awaiting" }>;

/** A readback was played to somebody. It counts for them alone, and only while it is they who are asked. */
export function readBack(
  state: OperationState,
  to: User,
  heardMs: number | undefined,
  at: Moment,
): OperationStep {
  const { listeners, phase } = state;
  if (phase.type !== "awaiting" || !isAskedNow(state, phase, to)) return step(state);
  const before = listenerOf(state, to);
  const others = listeners.filter((one) => one !== before);
  const notBeforeMs = before?.notBeforeMs ?? phase.sinceMs;
  // What comes in late or twice tells of a readback that counts already, or does not count any more.
  const counts = heardMs !== undefined && heardMs > (before?.heardMs ?? notBeforeMs);
  if ((heardMs !== undefined && !counts) || others.length >= LISTENERS_MAX) return step(state);
  const listener: Listener = { by: to, heardMs, notBeforeMs: counts ? notBeforeMs : at.atMs };
  const heard = counts ? { heardAtMs: wallOf(heardMs, at) } : {};
  const row = record(state, { type: "readback", to: to.username, ...heard });
  return step({ ...state, listeners: [...others, listener] }, row);
}

/** Somebody said something to it. */
export function replied(
  state: OperationState,
  reply: Reply,
  verdict: ReplyVerdict,
  at: Moment,
): OperationStep {
  const { phase } = state;
  const { pressedMs, ...rest } = reply;
  const row = (refused?: string): OperationEffect =>
    record(state, { type: "reply", reply: rest, verdict, refused, pressedAtMs: wallOf(pressedMs, at) });
  if (phase.type === "ended") {
    const { reason } = phase;
    const result =
      reason === undefined ? ({ type: "unknown_operation" } as const) : ({ type: "ended", reason } as const);
    return step(state, { type: "answer", result });
  }
  if (verdict === "denied" && mayDeny(state, reply.by))
    return preceded([row()], withheld(state, "denied", at));
  if (phase.type !== "awaiting") {
    const refused = mayDeny(state, reply.by) ? "already_decided" : "not_asked_of_you";
    const answer = refused === "not_asked_of_you" ? [notCounted(refused, MISSES_MAX)] : [];
    return step(state, row(refused), ...answer);
  }
  const why = refusalOf(state, phase, reply, verdict, at);
  if (why === undefined) return preceded([row()], consented(state, phase, reply.by, at));
  const misses = phase.misses + (why === "unclear" ? 1 : 0);
  if (misses >= MISSES_MAX) return preceded([row(why)], ended(state, at, "missed"));
  return entering(state, { ...phase, misses }, row(why), notCounted(why, MISSES_MAX - misses));
}

/** "Stop" of somebody who is or was asked. Of others it means something else. */
export function stopped(state: OperationState, by: User, at: Moment): OperationStep {
  const isFor = sameUser(by, state.proposal.askedOf) || listenerOf(state, by) !== undefined;
  return isFor ? withheld(state, "stopped", at) : step(state);
}

/** Why a reply is no consent. Undefined: it is. */
function refusalOf(
  state: OperationState,
  asked: Awaiting,
  { by, isRough, isTrusted, pressedMs }: Reply,
  verdict: ReplyVerdict,
  { atMs }: Moment,
): NotCounted | undefined {
  const { proposal } = state;
  if (asked.asked === "second" && sameUser(by, proposal.askedOf)) return "same_person";
  if (!isAskedNow(state, asked, by)) return "not_asked_of_you";
  const heardMs = listenerOf(state, by)?.heardMs;
  if (heardMs === undefined || atMs >= heardMs + CONSENT_MS_MAX) return "readback_not_heard";
  if (verdict !== "approved") return "unclear";
  if (Math.min(pressedMs, atMs) <= heardMs) return "pressed_too_early";
  if (proposal.level === "plain") return undefined;
  if (isRough) return "rough_recogniser";
  return isTrusted ? undefined : "not_trusted";
}

/** A yes that counts: the next person is asked, or the targets are read once more. */
function consented(state: OperationState, asked: Awaiting, by: User, { atMs }: Moment): OperationStep {
  const { calls, level, number } = state.proposal;
  const next = { ...state, consents: [...state.consents, by] };
  const needsSecond = { type: "answer", result: { type: "needs_second_person", number } } as const;
  if (level === "second_person" && asked.asked === "asker")
    return entering(next, { ...asked, asked: "second", sinceMs: atMs, misses: 0 }, needsSecond);
  const reads = calls.map((_, call) => ({ type: "read", call, look: 0 }) as const);
  return entering(next, { type: "checking" }, ...reads);
}

/** The asker alone; then anybody else of the network. */
function isAskedNow({ proposal: { askedOf } }: OperationState, { asked }: Awaiting, by: User): boolean {
  const isAsker = sameUser(by, askedOf);
  return asked === "asker" ? isAsker : !isAsker && by.network === askedOf.network;
}

/** Those who have been asked may deny, whether they heard all of it or not. */
function mayDeny({ consents, proposal: { askedOf, level } }: OperationState, by: User): boolean {
  const isSecondAsked = level === "second_person" && consents.length > 0;
  return sameUser(by, askedOf) || (isSecondAsked && by.network === askedOf.network);
}

function listenerOf({ listeners }: OperationState, by: User): Listener | undefined {
  return listeners.find((one) => sameUser(one.by, by));
}

function notCounted(why: NotCounted, missesLeft: number): OperationEffect {
  return { type: "answer", result: { type: "not_counted", why, missesLeft } };
}
