import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { answerOf, claimOf, NOT_FOUND, passageOf } from "../../../test/support/evaluation.js";
import type { Outcome } from "../../domain/answer.js";
import { answerRelevancy, cosine } from "./answer-relevancy.js";
import { contextPrecision } from "./context-precision.js";
import { contextRecall } from "./context-recall.js";
import { correctRefusal } from "./correct-refusal.js";
import { evidenceScores, isNamed } from "./evidence.js";
import { faithfulness } from "./faithfulness.js";
import { latencyByStage, percentile } from "./latency.js";
import { riskCoverage } from "./risk-coverage.js";

const bits = (text: string) => [...text].map((bit) => bit === "1");

describe("faithfulness", () => {
  it.each([
    ["1", 1],
    ["0", 0],
    ["110", 2 / 3],
    ["1000", 0.25],
  ])("of %s is %d", (verdicts, expected) => {
    expect(faithfulness(bits(verdicts))).toBeCloseTo(expected, 12);
  });

  it("is undefined without a statement", () => expect(faithfulness([])).toBeUndefined());
});

describe("context recall", () => {
  it.each([
    ["1", 1],
    ["10", 0.5],
    ["000", 0],
  ])("of %s is %d", (attributed, expected) => expect(contextRecall(bits(attributed))).toBe(expected));

  it("is undefined without a statement", () => expect(contextRecall([])).toBeUndefined());
});

describe("context precision", () => {
  it.each([
    // Worked out by hand: the mean of precision@k over the ranks k of useful passages.
    ["1", 1],
    ["0", 0],
    ["000", 0],
    ["10", 1],
    ["01", 1 / 2],
    ["001", 1 / 3],
    ["101", (1 + 2 / 3) / 2],
    ["011", (1 / 2 + 2 / 3) / 2],
    ["11000", 1],
    ["01010", (1 / 2 + 2 / 4) / 2],
  ])("of %s is %d", (useful, expected) => expect(contextPrecision(bits(useful))).toBeCloseTo(expected, 9));

  it("is a hair below 1 at its best, as in RAGAS", () => {
    expect(contextPrecision([true])).toBe(1 / (1 + 1e-10));
    expect(contextPrecision([true])).not.toBe(1);
  });

  it("is undefined without a passage", () => expect(contextPrecision([])).toBeUndefined());

  it("never falls when a useful passage moves up", () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 2, maxLength: 12 }), fc.nat(), (useful, at) => {
        const i = at % (useful.length - 1);
        fc.pre(!useful[i]! && useful[i + 1]!);
        const better = [...useful];
        [better[i], better[i + 1]] = [true, false];
        expect(contextPrecision(better)).toBeGreaterThan(contextPrecision(useful)!);
      }),
    );
  });
});

describe("answer relevancy", () => {
  const asked = (question: string, noncommittal = false) => ({ question, noncommittal });

  it.each([
    ["is the mean of the cosines", [asked("a?"), asked("b?"), asked("c?")], [1, 0.5, 0.3], 0.6],
    ["is 0 when every answer is noncommittal", [asked("a?", true), asked("b?", true)], [1, 1], 0],
    ["is not 0 when only some are", [asked("a?", true), asked("b?")], [1, 0.5], 0.75],
    ["leaves empty questions out", [asked(" "), asked("b?")], [0.1, 0.8], 0.8],
    ["leaves their word on noncommittal out too", [asked("", false), asked("b?", true)], [1, 1], 0],
  ])("%s", (_name, generated, cosines, expected) =>
    expect(answerRelevancy(generated, cosines)).toBeCloseTo(expected, 12),
  );

  it("is undefined when no question came", () => {
    expect(answerRelevancy([], [])).toBeUndefined();
    expect(answerRelevancy([asked("", true)], [1])).toBeUndefined();
  });

  it("has the cosine of the angle", () => {
    expect(cosine([1, 0], [0, 1])).toBe(0);
    expect(cosine([3, 4], [6, 8])).toBeCloseTo(1, 12);
    expect(cosine([1, 1], [1, 0])).toBeCloseTo(Math.SQRT1_2, 12);
    expect(cosine([1, 0], [-2, 0])).toBe(-1);
    expect(cosine([0, 0], [1, 0])).toBe(0);
    expect(() => cosine([1], [1, 2])).toThrow(/1 and 2 numbers/);
  });
});

