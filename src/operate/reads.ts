/** Which tools are called for what is wanted, and how many at once. */
import type { Resource } from "../domain/resource.js";
import { isFor } from "./safety/acting.js";
import type { ReadCall, ReadingTool } from "./safety/site-reader.js";
import type { Wanted } from "./wanted.js";

export const READS_AT_ONCE = 4;
/** Tools that are asked for one signal of one thing: two that differ are told apart. */
const WITNESSES_MAX = 2;

/** All calls that would tell it. */
export function readsFor(
  { signals }: Pick<Wanted, "signals">,
  resources: readonly Resource[],
  tools: readonly ReadingTool[],
): readonly ReadCall[] {
  const telling = tools.filter(({ options }) =>
    signals.some((signal) => Object.hasOwn(options.reads, signal)),
  );
  if (resources.length === 0) return telling.filter(isOfSite).map((tool) => ({ tool }));
  const calls = resources.flatMap((resource) => callsFor(resource, telling));
  return [...new Map(calls.map((call) => [`${call.tool.id} ${call.resource?.id}`, call])).values()];
}

/** A thing is asked by its own tools, or else by one that lists things. */
function callsFor(resource: Resource, telling: readonly ReadingTool[]): readonly ReadCall[] {
  const own = telling.filter((tool) => isFor(tool, resource) && mayTell(tool, resource));
  const targeted = own.filter((tool) => !isOfSite(tool)).slice(0, WITNESSES_MAX);
  if (targeted.length > 0) return targeted.map((tool) => ({ tool, resource }));
  const list = own.find(listsThings);
  return list === undefined ? [] : [{ tool: list }];
}

function isOfSite({ options }: ReadingTool): boolean {
  return options.target === undefined;
}

/** Whether its values have names of their own. */
function listsThings({ options }: ReadingTool): boolean {
  return Object.values(options.reads).some(({ name }) => name !== undefined);
}

function mayTell({ options }: ReadingTool, { allowed }: Resource): boolean {
  return allowed === undefined || Object.keys(options.reads).some((signal) => allowed.includes(signal));
}
