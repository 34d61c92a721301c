/** Hint words as a prompt that the model reads whole. */
import { describe, expect, it } from "vitest";
import { PROMPT_TOKENS_MAX, promptOf } from "./prompt.js";

describe("the prompt", () => {
  it("has the most important word last, where the model surely reads it", () => {
    expect(promptOf(["Compressor C7", "Gate 12"])).toBe("Gate 12, Compressor C7.");
  });

  it.each([
    ["nothing to hint at", [], undefined],
    ["nothing but white space", [" ", "\n\t"], undefined],
    ["a word twice", ["Gate", " Gate "], "Gate."],
    ["signs that would end the list", ["a,b;c", "d\u0000\ne"], "d e, a b c."],
    ["a title that nobody says", ["x".repeat(81), "Gate"], "Gate."],
  ])("of %s", (_name, words, prompt) => {
    expect(promptOf(words)).toBe(prompt);
  });

  it.each([
    ["English titles", "Compressor maintenance ", 3],
    ["codes", "E-1234567 ", 1],
    ["Ukrainian titles", "Обслуговування компресора ", 0.5],
  ])("is short enough for the model: %s", (_name, stem, charsPerToken) => {
    const words = Array.from({ length: 1_000 }, (_, i) => `${stem}${i}`);
    const prompt = promptOf(words) ?? "";
    expect(prompt.endsWith(`${words[1]}, ${words[0]}.`)).toBe(true);
    // As many characters as the tokenizer needs a token for, at its worst on such text.
    expect(prompt.replace(/\s/g, "").length).toBeLessThanOrEqual(PROMPT_TOKENS_MAX * charsPerToken);
    expect(prompt.length).toBeGreaterThan(20);
  });
});
