/** Entries of a ledger for tests, as an executor would write them. */
import type { OperationCall, Proposal } from "../../src/domain/operation.js";
import type { LedgerEntry } from "../../src/operate/ledger/port.js";

const ANN = { network: "plant", username: "ann" } as const;

export const CALL: OperationCall = {
  target: "plant:pump/p2",
  name: "pump two",
  tool: "plant.restart",
  args: { pump: "p2" },
  before: { value: "stopped" },
  postcondition: { tool: "plant.status", signal: "status", equals: "running", windowMs: 120_000 },
};

export const PROPOSAL: Proposal = {
  id: "op-1",
  number: 1,
  action: "restart",
  calls: [CALL],
  level: "plain",
  askedOf: ANN,
  language: "en",
  dryRun: false,
};

const of = { operation: "op-1", network: "plant" } as const;

/** One operation from its proposal to its end. */
export const ENTRIES: readonly LedgerEntry[] = [
  {
    ...{ ...of, type: "proposed", proposal: PROPOSAL, readback: "Restart pump two. Shall I?" },
    askedAs: { groups: [], features: [], responseType: "text" },
  },
  { ...of, type: "readback", to: "ann", heardAtMs: 1_000 },
  {
    ...{ ...of, type: "reply", verdict: "approved", pressedAtMs: 2_000 },
    reply: { by: ANN, words: "yes, do it", via: "voice", isRough: false, isTrusted: true },
  },
  { ...of, type: "executing", call: 0, key: "k-1", what: CALL },
  { ...of, type: "executed", call: 0, reply: { type: "ok" } },
  {
    ...{ ...of, type: "read", call: 0 },
    reading: {
      target: CALL.target,
      signal: "status",
      value: "running",
      takenAtMs: 3_000,
      tool: "plant.status",
    },
  },
  { ...of, type: "outcome", call: 0, outcome: "verified" },
  { ...of, type: "ended" },
  { ...of, type: "told", to: "ann" },
];
