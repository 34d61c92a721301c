import { describe, expect, it } from "vitest";
import { VirtualClock } from "../../test/support/virtual-clock.js";
import { ExpiringCache } from "./expiring-cache.js";

describe("an expiring cache", () => {
  it("keeps a value until its age is reached", async () => {
    const clock = new VirtualClock();
    const cache = new ExpiringCache<number>(clock, { entriesMax: 2, ageMsMax: 100 });
    cache.set("a", 1);
    await clock.advance(99);
    expect(cache.get("a")).toBe(1);
    await clock.advance(1);
    expect(cache.get("a")).toBeUndefined();
    expect(cache.size).toBe(0);
  });

  it("lets go of what was used least recently, and of what it is told to", () => {
    const cache = new ExpiringCache<number>(new VirtualClock(), { entriesMax: 2, ageMsMax: 100 });
    cache.set("a", 1);
    cache.set("b", 2);
    cache.get("a");
    cache.set("c", 3);
    expect(["a", "b", "c"].map((key) => cache.get(key))).toEqual([1, undefined, 3]);
    cache.delete("a");
    expect(cache.get("a")).toBeUndefined();
    expect(cache.size).toBe(1);
  });
});
