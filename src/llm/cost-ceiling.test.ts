/** Money by network and day: nothing is let through that could go over the ceiling by more than one call. */
import { expect, it } from "vitest";
import { CostCeiling, type CostPermit } from "./cost-ceiling.js";

const DAY_MS = 86_400_000;

function ceilingAt(usd: number | undefined) {
  const time = { nowMs: 20_000 * DAY_MS };
  const ceiling = new CostCeiling(
    (network) => (network === "free" ? undefined : usd),
    () => time.nowMs,
  );
  const ask = (network = "plant") => {
    const permit = ceiling.ask(network);
    return typeof permit === "string" ? { refusal: permit } : { permit };
  };
  const spend = (usdSpent: number | undefined) => (ask().permit as CostPermit).end(usdSpent);
  return { time, ask, spend };
}

it("ends at the ceiling, for this network, until the next day", () => {
  const { ask, spend, time } = ceilingAt(1);
  spend(0.6);
  spend(0.6);
  expect(ask().refusal).toBe("cost_ceiling");
  expect(ask("other").permit).toBeDefined();
  expect(ask("free").permit).toBeDefined();
  time.nowMs -= DAY_MS;
  expect(ask().refusal).toBe("cost_ceiling");
  time.nowMs += 2 * DAY_MS;
  expect(ask().permit).toBeDefined();
});

it("counts calls under way as the dearest so far", () => {
  const { ask, spend } = ceilingAt(1);
  spend(0.3);
  const open = Array.from({ length: 50 }, () => ask()).filter(({ permit }) => permit !== undefined);
  expect(open).toHaveLength(3);
});

it("counts a call that failed as the dearest so far", () => {
  const { ask, spend } = ceilingAt(1);
  spend(0.5);
  ask().permit!.fail();
  expect(ask().refusal).toBe("cost_ceiling");
});

it.each([undefined, Number.NaN, -1, Number.POSITIVE_INFINITY])("fails closed where a call cost %s", (usd) => {
  const { ask, spend, time } = ceilingAt(1);
  spend(usd);
  expect(ask().refusal).toBe("cost_unknown");
  time.nowMs += DAY_MS;
  expect(ask().permit).toBeDefined();
});

it.each([0, -1, Number.NaN])("lets nothing through at a ceiling of %s", (usd) => {
  expect(ceilingAt(usd).ask().refusal).toBe("cost_ceiling");
});
