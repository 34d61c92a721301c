/**
 * The stepper: a guide, a run of it and an event make the next run and what to say. It knows no clock, no model and no
 * network. Every event in every state has an answer; what is guarded (a hold point, a critical step) is passed by being
 * done and by nothing else.
 */
import { type GuideIndex, nextId, optionsOf, otherwiseId } from "../schema/graph.js";
import type { GuideStep, StepOf } from "../schema/guide.js";
import {
  commandsAt,
  fieldAt,
  leadsOn,
  leadsTo,
  mayJump,
  nameOf,
  numberOf,
  placeBehind,
  stepAt,
  valueAskedAt,
  whereIs,
  whoConfirms,
  whyKept,
} from "./places.js";
import {
  type Asks,
  type FixedSaying,
  type GuideRun,
  LOG_MAX,
  MISSES_MAX,
  type Omission,
  type RunAction,
  type RunEvent,
  type Stepped,
  type Values,
} from "./run.js";
import { Stepping, withUnit } from "./stepping.js";

/** Values out of range after which the run goes on where the guide says, or waits for somebody who knows. */
const OUT_OF_RANGE_MAX = 2;

/** A new run. `given`: what a form holds already, by the names of the intake's fields. */
export function beginRun(
  index: GuideIndex,
  { atMs, by, given = {} }: { readonly atMs: number; readonly by: string; readonly given?: Values },
): Stepped {
  const place = placeBehind(index, given);
  const run: GuideRun = {
    ...{ guide: index.guide.id, version: index.guide.version, user: by, status: "running", place },
    ...{ values: given, passed: [], asks: undefined, sinceMs: atMs, misses: 0, outOfRange: 0 },
    ...{ wayBack: [], log: [] },
  };
  const now = new Stepping(index, run, { atMs, by });
  now.log("started").arrive(place);
  return now.stepped;
}

/** The run after `event`, and what to say. */
export function stepRun(index: GuideIndex, run: GuideRun, event: RunEvent): Stepped {
  const now = new Stepping(index, run, { atMs: event.atMs, by: event.by });
  if (run.status === "done" || run.status === "quit") now.say({ say: "over" });
  else if (event.type === "heard") now.set(event.by === run.user ? { heardMs: event.atMs } : {});
  else if (run.log.length >= LOG_MAX) {
    now.set({ status: "quit" }).free().log("quit");
    now.say({ say: "record_full" });
  } else if (!mayAct(run, event)) now.say({ say: "not_yours" });
  else if (run.status === "paused" && !isForPause(run, event)) now.say({ say: "paused" });
  else if (event.type === "noise") missed(now);
  else {
    const isReply = REPLY_TYPES.has(event.type);
    const isAside = run.asks !== undefined && !isReply && event.by === run.user;
    const forgets = isAside ? { heardMs: undefined } : {};
    now.set({ ...forgets, misses: 0, asks: stillAsked(run, event) });
    if (isReply && isUnheard(now, event)) now.prompt();
    else handle(now, event);
  }
  return now.stepped;
}

/** What answers a question: after anything else it is asked once more before an answer counts. */
const REPLY_TYPES: ReadonlySet<RunAction["type"]> = new Set<RunAction["type"]>([
  ...(["next", "yes", "no", "value", "answer"] as const),
]);

/** What counts only where who says it had heard to its end what it answers, by what is asked. */
const HEARD_FIRST: Readonly<Partial<Record<Asks["type"] | "step" | "field", readonly RunAction["type"][]>>> =
  {
    step: ["next", "yes", "value", "answer"],
    field: ["next"],
    readback: ["yes"],
    too_fast: ["next", "yes"],
    verification: ["yes", "no", "value"],
    person: ["yes", "no"],
    quit: ["yes"],
  };

