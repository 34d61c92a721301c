/** A passage as evidence: what may be read out of it. */
import type { Passage } from "../domain/passage.js";
import type { EvidenceText } from "./evidence.js";
import { trusted } from "./injection.js";

export function passageEvidence(passage: Passage): EvidenceText {
  const { chunkId, documentId, text, title, headings, supersedes } = trusted(passage);
  return { type: "passage", source: chunkId, document: documentId, text, title, headings, supersedes };
}
