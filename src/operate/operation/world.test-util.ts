/**
 * A world around one operation for its exploration: what people and the site do, each as a step, and a judge that knows the
 * rules from the product's words and not from the reducer: it sees events and effects only.
 */
import type { CallReply, ConsentLevel, OperationCall, Proposal } from "../../domain/operation.js";
import type { ReadingValue } from "../../domain/reading.js";
import type { User } from "../../domain/user.js";
import type { LedgerEntry, LedgerRow } from "../ledger/port.js";
import { ANN, keyOf } from "./people.test-util.js";
import { propose, reduce } from "./reduce.js";
import { dueMs, type OperationEffect, type OperationEvent, type OperationState } from "./state.js";

/** The wall clock is far ahead of the monotonic one, and is set back in one of the steps. */
export const WALL_AHEAD_MS = 1_700_000_000_000;
export const WALL_SET_MS = -3_600_000;
export const STEP_MS = 60_000;
const CONSENT_MS = 120_000;
/** How long an outcome has to be told. */
export const NEWS_MS = 12 * 3_600_000;

export interface Setting {
  readonly level: ConsentLevel;
  readonly calls: number;
  readonly dryRun: boolean;
  /** The value before is the one that is wanted, as when something is restarted that runs. */
  readonly isSameBefore: boolean;
}

export type Pending = Exclude<OperationEffect, { readonly type: "answer" }>;

export interface CallTruth {
  readonly executions: number;
  readonly reply?: CallReply["type"];
  readonly calledMs: number;
  readonly hasRow: boolean;
  readonly isChecked: boolean;
  readonly sawOther: boolean;
}

/** What the judge knows. */
interface Truth {
  readonly askedMs?: number;
  readonly askerYesMs?: number;
  readonly secondYesMs?: number;
  readonly heard: Readonly<Record<string, number>>;
  readonly played: readonly string[];
  readonly misses: number;
  /** Why no further call may be made: a denial, a stop, three misses, a row that is not on disk, a restart, a change. */
  readonly isForbidden: boolean;
  /** It has ended in a way that its asker does not know of by then, and they have not been told. */
  readonly isOwed: boolean;
  readonly calls: readonly CallTruth[];
}

export interface World {
  readonly setting: Setting;
  readonly state: OperationState;
  readonly nowMs: number;
  readonly aheadMs: number;
  readonly pending: readonly Pending[];
  readonly answered: readonly OperationEvent[];
  readonly rows: readonly Pick<LedgerRow, "atMs" | "entry">[];
  readonly site: readonly ReadingValue[];
  readonly truth: Truth;
}

const ASKED_AS = { groups: [], features: [], responseType: "text" } as const;

export function startOf(setting: Setting): World {
  const before = setting.isSameBefore ? "on" : "off";
  const calls = Array.from({ length: setting.calls }, (_, at): OperationCall => {
    const target = `plant/pump/p${at}`;
    const postcondition = { tool: "plant.read", signal: "status", equals: "on", windowMs: 2 * STEP_MS };
    return {
      target,
      name: `pump ${at}`,
      tool: "plant.start",
      args: {},
      before: { value: before },
      postcondition,
    };
  });
  const proposal: Proposal = {
    id: "op-1",
    number: 1,
    action: "start",
    calls: calls as [OperationCall, ...OperationCall[]],
    level: setting.level,
    askedOf: ANN,
    language: "en",
    dryRun: setting.dryRun,
  };
  const { effects, state } = propose({
    proposal,
    readback: "Start?",
    askedAs: ASKED_AS,
  });
  const call: CallTruth = { executions: 0, calledMs: 0, hasRow: false, isChecked: false, sawOther: false };
  const none = { heard: {}, played: [], misses: 0, isForbidden: false, isOwed: false };
  const truth = { ...none, calls: calls.map(() => call) };
  const site = calls.map(() => before);
  const fresh = {
    setting,
    state,
    nowMs: 0,
    aheadMs: WALL_AHEAD_MS,
    pending: [],
    answered: [],
    rows: [],
    site,
    truth,
  };
  return withEffects(fresh, effects);
}

/** Rows that nobody waits for are on disk at once; everything else is answered by a step of its own. */
export function withEffects(world: World, effects: readonly OperationEffect[]): World {
  const isWaitedFor = (effect: OperationEffect) =>
    effect.type !== "record" || ["proposed", "executing"].includes(effect.entry.type);
  const rows = effects.flatMap((one) =>
    one.type === "record" && !isWaitedFor(one) ? [rowOf(world, one.entry)] : [],
  );
  const waited = effects.flatMap((one) => (one.type !== "answer" && isWaitedFor(one) ? [one] : []));
  return {
    ...world,
    rows: [...world.rows, ...rows],
    pending: [...world.pending, ...waited],
  };
}

export function rowOf({ aheadMs, nowMs }: World, entry: LedgerEntry) {
  return { atMs: nowMs + aheadMs, entry };
}

