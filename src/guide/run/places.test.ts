/** Where a run can be and go: the fields of the form, what may be left out or jumped past, what can be said. */
import { describe, expect, it } from "vitest";
import { type GuideIndex, indexGuide } from "../schema/graph.js";
import { guideOf, instruct, procedureOf, question } from "../schema/guides.test-util.js";
import {
  commandsAt,
  countedSteps,
  fieldsOf,
  mayJump,
  numberOf,
  placeBehind,
  valueAskedAt,
  whereIs,
  whoConfirms,
  whyKept,
} from "./places.js";
import type { Asks, GuideRun, NamedAction } from "./run.js";
import { check, hold, operate, record } from "./runs.test-util.js";
import { beginRun } from "./stepper.js";

type Fields = Readonly<Record<string, unknown>>;

const procedure = (steps: readonly Fields[], fields: Fields = {}) => indexGuide(procedureOf(steps, fields));

/** A run that is at a step, however it came there. */
function runAt(index: GuideIndex, id: string, more: Partial<GuideRun> = {}): GuideRun {
  const { run } = beginRun(index, { atMs: 0, by: "ann" });
  return { ...run, asks: undefined, place: { type: "step", id }, ...more };
}

const stepOf = (index: GuideIndex, id: string) => index.steps.get(id)!;
const position = (id: string) => ({ place: { type: "step", id }, values: {}, passed: [] }) as const;

describe("the form before the steps", () => {
  const intake = [
    { name: "late", label: "Late", order: 2, type: "number", unit: "bar" },
    { name: "first", label: "First" },
    { name: "early", label: "Early", order: 1 },
  ];
  const index = procedure([instruct("x")], { intake });
  const field = (name: string) => ({ place: { type: "intake", field: name } }) as const;

  it("is asked in the order that its fields have, those without one first", () => {
    expect(fieldsOf(index).map(({ name }) => name)).toEqual(["first", "early", "late"]);
    expect(placeBehind(index, {})).toEqual(field("first").place);
    expect(placeBehind(index, {}, "first")).toEqual(field("early").place);
    expect(placeBehind(index, { early: "a" }, "first")).toEqual(field("late").place);
    expect(placeBehind(index, {}, "late")).toEqual({ type: "step", id: "x" });
  });

  it("asks for a number where the field is one, with its unit", () => {
    expect(valueAskedAt(index, field("late"))).toEqual({ isNumber: true, unit: "bar" });
    expect(valueAskedAt(index, field("first"))).toEqual({ isNumber: false, unit: undefined });
  });

  it("tells which field it is, and of how many", () => {
    const run = beginRun(index, { atMs: 0, by: "ann" }).run;
    expect(numberOf(index, run)).toEqual({ number: 1, of: 3 });
    const second = { ...run, ...field("early"), wayBack: [{ ...position("x"), ...field("first") }] };
    expect(whereIs(index, second)).toEqual({ say: "where", number: "2", count: "3" });
  });
});

it("asks for a number, or for words, at a step that records one, and at no other", () => {
  const words = { ...record, id: "w", variable: "w", value_type: "text" };
  const index = procedure([{ ...record, unit: "bar" }, words, instruct("x")]);
  expect(valueAskedAt(index, runAt(index, "r"))).toEqual({ isNumber: true, unit: "bar" });
  expect(valueAskedAt(index, runAt(index, "w"))).toEqual({ isNumber: false, unit: undefined });
  expect(valueAskedAt(index, runAt(index, "x"))).toBeUndefined();
});

describe("what may be left out", () => {
  it("is neither guarded, nor an answer, nor a value that another step says", () => {
    const index = procedure([
      instruct("x"),
      instruct("k", { critical: true }),
      { ...hold, critical: true },
      question("q", { Yes: "r" }),
      record,
      { ...record, id: "unused", variable: "u" },
      instruct("y", { text: "Set it to [VAR:p]." }),
    ]);
    const kept = ["x", "k", "h", "q", "r", "unused", "z"].map((id) => whyKept(index, stepOf(index, id)));
    expect(kept).toEqual([
      undefined,
      "critical",
      "hold_point",
      "needs_answer",
      "needed_later",
      undefined,
      "needs_answer",
    ]);
  });
});

describe("a jump", () => {
  it.each([
    ["a critical step", instruct("k", { critical: true }), false],
    ["a hold point", hold, false],
    ["a question", question("q", { Yes: "y" }), false],
    ["a value that is said later", record, false],
    ["a value that nothing says", { ...record, variable: "unused" }, true],
    ["anything else", instruct("o"), true],
  ])("past %s", (_, between, may) => {
    const index = procedure([
      instruct("x"),
      between,
      instruct("y"),
      instruct("w", { text: "Set it to [VAR:p]." }),
    ]);
    expect(mayJump(index, runAt(index, "x"), "y")).toBe(may);
    // What stops the way may be gone to itself.
    expect(mayJump(index, runAt(index, "x"), between.id as string)).toBe(true);
    expect(mayJump(index, runAt(index, between.id as string), "y")).toBe(may);
  });

  it("leads past what is guarded once that is done, and only past that", () => {
    const index = procedure([instruct("x"), hold, instruct("k", { critical: true }), instruct("y")]);
    const jumps = (...passed: readonly string[]) => mayJump(index, runAt(index, "x", { passed }), "y");
    expect([jumps(), jumps("h"), jumps("k"), jumps("h", "k")]).toEqual([false, false, false, true]);
  });

  it("leads neither to where the run is nor out of the form", () => {
    const index = procedure([instruct("x"), instruct("y", { otherwise: "x" })], {
      intake: [{ name: "a", label: "Line" }],
    });
    expect(mayJump(index, runAt(index, "x"), "x")).toBe(false);
    expect(mayJump(index, beginRun(index, { atMs: 0, by: "ann" }).run, "x")).toBe(false);
  });
});

