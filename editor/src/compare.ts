/** What is another in one version of a guide than in the other. Steps are the same by their ids. Pure. */
import type { Guide, Step } from "./guide.js";

export type Difference =
  | { readonly type: "added" | "removed" | "moved"; readonly step: Step }
  /** `step` is absent where it is a field of the guide itself. */
  | {
      readonly type: "changed";
      readonly step?: Step;
      readonly field: string;
      readonly before: string;
      readonly after: string;
    };

/** Those differ from version to version anyway. */
const OF_THE_VERSION: readonly string[] = ["version", "status", "steps"];

/** In the order of the later version; what is gone comes last. */
export function differences(before: Guide, after: Guide): readonly Difference[] {
  const had = new Map(before.steps.map((step) => [step.id, step]));
  const has = new Set(after.steps.map(({ id }) => id));
  const both = after.steps.filter(({ id }) => had.has(id)).map(({ id }) => id);
  const order = new Map(before.steps.map(({ id }, at) => [id, at]));
  const stays = rising(both, (id) => order.get(id)!);
  return [
    ...changes(before, after, OF_THE_VERSION),
    ...after.steps.flatMap((step): readonly Difference[] => {
      const old = had.get(step.id);
      if (old === undefined) return [{ type: "added", step }];
      const moved = stays.has(step.id) ? [] : [{ type: "moved", step } as const];
      return [...moved, ...changes(old, step, []).map((change) => ({ ...change, step }))];
    }),
    ...before.steps.filter(({ id }) => !has.has(id)).map((step) => ({ type: "removed", step }) as const),
  ];
}

type Fields = Readonly<Record<string, unknown>>;

function changes(before: Fields, after: Fields, without: readonly string[]) {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((field) => {
    const [old, now] = [before[field], after[field]];
    if (without.includes(field) || JSON.stringify(old) === JSON.stringify(now)) return [];
    const texts = [old, now].map(textOf);
    const [one, other] =
      texts[0] === texts[1] ? [old, now].map((value) => JSON.stringify(value) ?? "") : texts;
    return [{ type: "changed", field, before: one!, after: other! } as const];
  });
}

/** A value for people: of a list one line each, of an answer where it leads. */
function textOf(value: unknown): string {
  if (value === undefined || typeof value === "string") return value ?? "";
  if (Array.isArray(value)) return value.map(textOf).join("\n");
  const { label, next } = (value ?? {}) as Readonly<Record<string, unknown>>;
  return typeof label === "string" && typeof next === "string" ? `${label} → ${next}` : JSON.stringify(value);
}

/** The longest run of ids whose places rise: as few as can be have moved. */
function rising(ids: readonly string[], placeOf: (id: string) => number): ReadonlySet<string> {
  const best: (readonly string[])[] = [];
  for (const [at, id] of ids.entries()) {
    const before = best
      .slice(0, at)
      .filter((run) => placeOf(run.at(-1)!) < placeOf(id))
      .reduce<readonly string[]>((longest, run) => (run.length > longest.length ? run : longest), []);
    best.push([...before, id]);
  }
  return new Set(best.reduce((longest, run) => (run.length > longest.length ? run : longest), []));
}