describe("correct refusal", () => {
  it.each<[readonly Outcome[], Outcome, number | undefined]>([
    [["not_in_documents"], "not_in_documents", 1],
    [["not_in_documents"], "answered", 0],
    [["not_in_documents"], "search_unavailable", 0],
    [["ambiguous"], "ambiguous", 1],
    [["ambiguous"], "not_in_documents", 0],
    [["not_offered"], "not_offered", 1],
    [["not_offered"], "not_in_documents", 0],
    [["answered"], "not_offered", 0],
    [["proposed"], "verified", undefined],
    [["answered"], "answered", undefined],
    [["answered"], "partial", undefined],
    [["answered"], "not_in_documents", 0],
    [["answered", "not_in_documents"], "not_in_documents", 1],
    [["answered", "not_in_documents"], "answered", undefined],
    [["conflicting"], "ambiguous", 0],
  ])("with %j expected, %s scores %s", (accepted, outcome, expected) => {
    const score = correctRefusal(accepted, outcome);
    expect(score.type === "scored" ? score.value : undefined).toBe(expected);
  });

  it("says nothing where the data set does not", () => {
    expect(correctRefusal(undefined, "not_in_documents").type).toBe("not_applicable");
  });
});

describe("evidence", () => {
  const [burns, spill] = [passageOf("safety/burns.md", "a"), passageOf("spill.md", "b")];
  const answer = answerOf("A. B.", {
    passages: [burns, spill],
    claims: [claimOf("A.", burns), claimOf("B.", spill)],
  });

  it.each([
    [["burns"], 1 / 2, 1],
    [["burns.md", "spill.md"], 1, 1],
    [["safety/burns.md", "fire.md"], 1 / 2, 1 / 2],
    [["fire.md"], 0, 0],
  ])("with %j expected has precision %d and recall %d", (expected, precision, recall) => {
    expect(evidenceScores(answer, expected)).toEqual({ precision, recall });
  });

  it("counts only what was said and is supported", () => {
    const claims = [claimOf("A.", burns, { said: false }), claimOf("B.", spill, { verdict: "unsupported" })];
    expect(evidenceScores({ ...answer, claims }, ["burns"])).toEqual({ precision: undefined, recall: 0 });
    expect(evidenceScores(NOT_FOUND, ["burns"])).toEqual({ precision: undefined, recall: 0 });
  });

  it("takes a file by its path, its name, or that without its ending", () => {
    expect(["a/b.v2.md", "b.v2.md", "b.v2"].map((name) => isNamed("a/b.v2.md", name))).toEqual([
      true,
      true,
      true,
    ]);
    expect(["b", "a/b", "v2.md", ""].map((name) => isNamed("a/b.v2.md", name))).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });
});

describe("risk and coverage", () => {
  const answers = (text: string) =>
    text.split(" ").map((one) => ({ confidence: Number(one.slice(1)), correct: one.startsWith("+") }));

  it("is worked out from the surest answer on", () => {
    const { aurc, points } = riskCoverage(answers("+0.9 -0.8 +0.7 -0.6"), 5);
    expect(points).toEqual([
      { confidence: 0.9, coverage: 1 / 5, risk: 0 },
      { confidence: 0.8, coverage: 2 / 5, risk: 1 / 2 },
      { confidence: 0.7, coverage: 3 / 5, risk: 1 / 3 },
      { confidence: 0.6, coverage: 4 / 5, risk: 2 / 4 },
    ]);
    expect(aurc).toBeCloseTo((0 + 1 / 2 + 1 / 3 + 1 / 2) / 4, 12);
  });

  it("does not depend on the order of answers that are equally sure", () => {
    const one = riskCoverage(answers("+0.9 -0.5 +0.5"), 3);
    const other = riskCoverage(answers("+0.5 -0.5 +0.9"), 3);
    expect(one).toEqual(other);
    expect(one.points).toHaveLength(2);
    expect(one.aurc).toBeCloseTo((0 + 0.5 / 2 + 1 / 3) / 3, 12);
  });

  it("has no figure without an answer", () => {
    expect(riskCoverage([], 7)).toEqual({ aurc: undefined, points: [] });
  });

  it("ends at the share of wrong answers, whatever the confidences are", () => {
    const answer = fc.record({ confidence: fc.constantFrom(0.1, 0.5, 0.9), correct: fc.boolean() });
    fc.assert(
      fc.property(fc.array(answer, { minLength: 1 }), (all) => {
        const { aurc, points } = riskCoverage(all, all.length);
        const wrong = all.filter(({ correct }) => !correct).length / all.length;
        expect(points.at(-1)).toMatchObject({ coverage: 1, risk: wrong });
        expect(aurc).toBeGreaterThanOrEqual(0);
        expect(aurc).toBeLessThanOrEqual(1);
      }),
    );
  });
});

describe("latency", () => {
  it.each([
    [0.5, 5],
    [0.9, 9],
    [0.95, 10],
    [1, 10],
    [0, 1],
  ])("has %d of ten at %d", (share, expected) =>
    expect(percentile([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], share)).toBe(expected),
  );

  it("counts each stage where it occurs", () => {
    const stages = latencyByStage([{ search: 10, total: 30 }, { search: 2, total: 4 }, { total: 9 }]);
    expect(stages.search).toEqual({ count: 2, p50Ms: 2, p90Ms: 10, p95Ms: 10, maxMs: 10 });
    expect(stages.total).toMatchObject({ count: 3, p50Ms: 9, maxMs: 30 });
    expect(latencyByStage([])).toEqual({});
  });
});
