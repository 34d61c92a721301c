/** Who is asked, what they have heard, and what their reply counts: all rules of consent but those of its words. Pure. */
import { CONSENT_MS_MAX, type NotCounted, type ReplyResult } from "../../domain/operation.js";
import { sameUser, type User } from "../../domain/user.js";
import { withheld } from "./calls.js";
import {
  type EventOf,
  ended,
  type Listener,
  type Moment,
  type OperationEffect,
  type OperationState,
  type Phase,
  record,
  type Way,
  wallOf,
} from "./state.js";

/** Replies of those who are asked now that nobody understands; the last one voids. */
export const MISSES_MAX = 3;

/** People whose readbacks are remembered at once while a second person is looked for; a further one is not asked. */
export const LISTENERS_MAX = 16;

type Awaiting = Extract<Phase, { readonly type: "awaiting" }>;

/** A readback was played to somebody. It counts for them alone, and only while it is they who are asked. */
export function* readBack(state: OperationState, { at, heardMs, to }: EventOf<"readback">): Way {
  const { listeners, phase } = state;
  if (phase.type !== "awaiting" || !isAskedNow(state, phase, to)) return state;
  const before = listenerOf(state, to);
  const others = listeners.filter((one) => one !== before);
  const notBeforeMs = before?.notBeforeMs ?? phase.sinceMs;
  // What comes in late or twice tells of a readback that counts already, or does not count any more.
  const counts = heardMs !== undefined && heardMs > (before?.heardMs ?? notBeforeMs);
  if ((heardMs !== undefined && !counts) || others.length >= LISTENERS_MAX) return state;
  const heardAtMs = counts ? wallOf(heardMs, at) : undefined;
  yield record(state, { type: "readback", to: to.username, heardAtMs });
  const listener: Listener = { by: to, heardMs, notBeforeMs: counts ? notBeforeMs : at.atMs };
  return { ...state, listeners: [...others, listener] };
}

/** Somebody said something to it. */
export function* replied(state: OperationState, event: EventOf<"reply">): Way {
  const { at, reply, verdict } = event;
  const { phase } = state;
  if (phase.type === "ended") {
    const { reason } = phase;
    yield answer(reason === undefined ? { type: "unknown_operation" } : { type: "ended", reason });
    return state;
  }
  const why = refusalOf(state, event);
  const { pressedMs, ...rest } = reply;
  const pressedAtMs = wallOf(pressedMs, at);
  yield record(state, { type: "reply", reply: rest, verdict, refused: why, pressedAtMs });
  if (why === undefined)
    return yield* verdict === "denied" ? withheld(state, "denied", at) : consented(state, reply.by, at);
  if (why === "already_decided") return state;
  const isAwaiting = phase.type === "awaiting";
  const misses = (isAwaiting ? phase.misses : 0) + (why === "unclear" ? 1 : 0);
  if (misses >= MISSES_MAX) return yield* ended(state, at, "missed");
  yield answer({ type: "not_counted", why, missesLeft: MISSES_MAX - misses });
  return isAwaiting ? { ...state, phase: { ...phase, misses } } : state;
}

/** "Stop" of somebody who is or was asked. Of others it means something else. */
export function* stopped(state: OperationState, { at, by }: EventOf<"stop">): Way {
  const isFor = sameUser(by, state.proposal.askedOf) || listenerOf(state, by) !== undefined;
  return isFor ? yield* withheld(state, "stopped", at) : state;
}

/** Why a reply does not count. Undefined: it is a denial or a consent that does. */
function refusalOf(
  state: OperationState,
  { at: { atMs }, reply: { by, isRough, isTrusted, pressedMs }, verdict }: EventOf<"reply">,
): NotCounted | "already_decided" | undefined {
  const { phase, proposal } = state;
  const denies = mayDeny(state, by);
  if (verdict === "denied" && denies) return undefined;
  if (phase.type !== "awaiting") return denies ? "already_decided" : "not_asked_of_you";
  if (phase.asked === "second" && sameUser(by, proposal.askedOf)) return "same_person";
  if (!isAskedNow(state, phase, by)) return "not_asked_of_you";
  const heardMs = listenerOf(state, by)?.heardMs;
  if (heardMs === undefined || atMs >= heardMs + CONSENT_MS_MAX) return "readback_not_heard";
  if (verdict !== "approved") return "unclear";
  if (Math.min(pressedMs, atMs) <= heardMs) return "pressed_too_early";
  if (proposal.level === "plain") return undefined;
  if (isRough) return "rough_recogniser";
  return isTrusted ? undefined : "not_trusted";
}

/** A yes that counts: the next person is asked, or the targets are read once more. */
function* consented(state: OperationState, by: User, { atMs }: Moment): Way {
  const { calls, level, number } = state.proposal;
  const consents = [...state.consents, by];
  if (level === "second_person" && consents.length === 1) {
    yield answer({ type: "needs_second_person", number });
    return { ...state, consents, phase: { type: "awaiting", asked: "second", sinceMs: atMs, misses: 0 } };
  }
  for (const call of calls.keys()) yield { type: "read", call, look: 0 };
  return { ...state, consents, phase: { type: "checking" } };
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

function answer(result: ReplyResult): OperationEffect {
  return { type: "answer", result };
}
