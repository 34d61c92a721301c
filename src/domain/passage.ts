/** What retrieval finds: a piece of a document, with what a voice needs to name its source. */

/** Who may read a document. `restricted` with two empty lists means nobody. */
export type Visibility = "network" | "restricted";

export interface DocumentAccess {
  readonly network: string;
  readonly visibility: Visibility;
  readonly allowedUsers: readonly string[];
  readonly allowedGroups: readonly string[];
}

export interface Passage {
  /** Unique in its network, and stable as long as the text is the same. */
  readonly chunkId: string;
  readonly documentId: string;
  readonly title: string;
  /** As the document writes it, such as "4" or "2026-03". */
  readonly revision?: string;
  /** Headings from the outermost to the one that this passage stands under. */
  readonly headings: readonly string[];
  readonly text: string;
  /** The sentences of `text` that matched best, best first. */
  readonly highlights: readonly string[];
  /** Relevance, higher is better; comparable within one result only. */
  readonly score: number;
  readonly access: DocumentAccess;
}
