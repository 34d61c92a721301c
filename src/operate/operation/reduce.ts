/**
 * An operation as a state machine: proposing → awaiting → checking → recording ⇄ executing → verifying → ended. It is the
 * only place that lets a tool be called, and knows nothing of how: time comes in with the events, what is to be done
 * comes out as effects. An event that the state does not wait for, such as an answer that comes twice, changes nothing.
 * Here are all rules of consent but those of its words: who is asked, what they have heard, and what their reply counts.
 */
import {
  type CallOutcome,
  type CallReply,
  CONSENT_MS_MAX,
  type NotCounted,
  type OperationCall,
  type OperationView,
  type ReplyResult,
  type VoidReason,
} from "../../domain/operation.js";
import type { Reading } from "../../domain/reading.js";
import type { AskedAs } from "../../domain/turn.js";
import { sameUser, type User } from "../../domain/user.js";
import { sameValue } from "../../grounding/checkers/statements.js";
import type { LedgerEntry, LedgerRow } from "../ledger/port.js";
import {
  type CallState,
  consentUntilMs,
  type EventAs,
  ended,
  endedSince,
  type Frozen,
  isLast,
  type Listener,
  type Moment,
  type OperationEffect,
  type OperationEvent,
  type OperationState,
  type OperationStep,
  type Phase,
  record,
  step,
  told,
  type Watched,
  type Way,
  wallOf,
} from "./state.js";

/** Replies of those who are asked now that nobody understands; the last one voids. */
export const MISSES_MAX = 3;

/** People whose readbacks are remembered at once while a second person is looked for; a further one is not asked. */
export const LISTENERS_MAX = 16;

/** Between an answer that does not decide and the next look, in milliseconds. */
export const LOOK_PAUSE_MS = 3_000;

/** The longest window of a postcondition, in milliseconds. */
export const WINDOW_MS_MAX = 900_000;

type Awaiting = Extract<Phase, { readonly type: "awaiting" }>;

/** A new operation: nobody is asked before its row is on disk. */
export function propose(frozen: Frozen): OperationStep {
  const { askedAs, proposal, readback } = frozen;
  const calls = proposal.calls.map(() => ({ type: "unchecked" }) as const);
  const state = { ...frozen, phase: { type: "proposing" }, calls, consents: [], listeners: [] } as const;
  return { state, effects: [record(frozen, { type: "proposed", proposal, readback, askedAs })] };
}

/** What an event makes of a state, and what is to be done. Pure and total: it never throws. */
export function reduce(before: OperationState, event: OperationEvent): OperationStep {
  return step(happened(before, event));
}

const WAYS: {
  readonly [Type in OperationEvent["type"]]: (state: OperationState, event: EventAs<Type>) => Way;
} = {
  recorded,
  record_failed: (state, { at }) => withheld(state, "not_recorded", at),
  readback: readBack,
  reply: replied,
  stop: stopped,
  read,
  called,
  told: (state, { givenUp, to }) => told(state, to, givenUp),
  tick: (state, { at }) => looked(state, at),
};

function* happened(before: OperationState, event: OperationEvent): Way {
  // Whatever comes in after the time is over meets an operation that has ended, or is not told any more.
  const state = yield* lapsed(before, event);
  return yield* WAYS[event.type](state, event as never);
}

/** Nobody can consent any more, or the news are too old: that is over, whether a timer said so yet or not. */
function* lapsed(state: OperationState, { at }: OperationEvent): Way {
  const { listeners, phase, proposal } = state;
  if (phase.type === "ended" && at.atMs >= (phase.tellMs ?? Infinity))
    return yield* told(state, proposal.askedOf, "too_late");
  if (phase.type !== "awaiting" || at.atMs < consentUntilMs(state)!) return state;
  const wasHeard = phase.asked === "second" || listeners.some(({ heardMs }) => heardMs !== undefined);
  return yield* ended(state, at, wasHeard ? "expired" : "not_heard");
}

