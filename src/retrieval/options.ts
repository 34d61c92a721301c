/** Settings of retrieval, as the configuration file writes them. */
import { z } from "zod";
import type { CamelCased } from "../lib/camel-case.js";

export const retrievalOptions = z.strictObject({
  results_max: z.int().min(1).max(50).default(5).describe("Passages that one search brings at the most."),
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
});

export type RetrievalOptions = CamelCased<z.infer<typeof retrievalOptions>>;