function isUnheard({ run, step }: Stepping, { atMs, saidMs = atMs, type }: RunEvent): boolean {
  const isSite = step?.kind === "check" || step?.kind === "operate";
  const own = step === undefined ? "field" : "step";
  const what = run.asks?.type ?? (isSite ? undefined : own);
  if (what === undefined || HEARD_FIRST[what]?.includes(type) !== true) return false;
  return run.heardMs === undefined || run.heardMs > saidMs;
}

/** Only who works moves the run; a second person seconds, and sites answer for themselves. */
function mayAct({ user }: GuideRun, { by, type }: RunEvent): boolean {
  return by === user || type === "second" || type === "reading" || type === "operated";
}

const IN_PAUSE: ReadonlySet<RunAction["type"]> = new Set<RunAction["type"]>([
  ...(["resume", "where", "left", "commands", "help", "quit", "note"] as const),
  ...(["hand_over", "operated", "noise"] as const),
]);

/** Whether a paused run takes it; of yes and no, those alone that say whether it is to end. */
function isForPause({ asks }: GuideRun, { type }: RunEvent): boolean {
  return IN_PAUSE.has(type) || (asks?.type === "quit" && (type === "yes" || type === "no"));
}

/** What was asked by the way is dropped by anything that does not answer it. */
function stillAsked({ asks }: GuideRun, { type }: Pick<RunEvent, "type">): Asks | undefined {
  const answers = { quit: ["yes", "no"], reason: ["leave_out", "note", "no"] };
  const isAside = asks?.type === "quit" || asks?.type === "reason";
  return isAside && !answers[asks.type].includes(type) ? asks.before : asks;
}

/** What leaves a step: nobody does while something is being done to the site. */
const LEAVES: ReadonlySet<RunAction["type"]> = new Set<RunAction["type"]>([
  ...(["back", "jump", "leave_out", "failed"] as const),
]);

function handle(now: Stepping, event: RunEvent): void {
  const { run, step } = now;
  if (run.asks?.type === "operation" && LEAVES.has(event.type)) return now.say({ say: "needs_operation" });
  switch (event.type) {
    case "next":
    case "yes":
    case "no":
      return reply(now, event.type, "");
    case "value":
      return reply(now, "value", event.value);
    case "answer":
      return answered(now, event.option);
    case "back": {
      const at = run.wayBack.findLastIndex(({ place }) => !leadsOn(run, place));
      if (at < 0) return now.say({ say: "nothing_before" });
      return now.backTo(at).log("back").arrive();
    }
    case "jump":
      return jump(now, event.step);
    case "leave_out":
      return leaveOut(now, event.left, event.reason);
    case "failed":
      if (step === undefined) return now.say({ say: "value_expected" });
      return now.free().log("failed").go(otherwiseId(step));
    case "second":
      return seconded(now, event.groups);
    case "reading":
      return read(now, event);
    case "operated":
      return operated(now, event);
    case "note":
      if (run.asks?.type === "reason") return leaveOut(now, run.asks.left, event.text);
      now.log("note", event.text);
      return now.say({ say: "noted" });
    case "pause":
      return pause(now);
    case "resume":
      return resume(now);
    case "quit":
      return now.set({ asks: { type: "quit", before: run.asks } }).prompt();
    case "hand_over":
      now.set({ user: event.to, heardMs: undefined }).log("handed_over", event.to);
      return now.say({ say: "handed_over", name: event.to });
    case "help":
      now.log("help");
      return now.say({ say: event.isCalled === false ? "help_nobody" : "help_called" });
    case "aside":
      return comeBack(now);
    case "repeat":
      if (event.step === undefined) return now.prompt();
      return now.say({ say: "step", step: event.step, slowly: false });
    default:
      return tell(now, event.type);
  }
}

/** Behind what was said of something else, what waits for an answer is asked once more. */
function comeBack(now: Stepping): void {
  const { index, run, step } = now;
  const { number } = numberOf(index, run);
  now.say(step === undefined ? { say: "back_to_form" } : { say: "back_to", number: `${number}` });
  const isAnswered = step === undefined || ["question", "record"].includes(step.kind);
  if (isAnswered || (run.asks !== undefined && run.asks.type !== "unknown_outcome")) now.prompt();
}

