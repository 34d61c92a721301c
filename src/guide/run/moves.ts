/** How a run comes to another place, and what is said and asked for there. Pure. */
import { type GuideIndex, isTerminal, nextId, stepById } from "../schema/graph.js";
import type { GuideStep } from "../schema/guide.js";
import { STEPS_MAX } from "../schema/schema.js";
import { isGuarded, nameOf, stepAt, valueAskedAt } from "./places.js";
import {
  type Asks,
  type Effect,
  type GuideRun,
  type RunPlace,
  type Saying,
  type Stepped,
  type Values,
  WAY_BACK_MAX,
} from "./run.js";
import { logged, type RunMoment, stay } from "./stepped.js";

/** What counts from the step on that is left: that it was done, and what was recorded. */
export interface Passing {
  readonly passed?: GuideStep;
  readonly values?: Values;
}

/** On to another step; to nowhere, the run stays. */
export function go(
  index: GuideIndex,
  run: GuideRun,
  to: string | undefined,
  moment: RunMoment,
  { passed, values = run.values }: Passing = {},
): Stepped {
  if (to === undefined || stepById(index, to) === undefined) return stay(run, { say: "no_way_on" });
  const left: GuideRun = {
    ...run,
    values,
    passed:
      passed === undefined || !isGuarded(passed) ? run.passed : [...new Set([...run.passed, passed.id])],
    wayBack: withPosition(run),
  };
  return arrive(index, left, { type: "step", id: to }, moment);
}

/** A step that was done. */
export function pass(
  index: GuideIndex,
  run: GuideRun,
  step: GuideStep,
  moment: RunMoment,
  values = run.values,
): Stepped {
  return go(index, run, nextId(index, step), moment, { passed: step, values });
}

/** What came before is kept, so that going back undoes what was done since. */
export function withPosition({ passed, place, values, wayBack }: GuideRun): GuideRun["wayBack"] {
  return [...wayBack, { place, values, passed }].slice(-WAY_BACK_MAX);
}

export function goBack(index: GuideIndex, run: GuideRun, moment: RunMoment): Stepped {
  const before = run.wayBack.at(-1);
  if (before === undefined) return stay({ ...run, asks: run.asks }, { say: "nothing_before" });
  const back = logged({ ...run, ...before, wayBack: run.wayBack.slice(0, -1) }, moment, "back");
  return arrive(index, back, before.place, moment);
}

/** At a place for the first time, or again: nothing that was asked elsewhere counts here. */
export function arrive(index: GuideIndex, run: GuideRun, place: RunPlace, moment: RunMoment): Stepped {
  const here = placed(index, run, place, moment.atMs);
  return here.status === "paused" ? stay(here) : present(index, logged(here, moment, "arrived"), moment);
}

function placed(index: GuideIndex, run: GuideRun, place: RunPlace, atMs: number): GuideRun {
  const asks: Asks | undefined = stepAt(index, place)?.checkDigit && { type: "check_digit" };
  // What was done before it was come to again has to be done again.
  const passed = run.passed.filter((id) => id !== nameOf(place));
  return { ...run, place, passed, asks, sinceMs: atMs, misses: 0, outOfRange: 0 };
}

/** What is said at the place of a run, and what has to be read or done there. Headings lead on by themselves. */
export function present(index: GuideIndex, run: GuideRun, moment: RunMoment): Stepped {
  let here = run;
  const says: Saying[] = [];
  for (let hops = 0; hops <= STEPS_MAX; hops++) {
    const step = stepAt(index, here.place);
    if (step?.kind !== "section" || here.asks !== undefined) break;
    says.push({ say: "section", step: step.id });
    const next = nextId(index, step);
    if (next === undefined || stepById(index, next) === undefined)
      return stay(here, ...says, { say: "no_way_on" });
    here = logged(placed(index, here, { type: "step", id: next }, moment.atMs), moment, "arrived");
  }
  const step = stepAt(index, here.place);
  if (step !== undefined && isTerminal(step)) {
    const over = logged({ ...here, status: "done", asks: undefined }, moment, "finished");
    return stay(over, ...says, { say: "ended", step: step.id });
  }
  const effects = here.asks === undefined && step !== undefined ? effectsOf(step) : [];
  const asks = waitFor(effects) ?? here.asks;
  return { run: { ...here, asks }, says: [...says, ...prompt(index, { ...here, asks })], effects };
}

function effectsOf(step: GuideStep): readonly Effect[] {
  if (step.kind === "check") return [{ type: "read", step: step.id }];
  return step.kind === "operate" ? [{ type: "operate", step: step.id }] : [];
}

function waitFor([effect]: readonly Effect[]): Asks | undefined {
  if (effect === undefined) return undefined;
  return { type: effect.type === "read" ? "reading" : "operation" };
}

/** What is said of where a run is, once more. */
export function prompt(index: GuideIndex, { asks, place }: GuideRun, slowly = false): readonly Saying[] {
  const step = stepAt(index, place);
  switch (asks?.type) {
    case "readback":
      return [{ say: "readback", value: asks.value, unit: valueAskedAt(index, { place })?.unit }];
    case "check_digit":
    case "verification":
    case "person":
      return [{ say: asks.type, step: step!.id }];
    case "too_fast":
      return [{ say: "too_fast" }];
    case "reason":
    case "quit":
      return [{ say: `ask_${asks.type}` }];
    default:
      return [
        step === undefined ? { say: "field", field: nameOf(place) } : { say: "step", step: step.id, slowly },
      ];
  }
}