/** Something happens a millisecond later; the judge throws when what comes of it breaks a rule. */
export function happens(before: World, what: (at: OperationEvent["at"]) => OperationEvent): World {
  const nowMs = before.nowMs + 1;
  const event = what({ atMs: nowMs, wallMs: nowMs + before.aheadMs });
  const truth = learned(before, event);
  const { effects, state } = reduce(before.state, event);
  const world = withEffects({ ...before, nowMs, state, truth }, effects);
  return judged(before, world, event, effects);
}

/** What the judge learns of an event, by the rules of the product. */
function learned({ setting, state, truth }: World, event: OperationEvent): Truth {
  const { atMs } = event.at;
  const annHeardMs = truth.askerYesMs === undefined ? truth.heard[keyOf(ANN)] : undefined;
  if (annHeardMs !== undefined && atMs >= annHeardMs + CONSENT_MS) return { ...truth, isForbidden: true };
  switch (event.type) {
    case "recorded":
      if (event.entry.type === "proposed") return { askedMs: atMs, ...truth };
      return event.entry.type === "executing"
        ? callLearned(truth, event.entry.call, { hasRow: true })
        : truth;
    case "record_failed":
      return { ...truth, isForbidden: true };
    case "readback":
      return listened(setting, truth, event);
    case "reply":
      return answered(setting, truth, event);
    case "stop": {
      const isFor = keyOf(event.by) === keyOf(ANN) || truth.played.includes(keyOf(event.by));
      return { ...truth, isForbidden: truth.isForbidden || isFor };
    }
    case "read": {
      if (event.look > 0)
        return isFresh(state, truth, event) && event.reading?.value === "off"
          ? callLearned(truth, event.call, { sawOther: true })
          : truth;
      const { before, target } = state.proposal.calls[event.call]!;
      const isSame = event.reading?.value === before?.value && event.reading?.target === target;
      if (!hasConsent(setting, truth)) return truth;
      return isSame && !event.isForbidden
        ? callLearned(truth, event.call, { isChecked: true })
        : { ...truth, isForbidden: truth.isForbidden || !truth.calls[event.call]!.isChecked };
    }
    case "called":
      if (truth.calls[event.call]!.reply !== undefined) return truth;
      return callLearned(truth, event.call, { reply: event.reply.type, calledMs: atMs });
    case "told":
    case "tick":
      return truth;
  }
}

function callLearned(truth: Truth, call: number, news: Partial<CallTruth>): Truth {
  return { ...truth, calls: truth.calls.with(call, { ...truth.calls[call]!, ...news }) };
}

function isAsked({ level }: Setting, { askedMs, askerYesMs, secondYesMs }: Truth, by: User): boolean {
  if (askedMs === undefined || secondYesMs !== undefined) return false;
  if (askerYesMs === undefined) return by === ANN;
  return level === "second_person" && by !== ANN && by.network === ANN.network;
}

function listened(
  setting: Setting,
  truth: Truth,
  { heardMs, to }: Extract<OperationEvent, { type: "readback" }>,
): Truth {
  if (!isAsked(setting, truth, to)) return truth;
  const { [keyOf(to)]: _, ...others } = truth.heard;
  const played = [...new Set([...truth.played, keyOf(to)])];
  return { ...truth, played, heard: heardMs === undefined ? others : { ...others, [keyOf(to)]: heardMs } };
}

function answered(setting: Setting, truth: Truth, event: Extract<OperationEvent, { type: "reply" }>): Truth {
  const { by, isRough, isTrusted, pressedMs } = event.reply;
  const { atMs } = event.at;
  const wasAsked =
    by === ANN ||
    (setting.level === "second_person" && truth.askerYesMs !== undefined && by.network === ANN.network);
  if (event.verdict === "denied") return { ...truth, isForbidden: truth.isForbidden || wasAsked };
  const heardMs = truth.heard[keyOf(by)];
  if (!isAsked(setting, truth, by) || heardMs === undefined || atMs >= heardMs + CONSENT_MS) return truth;
  if (event.verdict === "unclear") {
    if (hasConsent(setting, truth)) return truth;
    return { ...truth, misses: truth.misses + 1, isForbidden: truth.isForbidden || truth.misses === 2 };
  }
  const isEnough = setting.level === "plain" || (isTrusted && !isRough);
  if (pressedMs <= heardMs || !isEnough) return truth;
  if (truth.askerYesMs === undefined)
    return {
      ...truth,
      askerYesMs: atMs,
      misses: 0,
      heard: {},
      played: setting.level === "second_person" ? [] : truth.played,
    };
  return setting.level === "second_person" ? { ...truth, secondYesMs: truth.secondYesMs ?? atMs } : truth;
}

function hasConsent({ level }: Setting, { askerYesMs, secondYesMs }: Truth): boolean {
  return askerYesMs !== undefined && (level !== "second_person" || secondYesMs !== undefined);
}

function isFresh(
  { proposal }: OperationState,
  truth: Truth,
  { at, call, reading }: Extract<OperationEvent, { type: "read" }>,
): boolean {
  const agoMs = at.atMs - truth.calls[call]!.calledMs;
  return (
    reading !== undefined &&
    reading.target === proposal.calls[call]!.target &&
    reading.signal === "status" &&
    reading.takenAtMs >= at.wallMs - agoMs
  );
}

