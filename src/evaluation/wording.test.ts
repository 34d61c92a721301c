import { describe, expect, it } from "vitest";
import { holdsWording } from "./wording.js";

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
    ["at 9:00", "9"],
    ["1/8 turn", "8"],
    ["3.10", "3.1"],
    ["anything", " "],
  ])("in %j is not %j", (text, wording) => expect(holdsWording(text, wording)).toBe(false));
});
