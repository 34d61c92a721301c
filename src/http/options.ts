/** Settings of the HTTP API, as the configuration file writes them. */
import { z } from "zod";
import type { CamelCased } from "../lib/camel-case.js";
import { COLOUR } from "../lib/colour.js";
import { ROLES } from "../lib/role.js";
import { tlsSettings } from "../lib/tls-identity.js";

const KEY_CHARS_MIN = 8;
const NAME_CHARS_MAX = 256;

const name = z.string().min(1).max(NAME_CHARS_MAX);

const roles = z.array(z.enum(ROLES)).min(1);

const apiKey = z.strictObject({
  key: z.string().min(KEY_CHARS_MIN),
  name: name.optional(),
  networks: z.array(name).min(1).optional(),
  username: name.optional(),
  groups: z.array(name).optional(),
  features: z.array(name).optional(),
  mode: z.string().max(NAME_CHARS_MAX).optional(),
  unanswered: z.boolean().optional(),
  roles: roles.optional(),
});

const IDLE_MS_MIN = 10_000;
const IDLE_MS_MAX = 3_600_000;
/** Guessed by nobody who tries at the door. */
const TOKEN_CHARS_MIN = 16;

const languageTag = z.string().regex(/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/, {
  error: 'expected a language tag such as "en" or "pt-BR"',
});

/** A line of a screen each, a heading, and two sentences. */
const BRAND_NAME_CHARS_MAX = 40;
const WELCOME_CHARS_MAX = 80;
const SUGGESTION_CHARS_MAX = 120;
const CALL_CHARS_MAX = 240;
/** So many fit every screen beside the button. */
const SUGGESTIONS_MAX = 3;

const line = (charsMax: number) => z.string().trim().min(1).max(charsMax);
const colour = z.string().regex(COLOUR, { error: 'expected a colour such as "#0b5348"' });
const inLanguages = <T extends z.ZodType>(what: T) => z.record(languageTag, what).default({});

/** Whose the screen is. */
const brand = z.strictObject({
  /** Stands at the top. */
  name: line(BRAND_NAME_CHARS_MAX).optional(),
  /** Path of a picture that stands at the top instead. */
  logo: z.string().min(1).optional(),
  accent: colour.optional(),
  background: colour.optional(),
  text: colour.optional(),
  /** Greets who comes, instead of the page's own heading. */
  welcome: inLanguages(line(WELCOME_CHARS_MAX)),
});

/** What happens to who wants a colleague. */
const call = z.strictObject({
  /** Says how to reach one. */
  text: inLanguages(line(CALL_CHARS_MAX)),
  /** Address that is told; absent: nobody is. */
  webhook: z.url({ protocol: /^https?$/, error: "expected an http or https address" }).optional(),
});

const kiosk = z.strictObject({
  token: z
    .string()
    .min(TOKEN_CHARS_MIN)
    .regex(/^[\w.~-]+$/, {
      error: "expected letters, digits and . _ ~ - only: the token is part of a link",
    }),
  /** For logs. */
  name: name.optional(),
  network: name,
  username: name,
  groups: z.array(name).default([]),
  /** The language it speaks until somebody chooses another; absent: the browser's. */
  language: languageTag.optional(),
  /** Those that can be chosen; absent: all. */
  languages: z.array(languageTag).min(1).optional(),
  features: z.array(name).default(["kiosk"]),
  /** With `approve` who stands before it may consent to what disrupts. */
  roles: roles.default(["ask"]),
  /** Absent: none. */
  mode: name.optional(),
  /** Absent: shown unless a feature asks for the kiosk persona, which names no document. */
  show_source: z.boolean().optional(),
  /** Silence after which it forgets what was said. */
  idle_ms: z.int().min(IDLE_MS_MIN).max(IDLE_MS_MAX).default(60_000),
  brand: brand.prefault({}),
  /** Questions that are proposed; a language that has none gets what the documents answer. */
  suggestions: inLanguages(z.array(line(SUGGESTION_CHARS_MAX)).min(1).max(SUGGESTIONS_MAX)),
  /** Whether the page has a keyboard of its own. */
  keyboard: z.boolean().default(true),
  /** Percent; until somebody chooses another. */
  volume: z.int().min(0).max(100).default(100),
  /** Absent: nobody can be called. */
  call: call
    .refine(({ text, webhook }) => webhook !== undefined || Object.keys(text).length > 0, {
      error: "expected a text, a webhook or both",
    })
    .optional(),
});

