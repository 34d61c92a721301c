/**
 * The stage that gives chunks their vectors, many chunks of several documents at once. A document whose chunks could
 * not be embedded goes on without: it can still be found by its words.
 */
import { embeddedText } from "../retrieval/embedding/embedded-text.js";
import { type Embedder, EmbeddingUnavailable } from "../retrieval/embedding/port.js";
import type { KnowledgeDocument } from "../retrieval/writer.js";
import { type ReadRetryDeps, withRetry } from "./retry.js";

/** Who embeds, and how many texts it is given at once. */
export interface Embedding {
  readonly embedder: Embedder;
  readonly batchSize: number;
}

/** On top of what the embedder itself tries. */
const RETRY = { attemptsMax: 3, delayMs: 1_000 };

/** After so many batches in a row that failed, the rest of the run goes without: the server is down. */
export const FAILED_BATCHES_MAX = 3;

export type EmbeddingResult =
  | { readonly type: "embedded"; readonly document: KnowledgeDocument }
  | { readonly type: "failed"; readonly document: KnowledgeDocument; readonly message: string };

/** Embeds batches of documents, one after the other. */
export class EmbedStage {
  #failedInARow = 0;
  #lastMessage = "";

  constructor(
    private readonly embedding: Embedding,
    private readonly deps: ReadRetryDeps,
  ) {}

  /** One result per document, in order. Rejects with the signal's reason. */
  async embed(
    documents: readonly KnowledgeDocument[],
    signal: AbortSignal,
  ): Promise<readonly EmbeddingResult[]> {
    if (documents.length === 0) return [];
    if (this.#failedInARow >= FAILED_BATCHES_MAX) return documents.map((document) => this.#failed(document));
    try {
      const vectors = await this.#vectors(documents, RETRY.attemptsMax, signal);
      this.#failedInARow = 0;
      return withVectors(documents, vectors);
    } catch (error) {
      this.#note(error, signal);
      return documents.length === 1
        ? documents.map((document) => this.#failed(document))
        : this.#oneByOne(documents, signal);
    }
  }

  /** One document that the server does not take must not cost its neighbours their vectors. */
  async #oneByOne(documents: readonly KnowledgeDocument[], signal: AbortSignal): Promise<EmbeddingResult[]> {
    const results: EmbeddingResult[] = [];
    for (const document of documents) {
      if (this.#failedInARow >= FAILED_BATCHES_MAX) {
        results.push(this.#failed(document));
        continue;
      }
      try {
        results.push(...withVectors([document], await this.#vectors([document], 1, signal)));
        this.#failedInARow = 0;
      } catch (error) {
        this.#note(error, signal);
        results.push(this.#failed(document));
      }
    }
    return results;
  }

  async #vectors(
    documents: readonly KnowledgeDocument[],
    attemptsMax: number,
    signal: AbortSignal,
  ): Promise<readonly Float32Array[]> {
    const texts = documents.flatMap(({ title, chunks }) =>
      chunks.map(({ headings, text }) => embeddedText(title, headings, text)),
    );
    const { embedder, batchSize } = this.embedding;
    const vectors: Float32Array[] = [];
    for (let from = 0; from < texts.length; from += batchSize) {
      const batch = texts.slice(from, from + batchSize);
      const isTransient = (error: unknown) => error instanceof EmbeddingUnavailable;
      const embed = () => embedder.embed(batch, signal);
      vectors.push(...(await withRetry(this.deps, { ...RETRY, attemptsMax }, isTransient, embed, signal)));
    }
    return vectors;
  }

  #note(error: unknown, signal: AbortSignal): void {
    signal.throwIfAborted();
    if (!(error instanceof EmbeddingUnavailable)) throw error;
    this.#failedInARow += 1;
    this.#lastMessage = error.message;
  }

  #failed(document: KnowledgeDocument): EmbeddingResult {
    return { type: "failed", document, message: `it has no vectors: ${this.#lastMessage}` };
  }
}

function withVectors(
  documents: readonly KnowledgeDocument[],
  vectors: readonly Float32Array[],
): readonly EmbeddingResult[] {
  let next = 0;
  return documents.map((document) => ({
    type: "embedded",
    document: {
      ...document,
      chunks: document.chunks.map((chunk) => ({ ...chunk, vector: vectors[next++]! })),
    },
  }));
}
