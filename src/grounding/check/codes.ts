/** Whether the codes in a sentence are those of the evidence; names are words that `additions.ts` looks for. */
import type { EvidenceSentence, PreparedEvidence } from "../evidence.js";
import type { Sentence } from "../sentence/sentence.js";
import { contradiction, type Finding, gap } from "./finding.js";

export function checkCodes(
  claim: Sentence,
  window: readonly EvidenceSentence[],
  evidence: PreparedEvidence,
  question: Sentence,
): Finding[] {
  const asked = new Set(question.codes.map(({ key }) => key));
  return claim.codes.flatMap(({ key, text }) => {
    if (window.some(({ codes }) => codes.some((code) => code.key === key))) return [];
    const rival = window
      .flatMap(({ codes }) => codes)
      .find((code) => !claim.codes.some((own) => own.key === code.key));
    if (rival !== undefined)
      return [contradiction("identifier_unknown", `says "${text}", the source says "${rival.text}"`)];
    if (evidence.codes.has(key) || asked.has(key)) return [];
    return [gap("identifier_unknown", `says "${text}", which the sources do not`)];
  });
}
