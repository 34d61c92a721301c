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
  chunk_tokens_target: z
    .int()
    .min(20)
    .max(2_000)
    .default(150)
    .describe(
      "Tokens of one passage, about; steps, bullets and table rows stay whole even when that makes it longer.",
    ),
  chunk_overlap_tokens_max: z
    .int()
    .min(0)
    .max(500)
    .default(40)
    .describe("Tokens at the end of a passage that the next one may repeat, where prose is cut."),
  file_bytes_max: z
    .int()
    .min(1)
    .max(268_435_456)
    .default(10_485_760)
    .describe("Size of one file at the most, in bytes; larger files are reported and left out."),
  file_unpacked_bytes_max: z
    .int()
    .min(1)
    .max(1_073_741_824)
    .default(104_857_600)
    .describe("Size of what a packed file (DOCX) holds at the most, in bytes."),
  file_timeout_ms: z.int().min(100).default(30_000).describe("Time for reading one file, in milliseconds."),
  read_concurrency: z.int().min(1).max(64).default(2).describe("Processes that read files."),
  reader_memory_bytes_max: z
    .int()
    .min(67_108_864)
    .default(536_870_912)
    .describe("Memory of one reading process at the most; a file that needs more is reported and left out."),
});

export type IngestOptions = CamelCased<z.infer<typeof ingestOptions>>;
