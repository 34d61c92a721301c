import { expect, it } from "vitest";
import { CALL, PROPOSAL } from "../../test/support/ledger-entries.js";
import { operationFacts } from "./operation-facts.js";
import type { OperationView } from "./operations.js";

const two = { ...CALL, target: "plant:pump/p3", name: "pump three" };
const view = (more: Partial<OperationView>): OperationView => ({
  proposal: { ...PROPOSAL, calls: [CALL, two] },
  readback: "",
  phase: "executing",
  untilMs: 0,
  outcomes: [],
  after: [],
  by: [],
  ...more,
});

it("tells of each call its outcome, why there is none, or how far it is", () => {
  const outcomes = (more: Partial<OperationView>) => operationFacts(view(more)).map(({ outcome }) => outcome);
  expect(operationFacts(view({}))[1]).toEqual({
    operation: "op-1",
    target: "plant:pump/p3",
    name: "pump three",
    action: "restart",
    outcome: "executing",
  });
  expect(outcomes({ outcomes: ["verified", undefined] })).toEqual(["verified", "executing"]);
  expect(outcomes({ phase: "waiting_second" })).toEqual(["waiting", "waiting"]);
  expect(outcomes({ phase: "ended", reason: "denied" })).toEqual(["denied", "denied"]);
  expect(outcomes({ phase: "ended", outcomes: ["failed", "skipped"] })).toEqual(["failed", "skipped"]);
  expect(outcomes({ phase: "ended" })).toEqual(["unknown", "unknown"]);
});
