import { expect, it } from "vitest";
import { pattern } from "./pattern.js";

it("takes lines as one, escapes as they are written, and blanks within a line as meant", () => {
  const greeting = pattern("iu")`
    ^(?:good \p{L}+
    |hello)[\s!]*$
  `;
  expect(greeting).toEqual(/^(?:good \p{L}+|hello)[\s!]*$/iu);
});

it("throws where the lines are no expression", () => {
  expect(() => pattern()`(?:a`).toThrow(SyntaxError);
});
