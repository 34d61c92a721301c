/** Sees when a model goes round in circles, by the calls of the last moments: an old one counts no more. Pure. */
import { isDeepStrictEqual } from "node:util";
import type { ReadFault } from "../../domain/known-fact.js";
import { canonicalJson } from "../../lib/canonical-json.js";
import { isRecoverable, type LoopArguments } from "./envelope.js";

/** Times that one call may be made within `WATCHED_MS`. */
const SAME_CALLS_MAX = 3;
/** Times that calls may be made which hardly differ. */
const SIMILAR_CALLS_MAX = 5;
/** Times that a call may be tried again which failed for a reason that passes. */
const FAILED_CALLS_MAX = 3;
/** Calls of one tool that may end in one error which a better call makes good, as long as none of them works. */
const TRIES_MAX = 2;
/** How long a call counts, in milliseconds. */
const WATCHED_MS = 30_000;
/** Calls of one round of a cycle. */
const CYCLES = [2, 3, 4];

export interface WatchedCall {
  readonly tool: string;
  /** The tool with its arguments, as `callKey` writes them. */
  readonly key: string;
  /** The same for calls that hardly differ. */
  readonly shape: string;
  /** Monotonic milliseconds. */
  readonly atMs: number;
  /** What came of it, once that is known. One that may work in a moment is tried again, and not repeated. */
  error?: ReadFault | undefined;
}

/** The call as it is watched. `target`: the id of what it is about, however the arguments name it. */
export function watched(tool: string, args: LoopArguments, target: string | undefined, atMs: number) {
  const key = callKey(tool, target === undefined ? args : { ...args, target });
  const shape = target === undefined ? key.replace(/\d+(?:\.\d+)?/g, "#") : `${tool}:${target}`;
  return { tool, key, shape, atMs } as WatchedCall;
}

/** Whether the call would be part of a circle. `past`: the calls before it, oldest first. */
export function isCircling(past: readonly WatchedCall[], call: WatchedCall): boolean {
  const recent = past.filter(({ atMs }) => call.atMs - atMs < WATCHED_MS);
  const failed = recent.filter(({ error }) => error?.retryable === true);
  const made = recent.filter((one) => !failed.includes(one));
  const isSame = ({ key }: WatchedCall) => key === call.key;
  return (
    made.filter(isSame).length >= SAME_CALLS_MAX ||
    failed.filter(isSame).length >= FAILED_CALLS_MAX ||
    made.filter(({ shape }) => shape === call.shape).length >= SIMILAR_CALLS_MAX ||
    isCycle([...made, call].map(({ key }) => key)) ||
    hasHadItsTries(recent.filter(({ tool }) => tool === call.tool))
  );
}

/** Whether the last calls are two rounds of the same two or more. */
function isCycle(keys: readonly string[]): boolean {
  return CYCLES.some((length) => {
    const [before, last] = [keys.slice(-2 * length, -length), keys.slice(-length)];
    return new Set(last).size > 1 && isDeepStrictEqual(before, last);
  });
}

/** Whether calls of one tool, since one worked, ended too often in an error that a better call makes good. */
function hasHadItsTries(calls: readonly WatchedCall[]): boolean {
  const errors = calls.slice(calls.findLastIndex(({ error }) => error === undefined) + 1);
  const codes = errors.flatMap(({ error }) => (error && isRecoverable(error) ? [error.code] : []));
  return codes.some((code) => codes.filter((other) => other === code).length >= TRIES_MAX);
}

/** A call as text: the order of arguments and white space in them make no difference. */
export function callKey(tool: string, args: LoopArguments): string {
  const plain = JSON.stringify(args, (_key, value: unknown) =>
    typeof value === "string" ? value.trim().replace(/\s+/g, " ") : value,
  );
  return `${tool}:${canonicalJson(JSON.parse(plain))}`;
}
