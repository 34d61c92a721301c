/** A scenario and a seed to what each user does and when, in full: the same every time. Pure. */
import { type Random, seededRandom } from "../lib/random.js";
import {
  type Crew,
  type Durations,
  GARBAGE,
  type GarbageKind,
  type RelayEvent,
  type Scenario,
  type Step,
  type StepExpectation,
} from "./scenario.js";

export type UserAction =
  | { readonly type: "ask"; readonly text: string }
  /** Spoken; `hold`: the button is not released. */
  | { readonly type: "say"; readonly text: string; readonly hold: boolean }
  | { readonly type: "play"; readonly file: string; readonly hold: boolean }
  | { readonly type: "press"; readonly forMs: number; readonly hold: boolean }
  | { readonly type: "do"; readonly command: NonNullable<Step["do"]> }
  /** Undefined: removed. */
  | { readonly type: "write"; readonly files: Readonly<Record<string, string | undefined>> }
  | { readonly type: "jump"; readonly byMs: number }
  | { readonly type: "move"; readonly relay: string }
  | { readonly type: "cut_off"; readonly forMs: number };

/** When a step begins. The delay counts from the end of all steps before, or from the last one's beginning or first sound. */
export type When =
  | { readonly type: "at"; readonly atMs: number }
  | { readonly type: "after" | "after_start" | "after_sound"; readonly delayMs: number };

export interface PlannedStep {
  readonly action: UserAction;
  readonly when: When;
  readonly answer: "voice" | "text";
  readonly expect: StepExpectation | undefined;
  /** What is kept of the answer, by name. */
  readonly keep?: Readonly<Record<string, RegExp>> | undefined;
}

/** Steps in a row; it begins at `atMs`, or when the activity before it is over. */
export interface Activity {
  readonly atMs: number;
  readonly steps: readonly PlannedStep[];
}

export interface PlannedUser {
  readonly network: string;
  readonly username: string;
  readonly groups: readonly string[];
  readonly features: readonly string[];
  readonly mode: string | undefined;
  readonly language: string | undefined;
  /** Where the user is at first. */
  readonly relay: string;
  readonly activities: readonly Activity[];
  /** All that has been called for this user in the end; undefined: nothing is said of it. */
  readonly done?: readonly string[] | undefined;
}

export interface PlannedRelayEvent {
  readonly atMs: number;
  readonly relay: string;
  readonly does:
    | {
        readonly type: "disconnect";
        /** Absent: it does not come back. */
        readonly awayMs: number | undefined;
        readonly usersTo: readonly string[];
        readonly withinMs: number;
      }
    | { readonly type: "garbage"; readonly kind: GarbageKind }
    | { readonly type: "stop_reading"; readonly forMs: number };
}

export interface ScenarioPlan {
  readonly durationMs: number;
  /** How long users wait for anything. */
  readonly patienceMs: number;
  readonly users: readonly PlannedUser[];
  readonly relayEvents: readonly PlannedRelayEvent[];
}

/** Users of all crews together, and what they do: a limit against a slip of the keyboard. */
const ACTIVITIES_MAX = 1_000_000;

/** Throws `RangeError` when the scenario comes to more than can be played. */
export function planOf(scenario: Scenario, seed: number): ScenarioPlan {
  const users: PlannedUser[] = [];
  for (const [i, crew] of scenario.users.entries()) {
    for (let number = 1; number <= crew.count; number++)
      users.push(plannedUser(crew, number, scenario, seededRandom(mix(seed, i, number))));
  }
  const relayEvents = scenario.timeline
    .flatMap((event, i) => plannedRelayEvents(event, scenario, seededRandom(mix(seed, -1, i))))
    .toSorted((a, b) => a.atMs - b.atMs);
  return { durationMs: scenario.duration, patienceMs: scenario.patience, users, relayEvents };
}

/** A seed of its own for each user, so that one more in one crew changes nothing for the others. */
function mix(seed: number, group: number, member: number): number {
  return Math.imul(seed ^ Math.imul(group + 2, 0x9e3779b1), 0x85ebca6b) ^ Math.imul(member + 1, 0xc2b2ae35);
}

function plannedUser(crew: Crew, number: number, scenario: Scenario, random: Random): PlannedUser {
  const { name, count, done, groups, features, mode, language, relays } = crew;
  return {
    network: crew.network ?? scenario.network,
    username: count === 1 ? name : `${name}-${number}`,
    groups,
    features,
    mode,
    language,
    relay: relays[(number - 1) % relays.length]!,
    activities: activitiesOf(crew, scenario, random),
    done,
  };
}

