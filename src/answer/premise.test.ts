import { describe, expect, it } from "vitest";
import { passage } from "../../test/support/fake-retrieval.js";
import { atOnce } from "../lib/steps.js";
import { contradictionInSteps, premiseOf } from "./premise.js";

const spill = passage(
  "spill",
  "Never use water on a large spill. The cold room door may stay open for at most 2 minutes. Wear gloves when you clean.",
);

describe("what a question takes for granted", () => {
  it.each([
    ["Why do we use water on a chemical spill?", "We use water on a chemical spill."],
    [
      "Since the door may stay open for two hours, can I unload now?",
      "The door may stay open for two hours.",
    ],
    ["Why don't we wear gloves in the yard?", "We do not wear gloves in the yard."],
    ["Why can't you lock out the line alone?", "You cannot lock out the line alone."],
    ["Why may drivers enter the yard at night?", "Drivers may enter the yard at night."],
  ])("%s", (question, premise) => expect(premiseOf(question)).toBe(premise));

  it.each([
    "When does the alarm sound?",
    "May the door stay open for two hours?",
    "Why?",
    "Why is that?",
    "If the door stays open, who do I call?",
    "How long has it been since the alarm?",
    "Do we use water on a spill?",
  ])("is nothing in: %s", (question) => expect(premiseOf(question)).toBeUndefined());
});

describe("the sentence that contradicts it", () => {
  it.each([
    ["Why do we use water on a large spill?", "Never use water on a large spill."],
    [
      "Since the cold room door may stay open for at most 2 hours, can I unload now?",
      "The cold room door may stay open for at most 2 minutes.",
    ],
  ])("%s", (question, sentence) => expect(atOnce(contradictionInSteps(question, [spill]))).toBe(sentence));

  it.each([
    "Since the cold room door may stay open for at most 2 minutes, can I unload now?",
    "Why do we wear gloves when we clean?",
    "Why do we use a ladder on the roof?",
    "Since the canteen opens at noon, can I eat there?",
  ])("is not made up: %s", (question) =>
    expect(atOnce(contradictionInSteps(question, [spill]))).toBeUndefined(),
  );
});
