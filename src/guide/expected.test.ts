import { expect, it } from "vitest";
import { isExpected } from "./expected.js";

it.each<[object | undefined, object, boolean]>([
  [undefined, { value: "running" }, true],
  [{ equals: "stopped" }, { value: "stopped" }, true],
  [{ equals: "stopped" }, { value: "running" }, false],
  [{ equals: 4.2, unit: "bar" }, { value: 420, unit: "kPa" }, true],
  [{ min: 4, max: 5, unit: "bar" }, { value: 4.5, unit: "bar" }, true],
  [{ min: 4, max: 5, unit: "bar" }, { value: 450, unit: "kPa" }, true],
  [{ min: 4, max: 5, unit: "bar" }, { value: 3.9, unit: "bar" }, false],
  [{ max: 5, unit: "bar" }, { value: 5.1, unit: "bar" }, false],
  [{ max: 5, unit: "bar" }, { value: 4, unit: "°C" }, false],
  [{ min: 1 }, { value: 2, unit: "bar" }, true],
  [{ min: 1 }, { value: "high" }, false],
])("a step that expects %o, of %o: %s", (expected, reading, fits) => {
  expect(isExpected(expected as never, reading as never)).toBe(fits);
});
