/** Which resource is meant, and which ones a chat has dealt with, as values: what was named or offered is apart from what was read. */
import type { Resource } from "../../domain/resource.js";
import type { TargetContext } from "../../domain/target-context.js";

export type Resolution =
  | { readonly type: "one"; readonly resource: Resource; readonly how: ResolvedBy }
  /** A list: "all pumps". In the order of the words, else of the registry. */
  | { readonly type: "several"; readonly resources: readonly Resource[] }
  /** One of these, and nothing tells which. */
  | { readonly type: "ask"; readonly between: readonly Resource[] }
  /** These words name nothing that the user may know of. */
  | { readonly type: "unknown"; readonly words: string }
  /** No resource is spoken of. */
  | { readonly type: "none" };

/** By what a resource was found: the caller's own mark, its name, part of it, its sound, or what was spoken of before. */
export type ResolvedBy = "mention" | "name" | "part" | "sound" | "context";

/** What is meant, without what is only asked between. */
export function resourcesOf(found: Resolution): readonly Resource[] {
  return found.type === "one" ? [found.resource] : found.type === "several" ? found.resources : [];
}

/** How long a resolved resource counts since it was last used, in milliseconds. */
export const TARGET_MS_MAX = 2_700_000;
/** Resolved resources of a chat; the least recently used makes room. */
export const TARGETS_MAX = 500;
/** Turns of the user for which what was named counts, that turn included: a slow speaker loses nothing. */
const NAMED_TURNS_MAX = 3;

/** After the user said of what a turn is. What is not known, or not said, changes nothing. */
export function afterResolution(context: TargetContext, found: Resolution, nowMs: number): TargetContext {
  const { turn } = context;
  if (found.type === "ask") return { ...context, offered: { ids: found.between.map(({ id }) => id), turn } };
  const ids = resourcesOf(found).map(({ id }) => id);
  if (ids.length === 0) return context;
  const { offered: _chosen, ...rest } = afterUse(context, ids, nowMs);
  return { ...rest, named: { ids: ids.slice(0, TARGETS_MAX), turn } };
}

/** After resources were read or found without being named, one or many. */
export function afterUse(context: TargetContext, ids: readonly string[], usedMs: number): TargetContext {
  const used = new Set(ids);
  const left = context.resolved.filter((one) => !used.has(one.id) && usedMs - one.usedMs < TARGET_MS_MAX);
  return { ...context, resolved: [...left, ...[...used].map((id) => ({ id, usedMs }))].slice(-TARGETS_MAX) };
}

/** What the user speaks of, unless the conversation has moved on. */
export function spokenOf({ named, resolved, turn }: TargetContext, nowMs: number): readonly string[] {
  if (named === undefined || turn - named.turn >= NAMED_TURNS_MAX) return [];
  const isLive = (id: string) => resolved.some((one) => one.id === id && nowMs - one.usedMs < TARGET_MS_MAX);
  return named.ids.filter(isLive);
}

/** Between what the user may choose by "the second one": what was offered, or else what was named together. */
export function choices(context: TargetContext, nowMs: number): readonly string[] {
  const { offered, turn } = context;
  const isOpen = offered !== undefined && turn - offered.turn < NAMED_TURNS_MAX;
  return isOpen ? offered.ids : spokenOf(context, nowMs);
}
