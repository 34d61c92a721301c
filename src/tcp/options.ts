/** Settings of the door for relays, as the configuration file writes them. */
import { z } from "zod";

export const relayOptions = z.strictObject({
  host: z
    .string()
    .min(1)
    .default("127.0.0.1")
    .describe("Address on which relays are accepted. `0.0.0.0`: all."),
  port: z
    .int()
    .min(0)
    .max(65_535)
    .default(8086)
    .describe("Port on which relays are accepted. 0: any free one."),
  connections_max: z.int().min(1).default(4_096).describe("Relays connected at once; more are turned away."),
  idle_timeout_ms: z
    .int()
    .min(1_000)
    .default(120_000)
    .describe("A relay from which no complete frame comes for this long is disconnected."),
});
