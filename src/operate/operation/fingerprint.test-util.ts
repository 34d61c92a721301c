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
  const callOf = (one: CallState): unknown => {
    if (one.type === "done") return one.outcome;
    if (one.type !== "watched") return one.type;
    return [
      one.isConclusive,
      one.isLooking,
      ago(one.calledMs),
      ago(one.untilMs),
      ago(one.lookMs),
      one.reading?.value,
    ];
  };
  const { calls, phase } = state;
  const own = {
    ...phase,
    ...(phase.type === "awaiting" && { sinceMs: ago(phase.sinceMs) }),
    ...(phase.type === "ended" && { tellMs: ago(phase.tellMs) }),
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
  const kinds = new Set(
    world.rows.map(({ entry }) => `${entry.type[1]}${"call" in entry ? entry.call : ""}`),
  );
  return JSON.stringify([
    [own, state.consents.map(keyOf), listeners, calls.map(callOf)],
    [
      truth.isOwed,
      ago(truth.askedMs),
      ago(truth.askerYesMs),
      ago(truth.secondYesMs),
      heard,
      truth.played,
      truth.misses,
    ],
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
