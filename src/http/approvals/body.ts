/** An operation as JSON, in the names of the reference where it has them: docs/api.md. */
import { createHash } from "node:crypto";
import { type ConsentLevel, isWaiting, type OperationView } from "../../domain/operation.js";
import { amountOf } from "../../domain/reading.js";

const MS_PER_SECOND = 1_000;

/** The reference's words for how much may go wrong. */
const RISKS: Readonly<Record<ConsentLevel, string>> = {
  plain: "low",
  challenge: "medium",
  second_person: "high",
};

/** Tells one frozen proposal from every other: who consents quotes it. Hexadecimal digits. */
export function readbackDigest({ proposal, readback }: OperationView): string {
  const frozen = JSON.stringify([proposal, readback]);
  return createHash("sha256").update(frozen).digest("hex");
}

/** What an answer's caller is told of a proposal that waits. */
export function approvalNeeded({ proposal, untilMs }: OperationView) {
  const { action, calls, id, level } = proposal;
  return {
    approval_id: id,
    command: calls.map(({ args, tool }) => `${tool} ${JSON.stringify(args)}`).join("; "),
    risk_level: RISKS[level],
    description: `${action}: ${calls.map(({ name }) => name).join(", ")}`,
    expires_at: new Date(untilMs).toISOString(),
    level,
  };
}

/** What a screen shows of it to the person who asked: the frozen proposal, and its things before and after. */
export function operationCard(view: OperationView) {
  const { after, outcomes, phase: status, proposal, readback } = view;
  const { calls, challenge, id, level, number } = proposal;
  return {
    ...{ approval_id: id, number, status, risk_level: RISKS[level], readback },
    challenge: isWaiting(view) ? challenge : undefined,
    calls: calls.map(({ before, name, postcondition: { equals }, target }, at) => ({
      ...{ target, name, before: amountOf(before.value, before.unit), wanted: String(equals) },
      ...{ after: after[at] && amountOf(after[at].value, after[at].unit), outcome: outcomes[at] },
    })),
  };
}

/** Everything that is known of it, for who may consent. `nowMs`: Unix milliseconds. */
export function operationBody(view: OperationView, nowMs: number): object {
  const { by, proposal, reason, untilMs } = view;
  const { askedOf, dryRun } = proposal;
  const secondsLeft = Math.max(0, Math.ceil((untilMs - nowMs) / MS_PER_SECOND));
  return {
    ...operationCard(view),
    ...approvalNeeded(view),
    readback_digest: readbackDigest(view),
    network: askedOf.network,
    asked_of: askedOf.username,
    approved_by: by.map(({ username }) => username),
    dry_run: dryRun,
    reason,
    seconds_left: isWaiting(view) ? secondsLeft : undefined,
  };
}
