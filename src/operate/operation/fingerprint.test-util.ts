/** Which worlds of `world.test-util.ts` count as one, so that each is explored once. */
import type { CallReply } from "../../domain/operation.js";
import type { Reading } from "../../domain/reading.js";
import type { LedgerEntry } from "../ledger/port.js";
import { keyOf } from "./people.test-util.js";
import type { CallState, OperationEvent } from "./state.js";
import { type Pending, STEP_MS, type World } from "./world.test-util.js";

/** Worlds of one key go on alike: times count by their distance, in steps. */
export function fingerprint(world: World): string {
  const { aheadMs, nowMs, site, state, truth } = world;
  const ago = (ms: number | undefined) =>
    ms === undefined ? "-" : Math.max(-4, Math.min(6, Math.floor((nowMs - ms) / STEP_MS)));
  const callOf = (one: CallState | boolean): unknown => {
    if (typeof one === "boolean" || one.type === "waiting") return one;
    if (one.type === "done") return one.outcome;
    if (one.type === "called") return [one.isLost, ago(one.calledMs)];
    return [
      one.isConclusive,
      one.isLooking,
      ago(one.calledMs),
      ago(one.untilMs),
      ago(one.lookMs),
      one.reading?.value,
    ];
  };
  const calls = "calls" in state ? state.calls : "isSame" in state ? state.isSame : [];
  const own = {
    ...(state.phase === "awaiting" && {
      asked: state.asked,
      since: ago(state.sinceMs),
      misses: state.misses,
    }),
    ...("call" in state && { call: state.call }),
    ...(state.phase === "executing" && { isStopped: state.isStopped }),
    ...(state.phase === "ended" && { reason: state.reason }),
  };
  const short = (one: OperationEvent | Pending) => {
    const { entry, call = entry } = one as { entry?: LedgerEntry; call?: unknown };
    const { reading, reply } = one as { reading?: Reading; reply?: CallReply };
    const isOld = reading !== undefined && ago(reading.takenAtMs - aheadMs);
    return [
      one.type,
      call === entry ? [entry?.type, entry !== undefined && "call" in entry && entry.call] : call,
      reading?.value,
      reading?.target,
      isOld,
      reply?.type,
    ];
  };
  const listeners = state.listeners
    .map(({ by, heardMs, notBeforeMs }) => `${keyOf(by)} ${ago(heardMs)} ${ago(notBeforeMs)}`)
    .sort();
  const heard = Object.entries(truth.heard)
    .map(([who, ms]) => `${who} ${ago(ms)}`)
    .sort();
  const known = truth.calls.map((one) => ({ ...one, calledMs: ago(one.calledMs) }));
  const kinds = new Set(world.rows.map((row) => `${row.type[1]}${"call" in row ? row.call : ""}`));
  return JSON.stringify([
    [state.phase, own, state.consents.map(keyOf), listeners, calls.map(callOf)],
    [ago(truth.askedMs), ago(truth.askerYesMs), ago(truth.secondYesMs), heard, truth.played, truth.misses],
    [
      truth.isForbidden,
      known,
      aheadMs,
      site,
      world.pending.map(short),
      world.answered.map(short),
      [...kinds],
    ],
  ]);
}
