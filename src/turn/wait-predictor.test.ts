import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { WAITS_MAX, WAITS_MIN, WaitPredictor } from "./wait-predictor.js";

function taught(...waits: readonly number[]): WaitPredictor {
  const predictor = new WaitPredictor();
  for (const ms of waits) predictor.observe("knowledge", ms);
  return predictor;
}

describe("WaitPredictor", () => {
  it("predicts nothing before it has seen enough, nor of a route that it has not seen", () => {
    const predictor = taught(...Array<number>(WAITS_MIN - 1).fill(3_000));
    expect(predictor.predict("knowledge")).toBeUndefined();
    predictor.observe("knowledge", 3_000);
    expect(predictor.predict("knowledge")).toBe(3_000);
    expect(predictor.predict("conversational")).toBeUndefined();
  });

  it("predicts what half of the answers did not exceed, and is not led by a few", () => {
    expect(taught(1, 2, 3, 4, 5, 6, 7, 8, 9).predict("knowledge")).toBe(5);
    expect(taught(900, 900, 900, 900, 900, 900, 19_000, 19_000).predict("knowledge")).toBe(900);
  });

  it("forgets what was long ago", () => {
    const predictor = taught(...Array<number>(200).fill(5_000), ...Array<number>(WAITS_MAX).fill(400));
    expect(predictor.predict("knowledge")).toBe(400);
  });

  it("always predicts one of the waits that it remembers, with as many sooner as later", () => {
    const waits = fc.array(fc.nat(20_000), { minLength: WAITS_MIN, maxLength: WAITS_MAX });
    fc.assert(
      fc.property(waits, (all) => {
        const predicted = taught(...all).predict("knowledge")!;
        expect(all).toContain(predicted);
        expect(all.filter((ms) => ms <= predicted).length).toBeGreaterThanOrEqual(all.length / 2);
        expect(all.filter((ms) => ms < predicted).length).toBeLessThanOrEqual(all.length / 2);
      }),
    );
  });
});
