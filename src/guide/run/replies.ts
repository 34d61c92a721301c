/** What somebody says to the step before them: that it is done, yes and no, an option, a value. Pure. */
import { type GuideIndex, optionsOf, otherwiseId } from "../schema/graph.js";
import type { GuideStep, StepOf } from "../schema/guide.js";
import { arrive, go, pass, present, prompt, withPosition } from "./moves.js";
import { fieldAt, nameOf, placeBehind, stepAt, valueAskedAt } from "./places.js";
import type { GuideRun, Saying, Stepped } from "./run.js";
import { logged, type RunMoment, stay } from "./stepped.js";

/** Values out of range after which the run goes on where the guide says, or waits for somebody who knows. */
const OUT_OF_RANGE_MAX = 2;

/** "Done", "next". */
export function done(index: GuideIndex, run: GuideRun, moment: RunMoment): Stepped {
  const step = stepAt(index, run.place);
  if (step === undefined) return leaveField(index, run, moment);
  switch (run.asks?.type) {
    case undefined:
      return doneWith(index, run, step, moment);
    case "too_fast":
      return saidYes(index, run, moment);
    case "operation":
    case "unknown_outcome":
      return stay(run, { say: "needs_operation" });
    case "reading":
      return stay(run, { say: "needs_reading" });
    default:
      return stay(run, ...prompt(index, run));
  }
}

function doneWith(index: GuideIndex, run: GuideRun, step: GuideStep, moment: RunMoment): Stepped {
  switch (step.kind) {
    case "question":
      return stay(run, { say: "options", step: step.id });
    case "record":
      return stay(run, { say: "value_expected" });
    case "hold_point":
      return stay(run, { say: "needs_second", group: step.group });
    case "check":
    case "operate":
      return present(index, run, moment);
    default: {
      const isFast = step.critical === true && moment.atMs - run.sinceMs < (step.minSeconds ?? 0) * 1_000;
      if (isFast) return stay({ ...run, asks: { type: "too_fast" } }, { say: "too_fast" });
      return verify(index, run, step, moment);
    }
  }
}

/** The step's own question, where it has one, comes before the next step. */
function verify(index: GuideIndex, run: GuideRun, step: GuideStep, moment: RunMoment): Stepped {
  if (step.verificationPrompt === undefined) return pass(index, logged(run, moment, "done"), step, moment);
  return stay({ ...run, asks: { type: "verification" } }, { say: "verification", step: step.id });
}

export function saidYes(index: GuideIndex, run: GuideRun, moment: RunMoment): Stepped {
  const step = stepAt(index, run.place);
  const free = { ...run, asks: undefined };
  switch (run.asks?.type) {
    case "readback":
      return accept(index, free, run.asks.value, moment);
    case "quit":
      return stay(logged({ ...free, status: "quit" }, moment, "quit"), { say: "quit" });
    case "too_fast":
      return verify(index, logged(free, moment, "done_fast"), step!, moment);
    case "person":
      return pass(index, logged(free, moment, "answered", "yes"), step!, moment);
    case "verification":
      if (step!.verificationType === "text_input") return stay(run, { say: "value_expected" });
      return pass(index, logged(free, moment, "verified"), step!, moment);
    case undefined:
      return stay(run, { say: step === undefined ? "value_expected" : "say_done" });
    default:
      return stay(run, ...prompt(index, run));
  }
}

export function saidNo(index: GuideIndex, run: GuideRun, moment: RunMoment): Stepped {
  const free = { ...run, asks: undefined };
  const { asks } = run;
  switch (asks?.type) {
    case "quit":
    case "reason": {
      const back = { ...run, asks: asks.before };
      return run.status === "paused" ? stay(back, { say: "paused" }) : stay(back, ...prompt(index, back));
    }
    case "readback":
    case "too_fast":
      return stay(free, ...prompt(index, free));
    case "person":
    case "verification": {
      const step = stepAt(index, run.place)!;
      return go(index, logged(free, moment, "failed"), otherwiseId(step), moment);
    }
    case undefined:
      return stay(run, { say: run.place.type === "intake" ? "value_expected" : "say_done" });
    default:
      return stay(run, ...prompt(index, run));
  }
}

