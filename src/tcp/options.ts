/** Settings of the door for relays, as the configuration file writes them. */
import { z } from "zod";
import { addressListSetting } from "../lib/address-list.js";
import type { CamelCased } from "../lib/camel-case.js";
import { tlsSettings } from "../lib/tls-identity.js";

/** Guessed by nobody who tries at the door. */
const TOKEN_CHARS_MIN = 16;
/** What `hello` can carry [LT-48]. */
const TOKEN_CHARS_MAX = 1_024;
const NAME_CHARS_MAX = 256;

const name = z.string().min(1).max(NAME_CHARS_MAX);

const relayToken = z.strictObject({
  token: z.string().min(TOKEN_CHARS_MIN).max(TOKEN_CHARS_MAX),
  name: name.optional(),
  networks: z.array(name).min(1).optional(),
  vouch_for_groups: z.boolean().default(false),
  consent: z.boolean().default(false),
});

/** Tokens as the settings and the file of tokens write them. */
export const relayTokensSchema = z.array(relayToken);

/** One token as the code reads it. */
export type RelayToken = CamelCased<z.infer<typeof relayToken>>;

const TOKEN_FORM =
  "`{token, name, networks, vouch_for_groups, consent}`, of which only `token` (at least " +
  `${TOKEN_CHARS_MIN} characters, secret) is needed; \`networks\` are those that the relay may speak for (all, where ` +
  "absent); the groups that it sends count only with `vouch_for_groups`, " +
  "consent to what disrupts only with `consent`";

export const relayOptions = z.strictObject({
  host: z
    .string()
    .min(1)
    .default("127.0.0.1")
    .describe(
      "Address on which relays are accepted. `private`: this machine's first private address. `0.0.0.0`: all. Any but " +
        "loopback needs tokens, `tls.client_ca_file`, or an address of this machine with `allow`.",
    ),
  port: z
    .int()
    .min(0)
    .max(65_535)
    .default(8086)
    .describe("Port on which relays are accepted. 0: any free one."),
  allow: addressListSetting.describe(
    "Addresses from which relays are accepted, besides this machine: such as `10.0.0.7`, `10.0.0.0/8`, or `private` " +
      "for all private ones. Empty: all that reach the port.",
  ),
  tls: tlsSettings,
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
  tokens: relayTokensSchema
    .default([])
    .describe(
      `Secrets that relays show in \`hello\`: a list of ${TOKEN_FORM}. With any, none is believed without.`,
    ),
  tokens_file: z
    .string()
    .min(1)
    .optional()
    .describe(
      `A JSON file with more of them, in the same form, read again when it changes: a token that is gone from it ` +
        "closes the connections that came with it.",
    ),
});
