/** What an operation is after a restart, from its rows alone: nothing of it is called again. Pure. */
import type { CallReply } from "../../domain/operation.js";
import type { LedgerEntry } from "../ledger/port.js";
import { propose } from "./reduce.js";
import { type CallState, type Moment, type OperationStep, preceded, record, voided } from "./state.js";
import { verifying } from "./verification.js";

/** `entries`: all of one operation, oldest first. Undefined: it has ended, or was never on disk. */
export function recovered(entries: readonly LedgerEntry[], at: Moment): OperationStep | undefined {
  const proposed = entries.find((entry) => entry.type === "proposed");
  if (proposed === undefined || entries.some(({ type }) => type === "ended")) return undefined;
  const { proposal, readback } = proposed;
  const consents = entries.flatMap((entry) =>
    entry.type === "reply" && entry.verdict === "approved" && entry.refused === undefined
      ? [entry.reply.by]
      : [],
  );
  const state = { ...propose({ proposal, readback, isRoughEnough: false }).state, consents };
  const calls = proposal.calls.map((_, call) => callOf(entries, call, at));
  if (!calls.some((one) => one !== undefined)) return voided(state, "restarted");
  const known = calls.map((one): CallState => one ?? { type: "done", outcome: "skipped" });
  const step = verifying(state, known, at);
  return known
    .flatMap((one, call) =>
      one.type === "done" && !hasOutcome(entries, call)
        ? [record(state, { type: "outcome", call, outcome: one.outcome })]
        : [],
    )
    .reduceRight((after, row) => preceded(row, after), step);
}

function hasOutcome(entries: readonly LedgerEntry[], call: number): boolean {
  return entries.some((entry) => entry.type === "outcome" && entry.call === call);
}

/** Undefined: it was never about to be made. */
function callOf(entries: readonly LedgerEntry[], call: number, { atMs }: Moment): CallState | undefined {
  const outcome = entries.find((entry) => entry.type === "outcome" && entry.call === call);
  if (outcome?.type === "outcome") return { type: "done", outcome: outcome.outcome };
  if (!entries.some((entry) => entry.type === "executing" && entry.call === call)) return undefined;
  const executed = entries.find((entry) => entry.type === "executed" && entry.call === call);
  const reply: CallReply | undefined = executed?.type === "executed" ? executed.reply : undefined;
  if (reply?.type === "failed") return { type: "done", outcome: "failed" };
  // What is read from now on is read after the call, whenever that was.
  return { type: "called", isLost: reply?.type !== "ok", calledMs: atMs };
}
