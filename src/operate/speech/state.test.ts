/** States as systems write them, and whether they are what was asked about. */
import { expect, test } from "vitest";
import { locales } from "../../../test/support/locales.js";
import { isInState, stateInWords, stateNamed } from "./statements.js";

test.each([
  ["running", "running"],
  ["ACTIVE (running)", "running"],
  ["exited", "stopped"],
  ["fault", "failed"],
  ["Up 3 hours", "running"],
  ["Exited (0) 2 minutes ago", "stopped"],
  ["partly running", "partly running"],
  ["not running", "not running"],
  ["warming", "warming"],
  [true, "on"],
  [false, "off"],
])("%s is %s", (value, name) => {
  expect(stateNamed(value)).toBe(name);
});

test.each([
  ["running", "running", true],
  ["stopped", "running", false],
  ["fault", "running", false],
  ["fault", "stopped", true],
  ["stopped", "failed", undefined],
  ["running", "open", undefined],
  ["warming", "running", undefined],
  ["partly running", "running", undefined],
])("of %s, whether it is %s: %s", (value, asked, isSo) => {
  expect(isInState(value, asked)).toBe(isSo);
});

test("a state is said in the language of the answer, and one that has no word there as it is written", () => {
  expect(stateInWords("running", locales.of("de"))).toBe("läuft");
  expect(stateInWords("Warming", locales.of("de"))).toBe("Warming");
});
