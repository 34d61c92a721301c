/**
 * The curves of `confidence.ts`, by verdict. Written by `bench/train-confidence.ts` from 1965 sentences of ClapNQ
 * and their edits, weighed as if half of all sentences were edited; `npm run bench -- calibration` judges them.
 */
import type { Verdict } from "../../domain/answer.js";
import type { CalibrationCurve } from "./confidence-curve.js";

export const CLAIM_CURVES: Readonly<Record<Verdict, CalibrationCurve>> = {
  supported: [
    [0.675, 0.679],
    [0.996, 0.956],
  ],
  unsupported: [
    [0.0, 0.009],
    [0.001, 0.102],
    [0.043, 0.105],
    [0.186, 0.32],
    [0.437, 0.61],
  ],
  contradicted: [[0.354, 0.083]],
};
