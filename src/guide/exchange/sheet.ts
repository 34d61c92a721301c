/** A guide as a sheet of paper has it: numbered steps under their sections. Markdown and HTML are made of it. */
import { fieldsOf } from "../run/places.js";
import { type GuideIndex, indexGuide, measureOf, nextId, optionsOf, otherwiseId } from "../schema/graph.js";
import type { Guide, GuideStep } from "../schema/guide.js";

/** How each part of a sheet is written in some form. */
export interface Paper<T> {
  section(heading: string): T;
  step(heading: string, parts: readonly T[]): T;
  warning(text: string): T;
  text(text: string): T;
  code(text: string): T;
  facts(facts: readonly SheetFact[]): T;
}
export type SheetFact = readonly [label: string, value: string];

/** What stands below the name of a guide. */
export function sheetOf<T>(guide: Guide, paper: Paper<T>): readonly T[] {
  const index = indexGuide(guide);
  const numbers = stepNumbers(guide);
  const { description, flowType, origin, owner, status, version } = guide;
  const intake = fieldsOf(index).map(({ label, name, placeholder, required, unit }) => {
    const need = required === false ? "optional" : undefined;
    return [label, listed([`[VAR:${name}]`, placeholder, unit, need])] as const;
  });
  return [
    ...(description === undefined ? [] : [paper.text(description)]),
    ...factsOn(paper, [
      ["Kind", flowType],
      ["Version", `${version}, ${status}`],
      ["Owner", owner],
      ["Imported from", origin && listed([origin.file, origin.format, origin.version])],
      ["Tags", listed([...guide.categories, ...guide.tags])],
    ]),
    ...(intake.length === 0 ? [] : [paper.section("Before you begin")]),
    ...factsOn(paper, intake),
    ...guide.steps.flatMap((step) => stepOn(paper, step, numbers, stepFacts(index, numbers, step))),
  ];
}

/** The numbers of the steps by id, from 1; sections have none. */
export function stepNumbers({ steps }: Guide): ReadonlyMap<string, number> {
  const ids = new Set(steps.flatMap(({ id, kind }) => (kind === "section" ? [] : id)));
  return new Map([...ids].map((id, at) => [id, at + 1]));
}

function stepOn<T>(
  paper: Paper<T>,
  { commands = [], id, kind, text, title, warning }: GuideStep,
  numbers: ReadonlyMap<string, number>,
  facts: readonly PossibleFact[],
): readonly T[] {
  const heading = title ?? text ?? id;
  const parts = [
    ...(warning === undefined ? [] : [paper.warning(warning)]),
    ...(title === undefined || text === undefined ? [] : [paper.text(text)]),
    ...commands.map(({ code }) => paper.code(code)),
    ...factsOn(paper, facts),
  ];
  if (kind === "section") return [paper.section(heading), ...parts];
  return [paper.step(`${numbers.get(id)}. ${heading}`, parts)];
}

function stepFacts(
  index: GuideIndex,
  numbers: ReadonlyMap<string, number>,
  step: GuideStep,
): readonly PossibleFact[] {
  const { checkDigit, id, kind, minSeconds, source } = step;
  const place = (to: string) => `step ${numbers.get(to) ?? to}`;
  const [next, otherwise] = [nextId(index, step), otherwiseId(step)];
  const [number = 0, following] = [numbers.get(id), numbers.get(next ?? "")];
  const goesOn = kind !== "section" && following !== undefined && following !== number + 1;
  const resolved = kind === "solution" ? (step.resolutionSteps ?? []) : [];
  return [
    ["Check digits", checkDigit && `${checkDigit.digits} on ${checkDigit.place}`],
    ...doneBy(step),
    ...optionsOf(step).map(({ label, next: to }) => [label, place(to)] as const),
    ["Not before", minSeconds === undefined ? undefined : `${minSeconds} s`],
    ["Expected", step.expectedOutcome],
    ["Confirm", step.verificationPrompt],
    ["Minutes", step.estimatedMinutes?.toString()],
    ["Help", step.helpText],
    ...resolved.map((done) => ["Done", done] as const),
    ["Source", source && listed([source.document, source.revision, source.place])],
    ["More", step.referenceUrl],
    ["Then", goesOn ? `step ${following}` : undefined],
    ["Otherwise", otherwise && place(otherwise)],
  ];
}

/** What a step of a kind of its own does. */
function doneBy(step: GuideStep): readonly PossibleFact[] {
  const { max, min, unit = "", value } = measureOf(step) ?? {};
  const range = rangeText(min, max, unit);
  switch (step.kind) {
    case "check":
      return [
        ["Read", `${step.signal} of ${step.resource}`],
        ["Wanted", step.expect?.equals?.toString() ?? range],
      ];
    case "operate": {
      const amount = value === undefined ? "" : `${value} ${unit}`;
      return [["Operate, with consent", `${step.action} ${step.resource} ${amount}`.trim()]];
    }
    case "record":
      return [["Record", listed([`[VAR:${step.variable}]`, range ?? unit])]];
    case "hold_point":
      return [["Second person", step.group ?? "anybody else"]];
    default:
      return [];
  }
}

function rangeText(min: number | undefined, max: number | undefined, unit: string): string | undefined {
  if (min === undefined && max === undefined) return undefined;
  const numbers = [min, max].filter((one) => one !== undefined).join(" to ");
  const bound = min === undefined ? "at most " : max === undefined ? "at least " : "";
  return `${bound}${numbers} ${unit}`.trim();
}

/** Without a value it is left out. */
type PossibleFact = readonly [label: string, value: string | undefined];

function factsOn<T>(paper: Paper<T>, possible: readonly PossibleFact[]): readonly T[] {
  const facts = possible.flatMap(([label, value]) => (value ? [[label, value] as const] : []));
  return facts.length === 0 ? [] : [paper.facts(facts)];
}

function listed(parts: readonly (string | undefined)[]): string {
  return parts.filter(Boolean).join(", ");
}
