/**
 * The frame of an answer: "To shut down the saw, follow these steps:" states nothing, and "Passage 1 states that …" nothing
 * of its own.
 */
import type { PreparedEvidence } from "../evidence.js";
import { isPlainClause, type Sentence } from "../sentence/sentence.js";

/** What announces steps: "…, follow these steps:", "… is as follows:", "Here is how to …:". */
const ANNOUNCES = /^(?:follow|follows|following|steps?|how)$/;

/**
 * Whether a sentence only leads in to steps, in words that are empty or the question's. It sets no condition, and what it
 * names besides what is done is something that one passage speaks of.
 */
export function isLeadIn(claim: Sentence, question: Sentence, { parts }: PreparedEvidence): boolean {
  const { clauses, codes, denials, infos, quantities, text, tokens } = claim;
  const announces = text.trim().endsWith(":") && tokens.some(({ lower }) => ANNOUNCES.test(lower));
  if (!announces || denials.length + quantities.length + codes.length > 0) return false;
  const isPlain = clauses.every(isPlainClause) && infos.every(({ modality }) => modality === undefined);
  const things = [...claim.terms].filter((term) => !infos.some((info) => info.term === term && info.action));
  return (
    isPlain &&
    [...claim.terms].every((term) => question.terms.has(term)) &&
    parts.some(({ around, sentences }) =>
      things.every((term) => around.has(term) || sentences.some(({ terms }) => terms.has(term))),
    )
  );
}

const TEXT =
  "(?:the |this )?(?:passage|document|documentation|handbook|manual|source|text|sheet|guide|procedure|policy)(?: \\d+)?";
const SAYS = `${TEXT} (?:states|says|mentions|explains|specifies|indicates|notes) that`;
const BY = `(?:according to|as (?:stated|described|mentioned) in) ${TEXT},`;
const REPORTS = new RegExp(`^\\s*(?:${SAYS}|${BY})\\s+`, "i");

/** The sentence behind "Passage 1 states that …" and "According to the document, …"; any other as it is. */
export function behindReport(sentence: string): string {
  return sentence.replace(REPORTS, "");
}
