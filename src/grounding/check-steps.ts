/** Whether the steps that were said are a procedure of the documents: in order, without a hole, warnings included. */
import type { SentenceCheck } from "./check.js";
import type { PreparedEvidence } from "./evidence.js";

export type StepProblem =
  /** A step said after one that follows it in the document. `index` is that of the check. */
  | { readonly type: "order_differs"; readonly index: number; readonly text: string }
  /** Steps of the document between the first and the last said that were not said. */
  | {
      readonly type: "missing_step";
      readonly source: string;
      readonly steps: readonly number[];
      readonly text: string;
    }
  /** A step of another procedure than most of the steps. */
  | { readonly type: "other_procedure"; readonly index: number; readonly text: string }
  /** A warning that belongs to the steps and was not said: verbatim, so that it can be said. */
  | {
      readonly type: "missing_warning";
      readonly source: string;
      readonly warning: string;
      readonly start: number;
      readonly end: number;
      readonly text: string;
    };

/** What is wrong with the steps among `checks`, in the order of the answer; nothing where no step was said. */
export type CheckSteps = (checks: readonly SentenceCheck[], evidence: PreparedEvidence) => StepProblem[];

export const checkSteps: CheckSteps = () => [];