/** What a run tells of itself without moving: the step again, where it is, what is left, what can be said. */
function tell(now: Stepping, type: RunAction["type"]): void {
  const { index, run, step } = now;
  switch (type) {
    case "values":
    case "why":
    case "options":
      return step === undefined ? now.prompt() : now.say({ say: type, step: step.id });
    case "where":
      return now.say(whereIs(index, run));
    case "left": {
      const { number, of } = numberOf(index, run);
      // Of a tree, or in the intake, nobody knows how many.
      if (of === undefined || step === undefined) return now.say({ say: "left_unknown" });
      return now.say({ say: "left", count: `${of - number}` });
    }
    case "commands":
      return now.say({ say: "commands", commands: commandsAt(index, run) });
    default:
      return now.prompt(type === "slower");
  }
}

/** What is said to what is asked. `step`: where the run is; only a form is filled in elsewhere. */
type Reply = (now: Stepping, said: string | number, step: GuideStep) => void;
type Replies = Readonly<Partial<Record<"next" | "yes" | "no" | "value", Reply>>>;

/** What each thing that is asked takes for an answer; to anything else it is asked again. */
const REPLIES: Readonly<Record<Asks["type"], Replies>> = {
  check_digit: {
    value(now, digits, step) {
      if (String(digits) !== step.checkDigit!.digits) return now.say({ say: "wrong_digit", step: step.id });
      now.free().log("verified", String(digits)).present();
    },
  },
  readback: { yes: accepted, no: askedAfresh, value: readBack },
  too_fast: { next: doneFast, yes: doneFast, no: askedAfresh },
  verification: {
    yes(now, _, step) {
      if (step.verificationType === "text_input") return now.say({ say: "value_expected" });
      verified(now, step);
    },
    no: denied,
    value(now, words, step) {
      if (step.verificationType !== "text_input") return now.prompt();
      verified(now, step, String(words));
    },
  },
  person: { yes: (now, _, step) => now.free().log("answered", "yes").verify(step), no: denied },
  reason: { no: takenBack },
  quit: {
    yes(now) {
      now.set({ status: "quit" }).free().log("quit");
      now.say({ say: "quit" });
    },
    no: takenBack,
  },
  reading: { next: (now) => now.say({ say: "needs_reading" }) },
  operation: { next: (now) => now.say({ say: "needs_operation" }) },
  unknown_outcome: { next: (now) => now.say({ say: "needs_operation" }) },
};
/** The same where nothing is, but for the step itself. */
const TO_THE_STEP: Replies = { next: done, yes: sayDone, no: sayDone, value: readBack };

function reply(now: Stepping, type: keyof Replies, said: string | number): void {
  const { asks } = now.run;
  const own = (asks === undefined ? TO_THE_STEP : REPLIES[asks.type])[type];
  if (own === undefined) now.prompt();
  else own(now, said, now.step!);
}

/** "Done", "next". */
function done(now: Stepping): void {
  const { moment, run, step } = now;
  if (step === undefined) return leaveField(now);
  switch (step.kind) {
    case "question":
      return now.say({ say: "options", step: step.id });
    case "record":
      return now.say({ say: "value_expected" });
    case "hold_point":
      return now.say(whoConfirms(step));
    case "check":
    case "operate":
      return now.present();
    default: {
      const isFast = step.critical === true && moment.atMs - run.sinceMs < (step.minSeconds ?? 0) * 1_000;
      if (!isFast) return carriedOut(now, step);
      return now
        .log("done_fast")
        .set({ asks: { type: "too_fast" } })
        .prompt();
    }
  }
}

/** Its own question confirms that a step is done: without one, what was said does. */
function carriedOut(now: Stepping, step: GuideStep): void {
  if (step.verificationPrompt === undefined) now.log("done");
  now.verify(step);
}

