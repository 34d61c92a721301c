/** Whether a claim that comes with a quote holds: the quote must stand in its source, the claim must agree with it. */
import type { SentenceCheck, SentenceContext } from "./check.js";
import { checkSentence } from "./check-sentence.js";
import { type PreparedEvidence, prepareEvidence } from "./evidence.js";

export interface QuotedClaim {
  readonly text: string;
  /** The `source` of the evidence text that the quote is from. */
  readonly source: string;
  readonly quote: string;
}

export function checkQuoted(
  claim: QuotedClaim,
  evidence: PreparedEvidence,
  context: SentenceContext,
): SentenceCheck {
  const part = evidence.parts.find(({ source }) => source.source === claim.source);
  const start =
    part === undefined || claim.quote.trim() === "" ? -1 : part.source.text.indexOf(claim.quote.trim());
  if (part === undefined || start < 0) {
    const reason = { code: "quote_not_found", text: "the quote does not stand in its source" } as const;
    return { role: "claim", verdict: "unsupported", evidence: [], reasons: [reason], score: 0 };
  }
  const value = claim.quote.trim();
  const { source, type } = part.source;
  const check = checkSentence(claim.text, prepareEvidence([{ ...part.source, text: value }]), context);
  return { ...check, evidence: [{ source, type, value, start, end: start + value.length }] };
}
