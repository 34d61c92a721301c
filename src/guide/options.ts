/** Settings of guides, as the configuration file writes them. */
import { z } from "zod";

export const guidesOptions = z.strictObject({
  dir: z
    .string()
    .min(1)
    .optional()
    .describe(
      "Folder of the guides: in it a folder for each network, named after it, with guides as YAML or JSON. " +
        "Default: `<data_dir>/guides`.",
    ),
  help_users: z
    .array(z.string().min(1))
    .default([])
    .describe("User names of those who are told when somebody in a guide asks for help."),
  help_groups: z
    .array(z.string().min(1))
    .default([])
    .describe("Groups whose members are told as well, by `groups.file` or `groups.index`."),
  author_users: z
    .array(z.string().min(1))
    .default([])
    .describe(
      "User names of those who may write guides in a chat, by voice or text, over relays that may carry consent (and at " +
        "no kiosk). Empty: nobody; over HTTP the role `author` counts.",
    ),
  review_users: z
    .array(z.string().min(1))
    .default([])
    .describe(
      "User names of those who may hear a guide that somebody else wrote and approve it in a chat, over the same relays. " +
        "Empty: nobody; over HTTP the role `approve` counts.",
    ),
  plan: z
    .enum(["free", "paid"])
    .default("free")
    .describe("How many messages a session that builds a guide has: 10 (`free`) or 25 (`paid`)."),
  plan_by_network: z
    .record(z.string(), z.enum(["free", "paid"]))
    .default({})
    .describe("Exceptions from `plan`: the plan by network name."),
});
