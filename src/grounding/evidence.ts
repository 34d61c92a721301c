/** What sentences are held against: texts prepared once a turn, so that checking a sentence is cheap. */
import type { EvidenceType } from "../domain/answer.js";

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
