/** Texts to vectors, for the leg `vector`. */

export interface Embedder {
  /** The model and its dimensions, such as `text-embedding-3-small/512`: vectors of other names do not compare. */
  readonly name: string;
  readonly dimensions: number;
  /** Who runs it; absent: this process itself. */
  readonly provider?: string;
  /** What its scores count beside those of words, where that was measured; else as much. */
  readonly weight?: number;
  /** The cosine below which a text has nothing to do with a query, where that is known of the model. */
  readonly cosineMin?: number;
  /** One vector of length 1 per text, in order. Rejects with `EmbeddingUnavailable` or the signal's reason. */
  embed(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]>;
}

/** The embedding server could not be used; the message says why. */
export class EmbeddingUnavailable extends Error {
  override readonly name = "EmbeddingUnavailable";
}
