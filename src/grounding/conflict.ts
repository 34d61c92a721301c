/** Whether the documents disagree about what a sentence says. */
import type { SentenceCheck, Support } from "./check.js";
import type { PreparedEvidence } from "./evidence.js";

export interface Conflict {
  /** `superseded`: the document of `first` says that it replaces that of `second`. */
  readonly type: "conflicting" | "superseded";
  /** What the sentence rests on. */
  readonly first: Support;
  /** What speaks against it, in another document. */
  readonly second: Support;
  /** What differs, such as `8 minutes` and `3 minutes`. */
  readonly values: readonly [first: string, second: string];
}

/** The conflicts that the evidence has about what `sentence` claims; `check` is that of the sentence. */
export function conflictsOf(
  _sentence: string,
  _check: SentenceCheck,
  _evidence: PreparedEvidence,
): readonly Conflict[] {
  return [];
}
