import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sentencesOf } from "./highlights.js";

const TEXT = "Rinse the eyes with water. Call the first aider. Remove contact lenses. Write a report.";

describe("sentencesOf", () => {
  it("puts the sentence with most words of the query first", () => {
    expect(sentencesOf(TEXT, [], "lenses and water in the eyes")).toEqual([
      "Rinse the eyes with water.",
      "Remove contact lenses.",
    ]);
  });

  it("keeps to the fragments, without their marks", () => {
    expect(sentencesOf(TEXT, ["Remove <em>contact</em> lenses."], "contact the first aider")).toEqual([
      "Remove contact lenses.",
    ]);
  });

  it("takes the fragments that meaning chose, though they share no word with the query", () => {
    expect(sentencesOf(TEXT, ["Call the first aider."], "medic")).toEqual(["Call the first aider."]);
  });

  it("does not take the whole text for a choice", () => {
    expect(sentencesOf(TEXT, [`First aid\n${TEXT}`], "medic")).toEqual([]);
    expect(sentencesOf(TEXT, [`First aid\n${TEXT}`], "report")).toEqual(["Write a report."]);
  });

  it("marks the sentence around a fragment that ends elsewhere", () => {
    expect(sentencesOf(TEXT, ["contact lenses"], "glasses")).toEqual(["Remove contact lenses."]);
  });

  it("gives nothing but parts of the text", () => {
    fc.assert(
      fc.property(fc.string(), fc.array(fc.string()), fc.string(), (text, fragments, query) => {
        for (const sentence of sentencesOf(text, fragments, query)) {
          expect(sentence).not.toBe("");
          expect(text).toContain(sentence);
        }
      }),
    );
  });
});
