/** An embedder that remembers: what was embedded once is not paid for again. A cache that fails is as good as empty. */
import type { Embedder } from "./port.js";

/** Where vectors are kept, by model and text. Every method may reject. */
export interface VectorCache {
  /** `undefined` where there is none. */
  read(model: string, texts: readonly string[]): Promise<readonly (Float32Array | undefined)[]>;
  write(model: string, texts: readonly string[], vectors: readonly Float32Array[]): Promise<void>;
}

/** After so many failures the cache is left alone. */
const FAILURES_MAX = 3;

/** How far from 1 the length of a vector may be that was stored as 32-bit floats. */
const LENGTH_TOLERANCE = 1e-3;

export class CachedEmbedder implements Embedder {
  readonly name: string;
  readonly dimensions: number;
  #failures = 0;

  /** `onFailure` is told of each failure of the cache, of which there are few. */
  constructor(
    private readonly embedder: Embedder,
    private readonly cache: VectorCache,
    private readonly onFailure: (error: Error) => void,
  ) {
    this.name = embedder.name;
    this.dimensions = embedder.dimensions;
  }

  async embed(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]> {
    signal.throwIfAborted();
    const vectors = await this.#known([...new Set(texts)]);
    const missing = [...new Set(texts)].filter((text) => !vectors.has(text));
    if (missing.length > 0) {
      const fresh = await this.embedder.embed(missing, signal);
      for (const [i, text] of missing.entries()) vectors.set(text, fresh[i]!);
      await this.#attempt(undefined, () => this.cache.write(this.name, missing, fresh));
    }
    return texts.map((text) => vectors.get(text)!);
  }

  async #known(texts: readonly string[]): Promise<Map<string, Float32Array>> {
    const found = await this.#attempt([], () => this.cache.read(this.name, texts));
    const pairs = texts.map((text, i) => [text, found[i]] as const);
    return new Map(
      pairs.filter((pair): pair is [string, Float32Array] => isVector(pair[1], this.dimensions)),
    );
  }

  async #attempt<T>(otherwise: T, work: () => Promise<T>): Promise<T> {
    if (this.#failures >= FAILURES_MAX) return otherwise;
    try {
      return await work();
    } catch (error) {
      this.#failures += 1;
      this.onFailure(error instanceof Error ? error : new Error(String(error)));
      return otherwise;
    }
  }
}

/** What a disk gives back may be anything. */
function isVector(value: Float32Array | undefined, dimensions: number): boolean {
  if (value?.length !== dimensions) return false;
  return Math.abs(Math.sqrt(value.reduce((sum, one) => sum + one * one, 0)) - 1) <= LENGTH_TOLERANCE;
}
