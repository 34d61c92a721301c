import { expect, it } from "vitest";
import { claimBeside, roleOf } from "./role.js";
import { parseSentence } from "./sentence.js";

it.each([
  ["filler", "Sure, here is how:"],
  ["filler", "Okay, let's go through it."],
  ["filler", "Here are the steps:"],
  ["claim", "Sure, it's safe to open the valve."],
  ["refusal", "I don't have that in the documents."],
  ["refusal", "The documents do not say how long to wait."],
  ["refusal", "That is not mentioned in the handbook."],
  ["refusal", "I couldn't find anything about that."],
  ["question", "Do you mean the freezer or the cold room?"],
  ["warning", "Warning: the bars are hot."],
  ["warning", "Never touch the bars."],
  ["warning", "Do not use the lift."],
  ["step", "3. Close the valve."],
  ["step", "Then close the valve."],
  ["step", "Put your lock on the switch."],
  ["claim", "The valve is closed at night."],
  ["claim", "Use is free for visitors."],
  ["claim", "Yes."],
] as const)("%s: %s", (role, text) => {
  expect(roleOf(parseSentence(text))).toBe(role);
});

it.each([
  ["The documents don't say, but 30 minutes is usual.", "30 minutes is usual."],
  ["I don't know, usually you open the valve first.", "you open the valve first."],
  ["I do not have that information, so please ask your supervisor.", undefined],
  ["The documents do not say how long to wait.", undefined],
])("what a refusal claims besides: %s", (text, claim) => {
  expect(claimBeside(text)).toBe(claim);
});
