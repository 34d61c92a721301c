import { describe, expect, it } from "vitest";
import { holdsWording, plainText, spansOf } from "./wording.js";

describe("a wording", () => {
  it.each([
    ["for 20 minutes.", "20 minutes"],
    ["For  20\nMINUTES", "20 minutes"],
    ["5 °C or less", "5 °C"],
    ["(333)", "333"],
    ["don’t use the lift", "don't use the lift"],
    ["at −15 °C", "-15 °C"],
    ["1,600 kg", "1,600 kg"],
    ["from 10-15 minutes", "15 minutes"],
    ["one hundred twenty one seconds", "121 seconds"],
    ["for one hundred and twenty-one seconds", "121 seconds"],
    ["Wait 20 min, then", "twenty min"],
    ["1,600 kg", "1600 kg"],
    ["Keep it at 4C.", "4 °C"],
    ["70% ethanol", "70 percent ethanol"],
    ["run `max_connections`", "max connections"],
    ["the pre-check, first", "pre check first"],
    ["wait; then stop", "wait, then stop"],
    ["dilute 1:10 in water", "1:10"],
    ["at -80 °C", "minus eighty"],
  ])("in %j is %j", (text, wording) => expect(holdsWording(text, wording)).toBe(true));

  it.each([
    ["for 120 minutes", "20 minutes"],
    ["15 °C", "5 °C"],
    ["1.5 °C", "5 °C"],
    ["-5 °C", "5 °C"],
    ["at -5 °C", "5 °C"],
    ["2.5", "2"],
    ["2,500", "2"],
    ["20 minutest", "20 minutes"],
    ["forever", "ever"],
    ["one hundred twenty one", "21"],
    ["one hundred twenty", "100"],
    ["dilute 1:100", "1:10"],
    ["minus 5 °C", "5 °C"],
    ["3.10", "3.1"],
    ["anything", " "],
  ])("in %j is not %j", (text, wording) => expect(holdsWording(text, wording)).toBe(false));
});

describe("a wording of an answer key", () => {
  const holds = (text: string, wording: string) => spansOf(plainText(text), wording, "begun").length > 0;

  it.each([
    ["After cleaning, rinse.", "clean"],
    ["two bags", "bag"],
    ["at -80 °C", "80"],
    ["five centimetres", "5 centi"],
  ])("in %j is %j", (text, wording) => expect(holds(text, wording)).toBe(true));

  it.each([
    ["the unclean one", "clean"],
    ["the notes", "no"],
    ["the note", "not"],
    ["1800 rpm", "180"],
    ["2.50", "2.5"],
    ["seventy", "seven"],
  ])("in %j is not %j", (text, wording) => expect(holds(text, wording)).toBe(false));
});
