/** Settings of site systems, as the configuration file writes them: how each is reached, and all that it may do. */
import { z } from "zod";
import type { CamelCased } from "../lib/camel-case.js";
import { secrets } from "../lib/secret.js";

const NAME = /^[A-Za-z0-9][A-Za-z0-9_.:@-]{0,127}$/;
const name = z.string().regex(NAME, "a name begins with a letter or a digit, then also has _ . : @ -");
/** What a system calls a thing: it may have blanks, as "New York" has. */
const ADDRESS = /^[A-Za-z0-9][A-Za-z0-9_.:@ -]{0,127}(?<! )$/;
const address = z
  .string()
  .regex(ADDRESS, "an address begins with a letter or a digit, then also has _ . : @ - and blanks");
const text = z.string().min(1);
const maybe = <T extends z.ZodType>(schema: T, doc: string) => schema.optional().describe(doc);
/** One line that shows all of itself: no control characters, no marks that turn its direction. Joiners stay. */
const PLAIN = /^[^\p{Cc}\p{Cs}\p{Co}\p{Cn}\u2028-\u202e\u2066-\u2069]*$/u;
const words = z.string().trim().min(1).max(100).regex(PLAIN, "write one line of plain text");

/** Where a value stands in a reply: a JSON pointer (RFC 6901), such as `/sensor/value`. */
const pointer = z.string().regex(/^(?:\/[^/]*)*$/, "write a JSON pointer such as `/value`");

const read = z.strictObject({
  value: pointer.describe("Where the value stands: a JSON pointer; of a list, within each item."),
  each: maybe(pointer, "Where the list stands of which each item has a value, such as `/alarms`."),
  name: maybe(pointer, "Where the name stands of what the value belongs to, within the item."),
  unit: maybe(text, "Unit of the value, such as `°C`."),
  unit_at: maybe(pointer, "Where the unit stands, in place of `unit`."),
  taken_at: maybe(pointer, "Where its time stands: ISO 8601, or Unix ms. Default: when it was asked for."),
  usual: maybe(pointer, "Where it stands what the value usually is."),
  trend: maybe(pointer, "Where `rising`, `falling` or `steady` stands."),
  max_age_ms: z
    .int()
    .min(1_000)
    .max(86_400_000)
    .default(300_000)
    .describe("How long a model takes it for known. Above a minute its age is said, whatever stands here."),
});

const common = {
  arguments: z.record(z.string(), z.json()).default({}).describe("Arguments that every call has."),
  target: maybe(text, "The argument that takes the resource's address; absent: it is about the whole site."),
  kinds: z.array(name).default([]).describe("Kinds of resources that it is for; empty: all."),
  schema: maybe(
    z.string().regex(/^[0-9a-f]{64}$/, "write what `readback sites list` shows"),
    "SHA-256 of its schema as it was declared. A tool with another one, or with none, is off.",
  ),
};

const readingTool = z.strictObject({
  effect: z.literal("read").describe("What it changes."),
  reads: z
    .record(name, read)
    .describe("What it tells, by the name that people ask for it: `status`, `temperature`, `alarm`."),
  command: maybe(text, "The one of `arguments` that is a shell command: one that may write is not run."),
  ...common,
});

const range = z
  .strictObject({
    min: z.number().describe("The least that may be asked for."),
    max: z.number().describe("The most."),
    unit: maybe(text, "Unit of the value, such as `°C`: the only one that is taken."),
    quantity: maybe(name, "What it sets, such as `temperature`: a value of anything else is refused."),
  })
  .refine(({ max, min }) => min <= max, "min is above max");

const value = z.union([z.string(), z.number(), z.boolean()]);
const actingTool = z
  .strictObject({
    effect: z.enum(["reversible", "disruptive", "irreversible"]).describe("What it changes."),
    action: name.describe("What people say for it: `start`, `restart`, `set`."),
    postcondition: z
      .strictObject({
        tool: name,
        signal: name,
        equals: maybe(value, "Absent, with `value_argument` only: the value that was asked for."),
      })
      .describe("What a reading shows once it took effect."),
    window_ms: z.int().min(1).max(900_000).default(120_000).describe("Within what time that shows."),
    consent: maybe(
      z.enum(["plain", "challenge", "second_person", "refused"]),
      "What consent takes, where that is more than its effect asks; `refused`: never by voice.",
    ),
    key_argument: maybe(text, "The argument that takes an idempotency key: one effect for each key."),
    value_argument: maybe(
      z.strictObject({
        name: text.describe("The argument that takes a number that was said."),
        ranges: z.record(name, range).describe("By kind of resource; a kind without one takes no value."),
      }),
      'Where a value is to be said as well: "set freezer one to minus eighteen".',
    ),
    ...common,
  })
  .refine(
    ({ postcondition, value_argument }) => postcondition.equals !== undefined || value_argument !== undefined,
    { path: ["postcondition", "equals"], message: "write what a reading shows once it took effect" },
  );

