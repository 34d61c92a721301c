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
  readonly tree?: unknown;
  readonly intake?: unknown;
  /** Of several blocks, merged. */
  readonly metadata?: unknown;
  readonly delta?: unknown;
  readonly phase?: BuilderPhase;
  /** What was marked and cannot be used, as sentences that say what to do. */
  readonly errors: readonly string[];
}

const BLOCKS = {
  TREE_UPDATE: "tree",
  STEPS_UPDATE: "tree",
  INTAKE_FORM: "intake",
  METADATA: "metadata",
  DELTA: "delta",
} as const;
type BlockName = keyof typeof BLOCKS;

const OPENING = /(?<!`)\[(?:(TREE_UPDATE|STEPS_UPDATE|INTAKE_FORM|METADATA|DELTA)|PHASE:(\w{1,64}))\]/g;

/** Reads a reply as a whole. A block that has no end, or no JSON in it, is taken out and counts for nothing. */
export function readMarkers(raw: string): MarkedReply {
  const found: { -readonly [K in keyof MarkedReply]?: MarkedReply[K] } = {};
  const errors: string[] = [];
  let content = "";
  let at = 0;
  OPENING.lastIndex = 0;
  for (let match = OPENING.exec(raw); match !== null; match = OPENING.exec(raw)) {
    const [opening, block, phase] = match;
    content += raw.slice(at, match.index);
    at = match.index + opening.length;
    if (block === undefined) {
      const known = PHASES.find((one) => one === phase);
      if (known === undefined) errors.push(`There is no phase ${phase}: write one of ${PHASES.join(", ")}.`);
      else found.phase = known;
    } else {
      const closing = `[/${block}]`;
      const end = raw.indexOf(closing, at);
      if (end < 0) errors.push(`${opening} has no end: write less at a time, and close it with ${closing}.`);
      else take(block as BlockName, raw.slice(at, end), found, errors);
      at = end < 0 ? raw.length : end + closing.length;
    }
    OPENING.lastIndex = at;
  }
  content += raw.slice(at);
  return { ...found, content: content.replace(/\n{3,}/g, "\n\n").trim(), errors };
}

function take(
  block: BlockName,
  text: string,
  found: { -readonly [K in keyof MarkedReply]?: MarkedReply[K] },
  errors: string[],
): void {
  const value = jsonIn(text);
  if (value === undefined) errors.push(`What stands in [${block}] is no JSON: write one JSON value there.`);
  else if (!isRecord(value) && block !== "INTAKE_FORM")
    errors.push(`What stands in [${block}] is no object: write one JSON object there.`);
  else if (block === "METADATA" && isRecord(value) && isRecord(found.metadata))
    found.metadata = { ...found.metadata, ...value };
  else found[BLOCKS[block]] = value;
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
  { delta, intake, metadata, tree }: Pick<MarkedReply, "delta" | "intake" | "metadata" | "tree">,
  { flowType }: Pick<Guide, "flowType">,
): readonly Patch[] {
  const isTree = flowType === "troubleshooting";
  return [
    ...(isRecord(metadata) ? describing(metadata) : []),
    ...(intake === undefined ? [] : [{ op: "describe", fields: { intake: intakeOf(intake) } } as const]),
    ...(tree === undefined ? [] : [{ op: "replace", steps: wholeSteps(tree, isTree) } as const]),
    ...(isRecord(delta) ? deltaPatches(delta, isTree) : []),
  ];
}

function describing(metadata: Fields): readonly Patch[] {
  const names = ["name", "description", "tags", "categories"].filter((name) => name in metadata);
  const fields = Object.fromEntries(names.map((name) => [name, metadata[name]]));
  return names.length === 0 ? [] : [{ op: "describe", fields }];
}

function wholeSteps(tree: unknown, isTree: boolean): Fields[] {
  const isList = isRecord(tree) && "steps" in tree;
  if (isTree && isList)
    throw problem("it is a list, and this guide is a tree", "write a tree that begins with a question");
  if (!isTree && !isList)
    throw problem("it is no list of steps, and this guide is one", "write an object with `steps`");
  return stepsOf(importFlow(tree));
}

function intakeOf(form: unknown): unknown {
  const steps = [{ id: "end", type: "procedure_end", title: "End" }];
  const { intake } = guideFile(importFlow({ steps, intake_form: form }));
  return (intake as readonly Fields[]).map(withoutExtra);
}

function deltaPatches({ action, nodes, target_node_id: target }: Fields, isTree: boolean): readonly Patch[] {
  const id = typeof target === "string" && target !== "" ? target : undefined;
  if (action !== "add" && id === undefined)
    throw problem("the delta names no step", "write the id of the step as `target_node_id`");
  if (action === "remove") return [{ op: "remove", id: id! }];
  if (!Array.isArray(nodes)) throw problem("the delta has no nodes", "write them as a list, `nodes`");
  const steps = nodes.length === 0 ? [] : stepsIn(nodes, isTree);
  if (action === "modify") {
    const [step, ...others] = steps;
    if (step === undefined || others.length > 0)
      throw problem("a delta that modifies has one node", "write the changed node alone");
    return [{ op: "modify", id: id!, fields: { ...step, id: id! } }];
  }
  if (action !== "add") throw problem("the delta's action is not known", "write add, modify or remove");
  return steps.map((step, at) => {
    const after = at === 0 ? id : String(steps[at - 1]!.id);
    return { op: "add", step, ...(after !== undefined && { after }) };
  });
}

/** Nodes of either shape as steps: a tree's stand below a question for the time of reading them. */
function stepsIn(nodes: readonly unknown[], isTree: boolean): Fields[] {
  if (!isTree) return stepsOf(importFlow({ steps: nodes }));
  const root = { id: "delta-root", type: "decision", question: "Delta?", options: [], children: nodes };
  return stepsOf(importFlow(root)).slice(1);
}

function stepsOf(guide: Guide): Fields[] {
  return (guideFile(guide).steps as readonly Fields[]).map(withoutExtra);
}

/** Fields that nobody here knows are not taken from a model. */
function withoutExtra({ extra: _, ...fields }: Fields): Fields {
  return fields;
}

function problem(what: string, remedy: string): GuideProblem {
  return new GuideProblem("The flow cannot be used:", [{ rule: "shape", problem: what, remedy }]);
}
