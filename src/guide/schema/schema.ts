/**
 * A guide as its file writes it: one graph for procedures and troubleshooting trees. `docs/guides.md` explains it for
 * authors. In YAML every scalar is text, so numbers and flags are taken as text as well. Each message says what to write.
 */
import { z } from "zod";
import { isRecord } from "../../lib/is-record.js";

/** Version of this format; a file says it as `readback_guide`. */
export const GUIDE_FORMAT = 1;
/** Steps of one guide at the most; nobody is led through more without a break. */
export const STEPS_MAX = 250;
/** Options that a file may hold; how many can be heard is a rule of its own. */
const OPTIONS_MAX = 64;
/** Tags, categories, users, groups, synonyms, commands and fields of a list at the most. */
const ITEMS_MAX = 256;
/** UTF-16 units of a name or a title, and of a text. */
const NAME_CHARS_MAX = 200;
const TEXT_CHARS_MAX = 8_000;
/** Seconds that a critical step may ask for: four hours. */
const MIN_SECONDS_MAX = 14_400;
/** Minutes that a step may be estimated at: a week. */
export const MINUTES_MAX = 10_080;

const textUpTo = (charsMax: number) => (remedy: string) =>
  z
    .string({ error: remedy })
    .min(1, remedy)
    .max(charsMax, `is too long: write at most ${charsMax} characters`);
const line = textUpTo(NAME_CHARS_MAX);
const prose = textUpTo(TEXT_CHARS_MAX);
const listOf = <T extends z.ZodType>(item: T, remedy: string) =>
  z.array(item, { error: remedy }).max(ITEMS_MAX, `is too long: write at most ${ITEMS_MAX} items`);
const choice = <const T extends readonly string[]>(values: T) =>
  z.enum(values, { error: `write one of ${values.join(", ")}` });

const NUMERIC = /^-?\d{1,15}(?:\.\d{1,15})?$/;
const FLAGS: Readonly<Record<string, boolean>> = { true: true, false: false };
const asNumber = (value: unknown) =>
  typeof value === "string" && NUMERIC.test(value) ? Number(value) : value;
const asFlag = (value: unknown) => (typeof value === "string" ? (FLAGS[value] ?? value) : value);
const number = z.preprocess(asNumber, z.number({ error: "write a number, such as 4.2" }));
const numberFrom = (min: number, max: number) =>
  z.preprocess(
    asNumber,
    z.number({ error: "write a number" }).min(min, `write ${min} or more`).max(max, `write ${max} or less`),
  );
const flag = z.preprocess(asFlag, z.boolean({ error: "write true or false" }));
const value = z.preprocess(
  (written) => asNumber(asFlag(written)),
  z.union([z.string().min(1), z.number(), z.boolean()], { error: "write a text, a number, true or false" }),
);

/** Fields that an import had and this format does not: kept as they are for the export. */
const fields = z.custom<Readonly<Record<string, unknown>>>(isRecord, "write fields by name");
const extra = fields.optional();
const stepId = line("write the id of a step, such as `close-valve`");

export const CONTENT_TYPES = ["action", "informational", "verification", "warning"] as const;
export const VERIFICATION_TYPES = ["checkbox", "text_input"] as const;
export const FLOW_TYPES = ["troubleshooting", "procedural", "maintenance"] as const;
export const STATUSES = ["draft", "published", "withdrawn"] as const;

const command = z.strictObject({
  code: prose("write the command itself"),
  label: line("write what the command is for").optional(),
  language: line("write the command's language, such as `powershell`").optional(),
  extra,
});

/** The passage of a document that a step says. */
const source = z.strictObject({
  document: line("write the path of the document below its folder, or its id"),
  revision: line("write the document's revision, as the document has it").optional(),
  place: line("write where it stands, such as `Locking out, step 3`"),
});

/** Digits on the machine's own label, said before the act so that nobody works on the wrong one. */
const checkDigit = z.strictObject({
  place: line("write where the digits stand, such as `the label of cabinet P1`"),
  digits: z
    .string({ error: "write the digits on the label, in quotation marks" })
    .regex(/^\d{1,6}$/, "write one to six digits"),
});

/** What every step may have, whatever its kind. */
const common = {
  id: line("give the step an id of its own, such as `close-valve`"),
  content_type: choice(CONTENT_TYPES).optional(),
  warning: prose("write the warning that is said before the act").optional(),
  critical: flag.optional(),
  min_seconds: numberFrom(1, MIN_SECONDS_MAX).optional(),
  check_digit: checkDigit.optional(),
  estimated_minutes: numberFrom(0, MINUTES_MAX).optional(),
  commands: listOf(command, "write a list of commands, each with its `code`").optional(),
  expected_outcome: prose("write what shows that it worked").optional(),
  verification_prompt: prose("write the question that confirms the step").optional(),
  verification_type: choice(VERIFICATION_TYPES).optional(),
  notes_enabled: flag.optional(),
  help_text: prose("write what is said on `help` or `why`").optional(),
  reference_url: line("write an address").optional(),
  source: source.optional(),
  next: stepId.optional(),
  /** Where it goes on when the step failed, the value was not as expected, or the operation was not done. */
  otherwise: stepId.optional(),
  extra,
};
const title = line("write a short title");
const text = prose("write what the worker hears");
/** A step that the worker hears, and one that may do with its title. */
const spoken = { ...common, title, text };
const titled = { ...common, title, text: text.optional() };
const resource = line("write the id of a registered resource, such as `plant/pump/p2`");
const unit = line("write a unit, such as `bar`").optional();

