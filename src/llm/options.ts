/** Settings of the language model, as the configuration file writes them. */
import { z } from "zod";
import { modelServerUrl } from "../lib/model-server-url.js";

export const llmOptions = z.strictObject({
  provider: z
    .enum(["auto", "openai", "offline"])
    .default("auto")
    .describe(
      "Who writes the answers: `openai` (any server that speaks its API), `offline` (sentences of the documents, no model), " +
        "or `auto`: openai when a key or a base URL is set, else offline.",
    ),
  model: z.string().min(1).default("gpt-4.1-mini").describe("Name of the model, as the server knows it."),
  base_url: modelServerUrl()
    .optional()
    .describe("Base of the API, up to and including `/v1`. Default: OpenAI's own."),
  api_key: z.string().min(1).optional().describe("The key for the server. Secret."),
  organization: z.string().min(1).optional().describe("OpenAI organization that is billed."),
  project: z.string().min(1).optional().describe("OpenAI project that is billed."),
  temperature: z
    .number()
    .min(0)
    .max(2)
    .nullable()
    .default(0)
    .describe("Sampling temperature; null leaves it to the server (some models accept no other)."),
  first_byte_timeout_ms: z
    .int()
    .min(1)
    .default(15_000)
    .describe("How long a request may take to the first byte of its answer."),
  idle_timeout_ms: z.int().min(1).default(3_000).describe("The longest silence in the middle of an answer."),
  attempts_max: z
    .int()
    .min(1)
    .max(10)
    .default(3)
    .describe("How often one request is tried at the most, as long as the turn's time allows."),
  retry_delay_ms: z
    .int()
    .min(0)
    .default(250)
    .describe("Pause before the second attempt; each later one doubles it."),
  retry_delay_max_ms: z
    .int()
    .min(0)
    .default(2_000)
    .describe("The longest pause between attempts, jitter included."),
  output_tokens_max: z.int().min(16).default(500).describe("Length of one answer at the most, in tokens."),
  tool_name: z
    .string()
    .regex(/^[a-zA-Z0-9_-]{1,64}$/)
    .default("retrieve_relevant_documents")
    .describe("Name of the search tool that the model is made to call."),
  search_language: z
    .string()
    .min(1)
    .default("English")
    .describe("Language in which search queries are written: that of the documents."),
  search_language_by_network: z
    .record(z.string(), z.string().min(1))
    .default({})
    .describe("Exceptions from `search_language`: the language by network name."),
  prompts_dir: z
    .string()
    .min(1)
    .optional()
    .describe("Directory with the prompts. Default: the `prompts` directory that comes with the service."),
});

export type LlmOptions = z.infer<typeof llmOptions>;

/** The provider that `auto` stands for: a model server is used as soon as there is a key or an address for one. */
export function chosenProvider(options: {
  readonly provider: "auto" | "openai" | "offline";
  readonly baseUrl?: string | undefined;
  readonly apiKey?: string | undefined;
}): "openai" | "offline" {
  if (options.provider !== "auto") return options.provider;
  return options.apiKey === undefined && options.baseUrl === undefined ? "offline" : "openai";
}
