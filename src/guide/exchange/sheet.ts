/** A guide as a sheet of paper has it: numbered steps under their sections. Markdown and HTML are made of it. */
import { fieldsOf } from "../run/places.js";
import { type GuideIndex, indexGuide, nextId, optionsOf, otherwiseId } from "../schema/graph.js";
import type { Guide, GuideStep } from "../schema/guide.js";

export interface Sheet {
  readonly name: string;
  readonly description?: string | undefined;
  /** Such as "Maintenance procedure, version 3, draft". */
  readonly facts: readonly SheetFact[];
  /** What has to be known before the first step. */
  readonly intake: readonly SheetFact[];
  readonly steps: readonly SheetStep[];
}

export type SheetFact = readonly [label: string, value: string];

export interface SheetStep {
  /** From 1; absent: a section. */
  readonly number?: number | undefined;
  readonly heading: string;
  readonly warning?: string | undefined;
  readonly text?: string | undefined;
  readonly commands: readonly string[];
  readonly facts: readonly SheetFact[];
}

export function sheetOf(guide: Guide): Sheet {
  const index = indexGuide(guide);
  const numbers = stepNumbers(guide);
  const { description, flowType, name, origin, owner, status, version } = guide;
  return {
    name,
    description,
    facts: told([
      ["Kind", flowType],
      ["Version", `${version}, ${status}`],
      ["Owner", owner],
      ["Imported from", origin && listed([origin.file, origin.format, origin.version])],
      ["Tags", listed([...guide.categories, ...guide.tags])],
    ]),
    intake: fieldsOf(index).map(({ label, name: variable, placeholder, required, unit }) => {
      const need = required === false ? "optional" : undefined;
      return [label, listed([`[VAR:${variable}]`, placeholder, unit, need])];
    }),
    steps: guide.steps.map((step) => sheetStep(index, numbers, step)),
  };
}

/** The numbers of the steps by id, from 1; sections have none. */
export function stepNumbers({ steps }: Guide): ReadonlyMap<string, number> {
  const numbers = new Map<string, number>();
  for (const { id, kind } of steps)
    if (kind !== "section" && !numbers.has(id)) numbers.set(id, numbers.size + 1);
  return numbers;
}

function sheetStep(index: GuideIndex, numbers: ReadonlyMap<string, number>, step: GuideStep): SheetStep {
  const number = step.kind === "section" ? undefined : numbers.get(step.id);
  const place = (id: string) => `step ${numbers.get(id) ?? id}`;
  const [next, otherwise] = [step.kind === "section" ? undefined : nextId(index, step), otherwiseId(step)];
  const goesOn = next !== undefined && numbers.get(next) !== (number ?? 0) + 1 && numbers.has(next);
  const { checkDigit, minSeconds, source } = step;
  return {
    number,
    heading: step.title ?? step.text ?? step.id,
    warning: step.warning,
    text: step.title === undefined ? undefined : step.text,
    commands: (step.commands ?? []).map(({ code }) => code),
    facts: told([
      ["Check digits", checkDigit && `${checkDigit.digits} on ${checkDigit.place}`],
      ...doneBy(step),
      ...optionsOf(step).map(({ label, next: to }) => [label, place(to)] as const),
      ["Not before", minSeconds === undefined ? undefined : `${minSeconds} s`],
      ["Expected", step.expectedOutcome],
      ["Confirm", step.verificationPrompt],
      ["Minutes", step.estimatedMinutes?.toString()],
      ["Help", step.helpText],
      ...(step.kind === "solution" ? (step.resolutionSteps ?? []) : []).map(
        (done) => ["Done", done] as const,
      ),
      ["Source", source && listed([source.document, source.revision, source.place])],
      ["More", step.referenceUrl],
      ["Then", goesOn ? place(next) : undefined],
      ["Otherwise", otherwise && place(otherwise)],
    ]),
  };
}

/** What a step of a kind of its own does. */
function doneBy(step: GuideStep): readonly PossibleFact[] {
  if (step.kind === "check") {
    const { equals, max, min, unit } = step.expect ?? {};
    const wanted = equals === undefined ? rangeText(min, max, unit) : String(equals);
    return [
      ["Read", `${step.signal} of ${step.resource}`],
      ["Wanted", wanted],
    ];
  }
  if (step.kind === "operate") {
    const value = step.value === undefined ? "" : ` ${step.value} ${step.unit ?? ""}`;
    return [["Operate, with consent", `${step.action} ${step.resource}${value}`.trim()]];
  }
  if (step.kind === "record") {
    const range = rangeText(step.min, step.max, step.unit) ?? step.unit;
    return [["Record", listed([`[VAR:${step.variable}]`, range])]];
  }
  return step.kind === "hold_point" ? [["Second person", step.group ?? "anybody else"]] : [];
}

function rangeText(min?: number, max?: number, unit = ""): string | undefined {
  if (min === undefined && max === undefined) return undefined;
  const numbers = [min, max].filter((one) => one !== undefined).join(" to ");
  const bound = min === undefined ? "at most " : max === undefined ? "at least " : "";
  return `${bound}${numbers} ${unit}`.trim();
}

/** Without a value it is left out. */
type PossibleFact = readonly [label: string, value: string | undefined];

function told(facts: readonly PossibleFact[]): readonly SheetFact[] {
  return facts.flatMap(([label, value]) => (value ? [[label, value] as const] : []));
}

function listed(parts: readonly (string | undefined)[]): string {
  return parts.filter(Boolean).join(", ");
}
