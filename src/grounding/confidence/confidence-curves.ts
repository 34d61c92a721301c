/**
 * The curves of `confidence.ts`, by verdict. Written by `bench/train-confidence.ts` from 1965 sentences of ClapNQ
 * and their edits, weighed as if half of all sentences were edited; `npm run bench -- calibration` judges them.
 */
import type { Verdict } from "../../domain/answer.js";
import type { CalibrationCurve } from "./confidence-curve.js";

export const CLAIM_CURVES: Readonly<Record<Verdict, CalibrationCurve>> = {
  supported: [
    [0.659, 0.663],
    [0.995, 0.946],
  ],
  unsupported: [
    [0.0, 0.009],
    [0.022, 0.102],
    [0.12, 0.261],
    [0.247, 0.36],
    [0.457, 0.501],
  ],
  contradicted: [[0.386, 0.076]],
};
