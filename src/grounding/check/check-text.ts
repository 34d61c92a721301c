/** A whole text against passages, sentence by sentence: what the gate would make of it, for those who want to see. */
import type { Claim } from "../../domain/answer.js";
import { splitSentences } from "../../lib/sentence-end.js";
import { gently, type WorkBudget } from "../../lib/steps.js";
import { claimConfidence } from "../confidence/confidence.js";
import { type EvidenceText, prepareInSteps } from "../evidence.js";
import { claimsNothing } from "./check.js";
import { checkInSteps, outOfTime } from "./check-sentence.js";

/**
 * The claims of `text` in order; questions, refusals and empty words are none. What is left when the budget is spent is
 * unsupported, with `not_checked` as the reason.
 */
export async function checkText(
  text: string,
  texts: readonly EvidenceText[],
  question: string,
  budget: WorkBudget,
): Promise<readonly Claim[]> {
  const prepared = await gently(prepareInSteps(texts), budget);
  const said: string[] = [];
  const claims: Claim[] = [];
  for (const sentence of sentencesOf(text)) {
    const checked = prepared && (await gently(checkInSteps(sentence, prepared, { question, said }), budget));
    const check = checked ?? outOfTime(sentence);
    said.push(sentence);
    if (claimsNothing(check)) continue;
    const evidence = check.evidence.map(({ type, source, value }) => ({ type, source, value }));
    const { reasons, verdict } = check;
    claims.push({ text: sentence, verdict, evidence, reasons, confidence: claimConfidence(check) });
  }
  return claims;
}

/** The sentences of a text, without the white space around them. */
export function sentencesOf(text: string): readonly string[] {
  return splitSentences(text)
    .map((one) => one.trim())
    .filter((one) => one !== "");
}
