/** Circles that the reference did not see, and repetitions that are none. */
import { expect, it } from "vitest";
import { type CallWatch, type Circle, circleOf, watched, withCall } from "./call-watch.js";

interface Call {
  readonly args: Readonly<Record<string, unknown>>;
  readonly keys?: readonly string[];
  readonly atMs?: number;
  readonly hasFailed?: boolean;
}

/** The circle of each call. */
function circles(calls: readonly Call[]): (Circle | undefined)[] {
  let watch: CallWatch = [];
  return calls.map(({ args, atMs = 0, hasFailed = false, keys = [] }) => {
    const call = watched("read", args, keys, atMs);
    const circle = circleOf(watch, call);
    watch = withCall(watch, { ...call, hasFailed });
    return circle;
  });
}

const of = (...pumps: readonly string[]): Call[] => pumps.map((pump) => ({ args: { pump } }));

it.each<[string, readonly Call[], Circle]>([
  ["two calls in turns", of("a", "b", "a", "b"), "alternating"],
  ["three calls in turns", of("x", "a", "b", "c", "a", "b", "c"), "alternating"],
  ["white space added", of("a b", "a  b", " a b", "a b "), "identical"],
  [
    "arguments in another order",
    [1, 2, 3, 4].map((at) => ({ args: at % 2 ? { a: 1, b: 2 } : { b: 2, a: 1 } })),
    "identical",
  ],
  ["page after page", [1, 2, 3, 4, 5, 6].map((page) => ({ args: { page } })), "similar"],
  [
    "page after page in a text",
    [1, 2, 3, 4, 5, 6].map((page) => ({ args: { q: `page ${page}` } })),
    "similar",
  ],
  [
    "one target in ever new words",
    of("a", "b", "c", "d", "e", "f").map((call) => ({ ...call, keys: ["p2:log"] })),
    "similar",
  ],
  [
    "a failure tried for ever",
    of("a", "a", "a", "a").map((call) => ({ ...call, hasFailed: true })),
    "failing",
  ],
])("sees %s", (_what, calls, circle) => {
  const found = circles(calls);
  expect(found.at(-1)).toBe(circle);
  expect(found.slice(0, -1).every((one) => one === undefined)).toBe(true);
});

it.each<[string, readonly Call[]]>([
  [
    "a status every minute",
    Array.from({ length: 20 }, (_, at) => ({ args: { pump: "a" }, atMs: at * 60_000 })),
  ],
  [
    "all pumps one after the other",
    Array.from({ length: 20 }, (_, at) => ({ args: { pump: `p${at}` }, keys: [`p${at}:status`] })),
  ],
  [
    "the same after failures that pass",
    [...of("a", "a").map((call) => ({ ...call, hasFailed: true })), ...of("a", "a", "a")],
  ],
  ["two things twice, with one between", of("a", "b", "c", "b", "a")],
])("does not take for a circle: %s", (_what, calls) => {
  expect(circles(calls).filter((circle) => circle !== undefined)).toEqual([]);
});
