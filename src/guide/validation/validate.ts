/** Holds a guide to its rules: those of its graph, then those of the ear, in the order of its steps. Pure. */
import type { GuideFinding } from "../schema/finding.js";
import { indexGuide, isTerminal, reached, textsOf, variablesIn } from "../schema/graph.js";
import type { Guide, GuideStep } from "../schema/guide.js";
import { EAR_RULES, isLockOut } from "./ear-rules.js";
import { GRAPH_RULES } from "./graph-rules.js";
import type { Look } from "./rule.js";

/** Everything that is wrong with a guide; a guide with no findings can be published. */
export function validateGuide(guide: Guide): readonly GuideFinding[] {
  const look = lookAt(guide);
  return guide.steps.flatMap((step) =>
    [...GRAPH_RULES, ...EAR_RULES].flatMap(({ problems, remedy, rule }) => {
      const found = problems(step, look) || [];
      const all = typeof found === "string" ? [found] : found;
      return all.map((problem) => ({ rule, step: step.id, problem, remedy }));
    }),
  );
}

function lookAt(guide: Guide): Look {
  const index = indexGuide(guide);
  const ends = (step: GuideStep) =>
    [...reached(index, undefined, step)].some((id) => isTerminal(index.steps.get(id)!));
  // What need not be filled in fills nothing.
  const asked = new Set(guide.intake.flatMap(({ name, required }) => (required === false ? [] : name)));
  const used = new Set(guide.steps.flatMap(textsOf).flatMap(variablesIn));
  const without = (name: string) =>
    reached(index, (step) => step.kind === "record" && step.variable === name);
  return {
    ...{ guide, index, reached: reached(index), unlocked: reached(index, isLockOut) },
    ending: new Set(guide.steps.filter(ends).map(({ id }) => id)),
    unfilled: new Map([...used].filter((name) => !asked.has(name)).map((name) => [name, without(name)])),
  };
}
