/** Tools that act, and what they may be given: the address of a thing of theirs, and a number in its range. Pure. */
import type { Resource } from "../../domain/resource.js";
import type { ToolOptions } from "../../sites/options.js";
import type { SiteTool } from "./site-tools.js";

type ActingToolOptions = Exclude<ToolOptions, { readonly effect: "read" }>;

export type ActingTool = SiteTool<ActingToolOptions>;

/** What a value may be for things of one kind. */
export type ValueRange = NonNullable<ActingToolOptions["valueArgument"]>["ranges"][string];

/** Why there is no such call. */
export type UnfitCall =
  /** No tool does this to a thing of its kind; what may be done to it is listed, and this is not. */
  | { readonly why: "not_offered" | "not_allowed" }
  | { readonly why: "needs_value" | "out_of_range"; readonly range: ValueRange };

export function isActing(tool: SiteTool): tool is ActingTool {
  return tool.options.effect !== "read";
}

/** Whether a tool is for things of this site and kind. */
export function isFor({ options, site }: SiteTool, { kind, site: own }: Resource): boolean {
  return site === own && (options.kinds.length === 0 || options.kinds.includes(kind));
}

/** All that a call on a thing is given, with a value where the tool takes one. */
export function fitOf(
  tool: ActingTool,
  resource: Resource,
  value: number | undefined,
): { readonly args: Readonly<Record<string, unknown>> } | UnfitCall {
  const { action, arguments: fixed, target, valueArgument } = tool.options;
  const range = rangeOf(tool, resource);
  const isOffered = valueArgument === undefined ? value === undefined : range !== undefined;
  if (target === undefined || !isFor(tool, resource) || !isOffered) return { why: "not_offered" };
  if (resource.allowed !== undefined && !resource.allowed.includes(action)) return { why: "not_allowed" };
  const args = { ...fixed, [target]: resource.address };
  if (valueArgument === undefined || range === undefined) return { args };
  if (value === undefined) return { why: "needs_value", range };
  if (!(value >= range.min && value <= range.max)) return { why: "out_of_range", range };
  return { args: { ...args, [valueArgument.name]: value } };
}

/** What a value may be for this thing; undefined: the tool takes none for it. */
export function rangeOf({ options }: ActingTool, { kind }: Resource): ValueRange | undefined {
  const { ranges = {} } = options.valueArgument ?? {};
  return Object.hasOwn(ranges, kind) ? ranges[kind] : undefined;
}
