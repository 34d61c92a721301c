/** One call that is wanted: the tool for an action on a thing, its arguments, and what consent takes. Pure. */
import { CONSENT_LEVELS, type ConsentLevel } from "../../domain/operation.js";
import type { Resource } from "../../domain/resource.js";
import { unitIn } from "../../words/quantity/unit-at.js";
import { type ActingTool, fitOf, isFor, rangeOf, type UnfitCall, type ValueRange } from "../safety/acting.js";
import type { SaidOrder } from "./said-order.js";

/** What the settings say that consent takes, by the effect of a tool. */
export type LevelOptions = Readonly<
  Record<"reversible" | "disruptive" | "irreversible", ConsentLevel | "refused">
>;

/** A call that is wanted. Nothing was read for it yet. */
export interface CallDraft {
  readonly resource: Resource;
  readonly tool: ActingTool;
  /** Exactly what the tool is given. */
  readonly args: Readonly<Record<string, unknown>>;
  /** The number that was said, in the unit of the settings. */
  readonly value?: { readonly number: number; readonly unit?: string | undefined } | undefined;
  readonly level: ConsentLevel;
}

/** Why there is no such call, and of which thing that is told. `never`: the settings want it never done by voice. */
export type CallRefusal = { readonly name: string } & (
  | UnfitCall
  | { readonly why: "never" | "locked_out" }
  | { readonly why: "other_unit"; readonly range: ValueRange }
);

/** What else people say for an action, where no tool is called so. */
const ALSO_SAID: Readonly<Record<string, string>> = {
  switch_on: "start",
  start: "switch_on",
  switch_off: "stop",
  stop: "switch_off",
};

/** The first tool of the settings that does it to such a thing counts. */
export function callOn(
  resource: Resource,
  said: SaidOrder,
  tools: readonly ActingTool[],
  levels: LevelOptions,
): CallDraft | CallRefusal {
  const name = resource.names[0];
  if (resource.lockedOut === true) return { why: "locked_out", name };
  const [tool] = [said.action, ALSO_SAID[said.action]].flatMap((action) =>
    tools.filter((one) => one.options.action === action && isFor(one, resource)),
  );
  const range = tool && rangeOf(tool, resource);
  if (tool === undefined || (range !== undefined && isOther(said, tool, range)))
    return { why: "not_offered", name };
  if (range !== undefined && !isIn(said.unit, range)) return { why: "other_unit", name, range };
  const fit = fitOf(tool, resource, said.value);
  if (fit.type === "unfit") return { name, ...fit.because };
  const level = levelOf(tool, resource, levels);
  if (level === "refused") return { why: "never", name };
  const value = range && { number: said.value!, unit: range.unit };
  return { resource, tool, args: fit.args, level, ...(value === undefined ? {} : { value }) };
}

/** Whether another quantity was said than the one that the tool sets, for things of this kind. */
function isOther({ quantity }: SaidOrder, { options }: ActingTool, range: ValueRange): boolean {
  const own = [range.quantity, options.postcondition.signal, options.action];
  return quantity !== undefined && !own.some((one) => one !== undefined && bare(one) === bare(quantity));
}

/** Whether a value was said without a unit, or in the unit of the settings. */
function isIn(unit: string | undefined, range: ValueRange): boolean {
  if (unit === undefined) return true;
  const [said, own] = [unitIn(unit), range.unit === undefined ? undefined : unitIn(range.unit)];
  return unit === range.unit || (said !== undefined && said.name === own?.name);
}

/** Letters and digits of a name, in lower case. */
function bare(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

/** The strictest of some levels. */
export function strictest<Level extends ConsentLevel | "refused">(levels: readonly Level[]): Level {
  return levels.reduce((one, other) => (ORDER.indexOf(other) > ORDER.indexOf(one) ? other : one));
}

const ORDER: readonly (ConsentLevel | "refused")[] = [...CONSENT_LEVELS, "refused"];

/** What its effect asks; its own settings and those of the thing only ever tighten that. */
function levelOf(
  { options: { consent = "plain", effect } }: ActingTool,
  { lifeSafety }: Resource,
  levels: LevelOptions,
): ConsentLevel | "refused" {
  return strictest([levels[effect], consent, lifeSafety === true ? "second_person" : "plain"]);
}
