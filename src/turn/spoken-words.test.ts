import { describe, expect, it } from "vitest";
import { spokenWords } from "./spoken-words.js";

describe("what a voice says of a sentence", () => {
  it.each([
    [
      "The alarm of the cold room sounds at 8 °C.",
      "The alarm of the cold room sounds at eight degrees Celsius.",
    ],
    [
      "Der Alarm ertönt bei 8 °C, und die Tür ist zu.",
      "Der Alarm ertönt bei acht Grad Celsius, und die Tür ist zu.",
    ],
    ["**Do not** open the valve [1].", "Do not open the valve."],
    ["---", ""],
  ])("is in the language that it tells: %s", (written, spoken) => {
    expect(spokenWords(written, "fr")).toBe(spoken);
  });

  it.each([
    ["fr", "14 h 30.", "quatorze heures trente."],
    ["pl-PL", "2 t.", "dwie tony."],
    ["uk", "2 °C.", "два градуси Цельсія."],
    [undefined, "2.5 bar.", "two point five bar."],
    ["pt", "2,5 bar.", "2,5 bar."],
  ])("is in the turn's language (%s) where it tells none: %s", (language, written, spoken) => {
    expect(spokenWords(written, language)).toBe(spoken);
  });
});
