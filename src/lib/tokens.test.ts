import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countTokens, cutToTokens } from "./tokens.js";

describe("countTokens", () => {
  it.each([
    ["", 0],
    ["   \n", 0],
    ["?!…", 0],
    ["Lock out the press.", 4],
    ["e.g. don't", 4],
    ["state-of-the-art", 4],
    ["Préssión  максимум\t9", 3],
  ])("counts %j as %i", (text, tokens) => expect(countTokens(text)).toBe(tokens));
});

describe("cutToTokens", () => {
  it("cuts between words, without the space", () => {
    expect(cutToTokens("one two three", 2)).toBe("one two");
    expect(cutToTokens("one two-three four", 2)).toBe("one");
    expect(cutToTokens("one two", 2)).toBe("one two");
    expect(cutToTokens("one", 0)).toBe("");
  });

  it("gives a beginning of the text, as long as the limit allows", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.nat(20), (text, limit) => {
        const cut = cutToTokens(text, limit);
        expect(text.startsWith(cut)).toBe(true);
        expect(countTokens(cut)).toBeLessThanOrEqual(limit);
        if (countTokens(text) <= limit) expect(cut).toBe(text);
      }),
    );
  });
});
