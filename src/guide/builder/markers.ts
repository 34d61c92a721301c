/**
 * Markers that older prompts make models write into prose, `[TREE_UPDATE]…[/TREE_UPDATE]` and the like, read and taken out
 * of what is shown. Here for models that know nothing else; what they mark becomes patches like any other. A marker in
 * backticks is quoted, and stays. Pure.
 */
import { parseForgivingJson } from "../../lib/forgiving-json.js";
import { isRecord } from "../../lib/is-record.js";
import { isNestedDeeper } from "../../lib/json-depth.js";
import { importFlow } from "../exchange/import-flow.js";
import type { Fields } from "../exchange/shapes.js";
import type { Guide } from "../schema/guide.js";
import { GUIDE_DEPTH_MAX, GuideProblem, guideFile } from "../schema/read-guide.js";
import type { Patch } from "./patch.js";
import { type BuilderPhase, PHASES } from "./session.js";

export interface MarkedReply {
  /** What is shown: everything but the markers. */
  readonly content: string;
  /** A tree, or an object with `steps`: all of the flow. */
  readonly tree?: Fields | undefined;
  readonly intake?: unknown;
  /** Of several blocks, merged. */
  readonly metadata?: Fields | undefined;
  readonly delta?: Fields | undefined;
  readonly phase?: BuilderPhase;
  /** What was marked and cannot be used, as sentences that say what to do. */
  readonly errors: readonly string[];
}

const BLOCKS = { TREE_UPDATE: "tree", STEPS_UPDATE: "tree", METADATA: "metadata", DELTA: "delta" } as const;
type BlockName = keyof typeof BLOCKS | "INTAKE_FORM";

/** A phase, or a block and what stands in it; a block that has no end is all of the rest. */
const MARKER =
  /(?<!`)\[(?:PHASE:(\w{1,64})\]|(TREE_UPDATE|STEPS_UPDATE|INTAKE_FORM|METADATA|DELTA)\](.*?)(\[\/\2\]|$))/gs;

/** Reads a reply as a whole. A block that has no end, or no JSON in it, is taken out and counts for nothing. */
export function readMarkers(raw: string): MarkedReply {
  const found: { -readonly [K in keyof MarkedReply]?: MarkedReply[K] } = {};
  const errors: string[] = [];
  const content = raw.replace(MARKER, (_, phase?: string, block?: BlockName, text = "", end?: string) => {
    const known = PHASES.find((one) => one === phase);
    const value = end ? jsonIn(text) : undefined;
    if (known !== undefined) found.phase = known;
    else if (block === undefined)
      errors.push(`There is no phase ${phase}: write one of ${PHASES.join(", ")}.`);
    else if (end === "")
      errors.push(`[${block}] has no end: write less at a time, and close it with [/${block}].`);
    else if (value === undefined)
      errors.push(`What stands in [${block}] is no JSON: write one JSON value there.`);
    else if (block === "INTAKE_FORM") found.intake = value;
    else if (!isRecord(value))
      errors.push(`What stands in [${block}] is no object: write one JSON object there.`);
    else found[BLOCKS[block]] = block === "METADATA" ? { ...found.metadata, ...value } : value;
    return "";
  });
  return { ...found, content: content.replace(/\n{3,}/g, "\n\n").trim(), errors };
}

/** The JSON value in a text, with or without a code fence around it; undefined: there is none. */
export function jsonIn(text: string): unknown {
  const [, fenced] = /^\s*```(?:json)?\s([^`]*)```\s*$/.exec(text) ?? [];
  const bare = fenced ?? text;
  if (isNestedDeeper(bare, GUIDE_DEPTH_MAX)) return undefined;
  try {
    return parseForgivingJson(bare);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The patches that the marked values stand for. Throws `GuideProblem` where they have not the shape of such a flow. */
export function markedPatches(
  { delta, intake, metadata = {}, tree }: Pick<MarkedReply, "delta" | "intake" | "metadata" | "tree">,
  { flowType }: Pick<Guide, "flowType">,
): readonly Patch[] {
  const isTree = flowType === "troubleshooting";
  // A form alone is read as that of a flow which ends at once.
  const form = { steps: [{ id: "end", type: "procedure_end", title: "End" }], intake_form: intake };
  const fields = intake === undefined ? {} : { intake: imported(form, "intake") };
  const about = Object.entries(metadata).filter(([name]) => DESCRIBED.includes(name));
  return [
    ...(about.length === 0 ? [] : [{ op: "describe", fields: Object.fromEntries(about) } as const]),
    ...(intake === undefined ? [] : [{ op: "describe", fields } as const]),
    ...(tree === undefined ? [] : [{ op: "replace", steps: wholeSteps(tree, isTree) } as const]),
    ...(delta === undefined ? [] : deltaPatches(delta, isTree)),
  ];
}

const DESCRIBED = ["name", "description", "tags", "categories"];

function wholeSteps(tree: Fields, isTree: boolean): Fields[] {
  const isList = "steps" in tree;
  if (isTree && isList)
    throw problem("it is a list, and this guide is a tree", "write a tree that begins with a question");
  if (!isTree && !isList)
    throw problem("it is no list of steps, and this guide is one", "write an object with `steps`");
  return imported(tree, "steps");
}

function deltaPatches({ action, nodes, target_node_id: target }: Fields, isTree: boolean): readonly Patch[] {
  const id = typeof target === "string" && target !== "" ? target : undefined;
  if (action !== "add" && id === undefined)
    throw problem("the delta names no step", "write the id of the step as `target_node_id`");
  if (action === "remove") return [{ op: "remove", id: id! }];
  if (!Array.isArray(nodes)) throw problem("the delta has no nodes", "write them as a list, `nodes`");
  const steps = nodes.length === 0 ? [] : stepsIn(nodes, isTree);
  if (action === "add")
    return steps.map((step, at) => ({ op: "add", step, after: at === 0 ? id : String(steps[at - 1]!.id) }));
  if (action !== "modify") throw problem("the delta's action is not known", "write add, modify or remove");
  if (steps.length !== 1) throw problem("a delta that modifies has one node", "write the changed node alone");
  return [{ op: "modify", id: id!, fields: { ...steps[0], id: id! } }];
}

/** Nodes of either shape as steps: a tree's stand below a question for the time of reading them. */
function stepsIn(nodes: readonly unknown[], isTree: boolean): Fields[] {
  if (!isTree) return imported({ steps: nodes }, "steps");
  const root = { id: "delta-root", type: "decision", question: "Delta?", options: [], children: nodes };
  return imported(root, "steps").slice(1);
}

/** Of a flow its steps or its form, as a guide's file has them. Fields that nobody here knows are not taken from a model. */
function imported(flow: Fields, part: "steps" | "intake"): Fields[] {
  const items = guideFile(importFlow(flow))[part] as readonly Fields[];
  return items.map(({ extra: _, ...fields }) => fields);
}

function problem(what: string, remedy: string): GuideProblem {
  return new GuideProblem("The flow cannot be used:", [{ rule: "shape", problem: what, remedy }]);
}
