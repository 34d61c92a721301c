/**
 * Sees when a model goes round in circles: the same call again and again, two or more calls in turns, or one call with
 * arguments that hardly differ. Calls count for a while only, so that one who asks anew later may. Pure.
 */
import { isRecord } from "../../lib/is-record.js";
import type { LoopArguments } from "./envelope.js";

/** Times that one call may be made within `WATCHED_MS`. */
export const SAME_CALLS_MAX = 3;
/** Times that calls may be made which hardly differ. */
export const SIMILAR_CALLS_MAX = 5;
/** Times that a call may be tried again which failed for a reason that passes. */
export const FAILED_CALLS_MAX = 3;
/** How long a call counts, in milliseconds. */
export const WATCHED_MS = 30_000;
/** Calls in a cycle at the most. */
const CYCLE_MAX = 4;
/** Calls that are remembered. */
const CALLS_MAX = 64;

export interface WatchedCall {
  /** The tool with its arguments, as `callKey` writes them. */
  readonly key: string;
  /** The same for calls that hardly differ. */
  readonly shape: string;
  /** Monotonic milliseconds. */
  readonly atMs: number;
  /** It failed for a reason that passes: trying again is no repetition. */
  readonly hasFailed: boolean;
}

/** Oldest first. */
export type CallWatch = readonly WatchedCall[];

/** What the model is told of each circle. */
export const CIRCLES = {
  identical: "this call was made several times already, with the same arguments",
  similar: "calls that hardly differ from this one were made several times already",
  alternating: "the same calls are made in turns",
  failing: "this call failed several times already",
} as const;

export type Circle = keyof typeof CIRCLES;

/** The call as it is watched. `keys`: the facts that it would tell; calls that tell the same are similar. */
export function watched(
  tool: string,
  args: LoopArguments,
  keys: readonly string[],
  atMs: number,
): Omit<WatchedCall, "hasFailed"> {
  const key = callKey(tool, args);
  const told = keys.length > 0 ? `${tool}:${keys.toSorted().join()}` : key.replace(/\d+(?:\.\d+)?/g, "#");
  return { key, shape: told, atMs };
}

/** What circle this call would be part of; undefined: it may be made. */
export function circleOf(watch: CallWatch, call: Omit<WatchedCall, "hasFailed">): Circle | undefined {
  const recent = watch.filter(({ atMs }) => call.atMs - atMs < WATCHED_MS);
  const made = recent.filter(({ hasFailed }) => !hasFailed);
  const count = (calls: CallWatch, of: "key" | "shape") => calls.filter((one) => one[of] === call[of]).length;
  if (count(made, "key") >= SAME_CALLS_MAX) return "identical";
  if (count(recent, "key") - count(made, "key") >= FAILED_CALLS_MAX) return "failing";
  if (isCycle([...made.map(({ key }) => key), call.key])) return "alternating";
  return count(made, "shape") >= SIMILAR_CALLS_MAX ? "similar" : undefined;
}

/** Whether the last calls are two rounds of the same two or more. */
function isCycle(keys: readonly string[]): boolean {
  for (let length = 2; length <= CYCLE_MAX; length++) {
    const last = keys.slice(-2 * length);
    const isRepeated =
      last.length === 2 * length && last.every((key, i) => key === last[(i + length) % last.length]);
    if (isRepeated && new Set(last).size > 1) return true;
  }
  return false;
}

export function withCall(watch: CallWatch, call: WatchedCall): CallWatch {
  return [...watch, call].slice(-CALLS_MAX);
}

/** A call as text: the order of arguments and white space in them make no difference. */
export function callKey(tool: string, args: LoopArguments): string {
  return `${tool}:${JSON.stringify(ordered(args))}`;
}

function ordered(value: unknown): unknown {
  if (typeof value === "string") return value.trim().replace(/\s+/g, " ");
  if (Array.isArray(value)) return value.map(ordered);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .toSorted()
      .map((key) => [key, ordered(value[key])]),
  );
}
