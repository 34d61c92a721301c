/** A second look at the best candidates, by a model that reads query and passage together. */

export interface Reranker {
  readonly name: string;
  /**
   * For each text how well it answers the query, higher is better, in the order of the texts. Rejects with
   * `RerankerUnavailable` or the signal's reason; the order from before then stands.
   */
  score(query: string, texts: readonly string[], signal: AbortSignal): Promise<readonly number[]>;
}

export class RerankerUnavailable extends Error {
  override readonly name = "RerankerUnavailable";
}
