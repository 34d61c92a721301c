/** When two documents that hold say different things about the same. */
import type { SentenceCheck, Support } from "./check.js";
import type { PreparedEvidence } from "./evidence.js";

export interface Conflict {
  readonly first: Support;
  readonly second: Support;
}

/** The conflicts that the evidence has about what `sentence` claims; `check` is that of the sentence. */
export function conflictsOf(
  _sentence: string,
  _check: SentenceCheck,
  _evidence: PreparedEvidence,
): readonly Conflict[] {
  return [];
}
