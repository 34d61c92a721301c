/** A question back may name only what the user or the documents name: a question can plant a claim as well. */

import type { ReasonCode } from "../../domain/answer.js";
import type { PreparedEvidence } from "../evidence.js";
import { hasAmount, type Sentence } from "../sentence/sentence.js";
import { gap, type SentenceCheck } from "./check.js";

/** Share of the content words of a question that must be known. */
const KNOWN_MIN = 0.6;

export function checkQuestion(
  claim: Sentence,
  question: Sentence,
  evidence: PreparedEvidence,
): SentenceCheck {
  const { parts, codes } = evidence;
  const named = [question, ...parts.flatMap(({ sentences }) => sentences)];
  const terms = new Set([...question.terms, ...ASKING, ...parts.flatMap(({ around }) => [...around])]);
  const unknown = claim.words.filter(
    ({ info, term }) => info.weight === "content" && !terms.has(term) && !evidence.terms.has(term),
  );
  const unnamed = (code: ReasonCode, texts: readonly { readonly text: string }[]) =>
    texts.map(({ text }) => gap(code, `asks about "${text}", which nobody named`).reason);
  const amounts = claim.quantities.filter(({ use }) => use !== "idiom" && use !== "order");
  const asked = new Set(question.codes.map(({ key }) => key));
  const newAmounts = amounts.filter((said) => !named.some((one) => hasAmount(one, said)));
  const newCodes = claim.codes.filter(({ key }) => !codes.has(key) && !asked.has(key));
  const newNames = unknown.map(({ token }) => claim.tokens[token]!).filter(({ text }) => NAME.test(text));
  const reasons = [
    ...unnamed("number_unknown", newAmounts),
    ...unnamed("identifier_unknown", newCodes),
    ...unnamed("name_unknown", newNames),
  ];
  const known =
    claim.terms.size === 0 ? 1 : 1 - new Set(unknown.map(({ term }) => term)).size / claim.terms.size;
  if (known < KNOWN_MIN) reasons.push(gap("words_not_found", "asks about what nobody named").reason);
  const verdict = reasons.length === 0 ? "supported" : "unsupported";
  return { role: "question", verdict, evidence: [], reasons, score: known };
}

/** A word with a capital: a question seldom begins with a word that tells something. */
const NAME = /^\p{Lu}/u;

/** Words of asking itself. */
const ASKING: readonly string[] =
  "mean ask know tell question exactli sorri repeat refer clarifi interest look understand want would like help".split(
    " ",
  );
