/**
 * Embeddings from the OpenAI API (`POST /embeddings`), at OpenAI or any server that speaks it: in batches, tried again
 * when the server is busy, and trusted with nothing: a vector that is missing, too short or no number is refused.
 */
import { z } from "zod";
import { backoffMs } from "../../lib/backoff.js";
import { type Clock, sleep } from "../../lib/clock.js";
import { JsonClient, RequestFailure } from "../../lib/json-client.js";
import type { Random } from "../../lib/random.js";
import { wellFormed } from "../../lib/well-formed.js";
import type { EmbeddingOptions } from "./options.js";
import { type Embedder, EmbeddingUnavailable } from "./port.js";

export const OPENAI_BASE_URL = "https://api.openai.com/v1";

/** A longer text is embedded by its beginning: the API takes 8,191 tokens, and none has less than a character. */
export const TEXT_CHARS_MAX = 8_000;

/** A number in JSON takes about 22 bytes at the most. */
const BYTES_PER_NUMBER = 32;
const ENVELOPE_BYTES_MAX = 1_048_576;

const BACKOFF = { delayMs: 250, delayMaxMs: 8_000 } as const;

/** A server that wants to be left alone for longer than this is taken to be out of use. */
const RETRY_AFTER_MS_MAX = 60_000;

export interface OpenAiEmbedderDeps {
  readonly clock: Clock;
  readonly random: Random;
}

const answerSchema = z.object({
  data: z.array(z.object({ index: z.int(), embedding: z.union([z.array(z.number()), z.string()]) })),
});

export class OpenAiEmbedder implements Embedder {
  readonly name: string;
  readonly dimensions: number;
  readonly provider = "openai";
  readonly #client: JsonClient;

  constructor(
    private readonly deps: OpenAiEmbedderDeps,
    private readonly options: Omit<EmbeddingOptions, "provider" | "queryTimeoutMs">,
  ) {
    const { model, dimensions, batchSize, baseUrl, apiKey, timeoutMs } = options;
    this.name = `${model}/${dimensions}`;
    this.dimensions = dimensions;
    this.#client = new JsonClient(deps.clock, {
      server: "the embedding server",
      baseUrl: baseUrl ?? OPENAI_BASE_URL,
      apiKey,
      timeoutMs,
      bodyBytesMax: ENVELOPE_BYTES_MAX + batchSize * dimensions * BYTES_PER_NUMBER,
    });
  }

  async embed(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]> {
    signal.throwIfAborted();
    const vectors: Float32Array[] = [];
    for (let from = 0; from < texts.length; from += this.options.batchSize) {
      const batch = texts.slice(from, from + this.options.batchSize);
      vectors.push(...(await this.#batch(batch.map(sendable), signal)));
    }
    return vectors;
  }

  async #batch(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]> {
    const { model, dimensions, attemptsMax } = this.options;
    const body = { model, input: texts, dimensions, encoding_format: "float" };
    for (let attempt = 1; ; attempt++) {
      try {
        return vectorsOf(await this.#client.post("/embeddings", body, signal), texts.length, dimensions);
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof RequestFailure)) throw error;
        const waitMs = Math.max(backoffMs(attempt, BACKOFF, this.deps.random), error.retryAfterMs ?? 0);
        if (!error.passing || attempt >= attemptsMax || waitMs > RETRY_AFTER_MS_MAX)
          throw new EmbeddingUnavailable(error.message, { cause: error });
        await sleep(this.deps.clock, waitMs, signal);
      }
    }
  }
}

/** The API refuses an empty text. */
function sendable(text: string): string {
  const whole = wellFormed(text, TEXT_CHARS_MAX);
  return whole.trim() === "" ? "." : whole;
}

/** The vectors in the order of the texts, each of length 1. Throws `EmbeddingUnavailable` when there is anything odd. */
function vectorsOf(answer: unknown, count: number, dimensions: number): readonly Float32Array[] {
  const parsed = answerSchema.safeParse(answer);
  if (!parsed.success) throw odd("not of the shape that the API describes");
  const { data } = parsed.data;
  if (data.length !== count) throw odd(`${data.length} vectors for ${count} texts`);
  const ordered = new Map(data.map(({ index, embedding }) => [index, embedding]));
  return Array.from({ length: count }, (_, index) => {
    const embedding = ordered.get(index);
    if (embedding === undefined) throw odd(`without a vector for text ${index}`);
    return unitVector(typeof embedding === "string" ? decoded(embedding) : embedding, dimensions);
  });
}

/** Base64 of 32-bit little-endian floats, which some servers send whatever was asked for. */
function decoded(base64: string): Float32Array {
  const bytes = Buffer.from(base64, "base64");
  return Float32Array.from({ length: Math.floor(bytes.length / 4) }, (_, i) => bytes.readFloatLE(i * 4));
}

function unitVector(values: ArrayLike<number>, dimensions: number): Float32Array {
  if (values.length !== dimensions) {
    const remedy = `set embedding.dimensions to ${values.length}, or choose a model that can be cut`;
    throw odd(`with vectors of ${values.length} dimensions instead of ${dimensions}; ${remedy}`);
  }
  let squares = 0;
  for (let i = 0; i < values.length; i++) squares += values[i]! ** 2;
  const length = Math.sqrt(squares);
  if (!Number.isFinite(length) || length === 0) throw odd("with a vector that has no direction");
  return Float32Array.from(values, (value) => value / length);
}

function odd(what: string): EmbeddingUnavailable {
  return new EmbeddingUnavailable(`the embedding server answers ${what}`);
}