/** One of the options of a question, by its id. */
export function answered(index: GuideIndex, run: GuideRun, id: string, moment: RunMoment): Stepped {
  const step = stepAt(index, run.place);
  const option = step && optionsOf(step).find((one) => one.id === id);
  if (step === undefined || option === undefined || run.asks !== undefined)
    return stay(run, { say: "not_understood" }, ...prompt(index, run));
  return go(index, logged(run, moment, "answered", option.label), option.next, moment, { passed: step });
}

/** Digits of a label, a value that is recorded, words that a verification asks for. */
export function heardValue(
  index: GuideIndex,
  run: GuideRun,
  value: string | number,
  moment: RunMoment,
): Stepped {
  const step = stepAt(index, run.place);
  switch (run.asks?.type) {
    case "check_digit": {
      if (String(value) !== step!.checkDigit!.digits)
        return stay(run, { say: "wrong_digit", step: step!.id });
      return present(index, logged({ ...run, asks: undefined }, moment, "verified", String(value)), moment);
    }
    case "verification":
      if (step!.verificationType !== "text_input") return stay(run, ...prompt(index, run));
      return pass(
        index,
        logged({ ...run, asks: undefined }, moment, "verified", String(value)),
        step!,
        moment,
      );
    case "readback":
    case undefined:
      break;
    default:
      return stay(run, ...prompt(index, run));
  }
  const asked = valueAskedAt(index, run);
  if (asked === undefined) return stay(run, { say: "not_understood" }, ...prompt(index, run));
  if (asked.isNumber && typeof value !== "number") return stay(run, { say: "not_a_number" });
  const readback = { ...run, asks: { type: "readback", value } } as const;
  return stay(readback, ...prompt(index, readback));
}

/** A value that was heard rightly. */
function accept(index: GuideIndex, run: GuideRun, value: string | number, moment: RunMoment): Stepped {
  const step = stepAt(index, run.place) as StepOf<"record"> | undefined;
  if (step === undefined) {
    const values = { ...run.values, [nameOf(run.place)]: value };
    return leaveField(index, run, moment, values);
  }
  const values = { ...run.values, [step.variable]: value };
  if (isWithin(step, value))
    return pass(index, logged(run, moment, "recorded", String(value)), step, moment, values);
  const { max, min } = step;
  const told: Saying = { say: "out_of_range", min, max };
  const outOfRange = run.outOfRange + 1;
  const heard = logged({ ...run, outOfRange }, moment, "out_of_range", String(value));
  if (outOfRange < OUT_OF_RANGE_MAX) return stay(heard, told, ...prompt(index, heard));
  const moved = go(index, heard, otherwiseId(step), moment, { values });
  return { ...moved, says: [told, ...moved.says] };
}

function isWithin({ max, min }: StepOf<"record">, value: string | number): boolean {
  if (typeof value !== "number") return true;
  return value >= (min ?? Number.NEGATIVE_INFINITY) && value <= (max ?? Number.POSITIVE_INFINITY);
}

/** On to the next field of the intake, or to the first step; a field that is required stays until it has a value. */
function leaveField(index: GuideIndex, run: GuideRun, moment: RunMoment, values = run.values): Stepped {
  const { name, required } = fieldAt(index, run)!;
  if (run.asks !== undefined) return stay(run, ...prompt(index, run));
  if (values[name] === undefined && required !== false) return stay(run, { say: "value_expected" });
  const left = { ...run, values, wayBack: withPosition(run) };
  const told = values[name] === undefined ? left : logged(left, moment, "recorded", String(values[name]));
  return arrive(index, told, placeBehind(index, values, name), moment);
}
