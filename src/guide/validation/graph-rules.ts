/** What the graph of a guide has to be so that whoever is led through it comes to an end. Pure. */
import type { GuideFinding, GuideRule } from "../schema/finding.js";
import { type GuideIndex, isTerminal, reached, textsOf, variablesIn, waysOut } from "../schema/graph.js";
import type { GuideStep } from "../schema/guide.js";

/** Says what is wrong with a step. */
export function about(step: GuideStep, rule: GuideRule, problem: string, remedy: string): GuideFinding {
  return { rule, step: step.id, problem, remedy };
}

type GraphRule = (index: GuideIndex, ways: Ways) => readonly GuideFinding[];

/** What several rules look at. */
interface Ways {
  /** Steps that a run can come to. */
  readonly reached: ReadonlySet<string>;
  /** Steps from which an end or a solution can be come to, these included. */
  readonly ending: ReadonlySet<string>;
}

export function graphFindings(index: GuideIndex): readonly GuideFinding[] {
  const ways = { reached: reached(index), ending: endingSteps(index) };
  return RULES.flatMap((rule) => rule(index, ways));
}

const RULES: readonly GraphRule[] = [
  firstStepAsks,
  idsApart,
  optionsWhole,
  namedSteps,
  lastStepEnds,
  everyStepReached,
  everyStepLeadsOn,
  everyStepEnds,
  variablesFilled,
  criticalSeconds,
  rangesWhole,
];

function endingSteps(index: GuideIndex): ReadonlySet<string> {
  const ends = (step: GuideStep) =>
    [...reached(index, undefined, step)].some((id) => isTerminal(index.steps.get(id)!));
  return new Set([...index.steps.values()].filter(ends).map(({ id }) => id));
}

function firstStepAsks({ guide }: GuideIndex): readonly GuideFinding[] {
  const first = guide.steps.find(({ kind }) => kind !== "section");
  if (guide.flowType !== "troubleshooting" || first === undefined) return [];
  if (first.kind === "question" || first.kind === "check") return [];
  const remedy = "begin with the question or the reading that tells what is wrong";
  return [about(first, "first-step", "a tree begins with it, and it asks nothing", remedy)];
}

function idsApart({ guide }: GuideIndex): readonly GuideFinding[] {
  const seen = new Set<string>();
  return guide.steps.flatMap((step) => {
    if (!seen.has(step.id)) {
      seen.add(step.id);
      return [];
    }
    return [about(step, "step-id", "another step has the same id", "give it an id of its own")];
  });
}

function optionsWhole({ guide }: GuideIndex): readonly GuideFinding[] {
  return guide.steps.flatMap((step) => {
    if (step.kind !== "question") return [];
    if (step.options.length === 0)
      return [
        about(step, "options", "it has no options", "write what can be answered, and where that leads"),
      ];
    const ids = step.options.map(({ id }) => id);
    return [...new Set(ids.filter((id, at) => ids.indexOf(id) < at))].map((id) =>
      about(step, "option-fields", `two options have the id ${id}`, "give each option an id of its own"),
    );
  });
}

function namedSteps(index: GuideIndex): readonly GuideFinding[] {
  return index.guide.steps.flatMap((step) =>
    waysOut(index, step)
      .filter(({ to }) => !index.steps.has(to))
      .map(({ option, to, via }) => {
        const what = option === undefined ? `its \`${via}\`` : `its option "${option.label}"`;
        return about(
          step,
          "next-exists",
          `${what} leads to ${to}, which is no step`,
          "name a step that exists",
        );
      }),
  );
}

function lastStepEnds({ guide }: GuideIndex): readonly GuideFinding[] {
  const last = guide.steps.at(-1)!;
  if (guide.flowType === "troubleshooting" || isTerminal(last)) return [];
  return [about(last, "end-last", "the procedure stops with it", "put a step of the kind end behind it")];
}

/** A section that is jumped over is only a heading. */
function everyStepReached({ guide }: GuideIndex, ways: Ways): readonly GuideFinding[] {
  return guide.steps
    .filter(({ id, kind }) => kind !== "section" && !ways.reached.has(id))
    .map((step) =>
      about(step, "unreachable", "no way leads to it", "name it as the next of a step, or take it out"),
    );
}

function everyStepLeadsOn(index: GuideIndex, ways: Ways): readonly GuideFinding[] {
  return index.guide.steps
    .filter((step) => step.kind !== "question" && !isTerminal(step) && waysOut(index, step).length === 0)
    .filter(({ id, kind }) => kind !== "section" || ways.reached.has(id))
    .map((step) =>
      about(
        step,
        "dead-end",
        "nothing follows it",
        "say with `next` where it goes on, or make it an end or a solution",
      ),
    );
}

function everyStepEnds(index: GuideIndex, ways: Ways): readonly GuideFinding[] {
  return index.guide.steps
    .filter((step) => waysOut(index, step).length > 0 && !ways.ending.has(step.id))
    .map((step) =>
      about(step, "no-exit", "no way from it comes to an end", "add a way out to an end or a solution"),
    );
}

function variablesFilled(index: GuideIndex): readonly GuideFinding[] {
  // What need not be filled in fills nothing.
  const asked = new Set(index.guide.intake.flatMap(({ name, required }) => (required === false ? [] : name)));
  const uses = index.guide.steps.map((step) => [step, textsOf(step).flatMap(variablesIn)] as const);
  const open = new Set(uses.flatMap(([, names]) => names).filter((name) => !asked.has(name)));
  return [...open].flatMap((name) => {
    const unfilled = reached(index, (step) => step.kind === "record" && step.variable === name);
    return uses
      .filter(([{ id }, names]) => names.includes(name) && unfilled.has(id))
      .map(([step]) =>
        about(
          step,
          "variable-filled",
          `nothing fills [VAR:${name}]`,
          "ask for it in the intake form as a required field, or record it on every way to here",
        ),
      );
  });
}

function criticalSeconds({ guide }: GuideIndex): readonly GuideFinding[] {
  return guide.steps
    .filter(({ critical, minSeconds }) => minSeconds !== undefined && critical !== true)
    .map((step) =>
      about(step, "min-seconds", "it has a minimum of seconds and is not critical", "write `critical: true`"),
    );
}

function rangesWhole({ guide }: GuideIndex): readonly GuideFinding[] {
  return guide.steps.flatMap((step) => {
    const range = step.kind === "check" ? step.expect : step.kind === "record" ? step : undefined;
    if (range === undefined) return [];
    const { min, max } = range;
    if (min !== undefined && max !== undefined && min > max)
      return [about(step, "range", `its range goes from ${min} to ${max}`, "write the lower bound as `min`")];
    if (step.kind === "record" && step.valueType === "text" && (min ?? max) !== undefined)
      return [about(step, "range", "it records a text and has a range", "take `min` and `max` out")];
    const { equals } = step.kind === "check" ? (step.expect ?? {}) : {};
    if (step.kind === "check" && (equals === undefined) === ((min ?? max) === undefined))
      return [about(step, "range", "it expects no one thing", "write either `equals`, or `min` and `max`")];
    return [];
  });
}
