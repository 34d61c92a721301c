/**
 * Walks a guide: which step is first, what follows a step, and what it belongs to. Pure functions over an index that is
 * built once. In a procedure a step without `next` goes on with the one listed behind it; in a tree nothing follows
 * unless it is named.
 */
import type { Guide, GuideOption, GuideStep } from "./guide.js";

export interface GuideIndex {
  readonly guide: Guide;
  /** By id; where two steps have one id, the first. */
  readonly steps: ReadonlyMap<string, GuideStep>;
  /** Where each id is listed, from 0. */
  readonly positions: ReadonlyMap<string, number>;
}

/** One way out of a step. `to` may name a step that does not exist. */
export interface WayOut {
  readonly via: "next" | "otherwise" | "option";
  readonly to: string;
  /** Of an option: which. */
  readonly option?: GuideOption;
}

export function indexGuide(guide: Guide): GuideIndex {
  // The first of two with one id comes last, and stays.
  const listed = [...guide.steps.entries()].toReversed();
  return {
    guide,
    steps: new Map(listed.map(([, step]) => [step.id, step])),
    positions: new Map(listed.map(([at, { id }]) => [id, at])),
  };
}

/** Whether nothing follows it. */
export function isTerminal({ kind }: GuideStep): boolean {
  return kind === "solution" || kind === "end";
}

/** Id of what follows a step that is done; undefined at its end, and of a question, whose options lead on. */
export function nextId({ guide, positions }: GuideIndex, step: GuideStep): string | undefined {
  if (step.kind === "question" || step.kind === "solution" || step.kind === "end") return undefined;
  if (step.next !== undefined || guide.flowType === "troubleshooting") return step.next;
  return guide.steps[positions.get(step.id)! + 1]?.id;
}

/** Id of where it goes on when a step failed or was not as expected. */
export function otherwiseId(step: GuideStep): string | undefined {
  return "otherwise" in step ? step.otherwise : undefined;
}

/** What can be answered to a step; of anything but a question, nothing. */
export function optionsOf(step: GuideStep): readonly GuideOption[] {
  return step.kind === "question" ? step.options : [];
}

/** All ways out of a step: its options or what follows it, then where it goes on otherwise. */
export function waysOut(index: GuideIndex, step: GuideStep): readonly WayOut[] {
  const [next, otherwise] = [nextId(index, step), otherwiseId(step)];
  return [
    ...optionsOf(step).map((option): WayOut => ({ via: "option", to: option.next, option })),
    ...(next === undefined ? [] : [{ via: "next", to: next } as const]),
    ...(otherwise === undefined ? [] : [{ via: "otherwise", to: otherwise } as const]),
  ];
}

/** The steps that can come right behind a step, each once, in the order of `waysOut`. */
export function successors(index: GuideIndex, step: GuideStep): readonly GuideStep[] {
  const ids = new Set(waysOut(index, step).map(({ to }) => to));
  return [...ids].flatMap((id) => index.steps.get(id) ?? []);
}

/** Ids of the steps that a run can come to, `from` itself too, without going on from one that `stops`. */
export function reached(
  index: GuideIndex,
  stops: (step: GuideStep) => boolean = () => false,
  from = index.guide.steps[0]!,
): ReadonlySet<string> {
  const seen = new Set<string>();
  const waiting = [from];
  for (let step = waiting.pop(); step !== undefined; step = waiting.pop()) {
    if (seen.has(step.id)) continue;
    seen.add(step.id);
    if (!stops(step)) waiting.push(...successors(index, step));
  }
  return seen;
}

/** Every text of a step that is said or shown, in which variables may stand. */
export function textsOf(step: GuideStep): readonly string[] {
  const own = [
    step.title,
    step.text,
    step.warning,
    step.expectedOutcome,
    step.verificationPrompt,
    step.helpText,
  ];
  return [
    ...own,
    ...(step.commands ?? []).flatMap(({ code, label }) => [code, label]),
    ...optionsOf(step).map(({ label }) => label),
    ...(step.kind === "solution" ? (step.resolutionSteps ?? []) : []),
    ...(step.kind === "check" || step.kind === "operate" ? [step.resource] : []),
  ].filter((text) => text !== undefined);
}

/** What a step reads, sets or has recorded: its unit, and the one number or the bounds that the guide names. */
export interface Measure {
  readonly unit?: string | undefined;
  readonly value?: number | undefined;
  readonly min?: number | undefined;
  readonly max?: number | undefined;
}

/** Undefined of a step that has nothing to do with numbers; a text that is recorded has its unit and bounds too. */
export function measureOf(step: GuideStep): Measure | undefined {
  if (step.kind === "check") return step.expect;
  return step.kind === "record" || step.kind === "operate" ? step : undefined;
}

const VARIABLE = /\[VAR:(\w{1,64})\]/g;

/** Names that a text asks for as `[VAR:name]`, each once. */
export function variablesIn(text: string): readonly string[] {
  return [...new Set([...text.matchAll(VARIABLE)].map(([, name]) => name!))];
}

/** A text as the rules of the ear read it: a variable is a name, whatever fills it. */
export function withNames(text: string): string {
  return text.replace(VARIABLE, "VAR");
}

/** A text with its variables put in; what is not known stays as it is. */
export function withVariables(text: string, values: ReadonlyMap<string, string>): string {
  return text.replace(VARIABLE, (written, name: string) => values.get(name) ?? written);
}
