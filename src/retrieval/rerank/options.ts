/** Settings of the reranker, as the configuration file writes them. */
import { z } from "zod";
import type { CamelCased } from "../../lib/camel-case.js";
import { modelServerUrl } from "../../lib/model-server-url.js";
import { secret } from "../../lib/secret.js";

export const rerankOptions = z.strictObject({
  provider: z
    .enum(["none", "openai"])
    .default("none")
    .describe(
      "Who looks at the best passages once more: nobody, or a server with a `/rerank` endpoint beside OpenAI's API.",
    ),
  model: z.string().min(1).default("rerank").describe("Name of the model, as the server knows it."),
  base_url: modelServerUrl()
    .optional()
    .describe("Base of the API, up to and including `/v1`. Default: that of the language model."),
  api_key: secret
    .optional()
    .describe("The key. Default: that of the language model, if it is on the same machine. Secret."),
  timeout_ms: z
    .int()
    .min(1)
    .default(800)
    .describe("Time for one request; after it the order from before stands."),
});

export type RerankOptions = CamelCased<z.infer<typeof rerankOptions>>;
