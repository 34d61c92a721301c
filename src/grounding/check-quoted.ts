/** A claim with its quote: the quote must stand in the passage, and the claim must agree with it. */
import type { SentenceCheck, SentenceContext } from "./check.js";
import { checkSentence } from "./check-sentence.js";
import { type PreparedEvidence, prepareEvidence } from "./evidence.js";

export interface QuotedClaim {
  readonly text: string;
  /** The `source` of the evidence text. */
  readonly source: string;
  readonly quote: string;
}

export function checkQuoted(
  claim: QuotedClaim,
  evidence: PreparedEvidence,
  context: SentenceContext,
): SentenceCheck {
  const text = evidence.texts.find(({ source }) => source === claim.source);
  const own = text === undefined ? undefined : checkSentence(claim.text, prepareEvidence([text]), context);
  if (text !== undefined && own !== undefined && flat(text.text).includes(flat(claim.quote))) return own;
  const role = own?.role ?? "claim";
  const reasons = [{ code: "quote_not_found", text: "the passage does not hold the quoted words" }] as const;
  return { role, verdict: "unsupported", evidence: [], reasons, score: 0 };
}

function flat(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
