/** Settings of chats, as the configuration file writes them. */
import { z } from "zod";

export const chatOptions = z.strictObject({
  inactivity_ms_max: z.int().min(1_000).default(600_000).describe("Silence after which a chat is closed."),
  chats_max: z.int().min(1).default(100_000).describe("Chats at once; beyond that no new one is opened."),
  turns_running_max: z.int().min(1).default(2_048).describe("Turns that run at once, in the whole service."),
  turns_waiting_max: z
    .int()
    .min(1)
    .default(1_024)
    .describe("Turns that wait for their place; beyond that the one that has waited longest is given up."),
  floor: z
    .enum(["voice", "any"])
    .default("voice")
    .describe(
      "What stops an answer that is being given: `voice`, a press of the button; `any`, a typed message, too.",
    ),
  floor_by_network: z
    .record(z.string(), z.enum(["voice", "any"]))
    .default({})
    .describe("The same for single networks."),
});
