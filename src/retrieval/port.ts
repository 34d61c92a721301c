/** What the service asks of a knowledge engine. Implementations share one conformance suite. */
import type { Passage } from "../domain/passage.js";
import type { Access } from "../domain/user.js";

export interface SearchRequest {
  readonly query: string;
  /** Applied inside the query and once more on what comes out; see `access.ts`. */
  readonly access: Access;
  /** Passages at the most. */
  readonly limit: number;
}

export interface Retrieval {
  /** The best passages that `access` may read, best first. Rejects with `SearchUnavailable`, never "nothing found". */
  search(request: SearchRequest, signal: AbortSignal): Promise<readonly Passage[]>;
  /** Which of these documents exist and may be read by `access` at this moment. Rejects with `SearchUnavailable`. */
  readable(documentIds: readonly string[], access: Access, signal: AbortSignal): Promise<ReadonlySet<string>>;
  /** Resolves when a search could be answered now; rejects with `SearchUnavailable` otherwise. */
  ready(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** The engine could not answer. That is not the same as "nothing found", and is never reported as such. */
export class SearchUnavailable extends Error {
  override readonly name = "SearchUnavailable";
}
