/** What a connector of Elastic's is told and says: filtering rules, their draft, and jobs. */

/** The first rule that a document matches decides. */
export interface FilterRule {
  readonly id: string;
  readonly policy: "include" | "exclude";
  readonly field: string;
  readonly rule: "equals" | "regex";
  readonly value: string;
}

export interface RulesDraft {
  /** `edited`: the connector has not looked at it yet. */
  readonly validation: "edited" | "valid" | "invalid";
  readonly errors: readonly { readonly ruleIds: readonly string[]; readonly messages: readonly string[] }[];
  readonly ruleIds: readonly string[];
}

export type JobStatus =
  | "pending"
  | "in_progress"
  | "suspended"
  | "canceling"
  | "completed"
  | "error"
  | "canceled";

export interface Job {
  readonly id: string;
  readonly status: JobStatus;
  /** The rules that it was started with. */
  readonly ruleIds: readonly string[];
  readonly error?: string;
}

const OVER: ReadonlySet<JobStatus> = new Set(["completed", "error", "canceled"]);

export function isOver({ status }: Job): boolean {
  return OVER.has(status);
}
