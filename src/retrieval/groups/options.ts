/** Settings of the group directory, as the configuration file writes them. */
import { z } from "zod";

export const groupsOptions = z.strictObject({
  from_command: z
    .boolean()
    .default(true)
    .describe(
      "Whether the groups that a relay sends with a message count. It is the relay that vouches for them.",
    ),
  file: z
    .string()
    .min(1)
    .optional()
    .describe('A JSON file with the groups of users: {"<network>": {"<user>": ["<group>", …]}}.'),
  index: z
    .string()
    .regex(/^[a-z0-9][a-z0-9._-]{0,200}$/)
    .optional()
    .describe("An Elasticsearch index with the fields `network`, `username` and `groups`."),
  refresh_ms: z
    .int()
    .min(100)
    .max(3_600_000)
    .default(10_000)
    .describe("How old what is known from the file or index may be; a change takes effect within this time."),
});
