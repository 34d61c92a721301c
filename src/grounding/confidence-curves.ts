/** The curves of `confidence.ts`, by verdict. */
import type { Verdict } from "../domain/answer.js";
import type { CalibrationCurve } from "./confidence-curve.js";

export const CLAIM_CURVES: Readonly<Record<Verdict, CalibrationCurve>> = {
  supported: [
    [0.3, 0.6],
    [0.6, 0.8],
    [0.9, 0.95],
    [1, 0.98],
  ],
  unsupported: [
    [0, 0.03],
    [0.5, 0.15],
    [1, 0.4],
  ],
  contradicted: [
    [0, 0.02],
    [1, 0.08],
  ],
};
