/** The embedder that comes with the service: no server, no model at work, the sum of word vectors (see words/meaning). */
import { pause } from "../../lib/pause.js";
import { DIMENSIONS, meaningOf } from "../../words/meaning/meaning.js";
import type { Embedder } from "./port.js";

/** The best of four on one half of ClapNQ's questions, and as good as any on the other; see docs/decisions. */
const WEIGHT = 0.7;

/** On ClapNQ one question of 300 and its passage are further from each other, and 87% of all other pairs are. */
const COSINE_MIN = 0.2;

export class StaticEmbedder implements Embedder {
  readonly name = `static-1/${DIMENSIONS}`;
  readonly dimensions = DIMENSIONS;
  readonly weight = WEIGHT;
  readonly cosineMin = COSINE_MIN;

  async embed(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]> {
    const vectors: Float32Array[] = [];
    for (const text of texts) {
      signal.throwIfAborted();
      vectors.push(meaningOf(text));
      await pause();
    }
    return vectors;
  }
}