function doneFast(now: Stepping, _: unknown, step: GuideStep): void {
  carriedOut(now.free(), step);
}

/** What the step's own question asks is so. */
function verified(now: Stepping, step: GuideStep, words?: string): void {
  const { asks } = now.run;
  const to = asks?.type === "verification" ? asks.to : undefined;
  now.free().log("verified", words).pass(step, to);
}

function sayDone(now: Stepping): void {
  if (now.step?.kind === "instruct") now.say({ say: "say_done" });
  else if (now.step === undefined) now.say({ say: "value_expected" });
  else done(now);
}

function askedAfresh(now: Stepping): void {
  now.free().prompt();
}

function denied(now: Stepping, _: unknown, step: GuideStep): void {
  now.free().log("failed").go(otherwiseId(step));
}

/** Neither left out nor ended. */
function takenBack(now: Stepping): void {
  const { asks } = now.run;
  if (asks?.type === "quit" || asks?.type === "reason") now.set({ asks: asks.before });
  if (now.run.status === "paused") now.say({ say: "paused" });
  else now.prompt();
}

/** A value is said back before it counts. */
function readBack(now: Stepping, value: string | number): void {
  const asked = valueAskedAt(now.index, now.run);
  if (asked === undefined) now.say({ say: "not_understood" });
  else if (asked.isNumber && typeof value !== "number") return now.say({ say: "not_a_number" });
  else now.set({ asks: { type: "readback", value } });
  now.prompt();
}

/** A value that was heard rightly. */
function accepted(now: Stepping): void {
  const { asks, place, values: before } = now.run;
  if (asks?.type !== "readback") return;
  const step = now.free().step as StepOf<"record"> | undefined;
  const { value } = asks;
  const values = { ...before, [step?.variable ?? nameOf(place)]: value };
  if (step === undefined) return leaveField(now, values);
  if (isWithin(step, value)) return now.log("recorded", String(value)).verify(step, { values });
  const outOfRange = now.run.outOfRange + 1;
  now.set({ outOfRange }).log("out_of_range", String(value));
  now.say(rangeOf(step));
  if (outOfRange < OUT_OF_RANGE_MAX) now.prompt();
  else now.go(otherwiseId(step), { values });
}

function rangeOf(step: StepOf<"record">): FixedSaying {
  const [low, high] = [step.min ?? "", step.max ?? ""];
  if (low === "") return { say: "out_of_range_at_most", high: withUnit(high, step) };
  if (high === "") return { say: "out_of_range_at_least", low: withUnit(low, step) };
  return { say: "out_of_range_between", low: `${low}`, high: withUnit(high, step) };
}

function isWithin({ max, min }: StepOf<"record">, value: string | number): boolean {
  if (typeof value !== "number") return true;
  return value >= (min ?? Number.NEGATIVE_INFINITY) && value <= (max ?? Number.POSITIVE_INFINITY);
}

/** On to the next field of the intake, or to the first step; a field that is required stays until it has a value. */
function leaveField(now: Stepping, values = now.run.values): void {
  const { name, required } = fieldAt(now.index, now.run)!;
  const value = values[name];
  if (value === undefined && required !== false) return now.say({ say: "value_expected" });
  if (value !== undefined) now.log("recorded", String(value));
  now.leave({ values }, placeBehind(now.index, values, name));
}

/** One of the options of a question, by its id. */
function answered(now: Stepping, id: string): void {
  const { run, step } = now;
  const option = step && optionsOf(step).find((one) => one.id === id);
  if (option !== undefined && run.asks === undefined)
    return now.log("answered", option.label).verify(step!, { to: option.next });
  now.say({ say: "not_understood" });
  now.prompt();
}

