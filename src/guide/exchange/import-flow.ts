/**
 * Flows of ResolutionFlow as guides: a bare tree, a bare list of steps, or either in its envelope, the file `.rfflow`.
 * Nothing is lost: fields that a guide has no place for are kept beside the step, the option or the flow they stood in.
 * What comes in is a draft, whatever it says, and shows where it came from.
 */
import { isRecord } from "../../lib/is-record.js";
import type { GuideFinding } from "../schema/finding.js";
import { type Guide, idOf } from "../schema/guide.js";
import { GuideProblem, parseGuide } from "../schema/read-guide.js";
import { GUIDE_FORMAT, MINUTES_MAX } from "../schema/schema.js";
import {
  COMMAND_NAMES,
  envelopeFindings,
  FIELD_NAMES,
  type Fields,
  INTAKE_NAMES,
  KINDS,
  OPTION_NAMES,
  OWN_FIELD,
  procedureFindings,
  type ShapeType,
  treeFindings,
} from "./shapes.js";

export interface ImportOptions {
  /** Who imports it, and alone may find it at first. */
  readonly owner?: string;
  /** Name of the file, which origin shows and from which a flow without a name takes one. */
  readonly file?: string;
  /** Tags and categories that are in use: those of the flow are the same ones if they differ only in case or blanks. */
  readonly known?: { readonly tags: readonly string[]; readonly categories: readonly string[] };
}

export interface ImportedGuide {
  readonly guide: Guide;
  /** Tags and categories that were not in use before. */
  readonly made: { readonly tags: readonly string[]; readonly categories: readonly string[] };
}

/** Whether a value is meant as a flow of the other program, and not as a guide of ours. */
export function isFlow(value: unknown): boolean {
  if (!isRecord(value) || "readback_guide" in value) return false;
  const [first] = Array.isArray(value.steps) ? (value.steps as readonly unknown[]) : [];
  return !(isRecord(first) && "kind" in first);
}

/** Throws `GuideProblem`. */
export function importFlow(value: unknown, options: ImportOptions = {}): ImportedGuide {
  if (!isRecord(value) || "version" in value || "tree_structure" in value)
    return fromEnvelope(value, options);
  if ("steps" in value) return madeGuide(value, "procedural", procedureParts(value), options);
  return madeGuide({}, "troubleshooting", treeParts(value), options);
}

/** Throws `GuideProblem` where there is anything. */
function refuse(findings: readonly GuideFinding[]): void {
  if (findings.length > 0) throw new GuideProblem("The flow cannot be imported:", findings);
}

function fromEnvelope(value: unknown, options: ImportOptions): ImportedGuide {
  refuse(envelopeFindings(value));
  const envelope = value as Fields;
  const isTree = envelope.flow_type === "troubleshooting";
  const parts = isTree ? treeParts(envelope.tree_structure) : procedureParts(envelope);
  return madeGuide(envelope, "rfflow", parts, options);
}

/** Fields of a guide's file that a flow has in a shape of its own, and those of an envelope that they came from. */
interface Parts {
  readonly fields: Fields;
  readonly nesting?: Readonly<Record<string, readonly string[]>>;
  readonly used: readonly string[];
}

function treeParts(root: unknown): Parts {
  refuse(treeFindings(root));
  const steps: Fields[] = [];
  const nesting = new Map<string, readonly string[]>();
  const walk = (node: Fields) => {
    const { children, ...fields } = node;
    steps.push(stepOf(fields));
    if (!Array.isArray(children)) return;
    const nodes = children as readonly Fields[];
    nesting.set(
      String(node.id),
      nodes.map(({ id }) => String(id)),
    );
    nodes.forEach(walk);
  };
  walk(root as Fields);
  return { fields: { steps }, nesting: Object.fromEntries(nesting), used: ["tree_structure"] };
}

function procedureParts(flow: Fields): Parts {
  refuse(procedureFindings(flow));
  const intake = ((flow.intake_form ?? []) as readonly Fields[]).map((field) =>
    withOwn(renamed(field, INTAKE_NAMES, isIntakeValue)),
  );
  const steps = (flow.steps as readonly Fields[]).map(stepOf);
  const used = intake.length > 0 ? ["steps", "intake_form"] : ["steps"];
  return { fields: { steps, intake }, used };
}

function stepOf(node: Fields): Fields {
  const { type, ...fields } = node;
  const names = FIELD_NAMES[type as ShapeType];
  const { extra = {}, ...own } = renamed(fields, names, isStepValue) as Fields & { extra?: Fields };
  const options = own.options as readonly Fields[] | undefined;
  const commands = own.commands as readonly (Fields | string)[] | undefined;
  return withOwn({
    ...own,
    kind: KINDS[type as ShapeType],
    ...(options && { options: options.map((one) => withOwn(renamed(one, OPTION_NAMES))) }),
    ...(commands && {
      commands: commands.map((one) =>
        typeof one === "string" ? { code: one } : renamed(one, COMMAND_NAMES, isText),
      ),
    }),
    extra,
  });
}

