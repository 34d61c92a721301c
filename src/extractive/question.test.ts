import { describe, expect, it } from "vitest";
import { readQuestion } from "./question.js";

describe("readQuestion", () => {
  it("tells what a question is about from what fits any question", () => {
    expect([...readQuestion("How do I bleed the compressor before the next shift?").telling.keys()]).toEqual([
      "bleed",
      "compressor",
      "shift",
    ]);
    expect(readQuestion("What do I do?").telling.size).toBe(0);
  });

  it("asks for steps where somebody wants to be led through them", () => {
    const asked = readQuestion("Walk me through the forklift pre-check");
    expect([asked.seeksSteps, ...asked.telling.keys()]).toEqual([
      true,
      ...readQuestion("How do I do the forklift pre-check?").telling.keys(),
    ]);
  });

  it("knows what the question may be about from what is only done or measured", () => {
    const { telling, topics } = readQuestion("How deep is the pit that takes the oil?");
    expect([...telling]).toEqual([
      ["deep", 0.5],
      ["pit", 1],
      ["take", 0.5],
      ["oil", 1],
    ]);
    expect([...topics]).toEqual(["pit", "oil"]);
  });

  it.each([
    ["How do I start the line?", "start"],
    ["How to rinse eyes?", "rins"],
    ["How do I treat a burn?", undefined],
    ["Where do I start?", undefined],
  ])("knows what one wants to do in %j", (question, action) => {
    expect(readQuestion(question).action).toBe(action);
  });

  it("makes one word of lacking something", () => {
    expect(readQuestion("I do not have a lock").telling.has("!lock")).toBe(true);
    expect(readQuestion("She has no lock").telling.has("!lock")).toBe(true);
  });

  it("takes part numbers and years for identifiers", () => {
    expect(readQuestion("What is the limit of V102 since 2024?").identifiers).toEqual(["v102", "2024"]);
  });

  it.each([
    ["How long do I wait?", "Wait ten minutes.", "Wait here."],
    ["How often is it checked?", "Check it every day.", "Check it at 9:00."],
    ["When does the shop open?", "It opens at 9:00.", "It opens slowly."],
    ["When does the shop open?", "It opens at eight.", "It opens at the back."],
    ["Where is the key?", "The key hangs beside the till.", "The key is red."],
    ["How deep is the pit?", "It is 3 metres deep.", "It is behind door 3."],
    ["How hot is the fryer?", "It has 180 °C.", "It is 3 years old."],
    ["How heavy is the truck?", "It weighs 900 kg.", "It is 3 metres long."],
    ["How many swabs do I take?", "Take one swab there.", "Wait 10 minutes."],
    ["How much does a kit take up?", "It takes up 20 litres.", "It hangs at door 3."],
    ["What is the number of the desk?", "It is 410.", "It is red."],
    ["When do I need a permit?", "Any open flame needs one.", "Permits are red."],
    ["May I smoke?", "Nobody smokes here.", "People smoke here."],
    ["Is it okay to touch the bars?", "Never touch them.", "Touch them."],
  ])("knows what answers %j", (question, answer, other) => {
    const { expects, seeksSteps } = readQuestion(question);
    expect([expects?.test(answer), expects?.test(other), seeksSteps]).toEqual([true, false, false]);
  });

  it.each([
    "How do I lock out the line?",
    "What should I do when the alarm sounds?",
    "How should I lock out the line?",
    "There is a spill, what now?",
    "Walk me through the checklist.",
  ])("knows that %j asks for steps", (question) => {
    expect(readQuestion(question).seeksSteps).toBe(true);
  });

  it("counts words of the question before by half", () => {
    const prior = "How do I charge the forklift battery?";
    expect(readQuestion("How long does it take to fill the tank?", prior).telling.get("forklift")).toBe(0.5);
    expect(readQuestion("And the tyres?", prior).telling.get("batteri")).toBe(0.5);
    expect(readQuestion("And the tyres?").telling.has("batteri")).toBe(false);
  });
});
