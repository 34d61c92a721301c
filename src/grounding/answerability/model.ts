/** The weights of the answerability model, which `bench/train-answerability.ts` fitted. */

import type { LogisticModel } from "../../lib/logistic.js";
import { shippedText } from "../../lib/shipped-files.js";

/** A weight for each of `FEATURES`, in their order. */
export const MODEL = JSON.parse(shippedText("models/answerability.json")) as LogisticModel;
