/** Results in order, how many at once, and what becomes of those behind one that rejects. */
import { expect, test } from "vitest";
import { inOrder } from "./in-order.js";

test("results come in the order of the calls, of which four run at once", async () => {
  let running = 0;
  let most = 0;
  const run = async (n: number) => {
    running += 1;
    most = Math.max(most, running);
    for (let turn = 0; turn < 10 - n; turn++) await Promise.resolve();
    running -= 1;
    return n;
  };
  const results: number[] = [];
  for await (const one of inOrder([0, 1, 2, 3, 4, 5, 6, 7, 8], 4, run)) results.push(one);
  expect(results).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  expect(most).toBe(4);
});

test("where one rejects, so does the whole, and none is left behind", async () => {
  const run = (n: number) => Promise.reject(new Error(`call ${n}`));
  const results = inOrder([0, 1, 2, 3, 4], 4, run);
  await expect(results.next()).rejects.toThrow("call 0");
});
