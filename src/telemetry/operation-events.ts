/** The part of the catalogue that is about models that work on a site, and about what is done to its things. */
import type {
  CallOutcome,
  ConsentLevel,
  NotCounted,
  OperationView,
  VoidReason,
} from "../domain/operation.js";
import type { User } from "../domain/user.js";

/** What is told of runs of guides: that one began and ended, and how long a step took. */
export type GuideEvent =
  | {
      readonly type: "guide_run_started";
      readonly user: User;
      /** Id of the guide. */
      readonly guide: string;
      readonly version: number;
    }
  | {
      readonly type: "guide_step_left";
      readonly network: string;
      readonly guide: string;
      readonly step: string;
      readonly ms: number;
    }
  /** `quit`: it was left in the middle. */
  | {
      readonly type: "guide_run_ended";
      readonly network: string;
      readonly guide: string;
      readonly how: "done" | "quit";
    };

export type OperatingEvent =
  /** A model that reads from a site was asked for its next step. */
  | { readonly type: "loop_turn"; readonly model: string }
  /** A call of a model was not made. `kind`: of the tool; `state`: what the model was doing. */
  | {
      readonly type: "loop_call_blocked";
      readonly state: string;
      readonly tool: string;
      readonly kind: "read" | "write";
    }
  /** A model was about to answer what it had not looked at, and was sent back. */
  | { readonly type: "loop_answer_blocked"; readonly state: string }
  /** A model, or who wrote for it, claimed to have done what no row of the ledger bears out: it was not said. */
  | { readonly type: "phantom_detected"; readonly user: User; readonly model: string }
  /** A model was told what was wrong with its call; `success`: a later call of the tool worked. */
  | {
      readonly type: "loop_recovery";
      readonly result: "attempt" | "success";
      readonly code: string;
      readonly tool: string;
    }
  /** A call would have gone to what the thing that the user spoke of runs on, or to a sibling of it. */
  | {
      readonly type: "routing_mismatch";
      readonly tool: string;
      /** Kinds of resources: of the call's target, and of what the user spoke of. */
      readonly targetKind: string;
      readonly childKind: string;
    }
  /** An operation has come to another phase. `outcomes`: once it has ended, what each call came to, or why none was made. */
  | {
      readonly type: "operation_changed";
      readonly user: User;
      readonly operation: string;
      readonly action: string;
      readonly level: ConsentLevel;
      readonly phase: OperationView["phase"];
      readonly outcomes: readonly (CallOutcome | VoidReason)[];
    }
  /** A yes that did not count. */
  | {
      readonly type: "consent_refused";
      readonly user: User;
      readonly operation: string;
      readonly why: NotCounted;
    }
  /** A row was not written: nothing is done that is not recorded. */
  | { readonly type: "ledger_failed"; readonly error: string };