function activitiesOf(crew: Crew, scenario: Scenario, random: Random): Activity[] {
  const { from, until = scenario.duration, every, does, steps } = crew;
  if (steps !== undefined) return [{ atMs: from, steps: plannedSteps(steps, crew, scenario, random) }];
  if (every === undefined || does === undefined) return [];
  const activities: Activity[] = [];
  // The first time comes sooner, so that a crew does not begin with a pause in which nobody speaks.
  let atMs = from + random.fraction() * every.toMs;
  for (; atMs < until; atMs += Math.max(1, between(every, random))) {
    if (activities.length >= ACTIVITIES_MAX)
      throw new RangeError(`${crew.name} does too much: a longer every is needed`);
    activities.push({ atMs, steps: plannedSteps(weighted(does, random).steps, crew, scenario, random) });
  }
  return activities;
}

function plannedSteps(steps: readonly Step[], crew: Crew, scenario: Scenario, random: Random): PlannedStep[] {
  return steps.map((step) => {
    const list = step.ask_from ?? step.say_from;
    const drawn = list === undefined ? undefined : pick(scenario.questions[list]!, random);
    const expects = [crew.expect, drawn?.expect, step.expect];
    return {
      action: actionOf(step, drawn?.ask),
      when: whenOf(step, random),
      answer: step.answer ?? crew.answer,
      // What is merely done (a cancel, a move) is held to what it says itself.
      expect: isQuestion(step) ? expects.reduce(narrowed, undefined) : step.expect,
      keep: step.keep,
    };
  });
}

function isQuestion(step: Step): boolean {
  return step.do === undefined && step.move === undefined;
}

/** What is said more closely counts: field by field, or as a whole where there are alternatives. */
function narrowed(
  wide: StepExpectation | undefined,
  close: StepExpectation | undefined,
): StepExpectation | undefined {
  if (close === undefined) return wide;
  if (wide === undefined || "any_of" in wide || "any_of" in close) return close;
  return { ...wide, ...close };
}

function actionOf(step: Step, drawn: string | undefined): UserAction {
  const { hold = false } = step;
  if (step.ask !== undefined) return { type: "ask", text: step.ask };
  if (step.ask_from !== undefined && drawn !== undefined) return { type: "ask", text: drawn };
  if (step.say !== undefined) return { type: "say", text: step.say, hold };
  if (step.say_from !== undefined && drawn !== undefined) return { type: "say", text: drawn, hold };
  if (step.audio !== undefined) return { type: "play", file: step.audio, hold };
  if (step.press !== undefined) return { type: "press", forMs: step.press, hold };
  if (step.move !== undefined) return { type: "move", relay: step.move };
  if (step.cut_off !== undefined) return { type: "cut_off", forMs: step.cut_off };
  if (step.do !== undefined) return { type: "do", command: step.do };
  if (step.write !== undefined) return { type: "write", files: step.write };
  if (step.remove !== undefined) return { type: "write", files: { [step.remove]: undefined } };
  if (step.set_clock !== undefined) return { type: "jump", byMs: step.set_clock };
  throw new Error("a step says nothing that could be done");
}

function whenOf(step: Step, random: Random): When {
  if (step.at !== undefined) return { type: "at", atMs: step.at };
  if (step.after_start !== undefined)
    return { type: "after_start", delayMs: between(step.after_start, random) };
  if (step.after_sound !== undefined)
    return { type: "after_sound", delayMs: between(step.after_sound, random) };
  return { type: "after", delayMs: step.after === undefined ? 0 : between(step.after, random) };
}

function plannedRelayEvents(event: RelayEvent, { duration }: Scenario, random: Random): PlannedRelayEvent[] {
  const { at, every, until = duration, relay } = event;
  const events: PlannedRelayEvent[] = [];
  for (let atMs = at; atMs < Math.max(until, at + 1); ) {
    if (events.length >= ACTIVITIES_MAX)
      throw new RangeError(`${relay} does too much: a longer every is needed`);
    events.push({ atMs, relay, does: doesOf(event, random) });
    if (every === undefined) break;
    atMs += Math.max(1, between(every, random));
  }
  return events;
}

function doesOf(event: RelayEvent, random: Random): PlannedRelayEvent["does"] {
  switch (event.does) {
    case "disconnect":
      return { type: "disconnect", awayMs: event.for, usersTo: event.users_to ?? [], withinMs: event.within };
    case "garbage":
      return { type: "garbage", kind: pick(event.kinds ?? GARBAGE, random) };
    case "stop_reading":
      return { type: "stop_reading", forMs: event.for ?? 0 };
  }
}

function between({ fromMs, toMs }: Durations, random: Random): number {
  return fromMs + random.fraction() * (toMs - fromMs);
}

function pick<T>(items: readonly T[], random: Random): T {
  return items[Math.floor(random.fraction() * items.length)]!;
}

function weighted<T extends { readonly weight: number }>(items: readonly T[], random: Random): T {
  let left = random.fraction() * items.reduce((sum, { weight }) => sum + weight, 0);
  for (const item of items) {
    left -= item.weight;
    if (left < 0) return item;
  }
  return items.at(-1)!;
}
