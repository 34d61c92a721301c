import { describe, expect, it } from "vitest";
import { indexGuide } from "../schema/graph.js";
import { instruct, procedureOf } from "../schema/guides.test-util.js";
import { runOfActions, type Told } from "./runs.test-util.js";
import { isWeak, weakSteps } from "./weak-steps.js";

const GUIDE = procedureOf([
  instruct("a", { estimated_minutes: 2 }),
  instruct("b", { estimated_minutes: 4 }),
  {
    id: "r",
    kind: "record",
    title: "Gauge",
    text: "What?",
    variable: "p",
    unit: "bar",
    max: 4,
    otherwise: "z",
  },
]);
const weak = (...runs: readonly (readonly Told[])[]) =>
  weakSteps(
    GUIDE,
    runs.map((actions) => runOfActions(indexGuide(GUIDE), actions)),
  );
const next = { type: "next" } as const;

describe("the weak steps of a guide", () => {
  it("are those that fail, and where help is called, counted by visits", () => {
    const value = [{ type: "value", value: 9 }, { type: "yes" }] as const;
    const found = weak([next, next, ...value, { type: "help" }], [next, next]);
    expect(found.map(({ step }) => step)).toEqual(["r", "a", "b"]);
    expect(found[0]).toEqual({ step: "r", visits: 2, failures: 1, helps: 1, minutes: 1.5 });
    expect(found.map(isWeak)).toEqual([true, false, false]);
  });

  it("are those that take longer than estimated, pauses left out", () => {
    const found = weak([
      { ...next, after: 3 },
      { type: "pause", after: 4 },
      { type: "resume", after: 600 },
      { ...next, after: 0 },
    ]);
    expect(found.map(({ minutes, ofEstimate, step }) => [step, minutes, ofEstimate])).toEqual([
      ["a", 3, 1.5],
      ["b", 4, 1],
      ["r", 0, undefined],
    ]);
    expect(found.map(isWeak)).toEqual([true, false, false]);
  });

  it("count skips, and every visit of a step that is come to again", () => {
    const skip = { type: "leave_out", left: "skipped", reason: "late" } as const;
    const [first] = weak([skip, { type: "back" }, next]);
    expect(first).toMatchObject({ step: "a", visits: 2, failures: 1 });
    expect(weak()).toEqual([]);
  });
});
