/** What the service asks of a knowledge engine. Implementations share one conformance suite. */
import type { DocumentAccess, Passage } from "../domain/passage.js";
import type { Access } from "../domain/user.js";

export interface SearchRequest {
  readonly query: string;
  /** Applied inside the query and once more on what comes out; see `access.ts`. */
  readonly access: Access;
  /** Passages at the most. */
  readonly limit: number;
}

export interface OutlineLimits {
  /** Documents at the most. */
  readonly documentsMax: number;
  /** Headings of each document at the most; 0: titles only. */
  readonly headingsMax: number;
}

/** What a document is called and what it is about, without its text. */
export interface DocumentOutline {
  readonly documentId: string;
  readonly title: string;
  readonly revision?: string;
  /** The innermost headings of its passages in order, each once. */
  readonly headings: readonly string[];
  readonly access: DocumentAccess;
}

export interface Retrieval {
  /** The best passages that `access` may read, best first. Rejects with `SearchUnavailable`, never "nothing found". */
  search(request: SearchRequest, signal: AbortSignal): Promise<readonly Passage[]>;
  /** Which of these documents exist and may be read by `access` at this moment. Rejects with `SearchUnavailable`. */
  readable(documentIds: readonly string[], access: Access, signal: AbortSignal): Promise<ReadonlySet<string>>;
  /**
   * The documents that `access` may read at this moment, those stored last first, superseded revisions left out. Nothing
   * is remembered from one call to the next. Rejects with `SearchUnavailable`.
   */
  outline(access: Access, limits: OutlineLimits, signal: AbortSignal): Promise<readonly DocumentOutline[]>;
  /**
   * A document's passages from its beginning, `passagesMax` at the most; none where there is no such document for
   * `access`. Rejects with `SearchUnavailable`.
   */
  contents(
    documentId: string,
    access: Access,
    passagesMax: number,
    signal: AbortSignal,
  ): Promise<readonly Passage[]>;
  /**
   * A name for the state of a network's index, cheap to ask for: every change to it gives it another one, a change of
   * permissions too. Groups and what is done past the writers change nothing here, so what is remembered under a
   * revision needs `readable` before it is used. Rejects with `SearchUnavailable`.
   */
  revision(network: string, signal: AbortSignal): Promise<string>;
  /** Resolves when a search could be answered now; rejects with `SearchUnavailable` otherwise. */
  ready(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** The engine could not answer. That is not the same as "nothing found", and is never reported as such. */
export class SearchUnavailable extends Error {
  override readonly name = "SearchUnavailable";
}
