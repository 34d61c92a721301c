import { describe, expect, it } from "vitest";
import { VirtualClock } from "../../test/support/virtual-clock.js";
import { RecentUse } from "./recent-use.js";

describe("RecentUse", () => {
  it("halves what was used after each half-life", async () => {
    const clock = new VirtualClock();
    const use = new RecentUse(clock, 1_000);
    use.add("loud", 80);
    expect(use.of("loud")).toBe(80);
    expect(use.of("quiet")).toBe(0);
    await clock.advance(2_000);
    expect(use.of("loud")).toBeCloseTo(20);
    use.add("loud", 10);
    expect(use.of("loud")).toBeCloseTo(30);
  });

  it("forgets him who used nothing for longest where names run out", () => {
    const use = new RecentUse(new VirtualClock(), 1_000);
    use.add("first", 1);
    use.add("second", 1);
    use.add("first", 1);
    for (let name = 0; name < 9_999; name++) use.add(String(name), 1);
    expect([use.of("first"), use.of("second")]).toEqual([2, 0]);
  });
});
