import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tokenize } from "../tokens.js";
import { findQuantities, quantitiesIn } from "./quantities.js";
import { compareAmounts, type Quantity } from "./quantity.js";

function quantities(text: string): Quantity[] {
  return findQuantities(text, tokenize(text));
}

function one(text: string): Quantity {
  const found = quantities(text);
  expect(found).toHaveLength(1);
  return found[0]!;
}

describe("the same amount", () => {
  it.each([
    ["25 minutes", "twenty-five minutes"],
    ["2.5 bar", "two point five bar"],
    ["112 kg", "a hundred and twelve kilograms"],
    ["30 minutes", "half an hour"],
    ["90 minutes", "an hour and a half"],
    ["90 minutes", "one and a half hours"],
    ["15 minutes", "a quarter of an hour"],
    ["45 minutes", "three quarters of an hour"],
    ['3/8"', "three eighths of an inch"],
    ['12"', "twelve inches"],
    ["24 hours", "a day"],
    ["24 bottles", "two dozen bottles"],
    ["1,600 kg", "1.6 tonnes"],
    ["1600 kg", "1.6 t"],
    ["15 cm", "0.15 m"],
    ["10 mm", "10mm"],
    ["180 °C", "356 °F"],
    ["180 °C", "180 degrees Celsius"],
    ["180 °C", "180 degrees"],
    ["-18 °C", "minus 18 °C"],
    ["-18 °C", "18 degrees below zero"],
    ["-18 °C", "18 °C unter null"],
    ["6 bar", "600 kPa"],
    ["6 bar", "87 psi"],
    ["2 m", "7 ft"],
    ["30 percent", "30%"],
    ["30 percent", "30 per cent"],
    ["50 euros", "€50"],
    ["50 euros", "EUR 50"],
    ["3.5 million euros", "€3,500,000"],
    ["10–15 minutes", "10 to 15 minutes"],
    ["10–15 minutes", "between 10 and 15 minutes"],
    ["5 ± 0.2 bar", "4.8 to 5.2 bar"],
    ["5 ± 0.2 bar", "5 bar"],
    ["14:30", "2:30 p.m."],
    ["14:30", "half past two"],
    ["14:30", "2.30 pm"],
    ["8:45", "a quarter to nine"],
    ["12:00", "noon"],
    ["9:00", "9 o'clock"],
    ["from 9:00 to 19:00", "from 9 am to 7 pm"],
    ["1 March 2026", "March 1st, 2026"],
    ["1 March 2026", "2026-03-01"],
    ["1 March 2026", "March 2026"],
    ["1 March 2026", "2026"],
    ["twice", "two times"],
    ["extension 333", "extension three three three"],
    ["8 km/h", "8 kilometres per hour"],
    ["12 km/h", "7.5 mph"],
    ["20 l/min", "20 litres per minute"],
    ["2 m²", "2 square metres"],
    ["¾ cup", "3/4 cup"],
  ])("is in %j and in %j", (a, b) => {
    expect(compareAmounts(one(b), one(a))).toBe("same");
  });
});

describe("another amount", () => {
  it.each([
    ["30 minutes", "30 seconds"],
    ["100 minutes", "2 hours"],
    ["1,600 kg", "2 tonnes"],
    ["2 m", "6 ft"],
    ["180 °C", "180 °F"],
    ["50 euros", "50 dollars"],
    ["10–15 minutes", "15 minutes"],
    ["10–15 minutes", "10–16 minutes"],
    ["9:00", "9:30"],
    ["9 am", "9 pm"],
    ["1 March 2026", "1 May 2026"],
    ["1 March 2026", "1 March 2025"],
    ["-18 °C", "18 °C"],
  ])("is in %j and in %j", (a, b) => {
    expect(compareAmounts(one(b), one(a))).toBe("different");
  });
});

describe("bounds", () => {
  it.each([
    ["at least 15 minutes", "at_least"],
    ["15 minutes or more", "at_least"],
    ["no less than 15 minutes", "at_least"],
    ["a minimum of 15 minutes", "at_least"],
    ["Hold (°C, min.): 63", "at_least"],
    ["Max. time (h): 15", "at_most"],
    ["Time (min): 15", "exact"],
    ["at most 15 minutes", "at_most"],
    ["up to 15 minutes", "at_most"],
    ["no more than 15 minutes", "at_most"],
    ["not longer than 15 minutes", "at_most"],
    ["must not exceed 15 minutes", "at_most"],
    ["within 15 minutes", "at_most"],
    ["15 minutes or less", "at_most"],
    ["more than 15 minutes", "more_than"],
    ["over 15 minutes", "more_than"],
    ["longer than 15 minutes", "more_than"],
    ["below 15 °C", "less_than"],
    ["fewer than 15 people", "less_than"],
    ["about 15 minutes", "about"],
    ["15 minutes", "exact"],
  ])("%s", (text, bound) => {
    expect(one(text).bound).toBe(bound);
  });
});

describe("what is no amount", () => {
  it.each([
    "3. Close the valve.",
    "Step 3: Close the valve.",
    "Close valve P-101.",
    "The code is E42.",
    "ISO A4",
  ])("%s", (text) => {
    expect(quantities(text)).toEqual([]);
  });
});

it("gives each amount its own words", () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.constantFrom(
          "Wait",
          "5 minutes",
          "at least",
          "half an hour",
          "–",
          "to",
          "10",
          "€",
          "°C",
          "and",
          ".",
          "2:30",
          "p.m.",
          "March",
          "twenty",
          "±",
          "½",
        ),
        { maxLength: 12 },
      ),
      (words) => {
        const text = words.join(" ");
        let last = 0;
        for (const { start, end, text: own } of quantities(text)) {
          expect(text.slice(start, end)).toBe(own);
          expect(start).toBeGreaterThanOrEqual(last);
          last = end;
        }
      },
    ),
  );
});

describe("amounts of tiny units", () => {
  it.each([
    ["5 µL", "6 µL", "different"],
    ["5 uL", "0.005 ml", "same"],
    ["1 ng", "500 ng", "different"],
    ["10^-10", "10^-12", "different"],
    ["10⁻⁷", "1e-7", "same"],
    ["mixed 1:10", "mixed one to ten", "same"],
    ["mixed 1:10", "mixed 10:1", "different"],
    ["½ tablet", "half a tablet", "same"],
    ["3x", "three times", "same"],
    ["4C", "39.2 °F", "same"],
    ["5 mg/kg", "5 mg", "other"],
    ["2 tons", "2000 kg", "same"],
  ])("%s, %s: %s", (a, b, expected) => {
    const [said, known] = [quantitiesIn(a)[0]!, quantitiesIn(b)[0]!];
    expect(compareAmounts(said, known)).toBe(expected);
  });

  it("takes 1:10 for a time where nothing says otherwise", () => {
    expect(quantitiesIn("The bus leaves at 1:10.")[0]?.dimension).toBe("clock");
  });

  it("leaves the letters of names alone", () => {
    expect(quantitiesIn("Go to gate 4C.")).toEqual([]);
    expect(quantitiesIn("EN 388:2016").filter(({ dimension }) => dimension === "proportion")).toEqual([]);
  });
});