/** What has to hold whatever happens: strangers are turned away, one look at a time, and something always goes on. */
function heldInGeneral(
  before: World,
  { pending, setting, state, truth }: World,
  event: OperationEvent,
  effects: readonly OperationEffect[],
  must: (holds: boolean, rule: string) => void,
): void {
  if (
    event.type === "reply" &&
    before.state.phase.type === "awaiting" &&
    !isAsked(setting, before.truth, event.reply.by)
  )
    for (const effect of effects)
      if (effect.type === "answer" && effect.result.type !== "ended")
        must(/not_asked_of_you|same_person/.test(JSON.stringify(effect.result)), "a stranger is asked again");
  const looks = pending.flatMap((one) => (one.type === "read" && one.look > 0 ? [one.call] : []));
  must(new Set(looks).size === looks.length, "two looks at once");
  const isOver = state.phase.type === "ended";
  must(isOver || pending.length > 0 || dueMs(state) !== undefined, "stuck");
  must(!isOver || (dueMs(state) !== undefined) === truth.isOwed, "not told, or told for ever");
}

/** Whether it is to be told, and that it is told to its asker alone, or given up in time. */
function owedAfter(
  known: Truth,
  before: World,
  event: OperationEvent,
  effects: readonly OperationEffect[],
  must: (holds: boolean, rule: string) => void,
): Truth {
  let truth = known;
  for (const effect of effects) {
    if (effect.type !== "record") continue;
    const { entry } = effect;
    if (entry.type === "ended") truth = { ...truth, isOwed: !KNOWN.test(entry.reason ?? "") };
    if (entry.type !== "told") continue;
    must(truth.isOwed, "told twice");
    const endMs = before.rows.find((row) => row.entry.type === "ended")!.atMs - before.aheadMs;
    const isHeard = event.type === "told" && event.to === ANN;
    const isLate = entry.givenUp === "too_late" && event.at.atMs - endMs >= NEWS_MS + WALL_SET_MS;
    must(isHeard ? entry.givenUp === undefined || isLate : isLate, "given up, or told to nobody");
    truth = { ...truth, isOwed: false };
  }
  return truth;
}

/** Throws what is broken. */
export function judged(
  before: World,
  world: World,
  event: OperationEvent,
  effects: readonly OperationEffect[],
): World {
  const { setting, state } = world;
  const must = (holds: boolean, rule: string) => {
    if (!holds) throw new Error(`${rule}: ${event.type} in ${before.state.phase.type}`);
  };
  let { truth } = world;
  for (const effect of effects) {
    if (effect.type !== "execute") continue;
    const mine = truth.calls[effect.call]!;
    must(hasConsent(setting, truth), "a call without consent");
    must(!truth.isForbidden, "a call after a denial, a stop, a change, misses or a row that failed");
    must(mine.executions === 0, "a call twice");
    must(mine.hasRow, "a call before its row");
    must(!setting.dryRun, "a call in a dry run");
    must(
      truth.calls.every(({ isChecked }) => isChecked),
      "a call on what was not read again",
    );
    must(
      truth.calls.slice(0, effect.call).every(({ reply }) => reply === "ok"),
      "a call after one that failed",
    );
    truth = callLearned(truth, effect.call, { executions: mine.executions + 1 });
  }
  if (before.state.phase.type === "ended")
    must(
      effects.every((one) => one.type === "answer" || (one.type === "record" && one.entry.type === "told")),
      "something is done after the end",
    );
  truth = owedAfter(truth, before, event, effects, must);
  for (const effect of effects) {
    if (effect.type !== "record" || effect.entry.type !== "outcome") continue;
    const { call, outcome } = effect.entry;
    const mine = truth.calls[call]!;
    if (outcome === "verified" || outcome === "contradicted") {
      const isOf = event.type === "read" && event.call === call && isFresh(before.state, truth, event);
      must(isOf, `${outcome} without a reading after the call`);
      if (event.type !== "read") continue;
      must((event.reading?.value === "on") === (outcome === "verified"), `${outcome} against the reading`);
      if (outcome === "verified")
        must(mine.reply === "ok" || !setting.isSameBefore || mine.sawOther, "verified by what it was before");
    }
    if (outcome === "skipped" || outcome === "dry_run") must(mine.executions === 0, `${outcome}, but called`);
  }
  const { phase } = state;
  if (phase.type === "ended" && phase.reason === undefined)
    must(
      state.calls.every(({ type }) => type === "done"),
      "an end without an outcome of each call",
    );
  if (phase.type === "ended" && phase.reason !== undefined)
    must(
      truth.calls.every(({ executions }) => executions === 0),
      "void, but called",
    );
  heldInGeneral(before, { ...world, truth }, event, effects, must);
  return { ...world, truth };
}

/** Reasons that its asker knows of: who denied it or let it lapse, and who is told by the answer to their own word. */
const KNOWN = /^(denied|stopped|expired|missed|not_heard|not_recorded)$/;
