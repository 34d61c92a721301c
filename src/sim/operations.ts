/** What a ledger proves of a run: that nothing was called without consent, or twice, and for whom what was done. Pure. */
import type { OperationCall, Proposal } from "../domain/operation.js";
import type { LedgerEntry } from "../operate/ledger/port.js";
import { isMet } from "../operate/orders/freeze.js";
import type { Exchange } from "./exchange.js";
import { asksBack } from "./expect.js";
import type { PlannedUser } from "./plan.js";

/** The ledger of a service that has ended. */
export interface LedgerOfRun {
  readonly entries: readonly LedgerEntry[];
  /** Why its rows are not what was written; absent: they are. */
  readonly flaw?: string | undefined;
}

export interface OperationMeasures {
  readonly rows: number;
  readonly proposed: number;
  readonly called: number;
  /** Users of whom it is said what shall be done, and those of them for whom that was done and nothing else. */
  readonly tasks: number;
  readonly succeeded: number;
  /** Calls of something that this user did not want. */
  readonly wrongTargets: number;
  /** Answers of users with a task that asked back where they need not. */
  readonly unneededQuestions: readonly string[];
  /** Presses and messages of users with a task, for each task. */
  readonly pressesPerTask: number;
  /** What is wrong with the ledger, and with what was done. */
  readonly problems: readonly string[];
}

type Called = LedgerEntry & { readonly type: "executing" };

export function measureOperations(
  { entries, flaw }: LedgerOfRun,
  users: readonly PlannedUser[],
  exchanges: readonly Exchange[],
): OperationMeasures {
  const withTask = users.flatMap(({ done, username }) => (done === undefined ? [] : [{ done, username }]));
  const calls = entries.filter((entry): entry is Called => entry.type === "executing");
  const judged = withTask.map(({ done, username }) => {
    const did = calls
      .filter(({ operation }) => proposalOf(entries, operation)?.askedOf.username === username)
      .map(
        (call) =>
          `${proposalOf(entries, call.operation)?.action} ${call.what.target} ${outcomeOf(entries, call)}`,
      );
    return { done, did, username, isDone: done.join("\n") === did.join("\n") };
  });
  const said = exchanges.filter(({ username }) => withTask.some((one) => one.username === username));
  const presses = said.filter(({ command }) => command === "ai_message" || command === "message");
  const unneeded = presses.filter(({ outcome, step: { expect } }) => {
    const mayAsk = expect !== undefined && "asks" in expect && expect.asks === true;
    return asksBack(outcome) && !mayAsk;
  });
  return {
    rows: entries.length,
    proposed: entries.filter(({ type }) => type === "proposed").length,
    called: calls.length,
    tasks: judged.length,
    succeeded: judged.filter(({ isDone }) => isDone).length,
    wrongTargets: judged.flatMap(({ did, done }) =>
      did.filter((one) => !done.some((each) => isSame(each, one))),
    ).length,
    unneededQuestions: unneeded.flatMap(({ outcome, username }) =>
      outcome !== undefined && "text" in outcome ? [`${username}: ${outcome.text}`] : [],
    ),
    pressesPerTask: judged.length === 0 ? 0 : presses.length / judged.length,
    problems: [
      ...(flaw === undefined ? [] : [`the ledger is bad: ${flaw}`]),
      ...calls.flatMap((call) => unproven(entries, call)),
      ...judged
        .filter(({ isDone }) => !isDone)
        .map(({ did, done, username }) => `${username} wanted ${listed(done)}; called was ${listed(did)}`),
    ],
  };
}

/** Whether two have the same action and target, whatever came of them. */
function isSame(one: string, other: string): boolean {
  return one.slice(0, one.lastIndexOf(" ")) === other.slice(0, other.lastIndexOf(" "));
}

function listed(calls: readonly string[]): string {
  return calls.length === 0 ? "nothing" : calls.join(", ");
}

function proposalOf(entries: readonly LedgerEntry[], operation: string): Proposal | undefined {
  const found = entries.find((entry) => entry.type === "proposed" && entry.operation === operation);
  return found?.type === "proposed" ? found.proposal : undefined;
}

function outcomeOf(entries: readonly LedgerEntry[], { call, operation }: Called): string {
  const found = entries.find(
    (entry) => entry.type === "outcome" && entry.operation === operation && entry.call === call,
  );
  return found?.type === "outcome" ? found.outcome : "open";
}

/** What is missing around one call: its proposal, readbacks that were heard, consent after them, one result. */
function unproven(entries: readonly LedgerEntry[], call: Called): string[] {
  const own = entries.filter(({ operation }) => operation === call.operation);
  const before = own.slice(0, own.indexOf(call));
  const proposal = proposalOf(before, call.operation);
  const planned = proposal?.calls[call.call];
  const consents = proposal === undefined ? [] : consentsIn(before, proposal);
  const isSecond = proposal?.level === "second_person";
  const ofCall = own.filter((entry) => "call" in entry && entry.call === call.call);
  const outcome = outcomeOf(own, call);
  const wrong: readonly (readonly [isWrong: boolean, what: string])[] = [
    [JSON.stringify(planned) !== JSON.stringify(call.what), "is not what was proposed"],
    [proposal?.dryRun === true, "was made in a dry run"],
    [
      !consents.includes(proposal?.askedOf.username ?? ""),
      "has no consent of who was asked after a readback heard",
    ],
    [isSecond && new Set(consents).size < 2, "has no consent of a second person"],
    [
      before.some((one) => one.type === "reply" && one.verdict === "denied" && !one.refused),
      "came after a denial",
    ],
    [ofCall.filter(({ type }) => type === "executing").length !== 1, "was made more than once"],
    [outcome === "open", "has no result"],
    [outcome === "verified" && !isVerified(ofCall, call.what), "counts as verified without a reading"],
    [!own.some(({ type }) => type === "ended"), "belongs to an operation that has not ended"],
  ];
  return wrong.flatMap(([isWrong, what]) =>
    isWrong ? [`${call.operation}: the call of ${call.key} ${what}`] : [],
  );
}

/** Who consented with the word, if there is one, by a press after their own readback had been heard to its end. */
function consentsIn(before: readonly LedgerEntry[], { challenge = "" }: Proposal): readonly string[] {
  return before.flatMap((entry, at) => {
    if (entry.type !== "reply" || entry.verdict !== "approved" || entry.refused !== undefined) return [];
    const { by, words } = entry.reply;
    const wasHeard = before
      .slice(0, at)
      .some(
        (one) =>
          one.type === "readback" &&
          one.to === by.username &&
          (one.heardAtMs ?? Infinity) <= entry.pressedAtMs,
      );
    return wasHeard && words.toLowerCase().includes(challenge.toLowerCase()) ? [by.username] : [];
  });
}

function isVerified(ofCall: readonly LedgerEntry[], { postcondition }: OperationCall): boolean {
  return ofCall.some(
    (one) => one.type === "read" && one.reading !== undefined && isMet(postcondition, one.reading),
  );
}