const option = z.strictObject({
  id: line("give the option an id of its own"),
  label: line("write what is said for this option"),
  synonyms: listOf(line("write another word for the option"), "write a list of words").optional(),
  next: line("write the id of the step that this option leads to"),
  extra,
});

/** What a reading has to be: one value, or a number between two bounds. */
const expectation = z.strictObject({
  equals: value.optional(),
  min: number.optional(),
  max: number.optional(),
  unit,
});

const kind = <const Kind extends string, Shape extends z.core.$ZodShape>(name: Kind, shape: Shape) =>
  z.strictObject({ kind: z.literal(name), ...shape });

const step = z.discriminatedUnion(
  "kind",
  [
    kind("instruct", spoken),
    kind("question", {
      ...{ ...common, title: title.optional(), text: prose("write the question") },
      options: z
        .array(option, { error: "write a list of options, each with id, label and next" })
        .max(OPTIONS_MAX, `write at most ${OPTIONS_MAX} options`),
    }).omit({ next: true }),
    kind("check", {
      /** Its text asks a person where the site cannot be read. */
      ...titled,
      resource,
      signal: line("write the signal that is read, such as `status` or `pressure`"),
      expect: expectation.optional(),
    }),
    kind("operate", {
      ...titled,
      resource,
      action: line("write the action as the site's settings have it, such as `stop`"),
      value: number.optional(),
      unit,
    }),
    kind("record", {
      ...{ ...spoken, text: prose("write the question that asks for the value") },
      /** The variable that holds what was said. */
      variable: line("write the name of the variable that holds the value"),
      value_type: choice(["number", "text"]).default("number"),
      ...{ unit, min: number.optional(), max: number.optional() },
    }),
    kind("hold_point", {
      ...spoken,
      /** Who the second person has to belong to; absent: anybody else. */
      group: line("write the group that the second person belongs to").optional(),
    }),
    kind("section", titled),
    kind("solution", {
      ...spoken,
      resolution_steps: listOf(prose("write what was done"), "write a list of texts").optional(),
    }).omit({ next: true, otherwise: true }),
    kind("end", titled).omit({ next: true, otherwise: true }),
  ],
  {
    error:
      "write one of instruct, question, check, operate, record, hold_point, section, solution, end as its kind",
  },
);

/** What is asked before the first step. */
const intakeField = z.strictObject({
  name: z
    .string({ error: "write the variable's name" })
    .regex(/^\w{1,64}$/, "write letters, digits and underscores, such as `server_name`"),
  label: line("write what is asked for"),
  /** Absent: text. */
  type: choice(["text", "number"]).optional(),
  /** Absent: it is. */
  required: flag.optional(),
  placeholder: line("write an example").optional(),
  group: line("write the heading that the field stands under").optional(),
  order: number.optional(),
  unit,
  extra,
});

/** Where an imported guide, or a draft from a document, came from. */
const origin = z.strictObject({
  format: choice(["troubleshooting", "procedural", "rfflow", "document"]),
  version: line("write the version of the file").optional(),
  file: line("write the file's name").optional(),
  /** What stood around the flow, as it stood there. */
  envelope: fields.optional(),
  /** Of a tree: the steps that each one held, by id. */
  nesting: z
    .custom<Readonly<Record<string, readonly string[]>>>(isRecord, "write lists of ids by id")
    .optional(),
});

export const LANGUAGES = ["en", "es", "fr", "de", "pl", "uk"] as const;

const written = z.strictObject({
  readback_guide: z.preprocess(
    asNumber,
    z.literal(GUIDE_FORMAT, {
      error: `write \`readback_guide: ${GUIDE_FORMAT}\`, the version of the format`,
    }),
  ),
  id: z
    .string({ error: "give the guide an id" })
    .regex(
      /^[a-z0-9][a-z0-9-]{0,99}$/,
      "write small letters, digits and hyphens, such as `clear-the-palletizer`",
    ),
  name: line("write the name that people ask for it by"),
  description: prose("write what it is for").optional(),
  flow_type: choice(FLOW_TYPES),
  status: choice(STATUSES).default("draft"),
  version: numberFrom(1, Number.MAX_SAFE_INTEGER).pipe(z.int("write a whole number")).default(1),
  language: choice(LANGUAGES).default("en"),
  owner: line("write the user name of its owner").optional(),
  tags: listOf(line("write a tag"), "write a list of tags").default([]),
  categories: listOf(line("write a category"), "write a list of categories").default([]),
  visibility: choice(["network", "restricted"]).optional(),
  users: listOf(line("write a user name"), "write a list of user names").default([]),
  groups: listOf(line("write a group"), "write a list of groups").default([]),
  intake: listOf(intakeField, "write a list of fields").default([]),
  steps: z
    .array(step, { error: "write a list of steps" })
    .min(1, "write at least one step")
    .max(STEPS_MAX, `write at most ${STEPS_MAX} steps: split it into guides of their own`),
  origin: origin.optional(),
  extra,
});

/** As of documents: a guide that names people or groups, and says no more, is for these. */
export const guideSchema = written.transform((guide) => {
  const isFor = guide.users.length + guide.groups.length > 0 ? "restricted" : "network";
  return { ...guide, visibility: guide.visibility ?? isFor };
});
