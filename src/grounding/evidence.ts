/** What sentences are held against: texts prepared once a turn, so that checking a sentence is cheap. */
import type { EvidenceType } from "../domain/answer.js";
import { analyze } from "../lib/english-analyzer.js";
import { splitSentences } from "../lib/sentence-end.js";

/** A text that claims may rest on. */
export interface EvidenceText {
  readonly type: EvidenceType;
  /** The chunk's id for a passage; otherwise what the evidence is called, such as `attached.selected_text`. */
  readonly source: string;
  readonly text: string;
  /** What stands around a passage: its title and its headings from the outermost. Support may draw on their words. */
  readonly title?: string;
  readonly headings?: readonly string[];
  /** Older revisions that the document replaces, newest first. */
  readonly supersedes?: readonly string[];
  readonly ageMs?: number;
}

/** One sentence or step of the evidence, with what it is compared by. */
export interface EvidenceSentence {
  readonly text: EvidenceText;
  readonly value: string;
  readonly start: number;
  readonly end: number;
  readonly terms: ReadonlySet<string>;
  readonly step?: number;
}

/** Evidence taken apart. */
export interface PreparedEvidence {
  readonly texts: readonly EvidenceText[];
  readonly sentences: readonly EvidenceSentence[];
}

export function prepareEvidence(texts: readonly EvidenceText[]): PreparedEvidence {
  return { texts, sentences: texts.flatMap(sentencesOf) };
}

const STEP = /^\s*(?:step\s+)?(\d{1,3})[.):]\s+/i;

function sentencesOf(text: EvidenceText): EvidenceSentence[] {
  const around = analyze([text.title ?? "", ...(text.headings ?? [])].join(" "));
  const sentences: EvidenceSentence[] = [];
  let start = 0;
  for (const raw of splitSentences(text.text)) {
    const value = raw.trim();
    const at = start + raw.indexOf(value);
    start += raw.length;
    if (value === "") continue;
    const step = STEP.exec(value)?.[1];
    const terms = new Set([...analyze(value), ...around]);
    const number = step === undefined ? {} : { step: Number(step) };
    sentences.push({ text, value, start: at, end: at + value.length, terms, ...number });
  }
  return sentences;
}
