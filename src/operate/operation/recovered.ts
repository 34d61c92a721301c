/** What an operation is after a restart, from its rows alone: nothing of it is called again. Pure. */

import type { AskedAs } from "../../domain/turn.js";
import type { LedgerEntry, LedgerRow } from "../ledger/port.js";
import { afterReply, closed } from "./calls.js";
import { propose } from "./reduce.js";
import {
  type CallState,
  dueMs,
  ended,
  endedSince,
  type Moment,
  type OperationState,
  type OperationStep,
  record,
  step,
  type Way,
} from "./state.js";

/** Of whom a row does not tell how they asked: it is said aloud, to what directories know of them. */
const ASKED_ALOUD: AskedAs = { groups: [], features: [], responseType: "audio" };

/** `rows`: all of one operation, oldest first. Undefined: it has ended and was told, or was never on disk. */
export function recovered(
  rows: readonly Pick<LedgerRow, "atMs" | "entry">[],
  at: Moment,
): OperationStep | undefined {
  const entries = rows.map(({ entry }) => entry);
  const proposed = entries.find((entry) => entry.type === "proposed");
  if (proposed === undefined || entries.some(({ type }) => type === "told")) return undefined;
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
  const past = endedSince(state, at.atMs - Math.max(0, at.wallMs - end.atMs), end.entry.reason);
  return dueMs(past) === undefined ? undefined : { state: past, effects: [] };
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
