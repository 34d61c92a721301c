/** Settings of embeddings, as the configuration file writes them. */
import { z } from "zod";
import type { CamelCased } from "../../lib/camel-case.js";
import { modelServerUrl } from "../../lib/model-server-url.js";
import { secret } from "../../lib/secret.js";

export const embeddingOptions = z.strictObject({
  provider: z
    .enum(["auto", "none", "static", "openai"])
    .default("auto")
    .describe(
      "Who embeds documents and queries for the leg `vector`: nobody, the word vectors that come with the service " +
        "(`static`; English), or any server that speaks OpenAI's API. `auto`: `static` with the embedded engine, else nobody.",
    ),
  model: z
    .string()
    .min(1)
    .default("text-embedding-3-small")
    .describe("Name of the model, as the server knows it."),
  base_url: modelServerUrl()
    .optional()
    .describe("Base of the API, up to and including `/v1`. Default: that of the language model."),
  api_key: secret
    .optional()
    .describe("The key. Default: that of the language model, if it is on the same machine. Secret."),
  dimensions: z.int().min(8).max(4_096).default(256).describe("Length of a vector; sent to the server."),
  batch_size: z.int().min(1).max(2_048).default(64).describe("Texts in one request at the most."),
  timeout_ms: z.int().min(1).default(10_000).describe("Time for one request while ingesting."),
  query_timeout_ms: z
    .int()
    .min(1)
    .default(1_500)
    .describe("Time for a query's; after it the other legs answer alone."),
  attempts_max: z.int().min(1).max(10).default(4).describe("How often a request is tried while ingesting."),
});

export type EmbeddingOptions = CamelCased<z.infer<typeof embeddingOptions>>;
