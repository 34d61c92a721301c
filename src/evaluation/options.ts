/** Settings of evaluations, as the configuration file writes them. */
import { z } from "zod";

export const evaluationOptions = z.strictObject({
  datasets_dir: z
    .string()
    .min(1)
    .optional()
    .describe(
      "Folder with data sets (`.jsonl`, `.json`) that runs may name over HTTP. Unset: only uploads are taken.",
    ),
  concurrency: z.int().min(1).max(32).default(2).describe("Questions of one run that are asked at once."),
  attempts_max: z
    .int()
    .min(1)
    .max(20)
    .default(4)
    .describe("How often a row is tried before it fails, when the assistant or the judge is out of reach."),
  retry_delay_ms: z
    .int()
    .min(0)
    .max(3_600_000)
    .default(5_000)
    .describe("Pause before rows that failed are tried again, about; each later one is twice as long."),
  judge_delay_ms: z
    .int()
    .min(0)
    .max(600_000)
    .optional()
    .describe(
      "Pause between two calls of the judge. Default: 3000, and 0 when the judge is on this machine.",
    ),
  rows_max: z.int().min(1).max(100_000).default(2_000).describe("Rows of one data set at the most."),
  upload_bytes_max: z
    .int()
    .min(1)
    .max(1_073_741_824)
    .default(8 * 1_048_576)
    .describe("Size of an uploaded data set at the most."),
  queued_runs_max: z
    .int()
    .min(1)
    .max(1_000)
    .default(16)
    .describe("Runs that may wait or be under way; one is worked on at a time."),
});

/** As the reference has it for a judge that is rented. */
const REMOTE_JUDGE_DELAY_MS = 3_000;

/** The pause between two calls of a judge at `baseUrl`; `undefined` is a server of the vendor's. */
export function judgeDelayMs(configuredMs: number | undefined, baseUrl: string | undefined): number {
  if (configuredMs !== undefined) return configuredMs;
  const host = baseUrl === undefined ? "" : new URL(baseUrl).hostname;
  const isLocal = host === "localhost" || host === "[::1]" || /^127\./.test(host);
  return isLocal ? 0 : REMOTE_JUDGE_DELAY_MS;
}
