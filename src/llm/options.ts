/** Settings of the language model, as the configuration file writes them. */
import { z } from "zod";
import { modelServerUrl } from "../lib/model-server-url.js";
import { type Key, secret } from "../lib/secret.js";

const price = (what: string) =>
  z.number().min(0).describe(`Price of a million tokens ${what}, in US dollars. Set both prices or neither.`);

const priceOptions = z.strictObject({
  input_per_million: price("read"),
  output_per_million: price("written"),
});

const baseUrl = modelServerUrl().optional();
const apiKey = secret.optional();
const dialect = z.enum(["auto", "openai", "ollama", "vllm", "anthropic", "bedrock"]);
const patienceMs = z.int().min(1);

/** One more model that answers when those before it cannot. */
const fallbackOptions = z.strictObject({
  model: z.string().min(1),
  base_url: baseUrl,
  api_key: apiKey,
  dialect: dialect.default("auto"),
  price: priceOptions.optional(),
  first_byte_timeout_ms: patienceMs.optional(),
});

const fallbacks = z.array(fallbackOptions).max(5);
const FALLBACKS =
  "Models that answer when the ones before them cannot, in order: a list of " +
  "`{model, base_url, api_key, dialect, price, first_byte_timeout_ms}`. Only `model` is needed; the server is " +
  "that of the slot unless `base_url` names another, and a key is sent to its own machine only. Secret.";

/** A model for one purpose; what is left out is as in `llm`. */
const slotOptions = (purpose: string) =>
  z.strictObject({
    model: z.string().min(1).optional().describe(`Model ${purpose}. Default: that of \`llm\`.`),
    base_url: baseUrl.describe(`Server of the model ${purpose}. Default: that of \`llm\`.`),
    api_key: apiKey.describe(
      "Its key. Default: that of `llm` where the server is on the same machine. Secret.",
    ),
    dialect: dialect.optional().describe("As `llm.dialect`, for this server."),
    temperature: z.number().min(0).max(2).nullable().optional().describe("As `llm.temperature`."),
    first_byte_timeout_ms: patienceMs.optional().describe("As `llm.first_byte_timeout_ms`."),
    idle_timeout_ms: patienceMs.optional().describe("As `llm.idle_timeout_ms`."),
    output_tokens_max: z.int().min(16).optional().describe("As `llm.output_tokens_max`."),
    price: priceOptions.optional().describe("As `llm.price`. Default: that of `llm` for the same model."),
    fallbacks: fallbacks
      .optional()
      .describe(`${FALLBACKS} Default: those of \`llm\`; for a judge and a verifier none.`),
  });

const breakerOptions = z.strictObject({
  failures_max: z
    .int()
    .min(1)
    .default(5)
    .describe("So many failures of a model in a row, and it is left alone for a while."),
  pause_ms: z.int().min(1).default(10_000).describe("How long, before one request tries it out."),
  pause_ms_max: z
    .int()
    .min(1)
    .default(120_000)
    .describe("Each trial that fails doubles the pause up to this."),
});

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
  api_key: apiKey.describe("The key for the server. Secret."),
  organization: z.string().min(1).optional().describe("OpenAI organization that is billed."),
  project: z.string().min(1).optional().describe("OpenAI project that is billed."),
  service_tier: z
    .enum(["auto", "default", "priority", "flex"])
    .optional()
    .describe(
      "OpenAI's class of service: `priority` answers sooner and costs more, `flex` the other way round. Sent only to " +
        "servers that know it. Default: left to the server.",
    ),
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
  keep_warm: z
    .boolean()
    .default(true)
    .describe(
      "Whether connections to the servers of the language model and of the voice are opened at the start and kept open " +
        "through silence, by asking for the list of models every 45 s.",
    ),
  answer_cache: z
    .boolean()
    .default(false)
    .describe(
      "Whether an answer is given again, without the model, to the same question from somebody who reads the same, as " +
        "long as the same searches find the same passages. Kept in memory only.",
    ),
  check_usd_per_day: z
    .number()
    .positive()
    .optional()
    .describe(
      "What checks of site systems by a model may cost a network on one day, in US dollars; needs a price of the model. " +
        "Default: no ceiling.",
    ),
  answer_cache_max_age_ms: z
    .int()
    .min(1)
    .default(3_600_000)
    .describe("How long an answer may be given again."),
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
  dialect: dialect
    .default("auto")
    .describe(
      "What the server takes and what it does not (docs/models.md). `auto`: by its address, and by what it refuses.",
    ),
  price: priceOptions.optional(),
  fallbacks: fallbacks.default([]).describe(FALLBACKS),
  breaker: breakerOptions.prefault({}),
  conversational: slotOptions("for turns that search nothing").prefault({}),
  drafting: slotOptions("that drafts guides in conversations (docs/guides.md)")
    .extend({
      light_model: z
        .string()
        .min(1)
        .optional()
        .describe(
          "Model of the same server for what is small: one step, one question. Default: the same model.",
        ),
      first_byte_timeout_ms: patienceMs.default(120_000).describe("As `llm.first_byte_timeout_ms`."),
      idle_timeout_ms: patienceMs.default(30_000).describe("As `llm.idle_timeout_ms`."),
    })
    .prefault({}),
  judge: slotOptions("that judges answers in evaluations").prefault({}),
  verifier: slotOptions(
    "that reads a second time what the rules let through (docs/models.md); off unless set",
  )
    .extend({
      timeout_ms: patienceMs
        .default(1_500)
        .describe("How long it has for one sentence; what it has not denied by then is said."),
      sentences_max: z
        .int()
        .min(1)
        .default(24)
        .describe("Sentences of one answer that it is asked about; the rules alone decide about more."),
    })
    .prefault({}),
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

/** The provider that `auto` stands for: a model server is used as soon as there is a key or an address for one. */
export function chosenProvider(options: {
  readonly provider: "auto" | "openai" | "offline";
  readonly baseUrl?: string | undefined;
  readonly apiKey?: Key | undefined;
}): "openai" | "offline" {
  if (options.provider !== "auto") return options.provider;
  return options.apiKey === undefined && options.baseUrl === undefined ? "offline" : "openai";
}
