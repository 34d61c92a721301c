import fc from "fast-check";
import { expect, it } from "vitest";
import { AnswerPieces } from "./pieces.js";

it("puts sentences together as the answer has them, and never ends with a blank", () => {
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[a-z][a-z .]{0,8}[.!]$/), { minLength: 1 }), (sentences) => {
      const pieces = new AnswerPieces();
      const told = sentences.map((sentence) => pieces.next(`${sentence} `));
      expect(told.join("")).toBe(sentences.join(" "));
      expect(told.every((piece) => piece === piece.trimEnd())).toBe(true);
    }),
  );
});

it("says nothing for nothing", () => {
  const pieces = new AnswerPieces();
  expect(pieces.next("")).toBe("");
  expect(pieces.next(" ")).toBe("");
  expect(pieces.next("So. ")).toBe(" So.");
});
