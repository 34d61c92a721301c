import { describe, expect, it } from "vitest";
import { answerOf, claimOf, NOT_FOUND, passageOf } from "../../../test/support/evaluation.js";
import type { Score } from "../score.js";
import {
  answerRelevancyDeterministic,
  contextPrecisionDeterministic,
  contextRecallDeterministic,
  faithfulnessDeterministic,
} from "./deterministic.js";

const burns = passageOf("first-aid-burns.md", "Cool the burn under running lukewarm water for 20 minutes.", {
  title: "First aid for burns",
});
const ladder = passageOf("ladder-safety.md", "Carry no more than 10 kg, in a bag or on your belt.");
const expecting = (rest: object) => ({ mustSay: [], mustNotSay: [], ...rest });

function figureOf(score: Score): number | string {
  return score.type === "scored" ? score.value : score.type;
}

describe("faithfulness, deterministic", () => {
  const asked = "How long do I cool a burn?";

  it("is the share of what was said that the passages support", () => {
    const right = "Cool the burn under running lukewarm water for 20 minutes.";
    const answer = answerOf(`${right} Then put some butter on it for 45 minutes.`, { passages: [burns] });
    const score = faithfulnessDeterministic(asked, answer);
    expect(figureOf(score)).toBe(0.5);
    expect(score).toMatchObject({ notes: [expect.stringContaining("butter")] });
  });

  it("looks at the claims that were said, not at those that were held back", () => {
    const claims = [
      claimOf("Cool the burn under running lukewarm water for 20 minutes.", burns),
      claimOf("Cool the burn for 45 minutes.", burns, { said: false, verdict: "contradicted" }),
    ];
    const answer = answerOf("…", { passages: [burns], claims });
    expect(figureOf(faithfulnessDeterministic(asked, answer))).toBe(1);
  });

  it("says nothing of a refusal or of an empty answer", () => {
    expect(figureOf(faithfulnessDeterministic(asked, NOT_FOUND))).toBe("not_applicable");
    expect(figureOf(faithfulnessDeterministic(asked, answerOf(" ")))).toBe("not_applicable");
  });
});

describe("answer relevancy, deterministic", () => {
  const relevancy = (question: string, text: string, rest = {}) =>
    figureOf(answerRelevancyDeterministic(question, undefined, answerOf(text, rest)));

  it.each([
    ["How long do I cool a burn?", "Cool burns for 20 minutes.", 1],
    ["Where is the ladder's green tag?", "Hang the ladder back.", 1 / 3],
    ["How long do I cool a burn?", "The shop is open.", 0],
  ])("of %j to %j is %d", (question, text, expected) =>
    expect(relevancy(question, text)).toBeCloseTo(expected, 12),
  );

  it("takes in where the evidence stands", () => {
    const text = "Under running water for 20 minutes.";
    expect(relevancy("How do I treat burns?", text)).toBe(0);
    const rest = { passages: [burns], claims: [claimOf(text, burns)] };
    expect(relevancy("How do I treat burns?", text, rest)).toBe(1);
  });

  it("is 0 when the answer is noncommittal", () => {
    expect(figureOf(answerRelevancyDeterministic("How long?", undefined, NOT_FOUND))).toBe(0);
  });

  it("says nothing of a question without a telling word", () => {
    expect(relevancy("What is it?", "Cool burns.")).toBe("not_applicable");
  });
});

describe("context precision, deterministic", () => {
  it.each([
    [["first-aid-burns.md"], 1],
    [["ladder-safety"], 1 / 2],
    [["pay-bands.md"], 0],
  ])("with %j expected is %d", (documents, expected) => {
    const score = contextPrecisionDeterministic([burns, ladder], expecting({ documents }));
    expect(figureOf(score)).toBeCloseTo(expected, 9);
  });

  it("goes by the words of the ground truth where no document is named", () => {
    const expected = expecting({ groundTruth: "Carry no more than 10 kg. Face the ladder." });
    expect(figureOf(contextPrecisionDeterministic([burns, ladder], expected))).toBeCloseTo(1 / 2, 9);
  });

  it("says nothing without either, or without passages", () => {
    expect(figureOf(contextPrecisionDeterministic([burns], expecting({})))).toBe("not_applicable");
    expect(figureOf(contextPrecisionDeterministic([], expecting({ documents: ["a"] })))).toBe(
      "not_applicable",
    );
  });
});

describe("context recall, deterministic", () => {
  it("is the share of the ground truth's sentences that the passages hold", () => {
    const groundTruth =
      "Cool the burn under running lukewarm water for 20 minutes. Parking is free on Sundays.";
    const score = contextRecallDeterministic("How long?", groundTruth, [ladder, burns]);
    expect(figureOf(score)).toBe(0.5);
    expect(score).toMatchObject({ notes: [expect.stringContaining("Parking")] });
  });

  it("is 0 when nothing was retrieved, and says nothing without a ground truth", () => {
    expect(figureOf(contextRecallDeterministic("How?", "Cool the burn.", []))).toBe(0);
    expect(figureOf(contextRecallDeterministic("How?", undefined, [burns]))).toBe("not_applicable");
  });
});
