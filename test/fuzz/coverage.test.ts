import { afterAll, expect, test } from "vitest";
import { Coverage } from "./coverage.js";

const coverage = new Coverage((url) => url.endsWith("coverage.test.ts"));
afterAll(() => coverage.close());

function branches(a: boolean, b: boolean): string {
  let told = "none";
  if (a) told = "a";
  if (b) told += "b";
  return told;
}

/** Whether that ran something new, which is known from then on. */
function isNew(a: boolean, b: boolean): boolean {
  coverage.look();
  branches(a, b);
  const seen = coverage.look();
  const fresh = coverage.isNew(seen);
  coverage.learn(seen);
  return fresh;
}

test("a block is new once, whatever ran beside it", () => {
  // The first call also learns what this file itself runs.
  isNew(false, false);
  expect(isNew(false, false)).toBe(false);
  expect(isNew(true, false)).toBe(true);
  expect(isNew(false, false)).toBe(false);
  expect(isNew(true, true)).toBe(true);
  expect(isNew(false, true)).toBe(false);
  expect(isNew(true, true)).toBe(false);
});
