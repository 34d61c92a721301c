/** What a change by hand is as patches: the ways around a step are led on, so that no rule of the guide is broken. Pure. */
import type { Guide, Patch, Step } from "./guide.js";

/** Without the step: what led to it leads to what followed it. */
export function removal({ steps }: Guide, id: string): readonly Patch[] {
  const follows = steps.find((step) => step.id === id)?.next;
  return [{ op: "remove", id }, ...steps.flatMap((step) => (step.id === id ? [] : ledOn(step, id, follows)))];
}

/** No way stays that leads nowhere; without `follows` an answer goes, and the order of the list counts. */
function ledOn(step: Step, gone: string, follows: string | undefined): readonly Patch[] {
  const fields: Record<string, unknown> = {};
  if (step.next === gone) fields.next = follows ?? null;
  if (step.otherwise === gone) fields.otherwise = follows ?? null;
  if (step.options?.some(({ next }) => next === gone))
    fields.options = step.options.flatMap((option) => {
      if (option.next !== gone) return [option];
      return follows === undefined ? [] : [{ ...option, next: follows }];
    });
  return Object.keys(fields).length === 0 ? [] : [{ op: "modify", id: step.id, fields }];
}

/** A step behind another one; where only names lead on, that one leads to it, and it to what followed. */
export function addedBehind({ flow_type, steps }: Guide, behind: string, step: Step): readonly Patch[] {
  const before = steps.find(({ id }) => id === behind);
  const add = { op: "add", after: behind } as const;
  if (before?.kind === "question") {
    const options = before.options ?? [];
    const option = {
      id: freeId("answer", new Set(options.map(({ id }) => id))),
      label: step.title ?? step.id,
    };
    const all = [...options, { ...option, next: step.id }];
    return [
      { ...add, step },
      { op: "modify", id: behind, fields: { options: all } },
    ];
  }
  const isByName = flow_type === "troubleshooting" || before?.next !== undefined;
  if (!isByName || before === undefined) return [{ ...add, step }];
  const led = step.next !== undefined || before.next === undefined ? step : { ...step, next: before.next };
  return [
    { ...add, step: led },
    { op: "modify", id: behind, fields: { next: step.id } },
  ];
}

/** Of an id, in UTF-16 units. */
const ID_CHARS_MAX = 40;

/** "Open the cabinet" as `open-the-cabinet`, or with a number where that is taken. */
export function freeId(words: string, taken: ReadonlySet<string>): string {
  const plain = words
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\p{M}+/gu, "")
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, ID_CHARS_MAX)
    .replace(/^-|-$/g, "");
  const base = plain === "" ? "step" : plain;
  let id = base;
  for (let number = 2; taken.has(id); number++) id = `${base}-${number}`;
  return id;
}

/** What a form changed: fields that are another now, `null` for those that were emptied; undefined: none. */
export function changedFields(
  before: Step,
  after: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> | undefined {
  const differs = ([name, value]: readonly [string, unknown]) =>
    JSON.stringify(value ?? null) !== JSON.stringify(before[name] ?? null);
  const changed = Object.entries(after).filter(differs);
  if (changed.length === 0) return undefined;
  return Object.fromEntries(changed.map(([name, value]) => [name, value ?? null]));
}
