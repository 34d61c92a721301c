import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { VirtualClock } from "../../test/support/virtual-clock.js";
import {
  admitted,
  Breaker,
  type BreakerLimits,
  CLOSED,
  type Ending,
  ended,
  PROBE_MS_MAX,
} from "./breaker.js";

const limits: BreakerLimits = { failuresMax: 3, pauseMs: 10_000, pauseMsMax: 40_000 };

function created() {
  const clock = new VirtualClock();
  const changes: string[] = [];
  const breaker = new Breaker(clock, limits, (state) => changes.push(state));
  const request = (ending: Ending) => breaker.permit()?.(ending);
  const open = () => {
    for (let failures = 0; failures < limits.failuresMax; failures++) request("failure");
  };
  return { clock, changes, breaker, request, open };
}

describe("a breaker", () => {
  it("opens after failures in a row, and for a success in between not", () => {
    const { breaker, changes, request } = created();
    for (const ending of ["failure", "failure", "success", "failure", "neither", "failure"] as const)
      request(ending);
    expect(changes).toEqual([]);
    request("failure");
    expect(changes).toEqual(["open"]);
    expect(breaker.permit()).toBeUndefined();
    expect(breaker.waitMs).toBe(10_000);
  });

  it("lets one request through after the pause, and all once that has succeeded", async () => {
    const { breaker, changes, clock, open } = created();
    open();
    await clock.advance(9_999);
    expect(breaker.permit()).toBeUndefined();
    await clock.advance(1);
    const probe = breaker.permit();
    expect(probe).toBeDefined();
    expect(breaker.permit()).toBeUndefined();
    probe?.("success");
    expect(breaker.permit()).toBeDefined();
    expect(changes).toEqual(["open", "probing", "closed"]);
  });

  it("waits twice as long after each probe that fails, up to a limit", async () => {
    const { breaker, clock, open, request } = created();
    open();
    for (const pauseMs of [20_000, 40_000, 40_000]) {
      await clock.advance(breaker.waitMs);
      request("failure");
      expect(breaker.waitMs).toBe(pauseMs);
    }
  });

  it("tries again at once when a probe said nothing, or was never heard of again", async () => {
    const { breaker, clock, open, request } = created();
    open();
    await clock.advance(10_000);
    request("neither");
    const lost = breaker.permit();
    expect(lost).toBeDefined();
    await clock.advance(PROBE_MS_MAX);
    const probe = breaker.permit();
    lost?.("success");
    expect(breaker.permit()).toBeUndefined();
    probe?.("success");
    expect(breaker.permit()).toBeDefined();
  });

  it("takes no notice of requests from before it opened, nor of a second word", () => {
    const { breaker, changes, open } = created();
    const slow = breaker.permit();
    const twice = breaker.permit();
    twice?.("success");
    twice?.("failure");
    open();
    slow?.("success");
    slow?.("failure");
    expect(changes).toEqual(["open"]);
  });

  it("never keeps a server out for good, whatever happens", () => {
    const endings = fc.constantFrom<Ending>("success", "failure", "neither");
    const step = fc.record({ afterMs: fc.nat({ max: 100_000 }), ending: endings });
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        let nowMs = 0;
        let state = CLOSED;
        for (const { afterMs, ending } of steps) {
          nowMs += afterMs;
          const begun = admitted(state, nowMs);
          if (begun === undefined) continue;
          state = ended(begun, begun, ending, nowMs, limits);
          if (state.type === "open") expect(state.pauseMs).toBeLessThanOrEqual(limits.pauseMsMax);
        }
        expect(admitted(state, nowMs + Math.max(limits.pauseMsMax, PROBE_MS_MAX))).toBeDefined();
      }),
    );
  });
});
