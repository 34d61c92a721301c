/** Settings of the sync service, as the configuration file writes them. */
import { z } from "zod";
import { secret } from "../../lib/secret.js";

export const syncOptions = z.strictObject({
  enabled: z
    .boolean()
    .default(false)
    .describe("Whether the service keeps the knowledge up to date by itself."),
  network: z
    .string()
    .min(1)
    .optional()
    .describe("Embedded engine: the network whose documents `folder` or `s3_bucket` holds."),
  folder: z.string().min(1).optional().describe("Embedded engine: a folder that is watched."),
  s3_bucket: z
    .string()
    .min(1)
    .optional()
    .describe("The bucket with the documents: read directly, or with elasticsearch by its connector."),
  s3_prefix: z.string().default("").describe("Only keys that begin with this are read."),
  s3_endpoint: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe("Address of an S3-compatible store. Default: that of AWS."),
  s3_region: z.string().min(1).default("us-east-1").describe("Region of the bucket."),
  s3_access_key_id: secret.optional().describe("Access key. Default: what the machine's role gives."),
  s3_secret_access_key: secret.optional().describe("The secret of the access key. Secret."),
  connector_id: z.string().min(1).optional().describe("Elasticsearch: id of the S3 connector."),
  batch_size: z
    .int()
    .min(1)
    .max(1_000)
    .default(10)
    .describe("Elasticsearch: documents in one batch at the most."),
  poll_ms: z.int().min(100).max(86_400_000).default(30_000).describe("Pause between two looks for changes."),
  job_timeout_ms: z
    .int()
    .min(1_000)
    .default(600_000)
    .describe("Elasticsearch: time for one job of the connector."),
});
