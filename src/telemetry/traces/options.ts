/** Settings of traces, as the configuration file writes them. */
import { z } from "zod";
import type { CamelCased } from "../../lib/camel-case.js";
import { secret, secrets } from "../../lib/secret.js";

const address = z.url({ protocol: /^https?$/ }).optional();
const key = secret.optional();

export const tracesOptions = z
  .strictObject({
    endpoint: address.describe(
      "Where traces are sent by OTLP over HTTP, such as `http://collector:4318/v1/traces`. Unset: to Langfuse, if that " +
        "is set, else nowhere.",
    ),
    headers: secrets.describe("Headers that the endpoint wants, such as `authorization`."),
    sample_ratio: z.number().min(0).max(1).default(1).describe("Share of turns that are traced."),
    langfuse_host: address.describe("Address of Langfuse. It gets the scores of evaluations, too."),
    langfuse_public_key: key.describe("Public key of a project there."),
    langfuse_secret_key: key.describe("Secret key of that project."),
  })
  .refine(
    ({ langfuse_host: host, langfuse_public_key: shown, langfuse_secret_key: secret }) =>
      new Set([host, shown, secret].map((one) => one === undefined)).size === 1,
    {
      path: ["langfuse_host"],
      error: "expected langfuse_public_key and langfuse_secret_key with it, or none of them",
    },
  );

export type TracesOptions = CamelCased<z.infer<typeof tracesOptions>>;
