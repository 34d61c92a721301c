/** An operation as screens show it: the frozen proposal, and the state of its things before and after. Pure. */
import type { ConsentLevel, OperationView } from "../domain/operation.js";
import type { Reading } from "../domain/reading.js";

/** The reference's words for how much may go wrong. */
export const RISKS: Readonly<Record<ConsentLevel, string>> = {
  plain: "low",
  challenge: "medium",
  second_person: "high",
};

/** Whether somebody's consent is waited for. */
export function isWaiting({ phase }: OperationView): boolean {
  return phase === "waiting" || phase === "waiting_second";
}

/** What the person who asked for it is shown. */
export function operationState(view: OperationView) {
  const { after, outcomes, phase, proposal, readback } = view;
  const { calls, challenge, id, level, number } = proposal;
  return {
    approvalId: id,
    number,
    status: phase,
    riskLevel: RISKS[level],
    readback,
    challenge: isWaiting(view) ? challenge : undefined,
    calls: calls.map(({ before, name, postcondition, target }, at) => ({
      target,
      name,
      before: valueText(before),
      wanted: String(postcondition.equals),
      after: valueText(after[at]),
      outcome: outcomes[at],
    })),
  };
}

function valueText(reading: Pick<Reading, "value" | "unit"> | undefined): string | undefined {
  if (reading === undefined) return undefined;
  const { unit, value } = reading;
  return unit === undefined ? String(value) : `${value} ${unit}`;
}