/** One kiosk as the code reads it. */
export type KioskSettings = CamelCased<z.infer<typeof kiosk>>;

export const httpOptions = z.strictObject({
  host: z
    .string()
    .min(1)
    .default("127.0.0.1")
    .describe(
      "Address of health checks and the HTTP API. `0.0.0.0`: all. Any but loopback needs `api_keys`.",
    ),
  port: z
    .int()
    .min(0)
    .max(65_535)
    .default(8087)
    .describe("Port of health checks and the HTTP API. 0: any free one."),
  tls: tlsSettings,
  requests_per_minute_max: z
    .int()
    .min(1)
    .max(10_000)
    .default(600)
    .describe("Requests with one API key, or of one kiosk, in any minute, at HTTP and at gRPC each."),
  requests_at_once_max: z.int().min(1).max(1_000).default(64).describe("Of these, under way at once."),
  api_keys: z
    .array(apiKey)
    .default([])
    .describe(
      "Keys that open the API, at HTTP and gRPC: a list of `{key, name, networks, username, groups, features, mode, unanswered, roles}`, " +
        `of which only \`key\` (at least ${KEY_CHARS_MIN} characters, secret) is needed; \`name\` is for logs, the others ` +
        "bind what the key's holder may ask as (`mode` empty: with none), but for `unanswered`: true, and the holder " +
        "may read what its networks asked in vain; and `roles`, a list of `ask`, `approve` (consent to operations, and " +
        "see what was done), `author` and `admin`: absent, `[ask]`. Without any, only the user who runs the " +
        "service is answered, on this machine.",
    ),
  kiosks: z
    .array(kiosk)
    .default([])
    .describe(
      "Screens that may show the page at `/kiosk`: a list of `{token, name, network, username, groups, language, " +
        "languages, features, roles, mode, show_source, idle_ms, brand, suggestions, keyboard, volume, call}`. " +
        `\`token\` (at least ${TOKEN_CHARS_MIN} characters, secret), \`network\` and ` +
        "`username` are needed; `language` is what it speaks until somebody chooses one of `languages` (all that there " +
        "are); `features` are `[kiosk]` unless given; the source is shown where no feature names " +
        "the kiosk persona, unless `show_source` says otherwise; after `idle_ms` (60000) of silence the page forgets; " +
        "docs/kiosk.md tells of the others. " +
        "Without any, there is no such page.",
    ),
  kiosk_host: z
    .string()
    .min(1)
    .default("127.0.0.1")
    .describe("Address of the kiosks' own port, where `http.kiosk_port` gives them one. `0.0.0.0`: all."),
  kiosk_port: z
    .int()
    .min(0)
    .max(65_535)
    .optional()
    .describe(
      "A port for the kiosk page and nothing else; it is no longer at `http.port` then. 0: any free one. Default: " +
        "they share `http.port`, and the API there needs a key.",
    ),
  default_network: name
    .default("demo")
    .describe("Network of requests that name none, at the OpenAI-, Ollama-compatible and gRPC doors."),
  default_username: name.default("you").describe("User of requests that name none, at the same doors."),
  model_names: z
    .array(z.string().regex(/^[\w.:/-]{1,128}$/))
    .min(1)
    .default(["readback"])
    .describe(
      "Names by which OpenAI and Ollama clients call the assistant; the first is the one it calls itself.",
    ),
});
