import { describe, expect, it } from "vitest";
import type { Language } from "../polarity.js";
import { tokenize } from "../tokens.js";
import { numeralAt } from "./numerals.js";

const SAID: readonly (readonly [Language, string, number])[] = [
  ["en", "two hundred and twelve", 212],
  ["en", "four point two", 4.2],
  ["en", "one one two", 112],
  ["en", "nought point five", 0.5],
  ["de", "fünfundzwanzig", 25],
  ["de", "zweieinhalb", 2.5],
  ["de", "drei komma fünf", 3.5],
  ["es", "treinta y dos", 32],
  ["es", "ciento veinticinco", 125],
  ["es", "dos coma cinco", 2.5],
  ["fr", "soixante-dix", 70],
  ["fr", "quatre-vingt-onze", 91],
  ["fr", "deux cent trente et un", 231],
  ["fr", "dix-sept", 17],
  ["pl", "dwieście trzydzieści pięć", 235],
  ["pl", "dwa i pół", 2.5],
  ["pl", "pięć tysięcy", 5_000],
  ["uk", "двадцять п'ять", 25],
  ["uk", "сто двадцять", 120],
  ["uk", "дві тисячі триста", 2_300],
];

describe("numbers in words", () => {
  it.each(SAID)("%s: %s", (language, text, value) => {
    const tokens = tokenize(text);
    expect(numeralAt(tokens, 0, language)).toMatchObject({ value, next: tokens.length });
  });

  it.each([
    ["12 500 kg", 12_500],
    ["1 250 000,5 kg", 1_250_000.5],
  ])("groups digits by blanks before a unit: %s", (text, value) => {
    expect(numeralAt(tokenize(text), 0)?.value).toBe(value);
  });

  it("reads no article as a number, and no blank behind what is numbered", () => {
    expect(numeralAt(tokenize("un camión"), 0, "es")).toBeUndefined();
    expect(numeralAt(tokenize("gate 3 200 m ahead"), 1)?.value).toBe(3);
  });
});
