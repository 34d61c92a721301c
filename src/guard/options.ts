/** Settings of the guard, as the configuration file writes them. */
import { z } from "zod";
import type { CamelCased } from "../lib/camel-case.js";
import { secret } from "../lib/secret.js";

export const guardOptions = z.strictObject({
  url: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      "Address of an LLM Guard API, such as `http://llm-guard:8000`; see docs/guard.md. Default: none.",
    ),
  token: secret.optional().describe("The bearer token of the LLM Guard API. Secret."),
  endpoint: z
    .enum(["scan", "analyze"])
    .default("scan")
    .describe("Which of its requests is made: `/scan/prompt` or `/analyze/prompt`."),
  fail: z
    .enum(["closed", "open"])
    .default("closed")
    .describe("What becomes of a text that could not be scanned: `closed` keeps it here, `open` lets it go."),
  threshold: z
    .number()
    .min(0)
    .max(1)
    .default(0.92)
    .describe("A scanner's score from which on a text is refused, even where the server calls it valid."),
  beside_model: z
    .boolean()
    .default(false)
    .describe(
      "Whether a model is asked while the server still looks at what it is sent. That saves the time of a scan, and what is " +
        "refused has left: the answer is thrown away.",
    ),
  timeout_ms: z
    .int()
    .min(1)
    .default(2_000)
    .describe("Time for one text, all its pieces together; it comes out of the turn's own time."),
  chunk_chars: z
    .int()
    .min(64)
    .max(4_096)
    .default(256)
    .describe(
      "Characters of the pieces in which a text is sent; `truncate_head_tail` sees no more than 256.",
    ),
});

export type GuardOptions = Omit<CamelCased<z.infer<typeof guardOptions>>, "besideModel">;
