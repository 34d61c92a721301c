/** The weights of the answerability model, which `bench/train-answerability.ts` fitted. */
import { shippedText } from "../../lib/shipped-files.js";
import type { LogisticModel } from "./logistic.js";

/** A weight for each of `FEATURES`, in their order. */
export const MODEL = JSON.parse(shippedText("models/answerability.json")) as LogisticModel;
