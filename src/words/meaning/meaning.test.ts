import { describe, expect, it } from "vitest";
import { holdsDoubling } from "../../../test/support/doubling.js";
import { DIMENSIONS, likeness, meaningOf, TEXT_CHARS_MAX } from "./meaning.js";
import { WordPieces } from "./word-pieces.js";

const pieces = new WordPieces(["auto", "##cl", "##ave", "cl", "ave", "a", "cafe", "2", "##0"]);

describe("WordPieces", () => {
  it.each([
    ["autoclave", [[0, 1, 2]]],
    ["Auto-Clave!", [[0], [3, 2]]],
    ["Café 20", [[6], [7, 8]]],
    // No piece begins with `b`, nor goes on with `x`; a word is cut whole or not at all.
    ["b autox a", [[], [], [5]]],
    [`a${"a".repeat(64)}`, [[]]],
    [" ", []],
  ])("cuts %j", (text, expected) => {
    expect([...pieces.of(text)].map(({ ids }) => ids)).toEqual(expected);
  });
});

describe("meaningOf", () => {
  it("has length 1, or is nothing where there is no word", () => {
    expect(meaningOf("Close the valve.")).toHaveLength(DIMENSIONS);
    expect(Math.hypot(...meaningOf("Close the valve."))).toBeCloseTo(1, 5);
    for (const text of ["", " \n", "?!", "\ud800", "42 121"]) expect(Math.hypot(...meaningOf(text))).toBe(0);
  });

  it.each([
    "Wie lange darf die Tür vom Kühlraum aufstehen?",
    "¿Qué compruebo en la carretilla antes de conducir?",
    "Combien de temps la porte de la chambre froide peut-elle rester ouverte ?",
    "Jak długo drzwi chłodni mogą być otwarte?",
    "Скільки можна тримати двері камери відчиненими?",
  ])("leaves %j to those who know its language", (text) => {
    expect(Math.hypot(...meaningOf(text))).toBe(0);
  });

  it("does not hang on case, accents or punctuation, nor on what comes after the most that is read", () => {
    const plain = meaningOf("where is the cafe");
    expect(meaningOf("WHERE is the Café?!")).toEqual(plain);
    const long = "word ".repeat(TEXT_CHARS_MAX / 5);
    expect(meaningOf(`${long} valve`)).toEqual(meaningOf(long));
  });
});

describe("likeness", () => {
  const liker = (question: string, one: string, other: string) =>
    likeness(meaningOf(question), meaningOf(one)) - likeness(meaningOf(question), meaningOf(other));

  it.each([
    ["when do you close", "We are open from 8:00 to 17:30.", "Two people lift the pump onto the bench."],
    [
      "acid in their eyes",
      "Rinse the eye with water after a chemical splash.",
      "Drums stand in the yellow cabinet.",
    ],
    [
      "may smokers stand here",
      "Smoking is forbidden beside the pumps.",
      "Drivers sign the list beside the pumps.",
    ],
    [
      "how are they auto-claved",
      "Put them into the autoclave at 121 °C.",
      "Put them into the fridge at 4 °C.",
    ],
  ])("finds for %j the sentence that is about it", (question, near, far) => {
    expect(liker(question, near, far)).toBeGreaterThan(0.05);
  });

  it("is 1 of a text with itself and 0 of nothing", () => {
    const meaning = meaningOf("Seal the valve.");
    expect(likeness(meaning, meaning)).toBeCloseTo(1, 5);
    expect(likeness(meaning, meaningOf(""))).toBe(0);
  });
});

holdsDoubling("meaningOf", meaningOf, { charsMax: TEXT_CHARS_MAX });
