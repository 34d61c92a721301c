import { describe, expect, it } from "vitest";
import { FairQueue } from "./fair-queue.js";
import type { Origin } from "./origin.js";

function filled(items: readonly (readonly [Origin, string])[]): FairQueue<string> {
  const queue = new FairQueue<string>();
  for (const [origin, item] of items) queue.push(origin, item);
  return queue;
}

describe("FairQueue", () => {
  it("keeps the order of one user", () => {
    const maria: Origin = ["relay", "1", "maria"];
    expect(
      filled([
        [maria, "a"],
        [maria, "b"],
        [maria, "c"],
      ]).drain(),
    ).toEqual(["a", "b", "c"]);
  });

  it("lets peers take turns, however many connections and users one of them has", () => {
    const loud = Array.from(
      { length: 6 },
      (_, i) => [["loud", String(i % 3), `user-${i}`], `loud-${i}`] as const,
    );
    const queue = filled([...loud, [["quiet", "1", "tom"], "quiet-0"], [["quiet", "1", "tom"], "quiet-1"]]);
    const order = queue.drain();
    expect(order.indexOf("quiet-0")).toBeLessThan(2);
    expect(order.indexOf("quiet-1")).toBeLessThan(4);
    expect([...order].sort()).toEqual([...loud.map(([, item]) => item), "quiet-0", "quiet-1"].sort());
  });

  it("lets users of a connection take turns", () => {
    const queue = filled([
      [["relay", "1", "loud"], "a"],
      [["relay", "1", "loud"], "b"],
      [["relay", "1", "tom"], "c"],
    ]);
    expect(queue.drain()).toEqual(["a", "c", "b"]);
  });

  it("takes out what is no longer wanted, and knows what is left", () => {
    const origin: Origin = ["relay", "1", "maria"];
    const queue = filled([
      [origin, "a"],
      [origin, "b"],
    ]);
    expect(queue.remove(origin, "a")).toBe(true);
    expect(queue.remove(origin, "a")).toBe(false);
    expect(queue.remove(["relay", "2", "maria"], "b")).toBe(false);
    expect(queue.size).toBe(1);
    expect(queue.drain()).toEqual(["b"]);
    expect(queue.shift()).toBeUndefined();
    expect(queue.size).toBe(0);
  });
});
