import { describe, expect, it } from "vitest";
import { mend } from "./mend.js";
import { VocabularyReader } from "./vocabulary.js";

function vocabularyOf(...texts: string[]) {
  const reader = new VocabularyReader();
  for (const [i, text] of texts.entries()) reader.read(text, `d${i}`, "text");
  return reader.vocabulary();
}

const plant = vocabularyOf(
  "Pump 2 feeds the boiler. Stop pump 2 first. Start pump 10 last.",
  "The parts washer has a lid. The parts washer is hot. The dock leveller is up. Lower the dock leveller.",
  "Bay B is cold. Bay D is warm. Gate 13 is shut. Gate 30 is open. Add 5 litres. Add 9 litres.",
);
/** Sure of all words but of those that are named. */
const words = (text: string, ...unsure: string[]) =>
  text.split(" ").map((word) => ({ text: word, probability: unsure.includes(word) ? 0.4 : 0.99 }));
const asked = (text: string, ...unsure: string[]) =>
  mend(text, words(text, ...unsure), plant).alternatives?.map((one) => one.words);

describe("a number that the recogniser was unsure of", () => {
  it.each([
    ["How do I start pump two", "two", ["pump 2", "pump 10"]],
    ["How do I start pump 10", "10", ["pump 10", "pump 2"]],
    ["Is gate thirteen open", "thirteen", ["gate 13", "gate 30"]],
    ["Is bay B warm", "B", ["bay B", "bay D"]],
    ["Is bay P warm", "P", ["bay B", "bay D"]],
  ])("%s", (text, unsure, expected) => {
    expect(asked(text, unsure)).toEqual(expected);
  });

  it("is asked for with the whole question, and the documents that have the names", () => {
    const text = "How do I start pump two now";
    expect(mend(text, words(text, "two"), plant)).toEqual({
      text: "How do I start pump 2 now",
      isOther: false,
      sources: [{ type: "document", id: "d0" }],
      alternatives: [
        { words: "pump 2", question: "How do I start pump 2 now" },
        { words: "pump 10", question: "How do I start pump 10 now" },
      ],
    });
  });

  it("is not asked for where it names nothing, sounds like nothing else, or was heard for sure", () => {
    expect(asked("How do I start pump two")).toBeUndefined();
    expect(asked("How do I start pump seventy", "seventy")).toBeUndefined();
    expect(asked("Shall I wait five minutes", "five")).toBeUndefined();
    expect(asked("Shall I add five litres", "five")).toBeUndefined();
    expect(asked("How do I start the pump", "start", "How", "the")).toBeUndefined();
    expect(mend("How do I start pump two", undefined, plant).alternatives).toBeUndefined();
  });

  it("is written as the documents write it", () => {
    const text = "Is pump ten behind gate thirteen, or in bay b?";
    expect(mend(text, undefined, plant)).toEqual({
      text: "Is pump 10 behind gate 13, or in bay B?",
      isOther: false,
      sources: [],
    });
  });

  it("is never replaced, whatever the documents have", () => {
    const only = vocabularyOf("Pump 30 is hot. Pump 30 is loud.");
    expect(mend("Is pump thirteen hot", undefined, only).text).toBe("Is pump thirteen hot");
    expect(mend("Is pump thirteen hot", words("Is pump thirteen hot"), only).alternatives).toBeUndefined();
    const unsure = mend("Is pump thirteen hot", words("Is pump thirteen hot", "thirteen"), only);
    expect(unsure.alternatives?.map((one) => one.words)).toEqual(["pump 13", "pump 30"]);
  });
});

describe("a name that no document has", () => {
  const mended = (text: string) => mend(text, undefined, plant).text;

  it.each([
    ["How hot is the parks washer?", "How hot is the parts washer?"],
    ["Is the doc leveler up now?", "Is the dock leveller up now?"],
  ])("%s becomes one that sounds like it", (heard, text) => {
    expect(mended(heard)).toBe(text);
  });

  it.each([
    "How hot is the parts washer?",
    "Where is the coffee machine?",
    "May I leave the bottle washer open?",
    "Where is the wash basin?",
    "Where do I park the forklift?",
    "stop",
    "bark washer",
    "",
  ])("%s stays", (heard) => {
    expect(mended(heard)).toBe(heard);
  });

  it("stays where two sound like it, and where it was heard for sure and sounds different", () => {
    const two = vocabularyOf(
      "The parts washer runs. The parts washer stops. The carts washer runs. The carts washer stops.",
    );
    expect(mend("Is the garts washer on?", undefined, two).text).toBe("Is the garts washer on?");
    const text = "How hot is the parks washer?";
    expect(mend(text, words(text), plant).text).toBe(text);
    expect(mend(text, words(text, "parks"), plant).text).toBe("How hot is the parts washer?");
  });
});
