/** Embeds queries for the leg `vector`: quickly or not at all, and the same words only once. */
import type { Clock } from "../../lib/clock.js";
import { withDeadline } from "../../lib/deadline.js";
import type { Telemetry } from "../../telemetry/events.js";
import type { Embedder } from "./port.js";

/** Vectors kept; of 4,096 dimensions they take 16 MB. */
export const QUERIES_KEPT_MAX = 1_000;

/** A longer query is embedded by its beginning: models take 512 tokens or more, and a question says its part early. */
export const QUERY_CHARS_MAX = 2_000;

export class QueryEmbeddings {
  /** By model and text, the least recently used first. What is kept are vectors: nothing of what they found. */
  readonly #kept = new Map<string, Float32Array>();

  constructor(
    private readonly clock: Clock,
    private readonly embedder: Embedder,
    private readonly timeoutMs: number,
    private readonly telemetry: Telemetry,
  ) {}

  /** Rejects with `EmbeddingUnavailable`, `DeadlineExceeded` or the signal's reason. */
  async vectorOf(query: string, signal: AbortSignal): Promise<Float32Array> {
    const text = query.trim().slice(0, QUERY_CHARS_MAX);
    const key = `${this.embedder.name}\u0000${text}`;
    const vector = this.#kept.get(key) ?? (await this.#embed(text, signal));
    this.#keep(key, vector);
    return vector;
  }

  async #embed(text: string, signal: AbortSignal): Promise<Float32Array> {
    const { clock, embedder, telemetry, timeoutMs } = this;
    const { dimensions, name: model, provider } = embedder;
    const startMs = clock.monotonic();
    const tell = (result: "ok" | "failed") => {
      const ms = clock.monotonic() - startMs;
      telemetry.emit({ type: "query_embedded", model, provider, dimensions, result, ms });
    };
    const work = (within: AbortSignal) => embedder.embed([text], within);
    const embedded = withDeadline(clock, "the embedding of the query", timeoutMs, signal, work);
    embedded.then(
      () => tell("ok"),
      () => tell("failed"),
    );
    return (await embedded)[0]!;
  }

  #keep(key: string, vector: Float32Array): void {
    this.#kept.delete(key);
    this.#kept.set(key, vector);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= QUERIES_KEPT_MAX) return;
      this.#kept.delete(oldest);
    }
  }
}
