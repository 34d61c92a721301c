/**
 * The two shapes in which ResolutionFlow writes flows: a tree of nested nodes, and a flat list of steps. One table says what
 * each field of theirs has to be and which one of ours it is; flows are read and written by it. Whatever it has no place
 * for is kept as it stands, on either way.
 */
import { z } from "zod";
import { isRecord } from "../../lib/is-record.js";
import type { GuideFinding, GuideRule } from "../schema/finding.js";
import { shapeFindings } from "../schema/read-guide.js";
import { CONTENT_TYPES, FLOW_TYPES, MINUTES_MAX, VERIFICATION_TYPES } from "../schema/schema.js";

export type Fields = Readonly<Record<string, unknown>>;

/** A field of theirs. */
interface Field {
  /** Which one of ours it is; absent: none. */
  readonly ours?: string;
  readonly schema: z.ZodType;
  /** Whether a flow is read without it as well, or with something else in it. */
  readonly isFree?: true;
  /** Of a list: how each item becomes ours and theirs. */
  readonly each?: Each;
}
interface Each {
  readonly read: (theirs: never) => Fields;
  readonly write: (ours: Fields) => unknown;
}
type Table = Readonly<Record<string, Field>>;

/** The field of a node or a flow that holds what their shapes have no field for. */
export const OWN_FIELD = "readback";
/** Version of the envelope that is written; files of the same first number are read. */
export const ENVELOPE_VERSION = "1.0";

const text = (remedy: string) => z.string({ error: remedy }).min(1, remedy);
const texts = z.array(text("write a text"));
const listOf = <T extends z.ZodType>(item: T, remedy: string) => z.array(item, { error: remedy });
const oneOf = <const T extends readonly string[]>(values: T) =>
  z.enum(values, { error: `write one of ${values.join(", ")}` });
const held = (ours: string, schema: z.ZodType): Field => ({ ours, schema });
const free = (ours: string, schema: z.ZodType = text("write a text")): Field => ({
  ours,
  schema,
  isFree: true,
});
const objects = (table: Table): Each => ({
  read: (theirs: Fields) => toOurs(theirs, table),
  write: (ours) => toTheirs(ours, table),
});
const schemaOf = (table: Table) =>
  z.looseObject(
    Object.fromEntries(
      Object.entries(table).flatMap(([name, { isFree, schema }]) => (isFree ? [] : [[name, schema]])),
    ),
  );

const OPTION: Table = {
  id: held("id", text("give the option an id")),
  label: held("label", text("write the option's label")),
  next_node_id: held("next", text("write the id of the node that the option leads to")),
};
const COMMAND: Table = {
  code: held("code", text("write the command's code")),
  label: free("label"),
  language: free("language"),
};
export const INTAKE: Table = {
  variable_name: held("name", z.string().regex(/^\w{1,64}$/, "write letters, digits and underscores")),
  label: held("label", text("write what is asked for")),
  field_type: free("type", z.enum(["text", "number"])),
  required: free("required", z.boolean()),
  placeholder: free("placeholder"),
  group_name: free("group"),
  display_order: free("order", z.number()),
};

const TAKE_OUT = "take it out: nothing may be named here";
const absent: Field = { schema: z.undefined({ error: TAKE_OUT }).optional() };
const nodes = listOf(
  z.lazy((): z.ZodType => node),
  "write a list of nodes",
);
const id = held("id", text("give it an id of its own"));
const title = held("title", text("write a title"));
const description = held("text", text("write a description"));
const flat = { next_node_id: absent, options: absent, children: absent };

/** The types of their nodes: which kind of ours each is, unless the node says otherwise, and what it has. */
export const SHAPES = {
  decision: {
    kind: "question",
    fields: {
      ...{ id, children: { schema: nodes }, help_text: free("help_text") },
      question: held("text", text("write the question")),
      options: {
        ...held("options", listOf(schemaOf(OPTION), "write a list of options")),
        each: objects(OPTION),
      },
    },
  },
  action: {
    kind: "instruct",
    fields: {
      ...{ id, title, description, children: { schema: nodes.optional() } },
      commands: {
        ...held("commands", listOf(text("write the command"), "write a list of commands").nullish()),
        each: { read: (code: string) => ({ code }), write: ({ code }: Fields) => code },
      },
      ...{ expected_outcome: free("expected_outcome"), help_text: free("help_text") },
      next_node_id: free("next"),
    },
  },
  solution: {
    kind: "solution",
    fields: {
      ...{ id, title, description, next_node_id: absent, children: absent },
      resolution_steps: free("resolution_steps", texts),
    },
  },
  procedure_step: {
    kind: "instruct",
    fields: {
      ...{ id, title, description, ...flat, warning_text: free("warning") },
      content_type: held("content_type", oneOf(CONTENT_TYPES).nullish()),
      commands: {
        ...held(
          "commands",
          listOf(schemaOf(COMMAND), "write a list of objects, each with its code").nullish(),
        ),
        each: objects(COMMAND),
      },
      estimated_minutes: free("estimated_minutes", z.number().min(0).max(MINUTES_MAX)),
      ...{ expected_outcome: free("expected_outcome"), reference_url: free("reference_url") },
      verification_prompt: free("verification_prompt"),
      verification_type: held("verification_type", oneOf(VERIFICATION_TYPES).nullish()),
      notes_enabled: free("notes_enabled", z.boolean()),
    },
  },
  section_header: { kind: "section", fields: { id, title, ...flat } },
  procedure_end: { kind: "end", fields: { id, title, ...flat } },
} satisfies Readonly<Record<string, { readonly kind: string; readonly fields: Table }>>;
export type ShapeType = keyof typeof SHAPES;

