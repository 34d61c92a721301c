import { expect, it } from "vitest";
import { type EvidenceText, prepareEvidence } from "../evidence.js";
import { checkSentence } from "./check-sentence.js";
import { checkSteps } from "./steps.js";

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

function checked(...sentences: readonly string[]) {
  const context = { question: "How do I lock out the line?", said: [] };
  return checkSteps(
    sentences.map((sentence) => checkSentence(sentence, evidence, context)),
    evidence,
  );
}

const NOTHING = { problems: [], warnings: [] };

it("finds nothing wrong with a procedure said whole, or its beginning", () => {
  expect(checked(HEAT, ...STEPS)).toEqual(NOTHING);
  expect(checked(HEAT, STEPS[0], STEPS[1])).toEqual(NOTHING);
  expect(checked(HEAT, STEPS[2])).toEqual(NOTHING);
});

it("finds steps in another order", () => {
  expect(checked(HEAT, STEPS[0], STEPS[2], STEPS[1], STEPS[3]).problems).toEqual(["order_differs"]);
});

it("finds a hole between the first and the last step said", () => {
  expect(checked(HEAT, STEPS[0], STEPS[3]).problems).toEqual(["missing_step"]);
});

it("finds a step of another procedure", () => {
  const { problems } = checked(HEAT, STEPS[0], STEPS[1], "Put on nitrile gloves and goggles.");
  expect(problems).toEqual(["other_procedure"]);
});

it("gives a warning that was not said word for word", () => {
  expect(checked(...STEPS)).toEqual({ problems: [], warnings: [WARNING] });
});

it("asks nothing of an answer without steps", () => {
  expect(checked("Never touch them.")).toEqual(NOTHING);
});

const TRUCK: EvidenceText = {
  type: "passage",
  source: "truck",
  document: "forklift",
  title: "Forklift pre-check",
  text:
    "1. Look for oil on the floor.\n2. Check the tyres.\n3. Look at the forks.\n\n1. Sound " +
    "the horn.\n2. Raise the mast.\n3. Pull the parking brake.",
};
const RAMP: EvidenceText = {
  type: "passage",
  source: "ramp",
  document: "forklift",
  title: "Forklift pre-check",
  headings: ["Ramp"],
  text: "1. Drive to the ramp.\n2. Lower the load.\n3. Wait for the light.",
};
const RAMP_GOES_ON: EvidenceText = {
  ...RAMP,
  source: "ramp-2",
  text: "4. Drive down.\n5. Report to the gate.",
};
const OTHER: EvidenceText = { ...SPILL, document: "spill", title: "Forklift pre-check" };
const yard = prepareEvidence([TRUCK, RAMP_GOES_ON, RAMP, OTHER]);
const OUT = ["Look for oil on the floor.", "Check the tyres.", "Look at the forks."];
const IN = ["Sound the horn.", "Raise the mast.", "Pull the parking brake."];
const UP = [
  "Drive to the ramp.",
  "Lower the load.",
  "Wait for the light.",
  "Drive down.",
  "Report to the gate.",
];
const RINSE = ["Warn the people around you.", "Put on nitrile gloves and goggles."];

function kinds(...sentences: readonly string[]): readonly string[] {
  const context = { question: "How do I check the forklift?", said: [] };
  return checkSteps(
    sentences.map((sentence) => checkSentence(sentence, yard, context)),
    yard,
  ).problems;
}

it("lets whole procedures of one document be said one after the other", () => {
  expect(kinds(...OUT, ...IN)).toEqual([]);
  expect(kinds(...IN, ...OUT)).toEqual([]);
  expect(kinds(...OUT, ...IN, ...UP)).toEqual([]);
});

it("lets a procedure of another document follow one that is finished", () => {
  expect(kinds(...OUT, ...RINSE)).toEqual([]);
});

it("finds a switch out of an unfinished procedure into another document's, whatever its title", () => {
  expect(kinds(...OUT.slice(0, 2), ...RINSE)).toEqual(["other_procedure"]);
});

it("finds a step of another document in the middle", () => {
  expect(kinds(OUT[0]!, RINSE[1]!, OUT[1]!, OUT[2]!)).toEqual(["other_procedure"]);
});

it("finds the middle of another procedure behind an unfinished one", () => {
  expect(kinds(OUT[0]!, OUT[1]!, IN[2]!)).toEqual(["other_procedure"]);
});

it("finds procedures of one document that are interleaved", () => {
  expect(kinds(OUT[0]!, IN[0]!, OUT[1]!, IN[1]!, OUT[2]!, IN[2]!)).not.toEqual([]);
});

it("finds a hole and another order in the second procedure as well", () => {
  expect(kinds(...OUT, IN[0]!, IN[2]!)).toEqual(["missing_step"]);
  expect(kinds(...OUT, IN[0]!, IN[2]!, IN[1]!)).toEqual(["order_differs"]);
});

it("takes a procedure that was cut into two chunks for one", () => {
  expect(kinds(...UP)).toEqual([]);
  expect(kinds(...UP.slice(0, 2), ...UP.slice(3))).toEqual(["missing_step"]);
  expect(kinds(...UP.slice(3), ...UP.slice(0, 3))).toEqual(["order_differs"]);
});
