/** What the graph of a guide has to be so that whoever is led through it comes to an end. Pure. */
import { isTerminal, measureOf, optionsOf, textsOf, variablesIn, waysOut } from "../schema/graph.js";
import type { GuideStep } from "../schema/guide.js";
import type { StepRule } from "./rule.js";

export const GRAPH_RULES: readonly StepRule[] = [
  {
    rule: "first-step",
    remedy: "begin with the question or the reading that tells what is wrong",
    problems(step, { guide }) {
      const first = guide.steps.find(({ kind }) => kind !== "section");
      const asks = step.kind === "question" || step.kind === "check";
      const isWrong = guide.flowType === "troubleshooting" && step === first && !asks;
      return isWrong && "a tree begins with it, and it asks nothing";
    },
  },
  {
    rule: "step-id",
    remedy: "give it an id of its own",
    problems: (step, { index }) => index.steps.get(step.id) !== step && "another step has the same id",
  },
  {
    rule: "options",
    remedy: "write what can be answered, and where that leads",
    problems: (step) => step.kind === "question" && step.options.length === 0 && "it has no options",
  },
  {
    rule: "option-fields",
    remedy: "give each option an id of its own",
    problems(step) {
      const ids = optionsOf(step).map(({ id }) => id);
      const twice = new Set(ids.filter((id, at) => ids.indexOf(id) < at));
      return [...twice].map((id) => `two options have the id ${id}`);
    },
  },
  {
    rule: "next-exists",
    remedy: "name a step that exists",
    problems: (step, { index }) =>
      waysOut(index, step)
        .filter(({ to }) => !index.steps.has(to))
        .map(({ option, to, via }) => {
          const what = option === undefined ? `its \`${via}\`` : `its option "${option.label}"`;
          return `${what} leads to ${to}, which is no step`;
        }),
  },
  {
    rule: "end-last",
    remedy: "put a step of the kind end behind it",
    problems: (step, { guide }) =>
      guide.flowType !== "troubleshooting" &&
      step === guide.steps.at(-1) &&
      !isTerminal(step) &&
      "the procedure stops with it",
  },
  {
    // A section that is jumped over is only a heading.
    rule: "unreachable",
    remedy: "name it as the next of a step, or take it out",
    problems: ({ id, kind }, { reached }) => kind !== "section" && !reached.has(id) && "no way leads to it",
  },
  {
    rule: "dead-end",
    remedy: "say with `next` where it goes on, or make it an end or a solution",
    problems(step, { index, reached }) {
      const isMeant = step.kind === "section" ? reached.has(step.id) : step.kind !== "question";
      return isMeant && !isTerminal(step) && waysOut(index, step).length === 0 && "nothing follows it";
    },
  },
  {
    rule: "no-exit",
    remedy: "add a way out to an end or a solution",
    problems: (step, { ending, index }) =>
      waysOut(index, step).length > 0 && !ending.has(step.id) && "no way from it comes to an end",
  },
  {
    rule: "variable-filled",
    remedy: "ask for it in the intake form as a required field, or record it on every way to here",
    problems: (step, { unfilled }) =>
      [...new Set(textsOf(step).flatMap(variablesIn))]
        .filter((name) => unfilled.get(name)?.has(step.id))
        .map((name) => `nothing fills [VAR:${name}]`),
  },
  {
    rule: "min-seconds",
    remedy: "write `critical: true`",
    problems: ({ critical, minSeconds }) =>
      minSeconds !== undefined && critical !== true && "it has a minimum of seconds and is not critical",
  },
  {
    rule: "range",
    remedy: "write the lower bound as `min`",
    problems(step) {
      const { max, min } = measureOf(step) ?? {};
      return isReversed(step) && `its range goes from ${min} to ${max}`;
    },
  },
  {
    rule: "range",
    remedy: "take `min` and `max` out",
    problems: (step) =>
      step.kind === "record" &&
      step.valueType === "text" &&
      (step.min ?? step.max) !== undefined &&
      !isReversed(step) &&
      "it records a text and has a range",
  },
  {
    rule: "range",
    remedy: "write either `equals`, or `min` and `max`",
    problems(step) {
      if (step.kind !== "check" || step.expect === undefined) return undefined;
      const { equals, max, min } = step.expect;
      const isOne = (equals === undefined) !== ((min ?? max) === undefined);
      return !isOne && !isReversed(step) && "it expects no one thing";
    },
  },
];

function isReversed(step: GuideStep): boolean {
  const { max, min } = measureOf(step) ?? {};
  return min !== undefined && max !== undefined && min > max;
}
