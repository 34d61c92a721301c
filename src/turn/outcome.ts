/** Which of the outcomes an answer came to. Pure. */

import type { DraftEnd } from "../capability/draft.js";
import type { Outcome } from "../domain/answer.js";

/** What is said, and what it counts as, where the documents give no answer. */
export interface NoAnswer {
  /** Absent: that the documents do not answer. */
  readonly text?: string | undefined;
  readonly outcome: "not_in_documents" | "not_offered";
}

export interface Tally {
  /** Sentences that were let through, and that were not. */
  readonly said: number;
  readonly dropped: number;
  /** Nothing else than a question back. */
  readonly askedBack: boolean;
  /** What the documents say of it differs, or is of another revision than the one that was asked about. */
  readonly conflicting: boolean;
  /** Steps were not read out, since not all of them could be confirmed. */
  readonly withheld: boolean;
  /** The writer did not come to its end, and the user was told so. */
  readonly brokenOff: boolean;
  /** Small talk and nothing else: the writer neither claimed nor refused anything. */
  readonly talked: boolean;
  /** What it counts as where the documents give no answer. */
  readonly notFound: NoAnswer["outcome"];
}

/** What the documents could not be asked about is not "not in the documents". */
export function outcomeOf(tally: Tally, end: Pick<DraftEnd, "searched" | "outcome">): Outcome {
  if (tally.conflicting) return "conflicting";
  if (tally.withheld || tally.brokenOff) return "partial";
  if (tally.said === 0) {
    if (end.outcome !== undefined && end.outcome !== "partial") return end.outcome;
    if (end.searched === "unavailable") return "search_unavailable";
    if (tally.askedBack) return "ambiguous";
    return tally.talked ? "answered" : tally.notFound;
  }
  if (end.outcome !== undefined) return end.outcome;
  return tally.dropped > 0 || end.searched === "partly" ? "partial" : "answered";
}
