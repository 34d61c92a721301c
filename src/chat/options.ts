/** Settings of chats, as the configuration file writes them. */
import { z } from "zod";

export const chatOptions = z.strictObject({
  inactivity_ms_max: z.int().min(1_000).default(600_000).describe("Silence after which a chat is closed."),
  chats_max: z
    .int()
    .min(1)
    .default(100_000)
    .describe(
      "Chats at once; for one more, the relay or caller that has most loses the one that has been silent longest.",
    ),
  chats_per_network_max: z.int().min(1).default(50_000).describe("The same for the chats of one network."),
  chats_per_connection_max: z
    .int()
    .min(1)
    .default(20_000)
    .describe("The same for the chats that were opened over one connection."),
  voices_max: z
    .int()
    .min(1)
    .default(4_096)
    .describe(
      "Spoken questions that are held in memory until they are understood; for one more, the relay that has most " +
        "loses its oldest.",
    ),
  voices_per_connection_max: z.int().min(1).default(512).describe("The same for one connection."),
  voice_bytes_max: z
    .int()
    .min(1_048_576)
    .default(268_435_456)
    .describe("Bytes that these come to; beyond that, the relay that holds most of them loses its oldest."),
  turns_running_max: z
    .int()
    .min(1)
    .default(2_048)
    .describe(
      "Turns that run at once, in the whole service; three quarters of them for one relay or caller.",
    ),
  turns_waiting_max: z
    .int()
    .min(1)
    .default(1_024)
    .describe(
      "Turns that wait for their place; beyond that the oldest is given up of the relay or caller that has most.",
    ),
  turn_wait_ms_max: z
    .int()
    .min(100)
    .max(60_000)
    .default(10_000)
    .describe(
      "How long a turn may wait for its place. One that is expected to wait longer is refused at once; while turns " +
        "would wait for over half of it, spoken answers are given as text.",
    ),
  pressure_heap_share_max: z
    .number()
    .gt(0)
    .max(1)
    .default(0.9)
    .describe(
      "Share of the heap's limit (`node --max-old-space-size`) above which no new turns are taken, and `/readyz` is " +
        "red, until less than four fifths of that is used.",
    ),
  pressure_loop_delay_ms_max: z
    .int()
    .min(10)
    .default(500)
    .describe("The same for the delay of the event loop: its 99th percentile in each second."),
  pressure_ms: z
    .int()
    .min(0)
    .default(10_000)
    .describe(
      "How long heap or event loop have to be over before that, and below before turns are taken again.",
    ),
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
  log_unanswered: z
    .boolean()
    .default(false)
    .describe(
      "Whether the first 200 characters of questions that the documents did not answer are kept on disk, for " +
        "`readback unanswered`. Off, because chat text lives in memory only.",
    ),
});
