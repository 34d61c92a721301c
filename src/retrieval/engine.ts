/**
 * What a knowledge engine does, leg by leg. A leg is one way of ranking; `knowledge-retrieval.ts` asks those that are
 * configured, fuses them, and is what the rest of the service calls. Engines share one conformance suite.
 */
import type { Passage } from "../domain/passage.js";
import type { Access } from "../domain/user.js";
import type { Retrieval } from "./port.js";

/** `lexical`: BM25. `semantic`: the engine's own learned ranking (ELSER). `vector`: nearest embeddings. */
export type LegName = "lexical" | "semantic" | "vector";

export interface LegRequest {
  readonly leg: LegName;
  readonly query: string;
  /** The query's embedding: given for the leg `vector`, and only there. */
  readonly vector?: Float32Array;
  /** Applied inside the query and once more on what comes out; see `access.ts`. */
  readonly access: Access;
  /** Passages at the most. */
  readonly limit: number;
}

export interface Engine extends Pick<Retrieval, "outline" | "contents" | "revision"> {
  /** The legs that it can answer. */
  readonly legs: readonly LegName[];
  /**
   * The best passages that `access` may read, best first, near-duplicates each on their own. A superseded revision is
   * left out when the reader may read a newer one. Rejects with `SearchUnavailable`, never "nothing found".
   */
  search(request: LegRequest, signal: AbortSignal): Promise<readonly Passage[]>;
  /** Which of these documents exist and may be read by `access` at this moment. Rejects with `SearchUnavailable`. */
  readable(documentIds: readonly string[], access: Access, signal: AbortSignal): Promise<ReadonlySet<string>>;
  /** Resolves when a search could be answered now; rejects with `SearchUnavailable` otherwise. */
  ready(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}