describe("which step it is", () => {
  it("is counted without headings and ends", () => {
    const heading = { id: "s", kind: "section", title: "First" };
    const index = procedure([heading, instruct("x"), instruct("y")]);
    expect(countedSteps(index.guide).map(({ id }) => id)).toEqual(["x", "y"]);
    expect(numberOf(index, runAt(index, "x"))).toEqual({ number: 1, of: 2 });
    expect(numberOf(index, runAt(index, "y"))).toEqual({ number: 2, of: 2 });
    expect(numberOf(index, runAt(index, "z"))).toEqual({ number: 2, of: 2 });
  });

  it("is told of a tree by what came before it, the form apart", () => {
    const tree = indexGuide(guideOf([question("q", { No: "fix" }), instruct("fix", { next: "q" })]));
    const form = { ...position("q"), place: { type: "intake", field: "a" } } as const;
    const run = runAt(tree, "fix", { wayBack: [form, position("q"), position("fix")] });
    expect(numberOf(tree, run)).toEqual({ number: 3, of: undefined });
    expect(whereIs(tree, run)).toEqual({ say: "where_open", number: "3" });
  });
});

it("names the group that has to confirm a hold point, where there is one", () => {
  expect(whoConfirms({ kind: "hold_point", group: "fitters" } as never)).toEqual({
    ...{ say: "needs_second_of", group: "fitters" },
  });
  expect(whoConfirms({ kind: "hold_point" } as never)).toEqual({ say: "needs_second" });
});

describe("what can be said", () => {
  const ALWAYS = ["repeat", "slower", "why", "where", "left", "pause", "help", "quit"] as const;
  const index = procedure(
    [
      instruct("x"),
      instruct("i", { otherwise: "x" }),
      instruct("k", { critical: true }),
      instruct("v", { verification_prompt: "Which seal?", verification_type: "text_input" }),
      record,
      question("q", { Yes: "h" }),
      hold,
      { ...check, text: "Is it still?" },
      operate,
    ],
    { intake: [{ name: "a", label: "Line" }] },
  );
  /** What is told besides that which can always be said. */
  const told = (run: GuideRun): readonly NamedAction[] => {
    const all = commandsAt(index, run);
    expect(all.slice(-ALWAYS.length)).toEqual(ALWAYS);
    return all.slice(0, -ALWAYS.length);
  };

  it.each<[string, readonly NamedAction[]]>([
    ["x", ["next", "leave_out", "jump"]],
    ["i", ["next", "failed", "leave_out", "jump"]],
    ["k", ["next", "jump"]],
    ["r", ["value", "leave_out", "jump"]],
    ["q", ["answer", "options", "jump"]],
    ["h", ["second", "jump"]],
    ["z", ["next"]],
  ])("moves on at %s", (id, actions) => {
    expect(told(runAt(index, id))).toEqual(actions);
    const [first, ...ways] = actions;
    const behind = actions.includes("options")
      ? ["answer", "options", "back", "jump"]
      : [first, "back", ...ways];
    expect(told(runAt(index, id, { wayBack: [position("x")] }))).toEqual(behind);
  });

  it.each<[Asks["type"], string, readonly NamedAction[]]>([
    ["check_digit", "k", ["value", "jump"]],
    ["readback", "r", ["yes", "no", "leave_out", "jump"]],
    ["too_fast", "k", ["yes", "no", "jump"]],
    ["verification", "k", ["yes", "no", "jump"]],
    ["verification", "v", ["value", "leave_out", "jump"]],
    ["too_fast", "v", ["yes", "no", "leave_out", "jump"]],
    ["person", "c", ["yes", "no", "leave_out", "jump"]],
    ["quit", "k", ["yes", "no", "jump"]],
    ["reason", "x", ["note", "no", "leave_out", "jump"]],
    ["reading", "c", ["leave_out", "jump"]],
    ["operation", "o", []],
    ["unknown_outcome", "o", ["leave_out", "jump"]],
  ])("answers what is asked as %s at %s", (type, id, actions) => {
    expect(told(runAt(index, id, { asks: { type } as Asks }))).toEqual(actions);
  });

  it("is a value in the form, and nothing of steps", () => {
    expect(told(beginRun(index, { atMs: 0, by: "ann" }).run)).toEqual(["value"]);
  });

  it("is little in a pause", () => {
    const paused = runAt(index, "x", { status: "paused" });
    expect(commandsAt(index, paused)).toEqual(["resume", "where", "left", "help", "quit"]);
  });

  it("leads nowhere from a step that nothing follows", () => {
    const tree = indexGuide(guideOf([question("q", { No: "fix" }), instruct("fix")]));
    expect(commandsAt(tree, runAt(tree, "fix"))).toEqual(["next", ...ALWAYS]);
  });
});
