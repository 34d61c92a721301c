/** What is said of readings is compared with them as values: units, denials, readings that disagree, and newer ones. */
import { expect, test } from "vitest";
import type { Reading, Statement } from "../../domain/reading.js";
import { atOnce } from "../../lib/steps.js";
import { ReadingsChecker } from "./readings.js";
import { sameValue } from "./statements.js";

const T0 = Date.UTC(2026, 0, 1);
const CONTEXT = { question: "", said: [] };

function reading(value: Reading["value"], more: Partial<Reading> = {}): Reading {
  return { target: "plant/pump/p2", signal: "pressure", value, takenAtMs: T0, tool: "plant.read", ...more };
}

function said(value: Statement["value"], more: Partial<Statement> = {}): Statement {
  return { target: "plant/pump/p2", signal: "pressure", value, holds: true, ...more };
}

function verdict(readings: readonly Reading[], ...says: readonly Statement[]) {
  const checker = new ReadingsChecker(() => T0);
  atOnce(checker.add({ type: "readings", tools: [], values: readings }));
  return atOnce(checker.check({ text: "It is so.", says }, CONTEXT))?.verdict;
}

test.each([
  ["420 kPa is 4.2 bar", [reading(420, { unit: "kPa" })], [said(4.2, { unit: "bar" })], "supported"],
  ["4.2 bar is not 42 bar", [reading(4.2, { unit: "bar" })], [said(42, { unit: "bar" })], "contradicted"],
  ["no unit is another unit", [reading(4.2, { unit: "bar" })], [said(4.2)], "contradicted"],
  ["what is denied is another value", [reading("running")], [said("stopped", { holds: false })], "supported"],
  ["what is denied is so", [reading("running")], [said("running", { holds: false })], "contradicted"],
  ["another thing", [reading(4.2, { target: "plant/pump/p3" })], [said(4.2)], "unsupported"],
  ["another signal", [reading(4.2, { signal: "speed" })], [said(4.2)], "unsupported"],
  [
    "an older one does not count",
    [reading(3), reading(4, { takenAtMs: T0 + 5_000 })],
    [said(3)],
    "contradicted",
  ],
  ["one of two tools", [reading("on"), reading("off", { tool: "b" })], [said("on")], "contradicted"],
  [
    "both of two tools",
    [reading("on"), reading("off", { tool: "b" })],
    [said("on"), said("off")],
    "supported",
  ],
  ["one of a tool's list", [reading("hot"), reading("open")], [said("open")], "supported"],
] as const)("%s", (_, readings, says, expected) => {
  expect(verdict(readings, ...says)).toBe(expected);
});

test("a sentence that states nothing is left to others", () => {
  expect(verdict([reading(1)])).toBe("supported");
  const checker = new ReadingsChecker(() => T0);
  expect(atOnce(checker.check({ text: "It is so." }, CONTEXT))).toBeUndefined();
});

test("a reading is evidence with its unit and its time", () => {
  const checker = new ReadingsChecker(() => T0);
  atOnce(checker.add({ type: "readings", tools: [], values: [reading(4.2, { unit: "bar" })] }));
  const judgement = atOnce(checker.check({ text: "x", says: [said(4.2, { unit: "bar" })] }, CONTEXT));
  expect(judgement).toMatchObject({
    isLive: true,
    evidence: [{ type: "tool_output", source: "plant.read", value: "pressure: 4.2 bar", takenAtMs: T0 }],
  });
});

test("only words that are equal are the same, and numbers in units that can be compared", () => {
  expect(sameValue({ value: "on" }, { value: "on" })).toBe(true);
  expect(sameValue({ value: "on" }, { value: true })).toBe(false);
  expect(sameValue({ value: 1, unit: "h" }, { value: 60, unit: "min" })).toBe(true);
  expect(sameValue({ value: 1, unit: "h" }, { value: 1, unit: "bar" })).toBe(false);
});
