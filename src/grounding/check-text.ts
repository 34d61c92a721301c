/** A whole text against passages, sentence by sentence: what the gate would make of it, for those who want to see. */
import type { Claim } from "../domain/answer.js";
import { splitSentences } from "../lib/sentence-end.js";
import { checkSentence } from "./check-sentence.js";
import { claimConfidence } from "./confidence.js";
import { type EvidenceText, prepareEvidence } from "./evidence.js";

/** The claims of `text` in order; questions, refusals and empty words are none. */
export function checkText(text: string, texts: readonly EvidenceText[], question: string): readonly Claim[] {
  const evidence = prepareEvidence(texts);
  const said: string[] = [];
  const claims: Claim[] = [];
  for (const sentence of splitSentences(text).map((one) => one.trim())) {
    if (sentence === "") continue;
    const check = checkSentence(sentence, evidence, { question, said });
    said.push(sentence);
    if (["filler", "refusal", "question"].includes(check.role)) continue;
    const { verdict, reasons } = check;
    const rests = check.evidence.map(({ type, source, value }) => ({ type, source, value }));
    claims.push({ text: sentence, verdict, evidence: rests, reasons, confidence: claimConfidence(check) });
  }
  return claims;
}
