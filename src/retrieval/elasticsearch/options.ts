/** Settings of the Elasticsearch engine, as the configuration file writes them. */
import { z } from "zod";
import type { CamelCased } from "../../lib/camel-case.js";
import { secret } from "../../lib/secret.js";

const indexName = (name: string, what: string) =>
  z
    .string()
    .regex(/^[a-z0-9][a-z0-9._-]{0,200}$/)
    .default(name)
    .describe(`Name of ${what}.`);

export const elasticsearchOptions = z.strictObject({
  url: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe("Address of the cluster; instead of `cloud_id`."),
  cloud_id: z.string().min(1).optional().describe("The deployment's id in Elastic Cloud; instead of `url`."),
  api_key: secret.optional().describe("An API key of the cluster. Secret."),
  embeddings_index: indexName("document-embeddings", "the alias of the chunks that are searched"),
  metadata_index: indexName(
    "document-metadata",
    "the alias of the documents, their permissions and their status",
  ),
  sync_index: indexName("document-sync", "the index that keeps the state of the sync"),
  staging_index: indexName("document-staging", "the index that the connector writes to"),
  inference_id: z
    .string()
    .min(1)
    .default(".elser-2-elasticsearch")
    .describe("The inference endpoint behind the `semantic_text` field."),
  semantic_query: z
    .enum(["match", "semantic"])
    .default("match")
    .describe(
      "Form of the semantic query: `match`, as servers from 8.18 on have it, or the older `semantic`.",
    ),
  lexical_fields: z
    .array(z.string().min(1))
    .min(1)
    .default(["content^2", "text^2", "title^2", "headings"])
    .describe("Fields of the lexical leg, with their boosts."),
  lexical_fuzziness: z
    .string()
    .regex(/^(?:[0-2]|AUTO(?::\d{1,2},\d{1,2})?)$/)
    .default("AUTO:4,8")
    .describe(
      "Letters that may be wrong in a word of the lexical leg: `0`, `1`, `2`, or `AUTO:4,8`: one from 4 letters on, two " +
        "from 8 on. Such a word counts half.",
    ),
  request_timeout_ms: z.int().min(1).default(30_000).describe("Time for a request that is not a search."),
  attempts_max: z
    .int()
    .min(1)
    .max(10)
    .default(5)
    .describe("How often a write is tried when the cluster is busy."),
  bulk_documents_max: z
    .int()
    .min(1)
    .max(10_000)
    .default(200)
    .describe("Chunks in one bulk request at the most."),
});

export type ElasticsearchOptions = CamelCased<z.infer<typeof elasticsearchOptions>>;
