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
  connections_max: z
    .int()
    .min(1)
    .default(4_096)
    .describe(
      "Relays connected at once. A newcomer takes the place of a connection of the address that has most of them.",
    ),
  connections_per_address_max: z
    .int()
    .min(1)
    .default(1_024)
    .describe("Of these, from one address (IPv6: from one /64)."),
  first_frame_timeout_ms: z
    .int()
    .min(100)
    .default(20_000)
    .describe("A connection that sends no complete frame within this time is closed."),
  frames_per_second_max: z
    .int()
    .min(1)
    .default(4_000)
    .describe(
      "Frames of one connection; twice as many at once after a rest. What is over is read later. A refused command " +
        "counts as ten.",
    ),
  frames_per_second_per_address_max: z
    .int()
    .min(1)
    .default(8_000)
    .describe("The same for all connections of one address."),
  bytes_per_second_max: z
    .int()
    .min(1_024)
    .default(8_388_608)
    .describe("Bytes of one connection; twice as many at once after a rest. What is over is read later."),
  bytes_per_second_per_address_max: z
    .int()
    .min(1_024)
    .default(16_777_216)
    .describe("The same for all connections of one address."),
  idle_timeout_ms: z
    .int()
    .min(1_000)
    .default(120_000)
    .describe("A relay from which no complete frame comes for this long is disconnected."),
});
