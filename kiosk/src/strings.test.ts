import { describe, expect, it } from "vitest";
import { ageInWords, languageFor } from "./strings.js";

describe("the language of the page", () => {
  it.each([
    [["es"], "es"],
    [["es-MX", "en"], "es"],
    [["ES"], "es"],
    [[undefined, "pl-PL"], "pl"],
    [["ja", "de-AT", "en"], "de"],
    [["ja"], "en"],
    [[], "en"],
  ])("is for the wishes %j: %s", (wishes, language) => {
    expect(languageFor(wishes, ["de", "en", "es", "pl"])).toBe(language);
  });
});

describe("the age of a reading", () => {
  it.each([
    [-5_000, "en", "now"],
    [0, "de", "jetzt"],
    [59_999, "en", "now"],
    [60_000, "en", "1 minute ago"],
    [125_000, "de", "vor 2 Minuten"],
    [300_000, "pl", "5 minut temu"],
    [300_000, "uk", "5 хвилин тому"],
    [7_200_000, "fr", "il y a 2 heures"],
    [3 * 86_400_000, "es", "hace 3 días"],
  ])("of %d ms in %s is %s", (ageMs, language, words) => {
    expect(ageInWords(ageMs, language)).toBe(words);
  });
});
