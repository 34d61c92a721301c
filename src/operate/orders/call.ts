/** One call that is wanted: the tool for an action on a thing, its arguments, and what consent takes. Pure. */
import { type CallPlan, CONSENT_LEVELS, type ConsentLevel } from "../../domain/operation.js";
import type { Resource } from "../../domain/resource.js";
import { unitIn } from "../../words/quantity/unit-at.js";
import { type ActingTool, fitOf, isFor, rangeOf, type UnfitCall, type ValueRange } from "../safety/acting.js";

/** What is to be done to a thing, whichever that is. */
export interface OrderedAction {
  /** As the templates and the settings call it: `restart`. */
  readonly action: string;
  /** What is to be set, as it was said: `temperature`. */
  readonly quantity?: string | undefined;
  readonly value?: number | undefined;
  readonly unit?: string | undefined;
}

/** What the settings say that consent takes, by the effect of a tool. */
export type LevelOptions = Readonly<
  Record<"reversible" | "disruptive" | "irreversible", ConsentLevel | "refused">
>;

/** A call that is wanted, of which nothing was read yet, and what consent to it takes. */
export interface CallDraft {
  /** As the settings have it. */
  readonly action: string;
  readonly call: CallPlan;
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
  ...{ switch_on: "start", start: "switch_on" },
  ...{ switch_off: "stop", stop: "switch_off" },
};

/** From the mildest to the strictest. */
const LEVELS: readonly (ConsentLevel | "refused")[] = [...CONSENT_LEVELS, "refused"];

/** The first tool of the settings that does it to such a thing counts. */
export function callOn(
  resource: Resource,
  wanted: OrderedAction,
  tools: readonly ActingTool[],
  levels: LevelOptions,
): CallDraft | CallRefusal {
  const { id: target, lifeSafety, lockedOut, names } = resource;
  const [name] = names;
  if (lockedOut === true) return { why: "locked_out", name };
  const tool = [wanted.action, ALSO_SAID[wanted.action]]
    .flatMap((action) => tools.filter((one) => one.options.action === action && isFor(one, resource)))
    .at(0);
  const range = tool && rangeOf(tool, resource);
  if (tool === undefined || (range && isOther(wanted, tool, range))) return { why: "not_offered", name };
  if (range && !isIn(wanted.unit, range)) return { why: "other_unit", name, range };
  const fit = fitOf(tool, resource, wanted.value);
  if ("why" in fit) return { name, ...fit };
  const { action, consent = "plain", effect, postcondition, windowMs } = tool.options;
  // What its effect asks; its own settings and those of the thing only ever tighten that.
  const level = strictest([levels[effect], consent, lifeSafety === true ? "second_person" : "plain"]);
  if (level === "refused") return { why: "never", name };
  const { signal, equals = wanted.value! } = postcondition;
  const call = {
    ...{ target, name, tool: tool.id, args: fit.args },
    ...(range && { value: { number: wanted.value!, unit: range.unit } }),
    postcondition: { tool: `${tool.site}.${postcondition.tool}`, signal, equals, windowMs },
  };
  return { action, call, level };
}

/** Whether another quantity was said than the one that the tool sets, for things of this kind. */
function isOther({ quantity }: OrderedAction, { options }: ActingTool, range: ValueRange): boolean {
  const bare = (name = "") => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
  const own = [range.quantity, options.postcondition.signal, options.action].map(bare);
  return quantity !== undefined && !own.includes(bare(quantity));
}

/** Whether a value was said without a unit, or in the unit of the settings. */
function isIn(unit: string | undefined, range: ValueRange): boolean {
  if (unit === undefined || unit === range.unit) return true;
  const [said, own] = [unit, range.unit].map((one) => (one === undefined ? undefined : unitIn(one)?.name));
  return said !== undefined && said === own;
}

export function strictest<Level extends ConsentLevel | "refused">(levels: readonly Level[]): Level {
  return levels.reduce((one, other) => (LEVELS.indexOf(other) > LEVELS.indexOf(one) ? other : one));
}
