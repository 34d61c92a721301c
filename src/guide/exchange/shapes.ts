/**
 * The two shapes in which ResolutionFlow writes flows: a tree of nested nodes, and a flat list of steps. What they have
 * to have is held here; which fields of ours are which of theirs is a table. Everything else is kept as it stands.
 */
import { z } from "zod";
import { fieldName } from "../../lib/field-name.js";
import type { GuideFinding, GuideRule } from "../schema/finding.js";
import { nameOfStep } from "../schema/read-guide.js";
import { CONTENT_TYPES, FLOW_TYPES, VERIFICATION_TYPES } from "../schema/schema.js";

export type Fields = Readonly<Record<string, unknown>>;

/** The field of a node or a flow that holds what their shapes have no field for. */
export const OWN_FIELD = "readback";

/** Our field and theirs, by the type of theirs. */
export const FIELD_NAMES = {
  decision: { id: "id", text: "question", options: "options", help_text: "help_text" },
  action: {
    ...{ id: "id", title: "title", text: "description", commands: "commands", next: "next_node_id" },
    ...{ expected_outcome: "expected_outcome", help_text: "help_text" },
  },
  solution: { id: "id", title: "title", text: "description", resolution_steps: "resolution_steps" },
  procedure_step: {
    ...{ id: "id", title: "title", text: "description", commands: "commands", warning: "warning_text" },
    ...{
      content_type: "content_type",
      estimated_minutes: "estimated_minutes",
      reference_url: "reference_url",
    },
    ...{ expected_outcome: "expected_outcome", notes_enabled: "notes_enabled" },
    ...{ verification_prompt: "verification_prompt", verification_type: "verification_type" },
  },
  section_header: { id: "id", title: "title" },
  procedure_end: { id: "id", title: "title" },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>;
export type ShapeType = keyof typeof FIELD_NAMES;

/** Which kind of ours each type of theirs is, unless the node says otherwise. */
export const KINDS = {
  decision: "question",
  action: "instruct",
  solution: "solution",
  procedure_step: "instruct",
  section_header: "section",
  procedure_end: "end",
} as const satisfies Readonly<Record<ShapeType, string>>;

export const OPTION_NAMES = { id: "id", label: "label", next: "next_node_id" } as const;
export const COMMAND_NAMES = { code: "code", label: "label", language: "language" } as const;
export const INTAKE_NAMES = {
  ...{ name: "variable_name", label: "label", type: "field_type", required: "required" },
  ...{ placeholder: "placeholder", group: "group_name", order: "display_order" },
} as const;

const text = (remedy: string) => z.string({ error: remedy }).min(1, remedy);
const id = text("give it an id of its own");
const title = text("write a title");
const description = text("write a description");
const TAKE_OUT = "take it out: nothing may be named here";
const absent = z.undefined({ error: TAKE_OUT }).optional();
const typed = <T extends string>(type: T) => z.literal(type);

const option = z.looseObject({
  id: text("give the option an id"),
  label: text("write the option's label"),
  next_node_id: text("write the id of the node that the option leads to"),
});
const children = z.array(
  z.lazy((): z.ZodType => node),
  { error: "write a list of nodes" },
);

const node: z.ZodType = z.discriminatedUnion(
  "type",
  [
    z.looseObject({
      ...{ type: typed("decision"), id, children },
      question: text("write the question"),
      options: z.array(option, { error: "write a list of options" }),
    }),
    z.looseObject({
      ...{ type: typed("action"), id, title, description, children: children.optional() },
      commands: z.array(text("write the command"), { error: "write a list of commands" }).nullish(),
    }),
    z.looseObject({
      type: typed("solution"),
      id,
      title,
      description,
      next_node_id: absent,
      children: absent,
    }),
  ],
  { error: "write decision, action or solution" },
);

const commands = z.array(z.looseObject({ code: text("write the command's code") }), {
  error: "write a list of objects, each with its code",
});
const flat = { next_node_id: absent, options: absent, children: absent };

const listed = z.discriminatedUnion(
  "type",
  [
    z.looseObject({
      ...{ type: typed("procedure_step"), id, title, description, ...flat, commands: commands.nullish() },
      content_type: z.enum(CONTENT_TYPES, { error: `write one of ${CONTENT_TYPES.join(", ")}` }).nullish(),
      verification_type: z
        .enum(VERIFICATION_TYPES, { error: `write one of ${VERIFICATION_TYPES.join(", ")}` })
        .nullish(),
    }),
    z.looseObject({ type: typed("section_header"), id, title, ...flat }),
    z.looseObject({ type: typed("procedure_end"), id, title, ...flat }),
  ],
  { error: "write procedure_step, section_header or procedure_end" },
);

const intakeField = z.looseObject({
  variable_name: z.string().regex(/^\w{1,64}$/, "write letters, digits and underscores"),
  label: text("write what is asked for"),
});

const procedure = z.looseObject({
  steps: z.array(listed, { error: "write a list of steps" }).min(1, "write at least one step"),
  intake_form: z.array(intakeField, { error: "write a list of fields" }).nullish(),
});

/** Version of the envelope that is written; files of the same first number are read. */
export const ENVELOPE_VERSION = "1.0";

const envelope = z.looseObject(
  {
    version: z.coerce
      .string()
      .regex(/^1(?:\.\d{1,4}){0,2}$/, `export it again as version ${ENVELOPE_VERSION}`),
    flow_type: z.enum(FLOW_TYPES, { error: `write one of ${FLOW_TYPES.join(", ")}` }),
    name: text("write its name"),
  },
  { error: "write one JSON object" },
);

/** What keeps an envelope from being read, whatever is in it. */
export function envelopeFindings(value: unknown): readonly GuideFinding[] {
  return findingsOf(envelope.safeParse(value), value, "shape");
}

/** What keeps a tree from being read; what its graph lacks is for `validateGuide` to say. */
export function treeFindings(root: unknown): readonly GuideFinding[] {
  return findingsOf(node.safeParse(root), root, "terminal-last");
}

/** The same of a flow of listed steps. */
export function procedureFindings(flow: unknown): readonly GuideFinding[] {
  return findingsOf(procedure.safeParse(flow), flow, "no-branching");
}

/** `onward`: the rule about ways out where there may be none. */
function findingsOf(
  parsed: z.ZodSafeParseResult<unknown>,
  of: unknown,
  onward: GuideRule,
): readonly GuideFinding[] {
  return (parsed.error?.issues ?? []).map(({ message, path }) => {
    const { step, rest } = stepAt(of, path);
    return {
      rule: message === TAKE_OUT ? onward : ruleOf(rest),
      step,
      problem: `\`${fieldName(rest) || "it"}\` is not as it has to be`,
      remedy: message,
    };
  });
}

/** The innermost node that a path leads into, and the rest of the path. */
function stepAt(
  of: unknown,
  path: readonly PropertyKey[],
): { readonly step?: string; readonly rest: readonly PropertyKey[] } {
  let [value, step, rest] = [of, undefined as string | undefined, path];
  for (const [at, key] of path.entries()) {
    value = (value as Readonly<Record<PropertyKey, unknown>> | undefined)?.[key];
    if (typeof key !== "number" || !["children", "steps"].includes(String(path[at - 1]))) continue;
    [step, rest] = [nameOfStep(key, value), path.slice(at + 1)];
  }
  return { ...(step !== undefined && { step }), rest };
}

const RULE_OF_FIELD: Readonly<Record<string, GuideRule>> = {
  id: "step-id",
  type: "step-kind",
  options: "options",
  children: "options",
  content_type: "content-type",
  verification_type: "verification-type",
  commands: "commands",
  title: "step-text",
  description: "step-text",
  question: "step-text",
};

function ruleOf([field, ...rest]: readonly PropertyKey[]): GuideRule {
  if (field === "options" && rest.length > 0) return "option-fields";
  return RULE_OF_FIELD[String(field)] ?? "shape";
}
