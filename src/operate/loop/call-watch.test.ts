/** Circles that the reference did not see, and repetitions that are none. */
import { expect, it } from "vitest";
import { isCircling, type WatchedCall, watched } from "./call-watch.js";
import type { LoopError } from "./envelope.js";

interface Call {
  readonly args: Readonly<Record<string, unknown>>;
  readonly target?: string;
  readonly atMs?: number;
  readonly error?: LoopError;
}

const AWAY: LoopError = { code: "UNAVAILABLE", message: "", retryable: true };
const WRONG: LoopError = { code: "STRICT_RESOLUTION", message: "" };

/** Which calls would be part of a circle. */
function circles(calls: readonly Call[]): boolean[] {
  const past: WatchedCall[] = [];
  return calls.map(({ args, atMs = 0, error, target }) => {
    const call = watched("read", args, target, atMs);
    const isCircle = isCircling(past, call);
    past.push({ ...call, error });
    return isCircle;
  });
}

const of = (...pumps: readonly string[]): Call[] => pumps.map((pump) => ({ args: { pump } }));

it.each<[string, readonly Call[]]>([
  ["two calls in turns", of("a", "b", "a", "b")],
  ["three calls in turns", of("x", "a", "b", "c", "a", "b", "c")],
  ["white space added", of("a b", "a  b", " a b", "a b ")],
  [
    "arguments in another order",
    [1, 2, 3, 4].map((at) => ({ args: at % 2 ? { a: 1, b: 2 } : { b: 2, a: 1 } })),
  ],
  ["page after page", [1, 2, 3, 4, 5, 6].map((page) => ({ args: { page } }))],
  ["page after page in a text", [1, 2, 3, 4, 5, 6].map((page) => ({ args: { q: `page ${page}` } }))],
  [
    "one target in ever new words",
    of("a", "b", "c", "d", "e", "f").map((call) => ({ ...call, target: "p2" })),
  ],
  ["a failure tried for ever", of("a", "a", "a", "a").map((call) => ({ ...call, error: AWAY }))],
  [
    "names that nobody has, one after the other",
    of("x", "y", "z").map((call) => ({ ...call, error: WRONG })),
  ],
])("sees %s", (_what, calls) => {
  expect(circles(calls)).toEqual(calls.map((call) => call === calls.at(-1)));
});

it.each<[string, readonly Call[]]>([
  [
    "a status every minute",
    Array.from({ length: 20 }, (_, at) => ({ args: { pump: "a" }, atMs: at * 60_000 })),
  ],
  [
    "all pumps one after the other",
    Array.from({ length: 20 }, (_, at) => ({ args: { pump: `p${at}` }, target: `p${at}` })),
  ],
  [
    "the same after failures that pass",
    [...of("a", "a").map((call) => ({ ...call, error: AWAY })), ...of("a", "a", "a")],
  ],
  [
    "a wrong name before each right one",
    [1, 2, 3].flatMap((at) => [
      { args: { pump: `x${at}` }, target: `${at}`, error: WRONG },
      ...of("abc"[at - 1]!),
    ]),
  ],
  ["two things twice, with one between", of("a", "b", "c", "b", "a")],
])("does not take for a circle: %s", (_what, calls) => {
  expect(circles(calls)).not.toContain(true);
});
