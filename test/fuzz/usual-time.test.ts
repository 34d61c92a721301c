import { expect, test } from "vitest";
import { SLOW_MS_MIN, UsualTime } from "./usual-time.js";

test("slow is what takes many times as long as others of its length, and long at all", () => {
  const usual = new UsualTime();
  expect(usual.isSlow(100, 10 * SLOW_MS_MIN)).toBe(false);
  for (let run = 0; run < 100; run++) usual.learn(100, 2);
  usual.learn(5_000, 400);
  expect(usual.isSlow(100, SLOW_MS_MIN + 1)).toBe(true);
  expect(usual.isSlow(110, SLOW_MS_MIN + 1)).toBe(true);
  expect(usual.isSlow(100, SLOW_MS_MIN)).toBe(false);
  expect(usual.isSlow(5_000, 10 * SLOW_MS_MIN)).toBe(false);
});
