/** What a session has come to: how many steps of which kind, the outline, the variables, and what is doubtful. Pure. */
import { grouped } from "../../lib/grouped.js";
import { findingText } from "../schema/finding.js";
import { indexGuide, optionsOf, textsOf, variablesIn, waysOut } from "../schema/graph.js";
import type { Guide } from "../schema/guide.js";
import { validateGuide } from "../validation/validate.js";
import type { GuideDraft } from "./patch.js";

export function reviewOf(draft: GuideDraft) {
  const { guide } = draft;
  const byKind = grouped(guide.steps, ({ kind }) => kind);
  return {
    counts: Object.fromEntries([...byKind].map(([kind, steps]) => [kind, steps.length])),
    outline: outlineOf(draft),
    /** What is asked before the first step, recorded in between, and said. */
    variables: {
      asked: guide.intake.map(({ name }) => name),
      recorded: guide.steps.flatMap((step) => (step.kind === "record" ? step.variable : [])),
      used: [...new Set(guide.steps.flatMap(textsOf).flatMap(variablesIn))],
    },
    /** What keeps the guide from being published, as sentences that say what to do. */
    blockers: blockers(draft),
    /** What might be missing; it blocks nothing. */
    doubts: doubtsOf(guide),
  };
}

/** Rules that are broken, and steps that nobody stands behind. */
export function blockers(draft: GuideDraft): readonly string[] {
  const unbacked = markedSteps(draft).map(
    (id) => `step ${id}: neither a person nor a passage stands behind it; confirm it, change it or remove it`,
  );
  return [...validateGuide(draft.guide).map(findingText), ...unbacked];
}

/** Ids of the steps that neither a person nor a passage stands behind. */
export function markedSteps({ backing, guide }: GuideDraft): readonly string[] {
  const backed = new Set(backing.map(({ step }) => step));
  return guide.steps.map(({ id }) => id).filter((id) => !backed.has(id));
}

/** One line for each step, in the order of the list, numbered from 1, and where its answers, or a failure, lead. */
function outlineOf(draft: GuideDraft) {
  const index = indexGuide(draft.guide);
  const marked = new Set(markedSteps(draft));
  return draft.guide.steps.map((step, at) => ({
    ...{ step: step.id, number: at + 1, kind: step.kind, title: step.title ?? step.text ?? step.id },
    leads: waysOut(index, step)
      .filter(({ via }) => via !== "next" || draft.guide.flowType === "troubleshooting")
      .map(({ option, to }) => (option === undefined ? to : `${option.label}: ${to}`)),
    marked: marked.has(step.id),
  }));
}

function doubtsOf({ steps }: Guide): readonly string[] {
  return steps.flatMap((step) => {
    const doubts = [];
    if (step.critical === true && step.verificationPrompt === undefined)
      doubts.push("it is critical, and nothing asks whether it is done; write a `verification_prompt`");
    const isAct = step.kind === "instruct" && (step.contentType ?? "action") === "action";
    if (isAct && step.expectedOutcome === undefined)
      doubts.push("nothing says how one sees that it worked; write an `expected_outcome`");
    if (step.kind === "question" && optionsOf(step).length === 1)
      doubts.push("it has one answer only; write what else may be the case");
    return doubts.map((doubt) => `step ${step.id}: ${doubt}`);
  });
}
