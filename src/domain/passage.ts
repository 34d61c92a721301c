/** What retrieval finds: a piece of a document, with what a voice needs to name its source. */

/** Who may read a document. `restricted` with two empty lists means nobody. */
export type Visibility = "network" | "restricted";

export interface DocumentAccess {
  readonly network: string;
  readonly visibility: Visibility;
  readonly allowedUsers: readonly string[];
  readonly allowedGroups: readonly string[];
}

/** What kind of text a chunk is; the model is shown it, since code is read differently from prose. */
export interface ChunkKind {
  /** Prose of a handbook is `spec`, source text `code`, a code block inside prose `code_example`. */
  readonly docType: DocType;
  /** What the text is made of: `prose`, `procedure`, `list`, `table`, or for code `function`, `class`, `if`, … */
  readonly blockType: string;
  /** What code deals with, such as `uses_http`; empty for prose. */
  readonly tags: readonly string[];
}

export type DocType = "spec" | "code" | "code_example" | "config" | "bnf" | "data";

export const PROSE: ChunkKind = { docType: "spec", blockType: "prose", tags: [] };

export interface Passage {
  /** Unique in its network, and stable as long as the text is the same. */
  readonly chunkId: string;
  readonly documentId: string;
  readonly title: string;
  /** As the document writes it, such as "4" or "2026-03". */
  readonly revision?: string;
  /** Older revisions of this document that the reader may read as well, newest first. */
  readonly supersedes: readonly string[];
  /** The document's place as people know it: its path below the folder or bucket that was ingested. */
  readonly sourceFile: string;
  /** Headings from the outermost to the one that this passage stands under. */
  readonly headings: readonly string[];
  /** The page that it begins on, from 1; absent where the document has no pages. */
  readonly page?: number;
  /** Which of its document's chunks this is, from 0. */
  readonly position: number;
  readonly kind: ChunkKind;
  readonly text: string;
  /** The sentences of `text` that matched best, best first. */
  readonly highlights: readonly string[];
  /** Relevance, higher is better; comparable within one result only. */
  readonly score: number;
  readonly access: DocumentAccess;
  /** Near-duplicates that this passage stands for, each of which the reader may read. */
  readonly alsoIn: readonly PassageName[];
}

/** Enough to find a passage again. */
export interface PassageName {
  readonly chunkId: string;
  readonly documentId: string;
  readonly title: string;
}

/** A text as a passage that nobody may read, for what is given more of it. */
export function passageOf(
  given: Pick<Passage, "chunkId" | "documentId" | "text"> & Partial<Passage>,
): Passage {
  return {
    ...{ title: "", supersedes: [], sourceFile: "", headings: [], position: 0, kind: PROSE },
    ...{ alsoIn: [], highlights: [], score: 0 },
    access: { network: "", visibility: "restricted", allowedUsers: [], allowedGroups: [] },
    ...given,
  };
}
