import { describe, expect, it } from "vitest";
import { VirtualClock } from "../../test/support/virtual-clock.js";
import { TokenBucket } from "./token-bucket.js";

describe("TokenBucket", () => {
  it("gives a burst at once, then no more than its rate", async () => {
    const clock = new VirtualClock();
    const bucket = new TokenBucket(clock, { perSecond: 100, burst: 200 });
    expect(bucket.take(200)).toBe(0);
    expect(bucket.take(50)).toBe(500);
    await clock.advance(500);
    expect(bucket.take(0)).toBe(0);
    expect(bucket.take(10)).toBe(100);
  });

  it("saves up no more than a burst", async () => {
    const clock = new VirtualClock();
    const bucket = new TokenBucket(clock, { perSecond: 100, burst: 10 });
    await clock.advance(60_000);
    expect(bucket.take(10)).toBe(0);
    expect(bucket.take(10)).toBe(100);
  });
});
