/** Where a run can be and go, and what can be said there: fields of the intake, guarded steps, jumps. Pure. */
import {
  type GuideIndex,
  isTerminal,
  nextId,
  optionsOf,
  otherwiseId,
  reached,
  successors,
  textsOf,
  variablesIn,
} from "../schema/graph.js";
import type { Guide, GuideStep, IntakeField, StepOf } from "../schema/guide.js";
import type { Asks, FixedSaying, GuideRun, LogWhat, NamedAction, Position, RunPlace, Values } from "./run.js";

/** The fields of the intake in the order in which they are asked. */
export function fieldsOf({ guide }: GuideIndex): readonly IntakeField[] {
  return guide.intake.toSorted((a, b) => (a.order ?? 0) - (b.order ?? 0));
}

/** The place behind a field, or the first one: the next field that has no value yet, or the first step. */
export function placeBehind(index: GuideIndex, values: Values, from?: string): RunPlace {
  const fields = fieldsOf(index);
  const at = fields.findIndex(({ name }) => name === from);
  const next = fields.slice(at + 1).find(({ name }) => values[name] === undefined);
  return next === undefined
    ? { type: "step", id: index.guide.steps[0]!.id }
    : { type: "intake", field: next.name };
}

/** The field of the intake that a run is at; undefined at a step. */
export function fieldAt({ guide }: GuideIndex, { place }: Pick<GuideRun, "place">): IntakeField | undefined {
  return guide.intake.find(({ name }) => place.type === "intake" && name === place.field);
}

/** The value that is asked for where a run is; undefined: none is. */
export function valueAskedAt(index: GuideIndex, run: Pick<GuideRun, "place">) {
  const field = fieldAt(index, run);
  if (field !== undefined) return { isNumber: field.type === "number", unit: field.unit };
  const step = stepAt(index, run.place);
  return step?.kind === "record" ? { isNumber: step.valueType === "number", unit: step.unit } : undefined;
}

/** The step that a run is at; undefined in the intake. */
export function stepAt(index: GuideIndex, place: RunPlace): GuideStep | undefined {
  return place.type === "step" ? index.steps.get(place.id) : undefined;
}

/** Name of the place in the record. */
export function nameOf(place: RunPlace): string {
  return place.type === "step" ? place.id : place.field;
}

/** Whether a step may be passed only by being done. */
export function isGuarded(step: GuideStep): boolean {
  return step.kind === "hold_point" || step.critical === true;
}

/** Why a step may not be left out; undefined: it may. */
export function whyKept(index: GuideIndex, step: GuideStep) {
  if (step.kind === "hold_point") return "hold_point";
  if (step.critical === true) return "critical";
  if (step.kind === "question" || isTerminal(step)) return "needs_answer";
  if (step.kind === "record" && isUsed(index, step.variable)) return "needed_later";
  return undefined;
}

function isUsed({ guide }: GuideIndex, variable: string): boolean {
  return guide.steps.some((step) => textsOf(step).some((text) => variablesIn(text).includes(variable)));
}

/** Whether a way leads from a place to a step that passes nothing that warns, or is guarded, and is not done. */
export function mayJump(index: GuideIndex, { passed, place }: Position, to: string): boolean {
  const [from, target] = [stepAt(index, place), index.steps.get(to)];
  // A run is not over because somebody names its end.
  if (from === undefined || target === undefined || isTerminal(target)) return false;
  return from !== target && reached(index, stops, from).has(to);

  /** What is recorded or answered decides what comes: nobody jumps past it. */
  function stops(step: GuideStep): boolean {
    if (step.kind === "question" || step.warning !== undefined) return true;
    if (isGuarded(step)) return !passed.includes(step.id);
    return step.kind === "record" && isUsed(index, step.variable);
  }
}

/** Whether any way leads from a place to a step. */
export function leadsTo(index: GuideIndex, place: RunPlace, to: string): boolean {
  const from = stepAt(index, place);
  return from !== undefined && reached(index, () => false, from).has(to);
}

/** Whether it leads on by itself when it is come to again: the site was read there, or is as it was to be. */
export function leadsOn({ log }: GuideRun, place: RunPlace): boolean {
  const last = log.findLast(({ at, what }) => at === nameOf(place) && what !== "arrived");
  return place.type === "step" && LEADING_ON.has(last?.what);
}

const LEADING_ON: ReadonlySet<LogWhat | undefined> = new Set(["read", "operated", "already"] as const);

/** The steps that somebody counts who is led through them: neither headings nor ends. */
export function countedSteps({ steps }: Guide): readonly GuideStep[] {
  return steps.filter(({ kind }) => kind !== "section" && kind !== "end");
}

/** Which step it is, of those that are counted, and of how many; of a tree nobody knows how many. */
export function numberOf({ guide }: GuideIndex, run: GuideRun): { number: number; of: number | undefined } {
  if (guide.flowType === "troubleshooting" || run.place.type === "intake") {
    const before = run.wayBack.filter(({ place }) => place.type === run.place.type);
    return { number: before.length + 1, of: run.place.type === "intake" ? guide.intake.length : undefined };
  }
  const counted = countedSteps(guide);
  const at = counted.findIndex(({ id }) => id === nameOf(run.place));
  return { number: at < 0 ? counted.length : at + 1, of: counted.length };
}

/** Which step it is, as it is said. */
export function whereIs(index: GuideIndex, run: GuideRun): FixedSaying {
  const { number, of } = numberOf(index, run);
  if (of === undefined) return { say: "where_open", number: `${number}` };
  return { say: "where", number: `${number}`, count: `${of}` };
}

/** Who has to confirm a hold point. */
export function whoConfirms({ group }: StepOf<"hold_point">): FixedSaying {
  return group === undefined ? { say: "needs_second" } : { say: "needs_second_of", group };
}

/** What can always be said. */
const ALWAYS = ["repeat", "slower", "why", "where", "left", "pause", "help", "quit"] as const;

/** What answers each thing that is asked; a verification may ask for words. */
const ANSWERS: Readonly<Record<Asks["type"], readonly NamedAction[]>> = {
  check_digit: ["value"],
  readback: ["yes", "no"],
  too_fast: ["yes", "no"],
  verification: ["yes", "no"],
  person: ["yes", "no"],
  quit: ["yes", "no"],
  reason: ["note", "no"],
  reading: [],
  operation: [],
  unknown_outcome: [],
};

/** What moves the run on where it is, the likeliest first; what can always be said comes last. */
export function commandsAt(index: GuideIndex, run: GuideRun): readonly NamedAction[] {
  if (run.status === "paused") return ["resume", "where", "left", "help", "quit"];
  return [...answersAt(index, run), ...waysAt(index, run), ...ALWAYS];
}

function answersAt(index: GuideIndex, { asks, place }: GuideRun): readonly NamedAction[] {
  const step = stepAt(index, place);
  if (asks?.type === "verification" && step?.verificationType === "text_input") return ["value"];
  if (asks !== undefined) return ANSWERS[asks.type];
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
