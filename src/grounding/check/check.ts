/** What comes of checking a sentence, what is found wrong with it, and what a check may look at besides the evidence. */
import type { Evidence, Reason, ReasonCode, Verdict } from "../../domain/answer.js";

/**
 * A question back, an honest "the documents do not say" and words without content are no claims and need no evidence,
 * as long as nothing is claimed along with them.
 */
export type SentenceRole = "claim" | "step" | "warning" | "question" | "refusal" | "filler";

export function claimsNothing({ role }: { readonly role: SentenceRole }): boolean {
  return role === "question" || role === "refusal" || role === "filler";
}

/** What a sentence may lean on that is no evidence. */
export interface SentenceContext {
  /** What the user asked. Its names and things may be named again; what it asserts is no evidence. */
  readonly question: string;
  /** The sentences before this one in the same answer, for "it", "they" and what is left out. */
  readonly said: readonly string[];
}

/** Words of the evidence that a claim rests on, or that speak against it: `text.slice(start, end)`. */
export interface Support extends Evidence {
  /** UTF-16 offsets in the text. */
  readonly start: number;
  readonly end: number;
  /** The number of the step that the words belong to, as the document writes it. */
  readonly step?: number;
}

export interface SentenceCheck {
  readonly role: SentenceRole;
  readonly verdict: Verdict;
  /** Best first; empty when nothing speaks for or against the sentence. */
  readonly evidence: readonly Support[];
  /** Why the verdict is not "supported"; empty when it is. */
  readonly reasons: readonly Reason[];
  /** How well the evidence carries the sentence, 0–1: not a probability, but larger is more likely right. */
  readonly score: number;
}

/** What a check finds wrong with a sentence. */
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