function jump(now: Stepping, to: string): void {
  const { index, run } = now;
  if (!index.steps.has(to)) return now.say({ say: "no_such_step" });
  const at = run.wayBack.findLastIndex(({ place }) => stepAt(index, place)?.id === to);
  if (at >= 0) return now.log("jumped", to).backTo(at).arrive();
  if (mayJump(index, run, to)) return now.log("jumped", to).go(to);
  // What was passed by a jump is gone back to from where that was made; it does not lie ahead.
  const from = run.wayBack.findLastIndex((before) => mayJump(index, before, to));
  if (from < 0 || leadsTo(index, run.place, to)) return now.say({ say: "may_not_jump" });
  now.log("jumped", to).backTo(from).go(to);
}

function leaveOut(now: Stepping, left: Omission, reason: string | undefined): void {
  const { index, run, step } = now;
  if (step === undefined) return reply(now, "next", "");
  const why = whyKept(index, step);
  if (why !== undefined) return now.say({ say: `keep_${why}` });
  if (reason !== undefined) return now.log(left, reason).go(nextId(index, step));
  const before = run.asks?.type === "reason" ? run.asks.before : run.asks;
  now.set({ asks: { type: "reason", left, before } }).prompt();
}

function seconded(now: Stepping, groups: readonly string[]): void {
  const { moment, run, step } = now;
  if (step?.kind !== "hold_point") return now.say({ say: "not_yours" });
  if (run.asks !== undefined) return now.prompt();
  const belongs = step.group === undefined || groups.includes(step.group);
  if (moment.by === run.user || !belongs) return now.say(whoConfirms(step));
  now.log("seconded").verify(step);
}

function read(now: Stepping, { fits, said }: RunEvent & { readonly type: "reading" }): void {
  const { run, step } = now;
  if (step?.kind !== "check" || run.asks?.type !== "reading") return;
  if (said === undefined) {
    const isAsked = step.text !== undefined;
    now.set({ asks: isAsked ? { type: "person" } : undefined }).log("not_read");
    now.say({ say: "not_read" });
    return isAsked ? now.prompt() : undefined;
  }
  now.free().log("read", said);
  now.say({ say: "reading", text: said, fits });
  if (fits) now.verify(step);
  else now.go(otherwiseId(step));
}

function operated(now: Stepping, { outcome }: RunEvent & { readonly type: "operated" }): void {
  const { run, step } = now;
  if (step?.kind !== "operate" || run.asks?.type !== "operation") return;
  const isDone = outcome === "verified" || outcome === "already";
  now.set({ asks: outcome === "unknown" ? { type: "unknown_outcome" } : undefined });
  if (outcome === "already") now.log("already");
  else now.log(isDone ? "operated" : "not_operated", outcome);
  now.say({ say: `operated_${outcome}` });
  if (isDone) now.verify(step);
  else now.go(otherwiseId(step));
}

function pause(now: Stepping): void {
  const asks = stillAsked(now.run, { type: "pause" });
  now.set({ status: "paused", pausedMs: now.moment.atMs, asks, heardMs: undefined }).log("paused");
  now.say({ say: "paused" });
}

function resume(now: Stepping): void {
  const { moment, run } = now;
  if (run.status !== "paused") return now.prompt();
  const sinceMs = run.sinceMs + (moment.atMs - (run.pausedMs ?? moment.atMs));
  now.set({ status: "running", pausedMs: undefined, sinceMs, heardMs: undefined }).log("resumed");
  now.say({ say: "resumed" });
  now.present();
}

/** The second time the commands are said as well; the third time the run is paused, so that nobody is led by noise. */
function missed(now: Stepping): void {
  const { index, run } = now;
  if (run.status === "paused") return now.say({ say: "paused" });
  const misses = run.misses + 1;
  if (misses >= MISSES_MAX) return pause(now.set({ misses: 0 }));
  now.set({ misses }).say({ say: "not_understood" });
  now.prompt();
  if (misses > 1) now.say({ say: "commands", commands: commandsAt(index, run) });
}
