/** A question back may name only what the user or the documents name: a question can plant a claim as well. */

import { compareAmounts } from "../../words/quantity/quantity.js";
import type { PreparedEvidence } from "../evidence.js";
import { sentencesWithAmount } from "../evidence-index.js";
import type { Sentence } from "../sentence/sentence.js";
import type { SentenceCheck } from "./check.js";
import { gap } from "./finding.js";

/** Share of the content words of a question that must be known. */
const KNOWN_MIN = 0.6;

export function checkQuestion(
  claim: Sentence,
  question: Sentence,
  evidence: PreparedEvidence,
): SentenceCheck {
  const terms = [...claim.terms];
  const unknown = terms.filter((term) => !isKnown(term, question, evidence));
  const figures = claim.quantities.filter(
    (said) =>
      said.use !== "idiom" &&
      said.use !== "order" &&
      sentencesWithAmount(said, evidence).size === 0 &&
      !question.quantities.some((known) => compareAmounts(said, known) === "same"),
  );
  const codes = claim.codes.filter(
    ({ key }) => !evidence.codes.has(key) && !question.codes.some((code) => code.key === key),
  );
  const asked = new Set(question.tokens.map(({ lower }) => lower));
  const names = claim.names.filter(({ words }) =>
    words.some((word) => !evidence.words.has(word) && !asked.has(word)),
  );
  const reasons = [
    ...figures.map(({ text }) => gap("number_unknown", `asks about "${text}", which nobody named`)),
    ...codes.map(({ text }) => gap("identifier_unknown", `asks about "${text}", which nobody named`)),
    ...names.map(({ text }) => gap("name_unknown", `asks about "${text}", which nobody named`)),
  ].map(({ reason }) => reason);
  const known = terms.length === 0 ? 1 : 1 - unknown.length / terms.length;
  if (known < KNOWN_MIN)
    reasons.push(gap("words_not_found", `asks about what nobody named: ${unknown.join(", ")}`).reason);
  return {
    role: "question",
    verdict: reasons.length === 0 ? "supported" : "unsupported",
    evidence: [],
    reasons,
    score: known,
  };
}

function isKnown(term: string, question: Sentence, evidence: PreparedEvidence): boolean {
  return (
    question.terms.has(term) ||
    evidence.byTerm.has(term) ||
    evidence.parts.some(({ around }) => around.has(term)) ||
    ASKING.has(term)
  );
}

/** Words of asking itself. */
const ASKING: ReadonlySet<string> = new Set(
  "mean ask know tell question exactli sorri repeat refer clarifi interest look understand want would like help".split(
    " ",
  ),
);
