/** A guide with what suggestions would make of it: steps that would be there, be others or be gone. Pure. */
import { type Guide, type Patch, type Step, type Suggestion, type WayOut, waysOut } from "./guide.js";

/** A step in its place; `ghost`: what a suggestion would do to it. */
export interface Row {
  readonly step: Step;
  readonly ghost?: { readonly what: "added" | "changed" | "removed"; readonly suggestion: string };
  /** With the changes of the suggestion. */
  readonly then?: Step;
}

/** A way between two steps. */
export interface Link extends WayOut {
  readonly from: string;
  /** There is none yet. */
  readonly ghost: boolean;
}

/** All steps in their order, those of suggestions that wait for an answer among them. */
export function rowsOf({ flow_type, steps }: Guide, suggestions: readonly Suggestion[]): readonly Row[] {
  let rows: readonly Row[] = steps.map((step) => ({ step }));
  for (const { id, patches, status } of suggestions)
    if (status === "proposed") for (const patch of patches) rows = withPatch(rows, patch, id, flow_type);
  return rows;
}

function withPatch(rows: readonly Row[], patch: Patch, suggestion: string, flowType: string): readonly Row[] {
  const { fields, id, op, step, steps } = patch;
  if (op === "add" && step !== undefined) {
    if (rows.some((row) => row.step.id === step.id)) return rows;
    return rows.toSpliced(placeOf(rows, patch, flowType), 0, { step, ghost: { what: "added", suggestion } });
  }
  if (op === "replace" && steps !== undefined) return replaced(rows, steps, suggestion);
  const what = op === "remove" ? "removed" : "changed";
  if (!["modify", "move", "remove"].includes(op)) return rows;
  return rows.map((row) =>
    row.step.id === id ? marked(row, what, suggestion, { ...(row.then ?? row.step), ...fields }) : row,
  );
}

/** What is added stays so, whatever else would happen to it. */
function marked(row: Row, what: "changed" | "removed", suggestion: string, changed: Step): Row {
  const then = Object.fromEntries(Object.entries(changed).filter(([, value]) => value !== null)) as Step;
  if (row.ghost?.what === "added") return { ...row, step: then };
  return { step: row.step, then, ghost: { what, suggestion } };
}

/** Behind or before the step that is named; otherwise before the end of a procedure, behind all others of a tree. */
function placeOf(rows: readonly Row[], { after, before }: Patch, flowType: string): number {
  const named = rows.findIndex(({ step }) => step.id === (after ?? before));
  if (named >= 0) return after === undefined ? named : named + 1;
  const closes = flowType !== "troubleshooting" && rows.at(-1)?.step.kind === "end";
  return rows.length - (closes ? 1 : 0);
}

/** All steps anew: what is gone stays where it was. */
function replaced(rows: readonly Row[], steps: readonly Step[], suggestion: string): readonly Row[] {
  const wanted = new Map(steps.map((step) => [step.id, step]));
  const result: Row[] = rows.map((row) => {
    const then = wanted.get(row.step.id);
    if (then === undefined) return marked(row, "removed", suggestion, row.step);
    return sorted(then) === sorted(row.step) ? row : marked(row, "changed", suggestion, then);
  });
  let at = 0;
  for (const step of steps) {
    const there = result.findIndex((row) => row.step.id === step.id);
    if (there >= 0) at = there + 1;
    else result.splice(at++, 0, { step, ghost: { what: "added", suggestion } });
  }
  return result;
}

/** The same for all orders of fields. */
function sorted(step: Step): string {
  return JSON.stringify(Object.entries(step).sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** The ways that there are, and those that suggestions would make; none to steps that there are not. */
export function linksOf(rows: readonly Row[], flowType: string, otherwise: string): readonly Link[] {
  const now = rows.filter(({ ghost }) => ghost?.what !== "added").map(({ step }) => step);
  const then = rows.filter(({ ghost }) => ghost?.what !== "removed").map((row) => row.then ?? row.step);
  const known = new Set(rows.map(({ step }) => step.id));
  const links = new Map<string, Link>();
  for (const [steps, ghost] of [
    [now, false],
    [then, true],
  ] as const)
    for (const [at, { id: from }] of steps.entries())
      for (const way of waysOut(steps, at, flowType, otherwise)) {
        const key = JSON.stringify([from, way.to, way.label]);
        if (known.has(way.to) && !links.has(key)) links.set(key, { from, ...way, ghost });
      }
  return [...links.values()];
}
