import { describe, expect, it } from "vitest";
import { cutToChars } from "./cut.js";

describe("cutToChars", () => {
  it.each([
    ["Stop the line.", 20, "Stop the line."],
    ["Stop the line.", 14, "Stop the line."],
    ["Stop the line.", 12, "Stop the"],
    ["Stop the line.", 8, "Stop the"],
    ["a bbbbbbbbbbbb", 8, "a bbbbbb"],
    ["\u{1F692}\u{1F692}", 3, "\u{1F692}"],
    ["", 3, ""],
  ])("%j to %d characters", (text, charsMax, cut) => expect(cutToChars(text, charsMax)).toBe(cut));
});
