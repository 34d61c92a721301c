/**
 * BM25 over what one reader may read. Every number in the formula (how many chunks there are, how many hold a term,
 * how long they are on average) counts readable chunks only, so that a score tells nothing about the others: a
 * reader gets exactly the ranking that an index without the forbidden documents would give.
 */
import type { Postings } from "./postings.js";

/** Term saturation and length normalization, Lucene's defaults. */
const K1 = 1.2;
const B = 0.75;

/** Per chunk number: the index of its document, -1 where there is no chunk, and how many terms it has. */
export interface ChunkTable {
  readonly documentOfChunk: Int32Array;
  readonly termsOfChunk: Uint32Array;
}

/** What a reader sees of the chunks. */
export interface ReadableChunks {
  /** Per document index: 1 when its chunks take part. */
  readonly readable: Uint8Array;
  readonly chunkCount: number;
  readonly termsPerChunk: number;
}

export interface ChunkHit {
  readonly chunk: number;
  readonly score: number;
}

/**
 * Sums up scores term by term. The score of a term in a chunk is that of Lucene's `BM25Similarity`:
 * idf · tf / (tf + k1 · (1 − b + b · length / average)), with idf = ln(1 + (N − n + 0.5) / (n + 0.5)).
 */
export class Ranking {
  readonly #scores: Float64Array;
  readonly #perTerm: number;

  constructor(
    private readonly table: ChunkTable,
    private readonly view: ReadableChunks,
  ) {
    this.#scores = new Float64Array(table.documentOfChunk.length);
    this.#perTerm = (K1 * B) / view.termsPerChunk;
  }

  /** Adds a term that the query holds `weight` times; returns its idf, 0 when no readable chunk holds it. */
  add(postings: Postings, weight: number): number {
    const matches = this.#keepReadable(postings);
    if (matches === 0) return 0;
    const idf = Math.log(1 + (this.view.chunkCount - matches + 0.5) / (matches + 0.5));
    const { chunks, frequencies } = postings;
    const { termsOfChunk } = this.table;
    const scores = this.#scores;
    const perTerm = this.#perTerm;
    for (let i = 0; i < matches; i++) {
      const chunk = chunks[i]!;
      scores[chunk]! += termScore(weight * idf, frequencies[i]!, perTerm * termsOfChunk[chunk]!);
    }
    return idf;
  }

  /** Whether a readable chunk holds the term. */
  holds(postings: Postings): boolean {
    return this.#keepReadable(postings) > 0;
  }

  /** What a term adds to the score of a chunk that holds it so often; `worth` is its idf times its weight. */
  termScore(chunk: number, frequency: number, worth: number): number {
    return termScore(worth, frequency, this.#perTerm * this.table.termsOfChunk[chunk]!);
  }

  /** The best chunks, best first; equal scores in the order of chunk numbers. */
  best(limit: number): ChunkHit[] {
    const best: ChunkHit[] = [];
    if (limit <= 0) return best;
    const scores = this.#scores;
    let worst = 0;
    for (let chunk = 0; chunk < scores.length; chunk++) {
      const score = scores[chunk]!;
      if (score <= worst) continue;
      let place = best.length;
      while (place > 0 && best[place - 1]!.score < score) place -= 1;
      best.splice(place, 0, { chunk, score });
      if (best.length > limit) best.pop();
      if (best.length === limit) worst = best[limit - 1]!.score;
    }
    return best;
  }

  /** Moves the readable postings to the front and returns their number. */
  #keepReadable(postings: Postings): number {
    const { documentOfChunk } = this.table;
    const { readable } = this.view;
    const { chunks, frequencies } = postings;
    let kept = 0;
    for (let i = 0; i < postings.length; i++) {
      const document = documentOfChunk[chunks[i]!]!;
      if (document < 0 || readable[document] === 0) continue;
      chunks[kept] = chunks[i]!;
      frequencies[kept++] = frequencies[i]!;
    }
    return kept;
  }
}

/** `length` is k1 · b · the chunk's length / the average length. */
function termScore(worth: number, frequency: number, length: number): number {
  return (worth * frequency) / (frequency + (K1 * (1 - B) + length));
}
