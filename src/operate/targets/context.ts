/** Which resources a chat has dealt with, as a value: what was named or offered is apart from what was merely read. Pure. */
import type { TargetContext } from "../../domain/target-context.js";
import { type Resolution, resourcesOf } from "./resolution.js";

/** How long a resolved resource counts since it was last used, in milliseconds. */
export const TARGET_MS_MAX = 2_700_000;
/** Resolved resources of a chat; the least recently used makes room. */
export const TARGETS_MAX = 500;
/** Turns of the user for which what was named counts, that turn included: a slow speaker loses nothing. */
const NAMED_TURNS_MAX = 3;

/** After the user said of what a turn is. What is not known, or not said, changes nothing. */
export function afterResolution(
  context: TargetContext,
  resolution: Resolution,
  nowMs: number,
): TargetContext {
  const { turn } = context;
  if (resolution.type === "ask")
    return { ...context, offered: { ids: resolution.between.map(({ id }) => id), turn } };
  const ids = resourcesOf(resolution).map(({ id }) => id);
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
