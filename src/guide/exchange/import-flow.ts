/**
 * Flows of ResolutionFlow as guides: a bare tree, a bare list of steps, or either in its envelope, the file `.rfflow`.
 * Nothing is lost: fields that a guide has no place for are kept beside the step, the option or the flow they stood in.
 * What comes in is a draft, whatever it says, and shows where it came from.
 */
import { isRecord } from "../../lib/is-record.js";
import type { GuideFinding } from "../schema/finding.js";
import { type Guide, idOf } from "../schema/guide.js";
import { GuideProblem, parseGuide } from "../schema/read-guide.js";
import { GUIDE_FORMAT } from "../schema/schema.js";
import {
  ABOUT,
  type Fields,
  flowFindings,
  LIST,
  OWN_FIELD,
  SHAPES,
  type ShapeType,
  split,
  TREE,
  toOurs,
} from "./shapes.js";

export interface ImportOptions {
  /** Who imports it, and alone may find it at first. */
  readonly owner?: string;
  /** Name of the file, which origin shows and from which a flow without a name takes one. */
  readonly file?: string;
  /** Tags and categories that are in use: those of the flow are the same ones if they differ only in case or blanks. */
  readonly known?: { readonly tags: readonly string[]; readonly categories: readonly string[] };
}
type FlowOptions = Omit<ImportOptions, "owner">;

/** A flow has one of these at the least. */
const FLOW_FIELDS = ["version", "flow_type", "tree_structure", "steps", "type", "children", "options"];

/** Whether a value is meant as a flow of the other program, and not as a guide of ours. */
export function isFlow(value: unknown): boolean {
  if (!isRecord(value) || "readback_guide" in value) return false;
  if (!FLOW_FIELDS.some((field) => field in value)) return false;
  const [first] = Array.isArray(value.steps) ? (value.steps as readonly unknown[]) : [];
  return !(isRecord(first) && "kind" in first);
}

/**
 * A guide from the value of a file, whether it is one of ours or a flow. Of an `owner` it is a draft for them alone: what
 * the file says of access counts only where nobody answers for it. Throws `GuideProblem`.
 */
export function guideOrFlow(value: unknown, { owner, ...options }: ImportOptions = {}): Guide {
  const guide = isFlow(value) ? importFlow(value, options) : parseGuide(value);
  if (owner === undefined) return guide;
  return { ...guide, status: "draft", owner, visibility: "restricted", users: [owner], groups: [] };
}

/** Throws `GuideProblem`. */
export function importFlow(value: unknown, { file, known }: FlowOptions = {}): Guide {
  const isEnvelope = !isRecord(value) || "version" in value || "tree_structure" in value;
  if (isEnvelope) refuse(flowFindings("envelope", value));
  const format = isEnvelope ? "rfflow" : "steps" in value ? "procedural" : "troubleshooting";
  // As its envelope has it, which a bare one has not.
  const flow = (format === "troubleshooting" ? { tree_structure: value } : value) as Fields;
  const flow_type = isEnvelope ? flow.flow_type : format;
  const isTree = flow_type === "troubleshooting";
  refuse(isTree ? flowFindings("tree", flow.tree_structure) : flowFindings("list", flow));
  const shape = isTree ? TREE : LIST;
  const { ours, rest: envelope } = split(flow, isEnvelope ? { ...ABOUT, ...shape } : shape);
  const about = split(flow, ABOUT).ours;
  const name = String(about.name ?? nameOfFile(file) ?? "Imported guide");
  return parseGuide({
    ...{ id: idOf(name), ...(isRecord(flow[OWN_FIELD]) && flow[OWN_FIELD]) },
    ...{ readback_guide: GUIDE_FORMAT, name, flow_type, description: about.description },
    tags: resolved(about.tags, known?.tags),
    categories: resolved(about.categories, known?.categories),
    ...(!isTree && { intake: ours.intake ?? [] }),
    steps: (isTree ? nodesOf(ours.steps as Fields) : (ours.steps as readonly Fields[])).map(stepOf),
    status: "draft",
    origin: {
      format,
      ...(isEnvelope && { version: String(flow.version) }),
      ...(file !== undefined && { file }),
      ...(Object.keys(envelope).length > 0 && { envelope }),
      ...(isTree && { nesting: nestingOf(ours.steps as Fields) }),
    },
  });
}

/** Throws `GuideProblem` where there is anything. */
function refuse(findings: readonly GuideFinding[]): void {
  if (findings.length > 0) throw new GuideProblem("The flow cannot be imported:", findings);
}

/** A node and all below it, each before those that it holds. */
function nodesOf(node: Fields): readonly Fields[] {
  return [node, ...childrenOf(node).flatMap(nodesOf)];
}

function childrenOf({ children }: Fields): readonly Fields[] {
  return Array.isArray(children) ? (children as readonly Fields[]) : [];
}

/** Which nodes each one held, by id. */
function nestingOf(root: Fields): Readonly<Record<string, readonly string[]>> {
  const holding = nodesOf(root).filter(({ children }) => Array.isArray(children));
  return Object.fromEntries(holding.map((node) => [node.id, childrenOf(node).map(({ id }) => id)]));
}

function stepOf({ children: _, type, ...node }: Fields): Fields {
  const { fields, kind } = SHAPES[type as ShapeType];
  return { kind, ...toOurs(node, fields) };
}

/** The names that are in use for these; those that are not are made. */
function resolved(written: unknown = [], known: readonly string[] = []): readonly string[] {
  const inUse = new Map(known.map((name) => [folded(name), name]));
  return (written as readonly string[]).map((name) => inUse.get(folded(name)) ?? name);
}

function folded(name: string): string {
  return name.trim().toLowerCase().replace(/\s+/g, " ");
}

function nameOfFile(file: string | undefined): string | undefined {
  return file?.replace(/^.*[\\/]/, "").replace(/\.[^.]*$/, "") || undefined;
}
