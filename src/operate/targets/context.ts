/**
 * Which resources a chat has dealt with, as a value that can be written down; each function returns the next one. What
 * the user named or was offered is kept apart from what was merely read: only that tells what is spoken of. Pure.
 */
import type { Resource } from "../../domain/resource.js";
import type { ResolvedTarget, TargetContext } from "../../domain/target-context.js";
import type { Resolution } from "./resolution.js";

/** How long a resolved resource counts since it was last used, in milliseconds. */
export const TARGET_MS_MAX = 2_700_000;
/** Resolved resources of a chat; the least recently used makes room. */
export const TARGETS_MAX = 500;
/** Turns of the user for which what was named counts, that turn included: a slow speaker loses nothing. */
export const NAMED_TURNS_MAX = 3;

/** A turn of the user begins. */
export function nextTargetTurn(context: TargetContext): TargetContext {
  return { ...context, turn: context.turn + 1 };
}

/** After the user said of what a turn is. What is not known, or not said, changes nothing. */
export function afterResolution(
  context: TargetContext,
  resolution: Resolution,
  nowMs: number,
): TargetContext {
  switch (resolution.type) {
    case "one":
      return named(context, [resolution.resource], nowMs);
    case "several":
      return named(context, resolution.resources, nowMs);
    case "ask":
      return { ...context, offered: { ids: idsOf(resolution.between), turn: context.turn } };
    default:
      return context;
  }
}

function named(context: TargetContext, resources: readonly Resource[], nowMs: number): TargetContext {
  const { offered: _chosen, ...rest } = afterUse(context, idsOf(resources), nowMs);
  return { ...rest, named: { ids: idsOf(resources).slice(0, TARGETS_MAX), turn: context.turn } };
}

/** After resources were read or found without being named, one or many. */
export function afterUse(context: TargetContext, ids: readonly string[], usedMs: number): TargetContext {
  const used = new Set(ids);
  const left = context.resolved.filter((one) => !used.has(one.id) && isLive(one, usedMs));
  return { ...context, resolved: [...left, ...[...used].map((id) => ({ id, usedMs }))].slice(-TARGETS_MAX) };
}

/** Whether a resource was dealt with a while ago at most. */
export function isResolved(context: TargetContext, id: string, nowMs: number): boolean {
  return context.resolved.some((one) => one.id === id && isLive(one, nowMs));
}

/** What the user speaks of, unless the conversation has moved on. */
export function spokenOf({ named: last, resolved, turn }: TargetContext, nowMs: number): readonly string[] {
  if (last === undefined || turn - last.turn >= NAMED_TURNS_MAX) return [];
  const live = new Set(resolved.filter((one) => isLive(one, nowMs)).map(({ id }) => id));
  return last.ids.filter((id) => live.has(id));
}

/** Between what the user may choose by "the second one": what was offered, or else what was named together. */
export function choices(context: TargetContext, nowMs: number): readonly string[] {
  const { offered, turn } = context;
  return offered !== undefined && turn - offered.turn < NAMED_TURNS_MAX
    ? offered.ids
    : spokenOf(context, nowMs);
}

function isLive({ usedMs }: ResolvedTarget, nowMs: number): boolean {
  return nowMs - usedMs < TARGET_MS_MAX;
}

function idsOf(resources: readonly Resource[]): readonly string[] {
  return resources.map(({ id }) => id);
}
