import { expect, it } from "vitest";
import { operationState } from "../api/operation-state.js";
import { waitingView } from "../operate/operations.test-util.js";
import { AnswerCollector } from "./answer-collector.js";
import { answerLine } from "./answer-view.js";

it("an operation is shown with its readback, its word, and the state before and after", () => {
  const line = (...view: Parameters<typeof waitingView>) => {
    const command = {
      command: "operation",
      requestId: "r",
      ...operationState(waitingView(...view)),
    } as const;
    const received = { type: "command", command, route: {}, atMs: 1_000 } as const;
    return answerLine(received, 0, new AnswerCollector(0).answer);
  };
  expect(
    line()
      ?.split("\n")
      .map((text) => text.trim()),
  ).toEqual([
    "1.00 s  request 7 (waiting, risk medium, consent needs the word “tango”): " +
      "“Restart pump two. It is stopped now. Say confirm tango.”",
    "Pump two: before stopped, wanted running",
  ]);
  const reading = { target: "p2", signal: "status", value: 3, unit: "bar", takenAtMs: 0, tool: "t" };
  expect(line({}, { phase: "ended", after: [reading], outcomes: ["contradicted"] })).toContain(
    "Pump two: before stopped, wanted running, now 3 bar, contradicted",
  );
});
