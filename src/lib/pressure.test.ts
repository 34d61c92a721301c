import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { VirtualClock } from "../../test/support/virtual-clock.js";
import { LOOK_MS, Pressure, type PressureChange, type PressureReadings, processMeter } from "./pressure.js";

const CALM: PressureReadings = { heap: 0.5, event_loop: 10 };
const LIMITS = { max: { heap: 0.9, event_loop: 500 }, tripMs: 3 * LOOK_MS };

/** Guards whose readings a test sets. */
function watched() {
  const clock = new VirtualClock();
  const changes: PressureChange[] = [];
  const meter = { now: CALM, isClosed: false };
  const pressure = new Pressure(clock, LIMITS, (change) => changes.push(change), {
    read: () => meter.now,
    close: () => {
      meter.isClosed = true;
    },
  });
  const looks = async (count: number, readings: Partial<PressureReadings> = {}) => {
    meter.now = { ...CALM, ...readings };
    await clock.advance(count * LOOK_MS);
    return pressure.tripped;
  };
  return { clock, changes, looks, meter, pressure };
}

describe("a guard", () => {
  it.each([
    ["heap", { heap: 0.95 }],
    ["event_loop", { event_loop: 800 }],
  ] as const)(
    "of the %s trips when it is over for as long as it may be, and tells so once",
    async (guard, over) => {
      const { changes, looks } = watched();
      expect(await looks(3, over)).toBeUndefined();
      expect(await looks(1, over)).toBe(guard);
      expect(await looks(5, over)).toBe(guard);
      const limit = LIMITS.max[guard];
      expect(changes).toEqual([{ guard, isTripped: true, reading: Object.values(over)[0], limit }]);
    },
  );

  it("does not trip at moments that are over, however many there are", async () => {
    const { changes, looks } = watched();
    for (let i = 0; i < 10; i++) {
      await looks(3, { heap: 0.99 });
      await looks(1);
    }
    expect(changes).toEqual([]);
  });

  it("is reset when there was room again for as long, and not while it is only just below its limit", async () => {
    const { changes, looks } = watched();
    await looks(4, { heap: 0.95 });
    expect(await looks(20, { heap: 0.8 })).toBe("heap");
    expect(await looks(3)).toBe("heap");
    expect(await looks(1, { heap: 0.8 })).toBe("heap");
    expect(await looks(3)).toBe("heap");
    expect(await looks(1)).toBeUndefined();
    expect(changes.map(({ isTripped }) => isTripped)).toEqual([true, false]);
  });

  it("goes on while the other is reset", async () => {
    const { looks } = watched();
    expect(await looks(4, { heap: 0.95, event_loop: 800 })).toBe("heap");
    expect(await looks(4, { event_loop: 800 })).toBe("event_loop");
    expect(await looks(4)).toBeUndefined();
  });

  it("of the loop counts how late it was looked at itself", async () => {
    let nowMs = 0;
    let look = () => {};
    const clock = {
      now: () => nowMs,
      monotonic: () => nowMs,
      after: (_: number, callback: () => void) => {
        look = callback;
        return { cancel: () => {} };
      },
    };
    const pressure = new Pressure(clock, LIMITS, () => {}, { read: () => CALM, close: () => {} });
    for (let i = 0; i < 4; i++) {
      nowMs += LOOK_MS + 600;
      look();
    }
    expect(pressure.tripped).toBe("event_loop");
  });

  it("is not looked at any more when all is closed", () => {
    const { clock, meter, pressure } = watched();
    pressure.close();
    expect([clock.pending, meter.isClosed]).toEqual([0, true]);
  });
});

it("reads this process: a loop that is held up is late, and one that rests is not", async () => {
  const meter = processMeter();
  onTestFinished(() => meter.close());
  await sleep(100);
  meter.read();
  await sleep(100);
  const untilMs = performance.now() + 400;
  while (performance.now() < untilMs);
  await sleep(50);
  const held = meter.read();
  expect(held.event_loop).toBeGreaterThan(300);
  expect(held.heap).toBeGreaterThan(0);
  expect(held.heap).toBeLessThan(1);
});