/** A readback was played to somebody. It counts for them alone, and only while it is they who are asked. */
function* readBack(state: OperationState, { at, heardMs, to }: EventAs<"readback">): Way {
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

function* replied(state: OperationState, event: EventAs<"reply">): Way {
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
function* stopped(state: OperationState, { at, by }: EventAs<"stop">): Way {
  const isFor = sameUser(by, state.proposal.askedOf) || listenerOf(state, by) !== undefined;
  return isFor ? yield* withheld(state, "stopped", at) : state;
}

/** Why a reply does not count. Undefined: it is a denial or a consent that does. */
function refusalOf(
  state: OperationState,
  { at: { atMs }, reply: { by, isRough, isTrusted, pressedMs }, verdict }: EventAs<"reply">,
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

/** Something was read: after consent of each target, later of what a call was to bring about. */
function* read(state: OperationState, event: EventAs<"read">): Way {
  const one = state.calls[event.call];
  if (state.phase.type === "checking" && one?.type === "unchecked" && event.look === 0)
    return yield* checked(state, event);
  const isAwaited = one?.type === "watched" && one.isLooking && one.look === event.look;
  return isAwaited ? yield* observed(state, one, event) : state;
}

/** Whatever is not as it was when it was proposed voids all of it. */
function* checked(before: OperationState, { at, call, isForbidden, reading }: EventAs<"read">): Way {
  yield record(before, { type: "read", call, reading });
  const problem = isForbidden ? "withdrawn" : changeOf(before.proposal.calls[call]!, reading);
  if (problem !== undefined) return yield* ended(before, at, problem);
  const state = { ...before, calls: before.calls.with(call, { type: "waiting" }) };
  if (state.calls.some(({ type }) => type === "unchecked")) return state;
  return yield* state.proposal.dryRun ? closed(state, "dry_run", at) : recording(state, 0);
}

/** A row is on disk. Two of them are waited for: that of the proposal, and that of a call, which may be made now, once. */
function* recorded(state: OperationState, { at, entry }: EventAs<"recorded">): Way {
  const { phase } = state;
  if (entry.type === "proposed" && phase.type === "proposing")
    return { ...state, phase: { type: "awaiting", asked: "asker", sinceMs: at.atMs, misses: 0 } };
  if (entry.type !== "executing" || phase.type !== "recording" || phase.call !== entry.call) return state;
  const { call, key } = entry;
  yield { type: "execute", call, key };
  return { ...state, phase: { type: "executing", call, isStopped: false } };
}

/** A call was answered, or given up. Unless it was told to be ok, no further one is made. */
function* called(before: OperationState, { at, call, reply }: EventAs<"called">): Way {
  const { phase, proposal } = before;
  if (phase.type !== "executing" || phase.call !== call) return before;
  yield record(before, { type: "executed", call, reply });
  if (reply.type === "refused") yield record(before, { type: "outcome", call, outcome: "failed" });
  const calls = before.calls.with(call, afterReply(proposal.calls[call]!, reply.type, at));
  const state = { ...before, calls };
  const goesOn = reply.type === "ok" && !phase.isStopped && call + 1 < calls.length;
  return yield* goesOn ? recording(state, call + 1) : closed(state, "skipped", at);
}

/** How far a call is once it was answered. What a tool says of a failure is as little known as what became of a lost one. */
function afterReply(what: OperationCall, reply: CallReply["type"], { atMs }: Moment): CallState {
  if (reply === "refused") return { type: "done", outcome: "failed" };
  return {
    type: "watched",
    calledMs: atMs,
    untilMs: atMs + Math.min(what.postcondition.windowMs, WINDOW_MS_MAX),
    isConclusive: reply === "ok" || !isMet(what, what.before),
    look: 0,
    lookMs: atMs,
    isLooking: false,
  };
}

/** No call is made from now on. Before the first one that voids it all; what has been called is looked at. */
function* withheld(state: OperationState, reason: VoidReason, at: Moment): Way {
  const { phase } = state;
  if (phase.type === "verifying" || phase.type === "ended") return state;
  if (phase.type === "executing") return { ...state, phase: { ...phase, isStopped: true } };
  const isBegun = phase.type === "recording" && phase.call > 0;
  return yield* isBegun ? closed(state, "skipped", at) : ended(state, at, reason);
}

/** The same call of the same operation always has the same key, so that a tool which takes one does it once. */
function* recording(state: OperationState, call: number): Way {
  const { calls, id } = state.proposal;
  yield record(state, { type: "executing", call, key: `${id}-${call}`, what: calls[call]! });
  return { ...state, phase: { type: "recording", call } };
}

/** No call is made any more: those that were not come to `outcome`, the others are looked at. */
function* closed(state: OperationState, outcome: CallOutcome, at: Moment): Way {
  const calls = [...state.calls];
  for (const [call, { type }] of calls.entries())
    if (type === "waiting" || type === "unchecked") {
      calls[call] = { type: "done", outcome };
      yield record(state, { type: "outcome", call, outcome });
    }
  return yield* looked({ ...state, calls, phase: { type: "verifying" } }, at);
}

/** Looks at everything that is due; where nothing is left, it is over. */
function* looked(state: OperationState, at: Moment): Way {
  if (state.phase.type !== "verifying") return state;
  if (state.calls.every(({ type }) => type === "done")) return yield* ended(state, at);
  const calls = [...state.calls];
  for (const [call, one] of calls.entries())
    if (one.type === "watched" && !one.isLooking && one.lookMs <= at.atMs) {
      const look = one.look + 1;
      calls[call] = { ...one, isLooking: true, look, lookMs: at.atMs };
      yield { type: "read", call, look };
    }
  return { ...state, calls };
}

/** A look was answered. One that began when the window was over is the last. */
function* observed(state: OperationState, one: Watched, { at, call, reading: answer }: EventAs<"read">): Way {
  const what = state.proposal.calls[call]!;
  // It was asked for after the call, and yet may be older: the site keeps values for a while. The wall clock may have been
  // set since: the instant of the call is told as it shows now.
  const isAfter = isOf(what, answer) && answer.takenAtMs >= wallOf(one.calledMs, at);
  const reading = isAfter ? answer : undefined;
  const holds = reading !== undefined && isMet(what, reading);
  const isConclusive = one.isConclusive || (reading !== undefined && !holds);
  const isVerified = holds && isConclusive;
  if (!isVerified && one.lookMs < one.untilMs) {
    const lookMs = Math.min(at.atMs + LOOK_PAUSE_MS, Math.max(one.untilMs, at.atMs));
    const next = { ...one, isConclusive, isLooking: false, lookMs, reading: reading ?? one.reading };
    return { ...state, calls: state.calls.with(call, next) };
  }
  const otherwise = reading === undefined || holds ? "unknown" : "contradicted";
  const outcome = isVerified ? "verified" : otherwise;
  yield record(state, { type: "read", call, reading: answer });
  yield record(state, { type: "outcome", call, outcome });
  const calls = state.calls.with(call, { type: "done", outcome, reading });
  return yield* looked({ ...state, calls }, at);
}

/** Whether a reading shows what a call was to bring about. A value that was said counts in its unit, if the reading has any. */
export function isMet(
  { postcondition: { equals }, value }: Pick<OperationCall, "postcondition" | "value">,
  reading: Pick<Reading, "value" | "unit">,
): boolean {
  const unit = reading.unit && value?.number === equals ? value.unit : undefined;
  return sameValue({ ...reading, value: equals, ...(unit && { unit }) }, reading);
}

/** What keeps a call from being made, of what was read of its target. */
function changeOf(call: OperationCall, reading: Reading | undefined) {
  if (!isOf(call, reading)) return "unreadable";
  const { before } = call;
  return reading.value === before.value && reading.unit === before.unit ? undefined : "state_changed";
}

/** Whether a reading is of what a call is to change. */
function isOf({ postcondition, target }: OperationCall, reading: Reading | undefined): reading is Reading {
  return reading?.target === target && reading.signal === postcondition.signal;
}

/** Of whom a row does not tell how they asked: it is said aloud, to what directories know of them. */
const ASKED_ALOUD: AskedAs = { groups: [], features: [], responseType: "audio" };

type RecoveredRow = Pick<LedgerRow, "atMs" | "entry">;

/** An operation after a restart, of which nothing is called again, by all its rows, oldest first. Undefined: nothing of it is left. */
export function recovered(rows: readonly RecoveredRow[], at: Moment): OperationStep | undefined {
  const entries = rows.map(({ entry }) => entry);
  const proposed = entries.find((entry) => entry.type === "proposed");
  if (proposed === undefined || entries.some(isLast)) return undefined;
  const { askedAs = ASKED_ALOUD, proposal, readback } = proposed;
  const consents = entries.flatMap((entry) =>
    entry.type === "reply" && entry.verdict === "approved" && entry.refused === undefined
      ? [entry.reply.by]
      : [],
  );
  const calls = proposal.calls.map((_, call) => callOf(entries, call, at));
  const state = { ...propose({ proposal, readback, askedAs }).state, consents, calls };
  const end = rows.find(({ entry }) => entry.type === "ended");
  if (end?.entry.type !== "ended") return step(over(state, entries, at));
  const sinceMs = at.atMs - Math.max(0, at.wallMs - end.atMs);
  return { state: endedSince(state, sinceMs, end.entry.reason), effects: [] };
}

/** What was called is looked at; the rows of what is known already, and was not written, come first. */
function* over(state: OperationState, entries: readonly LedgerEntry[], at: Moment): Way {
  if (state.calls.every(({ type }) => type === "unchecked")) return yield* ended(state, at, "restarted");
  for (const [call, one] of state.calls.entries()) {
    const isWritten = entries.some((entry) => entry.type === "outcome" && entry.call === call);
    if (one.type === "done" && !isWritten)
      yield record(state, { type: "outcome", call, outcome: one.outcome });
  }
  return yield* closed(state, "skipped", at);
}

/** What is read from now on is read after a call, whenever that was. */
function callOf(entries: readonly LedgerEntry[], call: number, at: Moment): CallState {
  const own = entries.filter((entry) => "call" in entry && entry.call === call);
  const outcome = own.find((one) => one.type === "outcome");
  const executing = own.find((one) => one.type === "executing");
  const executed = own.find((one) => one.type === "executed");
  if (outcome !== undefined) {
    const last = own.slice(own.indexOf(executing!)).findLast((one) => one.type === "read");
    return { type: "done", outcome: outcome.outcome, reading: last?.reading };
  }
  if (executing === undefined) return { type: "unchecked" };
  return afterReply(executing.what, executed?.reply.type ?? "lost", at);
}

/** A state as others see it. `untilMs`: until when it can or could be consented to, in Unix milliseconds. */
export function viewOf(state: OperationState, untilMs: number): OperationView {
  const { calls, consents, phase, proposal, readback } = state;
  return {
    proposal,
    readback,
    phase: phase.type === "awaiting" && phase.asked === "second" ? "waiting_second" : PHASES[phase.type],
    untilMs,
    outcomes: calls.map((call) => (call.type === "done" ? call.outcome : undefined)),
    after: calls.map((call) => ("reading" in call ? call.reading : undefined)),
    reason: phase.type === "ended" ? phase.reason : undefined,
    by: consents,
  };
}

const PHASES = {
  ...({ proposing: "waiting", awaiting: "waiting", checking: "executing", recording: "executing" } as const),
  ...({ executing: "executing", verifying: "verifying", ended: "ended" } as const),
};
