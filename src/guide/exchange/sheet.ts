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
    facts: [
      ["Kind", flowType],
      ["Version", `${version}, ${status}`],
      ...fact("Owner", owner),
      ...fact(
        "Imported from",
        origin && [origin.file, origin.format, origin.version].filter(Boolean).join(", "),
      ),
      ...fact("Tags", [...guide.categories, ...guide.tags].join(", ") || undefined),
    ],
    intake: fieldsOf(index).map(({ label, name: variable, placeholder, required, unit }) => {
      const parts = [placeholder, unit, required === false ? "optional" : undefined].filter(Boolean);
      return [label, [`[VAR:${variable}]`, ...parts].join(", ")];
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
    facts: [
      ...fact("Check digits", checkDigit && `${checkDigit.digits} on ${checkDigit.place}`),
      ...doneBy(step),
      ...optionsOf(step).map(({ label, next: to }): SheetFact => [label, place(to)]),
      ...fact("Not before", minSeconds === undefined ? undefined : `${minSeconds} s`),
      ...fact("Expected", step.expectedOutcome),
      ...fact("Confirm", step.verificationPrompt),
      ...fact("Minutes", step.estimatedMinutes?.toString()),
      ...fact("Help", step.helpText),
      ...(step.kind === "solution"
        ? (step.resolutionSteps ?? []).map((done): SheetFact => ["Done", done])
        : []),
      ...fact(
        "Source",
        source && [source.document, source.revision, source.place].filter(Boolean).join(", "),
      ),
      ...fact("More", step.referenceUrl),
      ...fact("Then", goesOn ? place(next) : undefined),
      ...fact("Otherwise", otherwise && place(otherwise)),
    ],
  };
}

/** What a step of a kind of its own does. */
function doneBy(step: GuideStep): readonly SheetFact[] {
  if (step.kind === "check") {
    const { equals, max, min, unit } = step.expect ?? {};
    const wanted = equals === undefined ? rangeText(min, max, unit) : String(equals);
    return [["Read", `${step.signal} of ${step.resource}`], ...fact("Wanted", wanted)];
  }
  if (step.kind === "operate") {
    const value = step.value === undefined ? "" : ` ${step.value} ${step.unit ?? ""}`;
    return [["Operate, with consent", `${step.action} ${step.resource}${value}`.trim()]];
  }
  if (step.kind === "record") {
    const range = rangeText(step.min, step.max, step.unit) ?? step.unit;
    return [["Record", [`[VAR:${step.variable}]`, range].filter(Boolean).join(", ")]];
  }
  return step.kind === "hold_point" ? [["Second person", step.group ?? "anybody else"]] : [];
}

function rangeText(min?: number, max?: number, unit = ""): string | undefined {
  if (min === undefined && max === undefined) return undefined;
  const numbers = [min, max].filter((one) => one !== undefined).join(" to ");
  const bound = min === undefined ? "at most " : max === undefined ? "at least " : "";
  return `${bound}${numbers} ${unit}`.trim();
}

function fact(label: string, value: string | undefined): readonly SheetFact[] {
  return value === undefined || value === "" ? [] : [[label, value]];
}
