import { describe, expect, it } from "vitest";
import { unitIn, unitOfKey } from "./unit-at.js";

describe("the unit that a key names", () => {
  it.each([
    ["pressure kPa", "pressure", 1_000],
    ["power mW", "power", 0.001],
    ["temp degF", "temperature", 5 / 9],
    ["temp C", "temperature", 1],
    ["flow l min", "flow", 0.001 / 60],
    ["speed km h", "speed", 1 / 3.6],
    ["memory gb total", "data", 1e9],
    ["used percent", "ratio", 1],
    ["used fraction", "ratio", 100],
    ["total time", undefined, 0],
    ["ticks in use", undefined, 0],
  ])("%s", (key, dimension, factor) => {
    const unit = unitOfKey(key.split(" "));
    expect(unit?.dimension).toBe(dimension);
    expect(unit?.factor ?? 0).toBeCloseTo(factor, 9);
  });
});

describe("a unit as it is written", () => {
  it.each([
    ["N/mm²", "pressure", 1e6],
    ["pounds per square inch", "pressure", 6_894.757],
    ["kg/h", "mass/time", 1 / 3_600],
    ["mPa", "pressure", 0.001],
    ["mega pascals", "pressure", 1e6],
    ["Millibar", "pressure", 100],
    ["MPA", "pressure", 1e6],
    ["кПа", "pressure", 1_000],
    ["Millimetern", "length", 0.001],
    ["cubic metres per hour", "flow", 1 / 3_600],
    ["ft-lb", "torque", 1.3558],
    ["degrees Celsius", "temperature", 1],
    ["GiB", "data", 1_024 ** 3],
  ])("%s", (text, dimension, factor) => {
    const unit = unitIn(text)!;
    expect(unit.dimension).toBe(dimension);
    expect(unit.factor / factor).toBeCloseTo(1, 3);
  });

  it.each(["nginx", "a", "k", "per", "", "bar stool"])("is not %j", (text) => {
    expect(unitIn(text)).toBeUndefined();
  });
});
