/** Readings in words: figures for the ear and for a screen, what is usual, lists, and many things at once. */
import { expect, test } from "vitest";
import { english } from "../../../test/support/locales.js";
import { plantResource } from "../../../test/support/resources.js";
import type { Reading } from "../../domain/reading.js";
import { areApart, disagreementOf, type Rendering, statementsOf, whichOf } from "./statements.js";

function reading(value: Reading["value"], more: Partial<Reading> = {}): Reading {
  return { target: "p2", signal: "pressure", value, takenAtMs: 0, tool: "plant.read", ...more };
}

function rendering(more: Partial<Rendering> = {}): Rendering {
  const nameOf = (target: string) => (target === "" ? undefined : `pump ${target.slice(1)}`);
  return { locale: english, isSpoken: false, nameOf, ...more };
}

const said = (readings: readonly Reading[], more: Partial<Rendering> = {}) =>
  statementsOf(readings, rendering(more)).map(({ text }) => text);

const statuses = (...states: string[]) =>
  states.map((value, at) => reading(value, { signal: "status", target: `p${at + 1}` }));

test.each([
  ["is rounded for the ear", reading(4.23456, { unit: "bar" }), true, "Pump 2, pressure: 4.23 bar."],
  ["is exact on a screen", reading(4.23456, { unit: "bar" }), false, "Pump 2, pressure: 4.23456 bar."],
  ["has no noise of arithmetic", reading(-6.199999999999999), false, "Pump 2, pressure: -6.2."],
  ["is said in longer times", reading(7_300, { unit: "s", signal: "uptime" }), true, "Pump 2, uptime: 2 h."],
  ["is of no single thing", reading(0.4, { signal: "load", target: "" }), true, "Load: 0.4."],
  [
    "is text word for word",
    reading("Guard door is open", { signal: "alarm" }),
    true,
    "Pump 2, alarms: Guard door is open.",
  ],
])("a value %s", (_, one, isSpoken, text) => {
  expect(said([one], { isSpoken })).toEqual([text]);
});

test("what is usual is said of what is away from it only, and where it goes where it goes", () => {
  expect(said([reading(4.2, { usual: 4.3, trend: "steady" })])).toEqual(["Pump 2, pressure: 4.2."]);
  expect(said([reading(9, { usual: 4.3, trend: "rising" })])).toEqual([
    "Pump 2, pressure: 9. Usually it is 4.3. It is rising.",
  ]);
});

test("a state that was asked about is a yes or a no where that follows", () => {
  const [running] = statuses("running");
  expect(said([running!], { asked: "running" })).toEqual(["Yes. Pump 1 is running."]);
  expect(said([running!], { asked: "stopped" })).toEqual(["No. Pump 1 is running."]);
  expect(said([running!], { asked: "open" })).toEqual(["Pump 1 is running."]);
});

test("what only starts or stops is said as that, and what is so or not with a yes or a no", () => {
  const [starting, stopping] = statuses("starting", "stopping");
  expect(said([starting!], { asked: "running" })).toEqual(["No. Pump 1 is starting."]);
  expect(said([stopping!], { asked: "running" })).toEqual(["No. Pump 2 is stopping."]);
  const isSo = (value: boolean, signal: string) => said([reading(value, { signal })]);
  expect(isSo(true, "update_available")).toEqual(["Pump 2, update available: yes."]);
  expect(isSo(false, "update_available")).toEqual(["Pump 2, update available: no."]);
  expect(isSo(true, "status")).toEqual(["Pump 2 is on."]);
});

test("a question back about more things than it names tells how many there are", () => {
  const things = ["one", "two", "three", "four", "five", "six"].map((name) =>
    plantResource("pump", name, [`pump ${name}`]),
  );
  const { options, text } = whichOf(things, english);
  expect(text).toBe("Pump one, pump two, pump three or pump four? There are 6 in all.");
  expect(options).toHaveLength(4);
  expect(whichOf(things.slice(0, 2), english).text).toBe("Pump one or pump two?");
});

test("of many, those that stand out are named, and all of what is said is stated", () => {
  const many = statuses("running", "running", "stopped", "running", "running");
  const all = statementsOf(many, rendering());
  expect(all.map(({ text }) => text)).toEqual(["4 are running.", "Pump 3 is stopped."]);
  expect(all.flatMap(({ says }) => says)).toHaveLength(5);
  expect(said(statuses(...Array<string>(6).fill("running")))).toEqual(["All 6 are running."]);
});

test("of many values the lowest and the highest are said", () => {
  const many = [3, 1, 5, 2, 4].map((value, at) => reading(value, { target: `p${at}`, unit: "bar" }));
  expect(said(many)).toEqual(["5, pressure: from 1 bar to 5 bar."]);
});

test("two that disagree are one sentence, which states both", () => {
  const { says, text } = disagreementOf([reading(1), reading(9)], rendering());
  expect(text).toBe("Two readings of pressure for pump 2 disagree: 1, and 9.");
  expect(says.map(({ value }) => value)).toEqual([1, 9]);
});

test("sensors may be apart a little, more of what is large", () => {
  expect([areApart(1, 1.5), areApart(1, 1.6), areApart(100, 105), areApart(100, 106)]).toEqual([
    ...[false, true, false, true],
  ]);
});
