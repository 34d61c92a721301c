/** Settings of ingestion, as the configuration file writes them. */
import { z } from "zod";
import type { CamelCased } from "../lib/camel-case.js";

export const ingestOptions = z.strictObject({
  default_visibility: z
    .enum(["network", "restricted"])
    .default("network")
    .describe(
      "Who may read a document that says nothing about it: `network` (everybody but kiosks), or `restricted` (nobody).",
    ),
  chunk_words_target: z
    .int()
    .min(20)
    .max(2_000)
    .default(150)
    .describe(
      "Words of one passage, about; steps, bullets and table rows stay whole even when that makes it longer.",
    ),
  file_bytes_max: z
    .int()
    .min(1)
    .max(268_435_456)
    .default(10_485_760)
    .describe("Size of one file at the most, in bytes; larger files are reported and left out."),
  read_concurrency: z.int().min(1).max(64).default(8).describe("Files that are read at once."),
});

export type IngestOptions = CamelCased<z.infer<typeof ingestOptions>>;
