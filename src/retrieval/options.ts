/** Settings of retrieval, as the configuration file writes them. */
import { z } from "zod";
import type { CamelCased } from "../lib/camel-case.js";

export const retrievalOptions = z.strictObject({
  engine: z
    .enum(["auto", "embedded", "elasticsearch"])
    .default("auto")
    .describe(
      "Where the knowledge is kept: `embedded` (files in `data_dir`), `elasticsearch`, or `auto`: elasticsearch when " +
        "its address is set, else embedded.",
    ),
  legs: z
    .array(z.enum(["lexical", "semantic", "vector"]))
    .min(1)
    .optional()
    .describe(
      "Ways of ranking that are asked and fused. Default: embedded asks `lexical`, and `vector` with an embedder; " +
        "elasticsearch asks `semantic` where the cluster has its inference endpoint, and else what embedded asks.",
    ),
  results_max: z.int().min(1).max(50).default(5).describe("Passages that one search brings at the most."),
  fusion: z
    .enum(["scores", "ranks"])
    .default("scores")
    .describe(
      "How several legs become one order: by their `scores`, each leg's brought to the range from 0 to 1 and added up, " +
        "or by `ranks` alone (reciprocal rank fusion).",
    ),
  fusion_constant: z
    .int()
    .min(1)
    .default(60)
    .describe("The constant of reciprocal rank fusion, for `fusion: ranks`."),
  fusion_candidates: z.int().min(1).max(1_000).default(40).describe("Candidates that each leg brings."),
  fusion_results: z
    .int()
    .min(1)
    .max(100)
    .default(8)
    .describe("Passages that fusion leaves, before `results_max`."),
  search_timeout_ms: z
    .int()
    .min(10)
    .max(60_000)
    .default(5_000)
    .describe("Time for one search, in milliseconds; a search that takes longer counts as unavailable."),
  search_queue_length_max: z
    .int()
    .min(1)
    .max(10_000)
    .default(256)
    .describe("Searches that may wait for the embedded engine; beyond that a search counts as unavailable."),
  search_processes: z
    .int()
    .min(1)
    .max(16)
    .default(2)
    .describe(
      "Processes of the embedded engine, of about 60 MB each; a crash in one takes none of the others along.",
    ),
  speculate: z
    .boolean()
    .default(true)
    .describe(
      "Search on the user's own words while the model still writes its query, and use it where they agree.",
    ),
  retry_below: z
    .number()
    .min(0)
    .max(1)
    .default(0.15)
    .describe(
      "Search once more in other words when what a model searched for is less likely than this to hold the answer; 0 never does.",
    ),
});

export type RetrievalOptions = CamelCased<z.infer<typeof retrievalOptions>>;
