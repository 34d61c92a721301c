/** What a run tells of itself without moving: the step again, where it is, what is left, what can be said. Pure. */
import { type GuideIndex, nextId, optionsOf, otherwiseId, successors } from "../schema/graph.js";
import { prompt } from "./moves.js";
import { nameOf, numberOf, stepAt, whyKept } from "./places.js";
import type { GuideRun, NamedAction, RunAction, Stepped } from "./run.js";
import { logged, type RunMoment, stay } from "./stepped.js";

export function toldAt(
  index: GuideIndex,
  run: GuideRun,
  type: RunAction["type"],
  moment: RunMoment,
): Stepped {
  const step = stepAt(index, run.place);
  switch (type) {
    case "slower":
      return stay(run, ...prompt(index, run, true));
    case "values":
    case "why":
    case "options":
      return step === undefined ? stay(run, ...prompt(index, run)) : stay(run, { say: type, step: step.id });
    case "where":
      return stay(run, { say: "where", ...numberOf(index, run) });
    case "left":
      return stay(run, { say: "left", steps: stepsLeft(index, run) });
    case "help": {
      const called = stay(logged(run, moment, "help"), { say: "help_called" });
      return { ...called, effects: [{ type: "call_help", at: nameOf(run.place) }] };
    }
    case "commands":
      return stay(run, { say: "commands", commands: commandsAt(index, run) });
    default:
      return stay(run, ...prompt(index, run));
  }
}

/** Steps behind this one; of a tree, or in the intake, nobody knows how many. */
function stepsLeft(index: GuideIndex, run: GuideRun): number | undefined {
  const { number, of } = numberOf(index, run);
  return of === undefined || run.place.type === "intake" ? undefined : of - number;
}

/** What moves the run on where it is, the likeliest first; what can always be said comes last. */
export function commandsAt(index: GuideIndex, run: GuideRun): readonly NamedAction[] {
  if (run.status === "paused") return ["resume", "where", "left", "help", "quit"];
  return [
    ...answersAt(index, run),
    ...waysAt(index, run),
    "repeat",
    "slower",
    "why",
    "where",
    "left",
    "pause",
    "help",
    "quit",
  ];
}

function answersAt(index: GuideIndex, { asks, place }: GuideRun): readonly NamedAction[] {
  const step = stepAt(index, place);
  switch (asks?.type) {
    case "check_digit":
      return ["value"];
    case "readback":
    case "too_fast":
    case "quit":
    case "person":
      return ["yes", "no"];
    case "verification":
      return step?.verificationType === "text_input" ? ["value"] : ["yes", "no"];
    case "reason":
      return ["note", "no"];
    case "reading":
    case "operation":
    case "unknown_outcome":
      return [];
    default:
      break;
  }
  if (step === undefined || step.kind === "record") return ["value"];
  if (optionsOf(step).length > 0) return ["answer", "options"];
  return step.kind === "hold_point" ? ["second"] : ["next"];
}

function waysAt(index: GuideIndex, { asks, place, wayBack }: GuideRun): readonly NamedAction[] {
  const step = stepAt(index, place);
  if (asks?.type === "operation") return [];
  const ways: NamedAction[] = wayBack.length > 0 ? ["back"] : [];
  if (step === undefined) return ways;
  if (otherwiseId(step) !== undefined) ways.push("failed");
  if (whyKept(index, step) === undefined && nextId(index, step) !== undefined) ways.push("leave_out");
  if (successors(index, step).length > 0) ways.push("jump");
  return ways;
}
