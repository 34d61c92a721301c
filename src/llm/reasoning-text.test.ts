import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ReasoningFilter, withoutReasoning } from "./reasoning-text.js";

describe("withoutReasoning", () => {
  it.each([
    ["Two minutes.", "Two minutes."],
    ["  Two minutes.", "  Two minutes."],
    ["<think>They ask how long.</think>\n\nTwo minutes.", "Two minutes."],
    ["\n<reasoning>They ask < 5 </ reasoning></reasoning>Two minutes.", "Two minutes."],
    ["<think></think><thinking>Again.</thinking> Two.", "Two."],
    ["<think>It never ends: two minutes", ""],
    ["Below <think> is no tag.", "Below <think> is no tag."],
    ["<thin ice> is dangerous", "<thin ice> is dangerous"],
    ["<think", "<think"],
    ["", ""],
  ])("of %j", (text, answer) => {
    expect(withoutReasoning(text)).toBe(answer);
  });

  it("takes the white space behind a block along, in whichever piece it comes", () => {
    const filter = new ReasoningFilter();
    expect(["<think>Hm.</think>", " ", " Two."].map((piece) => filter.take(piece)).join("")).toBe("Two.");
  });

  it("comes to the same however the text is cut", () => {
    const parts = fc.constantFrom(
      "<think>",
      "</think>",
      "<reasoning>",
      "</reasoning>",
      "<",
      "a",
      " ",
      "Two.",
    );
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 8 }), fc.array(fc.nat({ max: 12 })), (pieces, cuts) => {
        const text = `${pieces.join("")}!`;
        const filter = new ReasoningFilter();
        let said = "";
        let from = 0;
        for (const length of cuts) {
          said += filter.take(text.slice(from, from + length));
          from += length;
        }
        said += filter.take(text.slice(from));
        expect(said).toBe(withoutReasoning(text));
      }),
    );
  });
});