/** Puts in what was written beside their fields because they have none for it: null stands for a field that is absent. */
function withOwn({ extra, ...fields }: Fields & { readonly extra?: Fields }): Fields {
  const { [OWN_FIELD]: own, ...rest } = extra ?? {};
  const all = { ...fields, ...(isRecord(own) ? own : {}) };
  const present = Object.entries(all).filter(([, value]) => value !== null);
  return { ...Object.fromEntries(present), ...(Object.keys(rest).length > 0 && { extra: rest }) };
}

/** Their fields under our names; what has none, or is not what ours takes, goes to `extra`. */
function renamed(
  theirs: Fields,
  names: Readonly<Record<string, string>>,
  fits: (value: unknown, name: string) => boolean = () => true,
): Fields & { readonly extra?: Fields } {
  const ours = new Map(Object.entries(names).map(([our, their]) => [their, our]));
  const kept: [string, unknown][] = [];
  const extra: [string, unknown][] = [];
  for (const [their, value] of Object.entries(theirs)) {
    const our = ours.get(their);
    if (our !== undefined && fits(value, our)) kept.push([our, value]);
    else extra.push([their, value]);
  }
  return { ...Object.fromEntries(kept), ...(extra.length > 0 && { extra: Object.fromEntries(extra) }) };
}

const isText = (value: unknown) => typeof value === "string" && value !== "";

/** Names of fields that are no text, and what they are. */
function isStepValue(value: unknown, name: string): boolean {
  if (name === "estimated_minutes") return typeof value === "number" && value >= 0 && value <= MINUTES_MAX;
  if (name === "notes_enabled") return typeof value === "boolean";
  if (name === "resolution_steps") return Array.isArray(value) && value.every(isText);
  return name === "commands" || name === "options" ? Array.isArray(value) : isText(value);
}

function isIntakeValue(value: unknown, name: string): boolean {
  if (name === "required") return typeof value === "boolean";
  if (name === "order") return typeof value === "number";
  return name === "type" ? value === "text" || value === "number" : isText(value);
}

function madeGuide(
  top: Fields,
  format: "troubleshooting" | "procedural" | "rfflow",
  { fields, nesting, used }: Parts,
  { file, known, owner }: ImportOptions,
): ImportedGuide {
  const name = isText(top.name) ? String(top.name) : (nameOfFile(file) ?? "Imported guide");
  const tags = resolved(top.tags, known?.tags);
  const categories = resolved(top.categories, known?.categories);
  const restUsed =
    format === "rfflow"
      ? [...used, "name", "flow_type", ...tags.used("tags"), ...categories.used("categories")]
      : used;
  const description = isText(top.description) ? { description: top.description } : {};
  const left = [...restUsed, ...(format === "rfflow" ? Object.keys(description) : [])];
  const envelope = Object.fromEntries(Object.entries(top).filter(([key]) => !left.includes(key)));
  const own = isRecord(top[OWN_FIELD]) ? top[OWN_FIELD] : {};
  const guide = parseGuide({
    ...{ id: idOf(name), ...own, readback_guide: GUIDE_FORMAT, name },
    flow_type: format === "rfflow" ? top.flow_type : format,
    ...{ ...description, tags: tags.names, categories: categories.names, ...fields },
    // What the file says of access counts only where nobody answers for it.
    ...(owner !== undefined && { owner, visibility: "restricted", users: [owner], groups: [] }),
    status: "draft",
    origin: {
      format,
      ...(format === "rfflow" && { version: String(top.version) }),
      ...(file !== undefined && { file }),
      ...(Object.keys(envelope).length > 0 && { envelope }),
      ...(nesting !== undefined && { nesting }),
    },
  });
  return { guide, made: { tags: tags.made, categories: categories.made } };
}

/** The names that are in use for these; those that are not are made. */
function resolved(written: unknown, known: readonly string[] = []) {
  const given =
    Array.isArray(written) && written.length > 0 && written.every(isText) ? (written as string[]) : [];
  const inUse = new Map(known.map((name) => [folded(name), name]));
  return {
    names: given.map((name) => inUse.get(folded(name)) ?? name),
    made: [...new Set(given.filter((name) => !inUse.has(folded(name))))],
    used: (field: string) => (given.length > 0 ? [field] : []),
  };
}

function folded(name: string): string {
  return name.trim().toLowerCase().replace(/\s+/g, " ");
}

function nameOfFile(file: string | undefined): string | undefined {
  return file?.replace(/^.*[\\/]/, "").replace(/\.[^.]*$/, "") || undefined;
}
