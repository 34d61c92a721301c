import { expect, it } from "vitest";
import { checkSentence } from "./check-sentence.js";
import { checkSteps } from "./check-steps.js";
import { type EvidenceText, prepareEvidence } from "./evidence.js";

const WARNING = "Warning: The bars stay at 180 °C for up to 40 minutes after power is off. Never touch them.";
const LOCK: EvidenceText = {
  type: "passage",
  source: "lock",
  title: "Lockout",
  headings: ["Lockout", "Locking out"],
  text: `${WARNING}

1. Tell the line crew that you are going to stop the line.
2. Press the red stop button.
3. Turn the main switch to zero.
4. Put your personal lock on the main switch.`,
};
const SPILL: EvidenceText = {
  type: "passage",
  source: "spill",
  title: "Chemical spill",
  text: "1. Warn the people around you.\n2. Put on nitrile gloves and goggles.",
};
const evidence = prepareEvidence([LOCK, SPILL]);

const STEPS = [
  "Tell the line crew that you are going to stop the line.",
  "Press the red stop button.",
  "Turn the main switch to zero.",
  "Put your personal lock on the main switch.",
] as const;
const HEAT = "The bars stay at 180 °C for up to 40 minutes after power is off.";

function problems(...sentences: readonly string[]) {
  const context = { question: "How do I lock out the line?", said: [] };
  return checkSteps(
    sentences.map((sentence) => checkSentence(sentence, evidence, context)),
    evidence,
  );
}

it("finds nothing wrong with a procedure said whole, or its beginning", () => {
  expect(problems(HEAT, ...STEPS)).toEqual([]);
  expect(problems(HEAT, STEPS[0], STEPS[1])).toEqual([]);
  expect(problems(HEAT, STEPS[2])).toEqual([]);
});

it("finds steps in another order", () => {
  expect(problems(HEAT, STEPS[0], STEPS[2], STEPS[1], STEPS[3])).toMatchObject([
    { type: "order_differs", index: 3 },
  ]);
});

it("finds a hole between the first and the last step said", () => {
  expect(problems(HEAT, STEPS[0], STEPS[3])).toMatchObject([
    { type: "missing_step", source: "lock", steps: [2, 3] },
  ]);
});

it("finds a step of another procedure", () => {
  expect(problems(HEAT, STEPS[0], STEPS[1], "Put on nitrile gloves and goggles.")).toMatchObject([
    { type: "other_procedure", index: 3 },
  ]);
});

it("gives a warning that was not said word for word", () => {
  const [problem] = problems(...STEPS);
  expect(problem).toMatchObject({ type: "missing_warning", source: "lock", warning: WARNING });
  if (problem?.type === "missing_warning") expect(LOCK.text.slice(problem.start, problem.end)).toBe(WARNING);
});

it("asks nothing of an answer without steps", () => {
  expect(problems("Never touch them.")).toEqual([]);
});
