import { describe, expect, it } from "vitest";
import { englishUnits } from "./english-units.js";

describe("numbers with units, for an English voice", () => {
  it.each([
    ["The alarm sounds at 8 °C.", "The alarm sounds at 8 degrees Celsius."],
    ["Keep it at −18 °C.", "Keep it at minus 18 degrees Celsius."],
    ["Keep it at -18°C.", "Keep it at minus 18 degrees Celsius."],
    ["It is 1 °C too warm.", "It is 1 degree Celsius too warm."],
    ["Above 46 ° F", "Above 46 degrees Fahrenheit"],
    [
      "8 km/h in the hall and 12 km/h in the yard",
      "8 kilometres per hour in the hall and 12 kilometres per hour in the yard",
    ],
    ["at most 2.5 bar", "at most 2.5 bar"],
    ["10–15 mm", "10 to 15 millimetres"],
    ["10-15 mm", "10 to 15 millimetres"],
    ["between 2 m and 3 m", "between 2 metres and 3 metres"],
    ["1 m away", "1 metre away"],
    ["at least 30 %", "at least 30 percent"],
    ["30% full", "30 percent full"],
    ["± 0.5 mm", "plus or minus 0.5 millimetres"],
    ["≥ 10 kg", "at least 10 kilograms"],
    ["≤5 V", "at most 5 volts"],
    ["< 3 A", "less than 3 amperes"],
    ["25 Nm", "25 newton metres"],
    ["400 V", "400 volts"],
    ["1,5 l", "1,5 litres"],
    ["5 l/min", "5 litres per minute"],
    ["85 dB(A)", "85 decibels A"],
    ["20 min", "20 minutes"],
    ["1 h", "1 hour"],
    ["€50", "50 euros"],
    ["50 €", "50 euros"],
    ["$20", "20 dollars"],
    ["12 m²", "12 square metres"],
    ["2 × 4 screws", "2 by 4 screws"],
  ])("%s → %s", (written, spoken) => {
    expect(englishUnits(written)).toBe(spoken);
  });

  it.each([
    "Valve V-3 and pump P-101",
    "ISO 45001",
    "3 in the morning",
    "Call 112 now",
    "Gate 7 A",
    "Step 2: at 14:30",
    "breaker B12",
    "part 12-345-67",
    "the 4 lifts",
    "room 12 has 3 seats",
    "on 2026-03-14",
  ])("leaves alone what is no measure: %s", (text) => {
    expect(englishUnits(text)).toBe(text);
  });
});
