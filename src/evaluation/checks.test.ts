import { describe, expect, it } from "vitest";
import { answerOf, failureOf, NOT_FOUND, reportOf } from "../../test/support/evaluation.js";
import { asExpected, checksOf } from "./checks.js";

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
