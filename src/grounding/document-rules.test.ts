/** What a passage plainly allows of one thing, and all that it does not. */
import { describe, expect, it } from "vitest";
import { passage } from "../../test/support/fake-retrieval.js";
import { isAllowed, judgeRule, type RuleSubject, ruleFor } from "./document-rules.js";

const ROOM: RuleSubject = { names: ["cold room", "CR1"], kind: "room", signals: ["temperature"] };
const FREEZER: RuleSubject = { names: ["freezer two", "F2"], kind: "freezer", signals: ["temperature"] };
const PUMP: RuleSubject = { names: ["pump two", "P2", "glue pump"], kind: "pump", signals: ["pressure"] };
const TANK: RuleSubject = { names: ["tank one"], kind: "tank", signals: ["level"] };

/** The rule of one text below these headings, as "at_most 5"; `undefined` where it allows nothing. */
function told(subject: RuleSubject, unit: string, text: string, headings: readonly string[] = []) {
  const [title = "Handbook", ...more] = headings;
  const rule = ruleFor([{ ...passage("a", text), title, headings: more }], subject, { unit });
  if (rule === undefined) return undefined;
  return `${rule.bound} ${rule.low}${rule.low === rule.high ? "" : ` ${rule.high}`}`;
}

describe("a limit", () => {
  it.each([
    [ROOM, "°C", "Keep the cold room below 5 °C.", "less_than 5"],
    [ROOM, "°C", "The cold room must be kept at 5 °C at most.", "at_most 5"],
    [ROOM, "°C", "The temperature of the cold room must not exceed five degrees Celsius.", "at_most 5"],
    [ROOM, "°C", "Never let the cold room rise above 5 °C.", "at_most 5"],
    [ROOM, "°C", "The temperature in the cold room must always be between 2 and 5 °C.", "between 2 5"],
    [ROOM, "°C", "The maximum temperature of the cold room is 5 °C.", "at_most 5"],
    [ROOM, "°C", "Cold room: at most 5 °C.", "at_most 5"],
    [ROOM, "°C", "The cold room must be at most 41 °F.", "at_most 5"],
    [ROOM, "°F", "The cold room must be at most 5 °C.", "at_most 41"],
    [ROOM, "°C", "CR1 must stay under 5 °C. The kitchen must stay under 22 °C.", "less_than 5"],
    [FREEZER, "°C", "Freezers must be kept at -18 °C or below.", "at_most -18"],
    [FREEZER, "°C", "Every freezer must stay below -18 °C.", "less_than -18"],
    [
      FREEZER,
      "°C",
      "All freezers must stay below -18 °C, and freezer 2 must be below -22 °C.",
      "less_than -22",
    ],
    [PUMP, "bar", "The pressure of pump 2 must be under 5 bar.", "less_than 5"],
    [PUMP, "bar", "The glue pump must have at least 300 kPa.", undefined],
    [PUMP, "bar", "The pressure of the glue pump must be at least 300 kPa.", "at_least 3"],
    [TANK, "%", "The level of tank one must be at least 20 %.", "at_least 20"],
    [ROOM, "°C", "Der cold room darf höchstens 5 °C warm sein.", "at_most 5"],
  ])("of %o in %s is read out of %j", (subject, unit, text, expected) => {
    expect(told(subject, unit, text)).toBe(expected);
  });

  it.each([
    [ROOM, ["Cold store handbook", "Cold room"], "Keep the temperature below 5 °C.", "less_than 5"],
    [ROOM, ["Handbook", "Cold room", "Temperatures"], "At most 5 °C.", "at_most 5"],
    [FREEZER, ["Freezers"], "The temperature must not rise above -18 °C.", "at_most -18"],
    [FREEZER, ["Freezer", "Limits"], "The temperature must not rise above -18 °C.", "at_most -18"],
    [FREEZER, ["Coffee machine", "Freezer"], "The temperature must not rise above -18 °C.", undefined],
    [ROOM, ["Oven"], "Keep the temperature below 5 °C.", undefined],
    [ROOM, ["Cold room", "Oven"], "Keep the temperature below 5 °C.", undefined],
    [ROOM, ["Cold room", "Door seals"], "Keep the temperature below 5 °C.", undefined],
  ])("of %o stands below %j: %j", (subject, headings, text, expected) => {
    expect(told(subject, "°C", text, headings)).toBe(expected);
  });

  it.each([
    [PUMP, "bar", "The pressure of pump three must be under 5 bar."],
    [PUMP, "bar", "The pressure of pump P3 must be under 5 bar."],
    [PUMP, "bar", "The wash pump must stay under 5 bar pressure."],
    [PUMP, "bar", "The pressure of the seal of pump two must be under 5 bar."],
    [PUMP, "bar", "The inlet pressure of pump two must be under 5 bar."],
    [PUMP, "bar", "All other pumps must have a pressure under 5 bar."],
    [PUMP, "bar", "The pressure of pumps one and three must be under 5 bar."],
    [PUMP, "bar", "Pump two feeds the boiler, which must stay under 5 bar."],
    [PUMP, "bar", "If the pump two pressure is above 5 bar, stop it."],
    [PUMP, "bar", "The pressure of pump two may be above 5 bar."],
    [PUMP, "bar", "The pressure of pump two need not be above 5 bar."],
    [PUMP, "bar", "The pressure of pump two must be under 5 bar for 10 minutes."],
    [PUMP, "bar", "The pressure of pump two must be about 5 bar."],
    [PUMP, "bar", "Is the pressure of pump two at most 5 bar?"],
    [PUMP, "bar", "Set the pressure of pump two to 5 bar."],
    [PUMP, "bar", "The temperature of pump two must be under 50 °C."],
    [ROOM, "°C", "The cold room of the old building must be under 5 °C."],
    [ROOM, "°C", "Check the cold room every 2 hours, it is at most 5 °C warm."],
    [ROOM, "°C", "Store food at 5 °C at most."],
    [TANK, "%", "The humidity at tank one must be under 50 %."],
    [TANK, "%", "Tank one must be under 50 %."],
    [ROOM, "", "The cold room must be at most 5 °C."],
    [ROOM, "°C", "The cold room must be at most 5 °C. The cold room must be at most 7 °C."],
  ])("of %o in %s is not read out of %j", (subject, unit, text) => {
    expect(told(subject, unit, text)).toBeUndefined();
  });

  it("is the end of what is allowed", () => {
    const rule = (text: string) => ruleFor([passage("a", text)], ROOM, { unit: "°C" })!;
    const within = (text: string, ...values: readonly number[]) =>
      values.map((one) => isAllowed(rule(text), one));
    expect(within("Keep the cold room below 5 °C.", 4.9, 5)).toEqual([true, false]);
    expect(within("The cold room must be at most 5 °C.", 5, 5.1)).toEqual([true, false]);
    expect(within("Keep the cold room between 2 and 5 °C.", 1.9, 2, 5, 5.1)).toEqual([
      false,
      true,
      true,
      false,
    ]);
    expect(within("Never let the cold room fall below 2 °C.", 1.9, 2)).toEqual([false, true]);
    expect(within("Keep the cold room above 2 °C.", 2, 2.1)).toEqual([false, true]);
  });
});

describe("what is said of a limit", () => {
  const there = passage("a", "Wash your hands. The cold room must be at most 41 °F.");
  const rule = ruleFor([there], ROOM, { unit: "°C" })!;

  it("holds by the words of its passage, in another unit too", () => {
    expect(rule.quote).toBe("The cold room must be at most 41 °F.");
    expect(judgeRule(rule, there)).toMatchObject({
      verdict: "supported",
      evidence: [{ type: "passage", source: "a", value: rule.quote }],
    });
  });

  it.each([
    ["another figure", { high: 6, low: 6 }, there],
    ["another way", { bound: "at_least" }, there],
    ["another unit", { unit: "bar" }, there],
    ["words that are not there", { quote: "The cold room must be at most 5 °C." }, there],
    ["another passage", {}, passage("a", "Wash your hands.")],
    ["no passage", {}, undefined],
  ] as const)("does not hold by %s", (_what, other, found) => {
    expect(judgeRule({ ...rule, ...other }, found).verdict).toBe("unsupported");
  });
});
