import { describe, expect, it } from "vitest";
import { expectedOf, saidByUnit } from "./expected-kind.js";

describe("expectedOf", () => {
  it.each([
    ["How fast may I drive?", "The limit is 8 km/h.", "The limit is 8 minutes."],
    ["Above which temperature does it sound?", "It sounds above 5 °C.", "It sounds above 5 m."],
    ["How heavy a box may I lift?", "Lift no more than 25 kg.", "Lift no more than 25 boxes."],
    ["At which pressure does the valve open?", "It opens at 10 bar.", "It opens at 10 o'clock."],
    ["Above which amount do I ask?", "Ask above 100 euros.", "Ask above all."],
    ["What concentration do I need?", "Foam at 3 percent.", "Foam for 3 minutes."],
    ["Which number do I call?", "Call 112 from any phone.", "Call the 2 first aiders."],
    ["Within what time must it be cooled?", "It is cooled within 90 minutes.", "It is cooled at 10:00."],
    ["What speed does the line run at?", "The line makes 900 cans an hour.", "The line makes 900 cans."],
    ["When do I turn the cheese?", "The cheese is turned on day 4.", "The cheese is turned on shelf 4."],
    ["When can't we weld outside?", "Nobody welds in rain.", "A welder rests after 50 minutes."],
    ["Who mustn't enter the silo?", "Visitors never enter it.", "The foreman enters it first."],
    ["Which oils are we not allowed to mix?", "Never mix ester oils.", "Ester oils are mixed by hand."],
    ["What colour is the plaster?", "Use a blue plaster.", "Use a plaster from the red box."],
    [
      "Which colour are the aprons for raw meat?",
      "The aprons are white.",
      "The aprons hang by the red door.",
    ],
  ])("%j: %j, not %j", (question, right, wrong) => {
    expect(expectedOf(question)!.test(right)).toBe(true);
    expect(expectedOf(question)!.test(wrong)).toBe(false);
  });
});

describe("saidByUnit", () => {
  it("has the words that the unit says", () => {
    expect(saidByUnit("How fast may I drive?")).toEqual(["fast"]);
    expect(saidByUnit("At which pressure does the valve open?")).toEqual(["pressure"]);
  });

  it.each([
    "How heavy is the truck?",
    "What is the pressure of the air line?",
    "How much does the truck weigh?",
    "What does the truck cost?",
    "How tall may a ladder be?",
  ])("has none in %j, where the unit does not tell what it measures", (question) => {
    expect(saidByUnit(question)).toEqual([]);
  });
});
