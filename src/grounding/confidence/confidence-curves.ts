/**
 * The curves of `confidence.ts`, by verdict. Written by `bench/train-confidence.ts` from 1965 sentences of ClapNQ
 * and their edits, weighed as if half of all sentences were edited; `npm run bench -- calibration` judges them.
 */
import type { Verdict } from "../../domain/answer.js";
import type { CalibrationCurve } from "./confidence-curve.js";

export const CLAIM_CURVES: Readonly<Record<Verdict, CalibrationCurve>> = {
  supported: [
    [0.838, 0.642],
    [0.999, 0.874],
  ],
  unsupported: [
    [0.0, 0.009],
    [0.008, 0.027],
    [0.195, 0.127],
    [0.389, 0.146],
    [0.487, 0.346],
  ],
  contradicted: [[0.465, 0.035]],
};
