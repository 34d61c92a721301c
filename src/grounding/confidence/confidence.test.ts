import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { answerConfidence, claimConfidence } from "./confidence.js";
import { calibrated } from "./confidence-curve.js";

const VERDICTS = ["supported", "unsupported", "contradicted"] as const;
const unit = fc.double({ min: 0, max: 1, noNaN: true });

describe("calibrated", () => {
  const curve = [
    [0.2, 0.1],
    [0.4, 0.5],
    [0.8, 0.9],
  ] as const;

  it("passes through its points, is straight between them and flat beyond", () => {
    expect(calibrated(0.4, curve)).toBe(0.5);
    expect(calibrated(0.3, curve)).toBeCloseTo(0.3);
    expect(calibrated(-1, curve)).toBe(0.1);
    expect(calibrated(7, curve)).toBe(0.9);
    expect(calibrated(Number.NaN, curve)).toBe(0.1);
  });

  it("refuses a curve without points", () => {
    expect(() => calibrated(0.5, [])).toThrow("no points");
  });
});

describe("claimConfidence", () => {
  it("is a probability that rises with the score", () => {
    fc.assert(
      fc.property(fc.constantFrom(...VERDICTS), unit, unit, (verdict, a, b) => {
        const [low, high] = [Math.min(a, b), Math.max(a, b)];
        const [less, more] = [low, high].map((score) => claimConfidence({ verdict, score })) as [
          number,
          number,
        ];
        expect(less).toBeGreaterThanOrEqual(0);
        expect(more).toBeLessThanOrEqual(1);
        expect(more).toBeGreaterThanOrEqual(less);
      }),
    );
  });

  it("trusts what is supported more than what is not", () => {
    fc.assert(
      fc.property(unit, (score) => {
        const supported = claimConfidence({ verdict: "supported", score });
        expect(supported).toBeGreaterThan(claimConfidence({ verdict: "unsupported", score }));
        expect(supported).toBeGreaterThan(claimConfidence({ verdict: "contradicted", score }));
      }),
    );
  });
});

describe("answerConfidence", () => {
  const sure = { confidence: 0.95, said: true };
  const answer = { claims: [sure, sure], answerability: 0.9, dropped: 0, degraded: false };

  it("falls with a doubtful sentence, a doubtful search, a dropped sentence and a missing model", () => {
    const whole = answerConfidence(answer);
    expect(whole).toBeGreaterThan(0.7);
    for (const worse of [
      { ...answer, claims: [sure, { confidence: 0.6, said: true }] },
      { ...answer, claims: [sure, sure, sure] },
      { ...answer, answerability: 0.5 },
      { ...answer, dropped: 1 },
      { ...answer, degraded: true },
    ])
      expect(answerConfidence(worse)).toBeLessThan(whole);
  });

  it("counts only what was said", () => {
    const withHeld = { ...answer, claims: [...answer.claims, { confidence: 0.01, said: false }] };
    expect(answerConfidence(withHeld)).toBe(answerConfidence(answer));
  });

  it("is how likely a refusal is right, where nothing was said", () => {
    expect(answerConfidence({ ...answer, claims: [] })).toBeCloseTo(0.1);
    expect(answerConfidence({ ...answer, claims: [{ confidence: 0.1, said: false }] })).toBeCloseTo(0.1);
    expect(answerConfidence({ ...answer, claims: [], outcome: "search_unavailable" })).toBe(0);
    expect(answerConfidence({ ...answer, claims: [], outcome: "not_offered" })).toBeCloseTo(0.1);
    expect(answerConfidence({ ...answer, outcome: "unknown" })).toBe(0);
  });

  it("is a probability, whatever comes in", () => {
    const anything = fc.oneof(unit, fc.double());
    fc.assert(
      fc.property(
        fc.array(fc.record({ confidence: anything, said: fc.boolean() }), { maxLength: 20 }),
        anything,
        fc.nat(50),
        fc.boolean(),
        (claims, answerability, dropped, degraded) => {
          const confidence = answerConfidence({ claims, answerability, dropped, degraded });
          expect(confidence).toBeGreaterThanOrEqual(0);
          expect(confidence).toBeLessThanOrEqual(1);
        },
      ),
    );
  });
});
