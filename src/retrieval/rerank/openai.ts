/**
 * A reranker behind a `/rerank` endpoint beside OpenAI's API. There is no standard; this is the shape that Jina, Cohere
 * and vLLM agree on: `{model, query, documents, top_n}` → `{results: [{index, relevance_score}]}`. Tried once: after
 * its time is up, the order from before is the better answer.
 */
import { z } from "zod";
import type { Clock } from "../../lib/clock.js";
import { JsonClient, RequestFailure } from "../../lib/json-client.js";
import { wellFormed } from "../../lib/well-formed.js";
import type { RerankOptions } from "./options.js";
import { type Reranker, RerankerUnavailable } from "./port.js";

/** Rerankers read query and text together, mostly 512 tokens of both, and cut the rest off themselves. */
export const QUERY_CHARS_MAX = 2_000;
export const TEXT_CHARS_MAX = 8_000;

/** Some servers send the texts back with the scores. */
const ANSWER_BYTES_MAX = 8 * 1_048_576;

const answerSchema = z.object({
  results: z.array(z.object({ index: z.int(), relevance_score: z.number() })),
});

export class OpenAiReranker implements Reranker {
  readonly name: string;
  readonly #client: JsonClient;

  constructor(
    clock: Clock,
    private readonly options: Omit<RerankOptions, "provider" | "baseUrl"> & { readonly baseUrl: string },
  ) {
    const { model, baseUrl, apiKey, timeoutMs } = options;
    this.name = model;
    const server = "the rerank server";
    this.#client = new JsonClient(clock, {
      server,
      baseUrl,
      apiKey,
      timeoutMs,
      bodyBytesMax: ANSWER_BYTES_MAX,
    });
  }

  async score(query: string, texts: readonly string[], signal: AbortSignal): Promise<readonly number[]> {
    signal.throwIfAborted();
    if (texts.length === 0) return [];
    const body = {
      model: this.options.model,
      query: wellFormed(query, QUERY_CHARS_MAX),
      documents: texts.map((text) => wellFormed(text, TEXT_CHARS_MAX)),
      top_n: texts.length,
    };
    try {
      return scoresOf(await this.#client.post("/rerank", body, signal), texts.length);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof RequestFailure)) throw error;
      throw new RerankerUnavailable(error.message, { cause: error });
    }
  }
}

/** The scores in the order of the texts. Throws `RerankerUnavailable` unless each text has exactly one. */
function scoresOf(answer: unknown, count: number): readonly number[] {
  const parsed = answerSchema.safeParse(answer);
  if (!parsed.success) throw odd("not of the shape that is usual");
  const { results } = parsed.data;
  if (results.length !== count) throw odd(`${results.length} scores for ${count} texts`);
  const scores = new Map(results.map((one) => [one.index, one.relevance_score]));
  return Array.from({ length: count }, (_, index) => {
    const score = scores.get(index);
    if (score === undefined) throw odd(`without a score for text ${index}`);
    return score;
  });
}

function odd(what: string): RerankerUnavailable {
  return new RerankerUnavailable(`the rerank server answers ${what}`);
}
