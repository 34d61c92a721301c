/** Whether passages support sentences, by the checks of the gate: each sentence may lean on those before it. */
import type { Passage } from "../../domain/passage.js";
import { checkSentence } from "../../grounding/check/check-sentence.js";
import { type EvidenceText, prepareEvidence } from "../../grounding/evidence.js";

/** One decision for each of the sentences, which belong together in this order. */
export function supported(
  sentences: readonly string[],
  passages: readonly Passage[],
  question: string,
): readonly boolean[] {
  const evidence = prepareEvidence(passages.map(evidenceText));
  return sentences.map((sentence, i) => {
    const context = { question, said: sentences.slice(0, i) };
    return checkSentence(sentence, evidence, context).verdict === "supported";
  });
}

function evidenceText({ chunkId, text, title, headings, supersedes }: Passage): EvidenceText {
  return { type: "passage", source: chunkId, text, title, headings, supersedes };
}
