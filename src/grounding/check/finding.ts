/** What a check finds wrong with a sentence. */
import type { Reason, ReasonCode } from "../../domain/answer.js";

export interface Finding {
  readonly reason: Reason;
  /** Whether the evidence says otherwise, or only does not say it. */
  readonly verdict: "contradicted" | "unsupported";
}

export function contradiction(code: ReasonCode, text: string): Finding {
  return { reason: { code, text }, verdict: "contradicted" };
}

/** The sentence repeats itself so much that what it says cannot be told in bounded time. */
export function tooManyPairs(): Finding {
  return gap("not_checked", "repeats its words, names or amounts too often to be checked");
}

export function gap(code: ReasonCode, text: string): Finding {
  return { reason: { code, text }, verdict: "unsupported" };
}
