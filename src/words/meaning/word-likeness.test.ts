import { describe, expect, it } from "vitest";
import { wordLikeness } from "./word-likeness.js";

describe("wordLikeness", () => {
  it.each([
    ["fuel", "petrol", "table"],
    ["trash", "garbage", "window"],
    ["Waiting", "wait", "table"],
  ])("is greater for %j and %j than for %j", (word, alike, other) => {
    expect(wordLikeness(word, alike)).toBeGreaterThan(wordLikeness(word, other) + 0.2);
    expect(wordLikeness(alike, word)).toBeCloseTo(wordLikeness(word, alike), 5);
  });

  it("is 1 for the same, and 0 for what is no word that is known", () => {
    expect(wordLikeness("qqzz", "qqzz")).toBe(1);
    for (const unknown of ["", "12", "qzqzqz", "two words", "\ud800"])
      expect(wordLikeness(unknown, "valve")).toBe(0);
  });
});
