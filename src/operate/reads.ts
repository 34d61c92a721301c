/** Which tools are called for what is wanted, and how many at once. */
import type { Resource } from "../domain/resource.js";
import type { ReadCall, ReadingTool } from "./safety/site-reader.js";
import { STATUS, type Wanted } from "./wanted.js";

/** Calls at once. */
export const READS_AT_ONCE = 4;
/** Calls of one turn. */
export const READS_MAX = 24;
/** Tools that are asked for one signal of one thing: two that differ are told apart. */
const WITNESSES_MAX = 2;

/** Calls to make, and how many there would be. */
export interface PlannedReads {
  readonly calls: readonly ReadCall[];
  readonly count: number;
}

export function readsFor(
  wanted: Wanted,
  resources: readonly Resource[],
  tools: readonly ReadingTool[],
): PlannedReads {
  const calls = callsFor(wanted, resources, tools);
  return { calls: calls.slice(0, READS_MAX), count: calls.length };
}

function callsFor(
  { signals }: Wanted,
  resources: readonly Resource[],
  tools: readonly ReadingTool[],
): readonly ReadCall[] {
  const asked = signals.length > 0 ? signals : [STATUS];
  const telling = tools.filter(({ options }) => asked.some((signal) => Object.hasOwn(options.reads, signal)));
  if (resources.length === 0) return telling.filter(isOfSite).map((tool) => ({ tool }));
  const calls = new Map<string, ReadCall>();
  for (const resource of resources) {
    const own = telling.filter((tool) => isFor(tool, resource));
    const targeted = own.filter((tool) => !isOfSite(tool)).slice(0, WITNESSES_MAX);
    for (const tool of targeted) calls.set(`${tool.id} ${resource.id}`, { tool, resource });
    if (targeted.length > 0) continue;
    for (const tool of own.filter(listsThings).slice(0, 1)) calls.set(tool.id, { tool });
  }
  return [...calls.values()];
}

function isOfSite({ options }: ReadingTool): boolean {
  return options.target === undefined;
}

/** Whether its values have names of their own. */
function listsThings({ options }: ReadingTool): boolean {
  return Object.values(options.reads).some(({ name }) => name !== undefined);
}

function isFor({ options, site }: ReadingTool, { allowed, kind, site: own }: Resource): boolean {
  if (site !== own || (options.kinds.length > 0 && !options.kinds.includes(kind))) return false;
  return allowed === undefined || Object.keys(options.reads).some((signal) => allowed.includes(signal));
}

/** The results of calls in their order, of which four run at once. */
export async function* inOrder<T, R>(
  calls: readonly T[],
  run: (call: T) => Promise<R>,
): AsyncGenerator<R, void, undefined> {
  const running: Promise<R>[] = [];
  for (const call of calls) {
    if (running.length === READS_AT_ONCE) yield await running.shift()!;
    running.push(run(call));
  }
  for (const one of running) yield await one;
}
