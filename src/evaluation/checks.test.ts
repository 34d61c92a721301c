import { describe, expect, it } from "vitest";
import { answerOf, failureOf, NOT_FOUND, reportOf } from "../../test/support/evaluation.js";
import { asExpected, checksOf, holdsWording } from "./checks.js";

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
    ["anything", " "],
  ])("in %j is not %j", (text, wording) => expect(holdsWording(text, wording)).toBe(false));
});

describe("checks", () => {
  const expected = {
    outcomes: ["answered", "partial"] as const,
    mustSay: [["20 minutes", "twenty minutes"], ["lukewarm"]],
    mustNotSay: ["ice"],
  };
  const passed = (text: string, spoken = text) =>
    checksOf(expected, reportOf(answerOf(text, { spoken }))).map((check) => check.passed);

  it("are one for each expectation, in order", () => {
    expect(passed("Lukewarm water, 20 minutes.")).toEqual([true, true, true, true]);
    expect(passed("Ice, 5 minutes.")).toEqual([true, false, false, false]);
  });

  it("take what is said on the screen or aloud, and forbid it on both", () => {
    expect(passed("Lukewarm, 20 min.", "Lukewarm, twenty minutes.")).toEqual([true, true, true, true]);
    expect(passed("Lukewarm, 20 minutes.", "Ice, lukewarm, twenty minutes.")).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });

  it("hold for no turn that failed", () => {
    const checks = checksOf(expected, failureOf("timeout"));
    expect(checks.map((check) => check.passed)).toEqual([false, false, false, false]);
    expect(checks[0]!.text).toContain("timeout");
  });

  it("want the same words as another row where it has an answer", () => {
    const same = { mustSay: [], mustNotSay: [], sameWordsAs: "other" };
    const check = (other: Parameters<typeof checksOf>[2]) => checksOf(same, reportOf(NOT_FOUND), other);
    expect(check(reportOf(NOT_FOUND))).toMatchObject([{ name: "same_words_as", passed: true }]);
    expect(check(reportOf(answerOf(NOT_FOUND.text)))).toMatchObject([{ passed: false }]);
    expect(check(reportOf({ ...NOT_FOUND, spoken: "No." }))).toMatchObject([{ passed: false }]);
    expect(check(failureOf("timeout"))).toMatchObject([{ passed: false }]);
    expect(check(undefined)).toEqual([]);
  });

  it("come to one figure", () => {
    expect(asExpected([]).type).toBe("not_applicable");
    expect(asExpected(checksOf(expected, reportOf(answerOf("Lukewarm, 20 minutes."))))).toMatchObject({
      value: 1,
    });
    const broken = asExpected(checksOf(expected, reportOf(answerOf("Lukewarm."))));
    expect(broken).toMatchObject({ value: 0, notes: ['has to say "20 minutes" or "twenty minutes"'] });
  });
});
