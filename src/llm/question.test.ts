import { describe, expect, it } from "vitest";
import { readQuestion } from "./question.js";

describe("readQuestion", () => {
  it("tells what a question is about from what fits any question", () => {
    const { telling, generic } = readQuestion("How do I bleed the compressor before the next shift?");
    expect([...telling.keys()]).toEqual(["bleed", "compressor", "shift"]);
    expect([...generic]).toContain("befor");
    expect(readQuestion("What do I do?").telling.size).toBe(0);
  });

  it("takes part numbers and years for identifiers", () => {
    expect(readQuestion("What is the limit of V102 since 2024?").identifiers).toEqual(["v102", "2024"]);
  });

  it.each([
    ["How long do I wait?", "Wait ten minutes.", "Wait here."],
    ["How often is it checked?", "Check it every day.", "Check it at 9:00."],
    ["When does the shop open?", "It opens at 9:00.", "It opens slowly."],
    ["Where is the key?", "The key hangs beside the till.", "The key is red."],
    ["How deep is the pit?", "It is 3 metres deep.", "It is deep."],
  ])("knows what answers %j", (question, answer, other) => {
    const { expects, seeksSteps } = readQuestion(question);
    expect([expects?.test(answer), expects?.test(other), seeksSteps]).toEqual([true, false, false]);
  });

  it.each([
    "How do I lock out the line?",
    "What should I do when the alarm sounds?",
    "Walk me through the checklist.",
  ])("knows that %j asks for steps", (question) => {
    expect(readQuestion(question).seeksSteps).toBe(true);
  });

  it("looks back where the question does, or where it says too little", () => {
    const prior = "How do I charge the forklift battery?";
    expect(readQuestion("How long does it take to fill the tank?", prior).telling.get("forklift")).toBe(0.5);
    expect(readQuestion("And the tyres?", prior).telling.get("batteri")).toBe(0.5);
    expect(readQuestion("Where are the spill kits?", prior).telling.has("forklift")).toBe(false);
  });
});