/** What an envelope says of its flow. */
export const ABOUT: Table = {
  ...{ flow_type: free("flow_type"), name: free("name"), description: free("description") },
  ...{ tags: free("tags", texts.min(1)), categories: free("categories", texts.min(1)) },
};
/** Where either shape stands in it. An empty form says nothing of ours. */
export const TREE: Table = { tree_structure: free("steps", z.unknown()) };
export const LIST: Table = {
  steps: free("steps", z.unknown()),
  intake_form: { ...free("intake", z.array(z.unknown()).min(1)), each: objects(INTAKE) },
};

/** Their fields under our names, and the rest: what has none, or is not what ours takes. */
export function split(theirs: Fields, table: Table): { readonly ours: Fields; readonly rest: Fields } {
  const ours: [string, unknown][] = [];
  const rest: [string, unknown][] = [];
  for (const [name, value] of Object.entries(theirs)) {
    const { each, ours: our, schema } = Object.hasOwn(table, name) ? table[name]! : absent;
    if (our === undefined || value === null || !schema.safeParse(value).success) rest.push([name, value]);
    else ours.push([our, each === undefined ? value : (value as never[]).map(each.read)]);
  }
  return { ours: Object.fromEntries(ours), rest: Object.fromEntries(rest) };
}

/** What is theirs as ours, with what we wrote beside it in `OWN_FIELD`: null stands for a field that is absent. */
export function toOurs(theirs: Fields, table: Table): Fields {
  const {
    ours,
    rest: { [OWN_FIELD]: own, ...extra },
  } = split(theirs, table);
  const all = { ...ours, ...(isRecord(own) ? own : {}) };
  const present = Object.entries(all).filter(([, value]) => value !== null);
  return { ...Object.fromEntries(present), ...(Object.keys(extra).length > 0 && { extra }) };
}

/** What is ours as theirs; what they have no field for goes to `own`, into one field of ours. */
export function toTheirs({ extra, ...ours }: Fields, table: Table, own: Fields = {}): Fields {
  const names = new Map(Object.entries(table).map(([name, field]) => [field.ours, { ...field, name }]));
  const theirs: Record<string, unknown> = {};
  const beside: Record<string, unknown> = { ...own };
  for (const [our, value] of Object.entries(ours)) {
    const field = names.get(our);
    if (field === undefined) beside[our] = value;
    else theirs[field.name] = field.each === undefined ? value : (value as Fields[]).map(field.each.write);
  }
  const hasOwn = Object.keys(beside).length > 0;
  return { ...(isRecord(extra) && extra), ...theirs, ...(hasOwn && { [OWN_FIELD]: beside }) };
}

const typed = <T extends ShapeType>(type: T) =>
  schemaOf(SHAPES[type].fields).extend({ type: z.literal(type) });
const node: z.ZodType = z.discriminatedUnion(
  "type",
  [typed("decision"), typed("action"), typed("solution")],
  {
    error: "write decision, action or solution",
  },
);
const listed = z.discriminatedUnion(
  "type",
  [typed("procedure_step"), typed("section_header"), typed("procedure_end")],
  { error: "write procedure_step, section_header or procedure_end" },
);
const procedure = z.looseObject({
  steps: listOf(listed, "write a list of steps").min(1, "write at least one step"),
  intake_form: listOf(schemaOf(INTAKE), "write a list of fields").nullish(),
});
const envelope = z.looseObject(
  {
    version: z.coerce
      .string()
      .regex(/^1(?:\.\d{1,4}){0,2}$/, `export it again as version ${ENVELOPE_VERSION}`),
    flow_type: oneOf(FLOW_TYPES),
    name: text("write its name"),
  },
  { error: "write one JSON object" },
);

/** What each part of a flow has to be, and the rule about ways out where there may be none. */
const PARTS = {
  envelope: { schema: envelope, onward: "shape" },
  tree: { schema: node, onward: "terminal-last" },
  list: { schema: procedure, onward: "no-branching" },
} as const;

const RULE_OF_FIELD: Readonly<Record<string, GuideRule>> = {
  ...{ id: "step-id", type: "step-kind", options: "options", children: "options", commands: "commands" },
  ...{ content_type: "content-type", verification_type: "verification-type" },
  ...{ title: "step-text", description: "step-text", question: "step-text" },
};

/** What keeps a part of a flow from being read; what its graph lacks is for `validateGuide` to say. */
export function flowFindings(part: keyof typeof PARTS, value: unknown): readonly GuideFinding[] {
  const { onward, schema } = PARTS[part];
  const { error } = schema.safeParse(value);
  if (error === undefined) return [];
  return shapeFindings(error, value, ([field, ...rest], remedy) => {
    if (remedy === TAKE_OUT) return onward;
    if (field === "options" && rest.length > 0) return "option-fields";
    return RULE_OF_FIELD[String(field)] ?? "shape";
  });
}
