/**
 * Guides as ResolutionFlow reads them. What its shapes have no field for goes into one field of our own, so that the
 * same guide comes back; what it would lead people wrongly through, such as a procedure with branches, is refused.
 */
import type { GuideFinding, GuideRule } from "../schema/finding.js";
import { type GuideIndex, indexGuide, isTerminal, nextId, waysOut } from "../schema/graph.js";
import type { Guide, GuideStep } from "../schema/guide.js";
import { GuideProblem, guideFile } from "../schema/read-guide.js";
import {
  ABOUT,
  ENVELOPE_VERSION,
  type Fields,
  INTAKE,
  OWN_FIELD,
  SHAPES,
  type ShapeType,
  toTheirs,
} from "./shapes.js";

/** The guide in its envelope: a tree for troubleshooting, a list of steps otherwise. Throws `GuideProblem`. */
export function exportEnvelope(guide: Guide): Fields {
  const { flowType, origin } = guide;
  const envelope = origin?.format === "rfflow" ? origin.envelope : undefined;
  const isOurs = origin === undefined || OWN_FIELD in (envelope ?? {});
  const isTree = flowType === "troubleshooting";
  const { readback_guide, status, steps, origin: _, extra, intake, ...file } = guideFile(guide);
  const filled = Object.entries(file).filter(([, value]) => !Array.isArray(value) || value.length > 0);
  // What its envelope has no field for. An intake form belongs to lists of steps.
  const beside = {
    ...(extra !== undefined && { extra }),
    ...(isTree && guide.intake.length > 0 && { intake }),
  };
  const { [OWN_FIELD]: own, ...about } = toTheirs(Object.fromEntries(filled), ABOUT, beside);
  return {
    version: ENVELOPE_VERSION,
    ...{ ...envelope, ...about },
    ...(isTree ? { tree_structure: exportTree(guide) } : procedureOf(guide)),
    ...(isOurs && { [OWN_FIELD]: own }),
  };
}

/** A bare list of steps. Throws `GuideProblem` where it has branches. */
export function exportProcedure(guide: Guide): Fields {
  const { origin } = guide;
  return { ...(origin?.format === "procedural" && origin.envelope), ...procedureOf(guide) };
}

function procedureOf(guide: Guide): Fields {
  const file = guideFile(guide);
  refuse(branchesOf(indexGuide(guide)), "is no list of steps");
  const intake = (file.intake as readonly Fields[]).map((field) => toTheirs(field, INTAKE));
  const last = guide.steps.length - 1;
  const steps = (file.steps as readonly Fields[]).map((step, at) => {
    const type =
      step.kind === "section" ? "section_header" : at === last ? "procedure_end" : "procedure_step";
    return nodeOf(step, type);
  });
  return { steps, ...(intake.length > 0 && { intake_form: intake }) };
}

/** Steps that a list cannot lead on from as the guide does. */
function branchesOf(index: GuideIndex): readonly GuideFinding[] {
  const { steps } = index.guide;
  return steps.flatMap((step, at) => {
    const isLast = at === steps.length - 1;
    if (isLast && !isTerminal(step)) return [refusal(step, "end-last", "it is the last, and no end")];
    const behind = steps[at + 1]?.id;
    const goesOn = waysOut(index, step).every(({ to, via }) => via === "next" && to === behind);
    if (goesOn && isTerminal(step) === isLast) return [];
    return [refusal(step, "no-branching", "it leads elsewhere than to the next step")];
  });
}

function refusal(step: GuideStep, rule: GuideRule, problem: string): GuideFinding {
  return { rule, step: step.id, problem, remedy: "export it as markdown, html or guide" };
}

function refuse(findings: readonly GuideFinding[], what: string): void {
  if (findings.length > 0)
    throw new GuideProblem(`The guide ${what} that the other program can show:`, findings);
}

/** A bare tree. Throws `GuideProblem` where its first step is no question, or two steps have one id. */
export function exportTree(guide: Guide): Fields {
  const index = indexGuide(guide);
  refuse(treeProblems(index), "is no tree");
  const nesting = new Map(Object.entries(guide.origin?.nesting ?? {}));
  const written = new Map(
    (guideFile(guide).steps as readonly Fields[]).map((step) => [String(step.id), step]),
  );
  const placed = new Set<string>();
  const nodeAt = (step: GuideStep): Fields => {
    placed.add(step.id);
    const next = nextId(index, step);
    const type = step.kind === "question" ? "decision" : isTerminal(step) ? "solution" : "action";
    const node = nodeOf({ ...written.get(step.id)!, ...(next !== undefined && { next }) }, type);
    const held = nesting.get(step.id) ?? (type === "decision" ? [] : undefined);
    const children = held?.flatMap((id) => {
      const child = placed.has(id) ? undefined : index.steps.get(id);
      return child === undefined ? [] : [nodeAt(child)];
    });
    return { ...node, ...(children && { children }) };
  };
  const { children, ...root } = nodeAt(guide.steps[0]!);
  const loose = guide.steps.flatMap((step) => (placed.has(step.id) ? [] : [nodeAt(step)]));
  return { ...root, children: [...(children as readonly Fields[]), ...loose] };
}

function treeProblems({ guide, steps }: GuideIndex): readonly GuideFinding[] {
  const [first] = guide.steps as readonly [GuideStep, ...GuideStep[]];
  const twice = guide.steps.filter((step) => steps.get(step.id) !== step);
  return [
    ...(first.kind === "question" ? [] : [refusal(first, "first-step", "it is the first, and no question")]),
    ...twice.map((step) => refusal(step, "step-id", "another step has its id")),
  ];
}

/** A step, as its file writes it, as a node of this type. */
function nodeOf({ kind, ...step }: Fields, type: ShapeType): Fields {
  const { fields, kind: usual } = SHAPES[type];
  const commands = (step.commands ?? []) as readonly Fields[];
  const areBare = commands.every((command) => Object.keys(command).length === 1);
  // Their type needs a description where our kind does not: the title says it, and null that there is none.
  const needsText = "description" in fields && step.text === undefined;
  const own = {
    ...(kind !== usual && { kind }),
    ...(type === "action" && !areBare && { commands }),
    ...(needsText && { text: null }),
  };
  return { ...toTheirs(step, fields, own), type, ...(needsText && { description: step.title }) };
}
