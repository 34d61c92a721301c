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

  it("gives up the oldest of the user who has most, of whoever has most", () => {
    const queue = filled([
      [["quiet", "1", "tom"], "quiet"],
      [["loud", "1", "ann"], "ann-0"],
      [["loud", "2", "ben"], "ben-0"],
      [["loud", "2", "cat"], "cat-0"],
      [["loud", "2", "cat"], "cat-1"],
    ]);
    expect([queue.shed(), queue.shed()]).toEqual(["cat-0", "ben-0"]);
    expect(queue.size).toBe(3);
    expect(queue.shed()).toMatch(/ann-0|cat-1/);
    queue.push(["quiet", "1", "tom"], "quiet-1");
    expect(queue.shed()).toBe("quiet");
    expect([...queue.parts()].map(([, size]) => size)).toEqual([1, 1]);
    queue.drain();
    expect(queue.shed()).toBeUndefined();
    expect([...queue.parts()]).toEqual([]);
  });

  it("takes from the peer that holds least, where it is told who holds what", () => {
    const held = new Map([
      ["a", 2],
      ["b", 0],
      ["c", Number.POSITIVE_INFINITY],
    ]);
    const queue = filled(["a", "b", "c"].map((peer) => [[peer, "1", "user"], peer]));
    const take = () => queue.shift(([peer]) => held.get(peer!) ?? 0);
    expect([take(), take(), take()]).toEqual(["b", "a", undefined]);
    expect(queue.size).toBe(1);
  });

  it("takes within a peer from the part that holds least, and tells how much there is of each", () => {
    const queue = filled([
      [["relay", "greedy", "1"], "greedy-0"],
      [["relay", "greedy", "2"], "greedy-1"],
      [["relay", "modest", "3"], "modest-0"],
    ]);
    expect([...queue.parts("relay")]).toEqual([
      ["greedy", 2],
      ["modest", 1],
    ]);
    expect([queue.sizeOf(["relay"]), queue.sizeOf(["relay", "greedy", "2"]), queue.sizeOf(["x"])]).toEqual([
      3, 1, 0,
    ]);
    expect(queue.shift((path) => Number(path[1] === "greedy"))).toBe("modest-0");
    expect([...queue.parts("x")]).toEqual([]);
  });
});