const tool = z.discriminatedUnion("effect", [readingTool, actingTool]);

const path = text.max(1_024).regex(PLAIN, "write one line of plain text");
const paths = z.array(z.strictObject({ inside: path, outside: path })).max(64);
const resource = z.strictObject({
  address: address.describe("What tools take for it; unique in its site among those of its kind."),
  kind: name.describe("What it is, in one word, such as `pump`."),
  names: z.array(words).min(1).max(32).describe("What people call it; the first is how it is said back."),
  area: maybe(words, "Where it is, as people call the place."),
  parent: maybe(text, "`kind/address` of what it is part of, or runs on."),
  allowed: maybe(z.array(name), "What may be read of it or done to it; absent: everything."),
  life_safety: z.boolean().default(false).describe("Whatever is done to it takes a second person."),
  locked_out: z.boolean().default(false).describe("Nothing is done to it, whoever asks."),
  paths: paths.default([]).describe("How paths inside it are called on its parent."),
  visibility: z.enum(["network", "restricted"]).default("network").describe("Who may know of it."),
  users: z.array(text).default([]).describe("Users who may, whatever the visibility."),
  groups: z.array(text).default([]).describe("Groups that may, whatever the visibility."),
});

const mcpServer = z
  .strictObject({
    type: z.literal("mcp"),
    command: maybe(z.array(text).min(1), "Program and arguments of a server on this machine."),
    env: secrets.describe("Its environment, besides PATH and HOME. Secret."),
    url: maybe(z.url({ protocol: /^https?$/ }), "Address of a server that is reached over HTTP."),
    headers: secrets.describe("Headers for it, such as a token. Secret."),
  })
  .refine(({ command, url }) => !command !== !url, "give either command or url");

const host = z.strictObject({
  type: z.literal("host"),
  tell_users: z.boolean().default(false).describe("Whether a model is told the machine's users and groups."),
  tell_config: z.boolean().default(false).describe("Whether a model is told key settings of the machine."),
});

const resources = z.array(resource).max(5_000).superRefine(eachOnce(idOf)).superRefine(checkParents);
const site = z.strictObject({
  name: name.describe("What it is called in logs, metrics and ids."),
  networks: z.array(text).min(1).describe("Networks whose users may ask it."),
  server: z.discriminatedUnion("type", [mcpServer, host]),
  call_ms_max: z.int().min(100).max(60_000).default(5_000).describe("How long one call may take."),
  reply_bytes_max: z.int().min(1_024).max(16_777_216).default(262_144).describe("How large a reply may be."),
  tools: z.record(name, tool).default({}).describe("All that may be called, by the system's own names."),
  resources: resources.default([]).describe("What can be asked about by name."),
});

export const sitesOptions = z
  .array(site)
  .max(32)
  .superRefine(eachOnce((one) => one.name))
  .default([])
  .describe("Systems of a site that can be asked: see docs/check.md.");

/** Settings of one site as the code reads them; the names of tools, signals, arguments and headers stay as written. */
export type SiteOptions = CamelCased<z.infer<typeof site>>;
export type ToolOptions = SiteOptions["tools"][string];
export type ReadingToolOptions = Extract<ToolOptions, { readonly effect: "read" }>;
export type ReadOptions = CamelCased<z.infer<typeof read>>;

function idOf({ address, kind }: { readonly address: string; readonly kind: string }): string {
  return `${kind}/${address}`;
}

function checkParents(resources: readonly z.infer<typeof resource>[], context: z.RefinementCtx): void {
  const known = new Set(resources.map(idOf));
  for (const [at, { parent }] of resources.entries())
    if (parent !== undefined && !known.has(parent))
      context.addIssue({ code: "custom", path: [at, "parent"], message: `there is no resource ${parent}` });
}

function eachOnce<T>(nameOf: (one: T) => string) {
  return (all: readonly T[], context: z.RefinementCtx): void => {
    const seen = new Set<string>();
    for (const [at, own] of all.map(nameOf).entries()) {
      if (seen.has(own)) context.addIssue({ code: "custom", path: [at], message: `there are two of ${own}` });
      seen.add(own);
    }
  };
}
