/** What a run keeps, what it says of where it is, and what no event at another place may count for. */
import { describe, expect, it } from "vitest";
import { indexGuide } from "../schema/graph.js";
import { guideOf, instruct, procedureOf, question } from "../schema/guides.test-util.js";
import { STEPS_MAX } from "../schema/schema.js";
import { type RunAction, SAID_CHARS_MAX } from "./run.js";
import { check, hold, Led, led, operate, record, type Told } from "./runs.test-util.js";

const MINUTE_MS = 60_000;
const SECOND_MS = 1_000;
const DIGITS = { place: "cabinet P1", digits: "47" };

describe("the record of a run", () => {
  it("tells who did what, where and when, to the end", () => {
    const run = led([instruct("x"), record], { intake: [{ name: "a", label: "Line" }] });
    run.tell({ type: "value", value: "two" });
    run.tell({ type: "yes" });
    run.tell({ type: "next" });
    run.tell({ type: "hand_over", to: "bob" });
    run.tell({ type: "repeat" }, { by: "bob" });
    run.tell({ type: "value", value: 4 }, { by: "bob" });
    run.tell({ type: "yes" }, { by: "bob" });
    const entries = run.run.log.map(({ atMs, ...rest }) =>
      [atMs / MINUTE_MS, ...Object.values(rest)].join(" "),
    );
    expect(entries).toEqual([
      "0 ann started a",
      "0 ann arrived a",
      "2 ann recorded a two",
      "2 ann arrived x",
      "3 ann done x",
      "3 ann arrived r",
      "4 ann handed_over r bob",
      "7 bob recorded r 4",
      "7 bob arrived z",
      "7 bob finished z",
    ]);
    expect(run.run).toMatchObject({ guide: "g", version: 1, user: "bob", values: { a: "two", p: 4 } });
  });

  it("tells what was not done in the order of the steps, with its reasons", () => {
    const run = led([
      instruct("x", { otherwise: "y" }),
      instruct("y"),
      instruct("w"),
      instruct("v", { check_digit: DIGITS }),
    ]);
    run.tell({ type: "failed" });
    run.tell({ type: "leave_out", left: "skipped", reason: "late" });
    run.tell({ type: "back" });
    run.tell({ type: "jump", step: "v" });
    run.tell({ type: "value", value: "47" });
    run.tell({ type: "pause" });
    run.tell({ type: "resume" });
    run.tell({ type: "note", text: "loud" });
    run.tell({ type: "quit" });
    run.tell({ type: "yes" });
    const entries = run.run.log.map(({ at, text, what }) => [what, at, text ?? []].flat().join(" "));
    expect(entries.filter((one) => !/^(?:started|arrived)/.test(one))).toEqual([
      ...["failed x", "skipped y late", "back y", "jumped y v", "verified v 47"],
      ...["paused v", "resumed v", "note v loud", "quit v"],
    ]);
  });

  it("cuts what was said to its limit", () => {
    const run = led([instruct("x")]);
    run.tell({ type: "note", text: "a".repeat(SAID_CHARS_MAX + 1) });
    expect(run.texts("note")[0]).toHaveLength(SAID_CHARS_MAX);
  });
});

describe("a step that records a value", () => {
  it("is not passed without one", () => {
    const run = led([record, instruct("y")]);
    expect(run.tell({ type: "next" })).toEqual([{ say: "value_expected" }]);
    expect([run.at, run.run.status, run.texts("done")]).toEqual(["r", "running", []]);
  });

  it("takes no words for a number, and words where it asks for them", () => {
    const words = { ...record, id: "w", variable: "w", value_type: "text" };
    const run = led([{ ...record, max: 4.5 }, words]);
    expect(run.tell({ type: "value", value: "nine" })).toEqual([{ say: "not_a_number" }]);
    expect([run.at, run.run.asks]).toEqual(["r", undefined]);
    run.tell({ type: "value", value: 4 });
    run.tell({ type: "yes" });
    run.tell({ type: "value", value: "A 17" });
    run.tell({ type: "yes" });
    expect([run.at, run.run.values]).toEqual(["z", { p: 4, w: "A 17" }]);
  });

  it("reads a value back with its unit, and again when it is asked to", () => {
    const run = led([{ ...record, unit: "bar" }]);
    const readback = [{ say: "readback", value: "4.2 bar" }];
    expect(run.tell({ type: "value", value: 4.2 })).toEqual(readback);
    expect(run.tell({ type: "repeat" })).toEqual(readback);
    expect(run.tell({ type: "next" })).toEqual(readback);
    expect([run.at, run.run.values]).toEqual(["r", {}]);
  });

  it.each([
    [{ min: 1 }, 1, 0.9, { say: "out_of_range_at_least", low: "1" }],
    [{ max: 4 }, 4, 4.1, { say: "out_of_range_at_most", high: "4" }],
    [{ min: 1, max: 4 }, 4, 4.1, { say: "out_of_range_between", low: "1", high: "4" }],
    [{ min: 1, max: 4 }, 1, 0.9, { say: "out_of_range_between", low: "1", high: "4" }],
  ])("takes the bound itself of %j, and nothing beyond", (range, bound, beyond, said) => {
    const run = led([{ ...record, ...range }]);
    run.tell({ type: "value", value: beyond });
    expect(run.tell({ type: "yes" })[0]).toEqual(said);
    expect([run.at, run.run.values, run.texts("recorded")]).toEqual(["r", {}, []]);
    run.tell({ type: "value", value: bound });
    run.tell({ type: "yes" });
    expect([run.at, run.run.values, run.texts("recorded")]).toEqual(["z", { p: bound }, [`${bound}`]]);
  });

  it("waits for somebody who knows where the second value is out of range, too, and no way leads on", () => {
    const run = led([{ ...record, max: 4 }]);
    for (const value of [9, 8]) {
      run.tell({ type: "value", value });
      run.tell({ type: "yes" });
    }
    expect(run.stepped.says.at(-1)).toEqual({ say: "no_way_on" });
    expect([run.at, run.run.values]).toEqual(["r", {}]);
  });

  it("counts values out of range anew where it is come to again", () => {
    const run = led([instruct("x"), { ...record, max: 4, otherwise: "y" }, instruct("y")]);
    for (const action of ["next", "back", "next"] as const) {
      run.tell({ type: action });
      if (run.at !== "r") continue;
      run.tell({ type: "value", value: 9 });
      run.tell({ type: "yes" });
    }
    expect([run.at, run.run.values, run.run.outOfRange]).toEqual(["r", {}, 1]);
  });
});

describe("what is guarded", () => {
  it("has to be done again where it is come to again", () => {
    const run = led([instruct("k", { critical: true }), instruct("y", { otherwise: "k" }), instruct("w")]);
    run.tell({ type: "next" });
    expect(run.run.passed).toEqual(["k"]);
    run.tell({ type: "failed" });
    expect([run.at, run.run.passed]).toEqual(["k", []]);
    expect(run.tell({ type: "jump", step: "w" })).toEqual([{ say: "may_not_jump" }]);
    run.tell({ type: "next" });
    run.tell({ type: "back" });
    expect([run.at, run.run.passed]).toEqual(["k", []]);
  });

  it("counts once, however often it is done, and what is not guarded does not", () => {
    const loop = [hold, instruct("k", { critical: true }), instruct("y", { otherwise: "h" })];
    const run = led(loop);
    for (let round = 0; round < 2; round++) {
      run.tell({ type: "second", groups: ["fitters"] }, { by: "bob" });
      run.tell({ type: "next" });
      expect(run.run.passed.toSorted()).toEqual(["h", "k"]);
      run.tell({ type: "failed" });
      expect([run.at, run.run.passed]).toEqual(["h", ["k"]]);
    }
  });

  it("is confirmed by anybody else where it names no group", () => {
    const run = led([{ ...hold, group: undefined }, instruct("y")]);
    expect(run.tell({ type: "next" })).toEqual([{ say: "needs_second" }]);
    run.tell({ type: "second", groups: [] });
    expect(run.at).toBe("h");
    run.tell({ type: "second", groups: [] }, { by: "bob" });
    expect([run.at, run.texts("seconded")]).toEqual(["y", [undefined]]);
  });

  it("is all that a second person can confirm", () => {
    const run = led([instruct("x"), instruct("y")]);
    expect(run.tell({ type: "second", groups: ["fitters"] }, { by: "bob" })).toEqual([{ say: "not_yours" }]);
    expect([run.at, run.texts("seconded")]).toEqual(["x", []]);
  });

  it("alone is asked again where it was done fast", () => {
    const run = led([instruct("x", { min_seconds: 30 }), instruct("y")]);
    run.tell({ type: "next" }, { afterMs: SECOND_MS });
    expect(run.at).toBe("y");
  });

  it("is not passed by being failed", () => {
    const run = led([instruct("k", { critical: true, otherwise: "y" }), instruct("y")]);
    run.tell({ type: "failed" });
    expect([run.at, run.run.passed]).toEqual(["y", []]);
  });

  it("takes as long as it says, and no longer", () => {
    const steps = [instruct("k", { critical: true, min_seconds: 30 }), instruct("y")];
    const [fast, slow] = [led(steps), led(steps)];
    expect(fast.tell({ type: "next" }, { afterMs: 30 * SECOND_MS - 1 })).toEqual([{ say: "too_fast" }]);
    expect(fast.tell({ type: "repeat" })).toEqual([{ say: "too_fast" }]);
    slow.tell({ type: "next" }, { afterMs: 30 * SECOND_MS });
    expect([fast.at, slow.at]).toEqual(["k", "y"]);
  });
});

describe("the question that confirms a step", () => {
  const asked = { critical: true, verification_prompt: "Is the seal whole?", otherwise: "f" };
  const behind = [instruct("y"), instruct("f")];
  const ways: readonly [string, Record<string, unknown>, readonly Told[]][] = [
    ["a value that is recorded", record, [{ type: "value", value: 4 }, { type: "yes" }]],
    ["a reading", check, [{ type: "reading", said: "4 bar", fits: true, by: "site" }]],
    [
      "what a person answers for a site",
      { ...check, text: "Is it still?" },
      [{ type: "reading", fits: false, by: "site" }, { type: "yes" }],
    ],
    ["an operation", operate, [{ type: "operated", outcome: "verified", by: "site" }]],
    ["an answer", question("q", { No: "f", Yes: "y" }), [{ type: "answer", option: "1" }]],
    ["an act", instruct("x"), [{ type: "next" }]],
    ["a second person", hold, [{ type: "second", groups: ["fitters"], by: "bob" }]],
  ];

  it.each(ways)("is asked behind %s, and passes it where the answer is yes", (_, step, done) => {
    const run = led([{ ...step, ...asked }, ...behind]);
    for (const { by = "ann", ...action } of done) run.tell(action as RunAction, { by });
    expect(run.stepped.says.at(-1)).toEqual({ say: "verification", step: step.id });
    expect([run.at, run.run.asks?.type, run.run.passed]).toEqual([step.id, "verification", []]);
    expect(run.texts("done")).toEqual([]);
    for (const type of ["next", "repeat"] as const)
      expect(run.tell({ type })).toEqual([{ say: "verification", step: step.id }]);
    run.tell({ type: "yes" });
    expect([run.at, run.run.passed, run.texts("verified")]).toEqual(["y", [step.id], [undefined]]);
  });

  it.each(ways)("fails what is behind %s where the answer is no", (_, step, done) => {
    const run = led([{ ...step, ...asked }, ...behind]);
    for (const { by = "ann", ...action } of done) run.tell(action as RunAction, { by });
    run.tell({ type: "no" });
    expect([run.at, run.run.passed, run.texts("failed")]).toEqual(["f", [], [undefined]]);
  });

  it("can say the value that was recorded, and keeps it", () => {
    const run = led([{ ...record, ...asked }, ...behind]);
    run.tell({ type: "value", value: 4 });
    run.tell({ type: "yes" });
    expect(run.run.values).toEqual({ p: 4 });
    run.tell({ type: "yes" });
    expect([run.run.values, run.texts("recorded")]).toEqual([{ p: 4 }, ["4"]]);
  });
});

describe("the digits of a label", () => {
  it("come before the answer to a question", () => {
    const run = new Led(
      indexGuide(guideOf([question("q", { Yes: "y" }, { check_digit: DIGITS }), instruct("y")])),
    );
    expect(run.tell({ type: "answer", option: "0" })).toEqual([
      { say: "not_understood" },
      { say: "check_digit", step: "q" },
    ]);
    expect(run.at).toBe("q");
    run.tell({ type: "value", value: 47 });
    run.tell({ type: "answer", option: "0" });
    expect(run.at).toBe("y");
  });

  it("come before what a site reads or does", () => {
    const [reading, operating] = [check, operate].map((step) => led([{ ...step, check_digit: DIGITS }]));
    reading!.tell({ type: "reading", said: "4 bar", fits: true }, { by: "site" });
    expect([reading!.at, reading!.run.asks]).toEqual(["c", { type: "check_digit" }]);
    reading!.tell({ type: "value", value: "47" });
    expect(reading!.run.asks).toEqual({ type: "reading" });
    operating!.tell({ type: "operated", outcome: "verified" }, { by: "site" });
    expect([operating!.at, operating!.run.asks]).toEqual(["o", { type: "check_digit" }]);
    operating!.tell({ type: "value", value: "47" });
    expect(operating!.run.asks).toEqual({ type: "operation" });
  });

  it("come before a heading leads on", () => {
    const heading = { id: "s", kind: "section", title: "First", check_digit: DIGITS };
    const run = led([heading, instruct("x")]);
    expect([run.at, run.stepped.says]).toEqual(["s", [{ say: "check_digit", step: "s" }]]);
    run.tell({ type: "value", value: "47" });
    expect(run.at).toBe("x");
  });
});

describe("what a site tells", () => {
  it("counts only where the run waits for it", () => {
    const run = led([{ ...check, text: "Is it still?" }, instruct("x"), operate]);
    run.tell({ type: "reading", fits: false }, { by: "site" });
    run.tell({ type: "reading", said: "4 bar", fits: true }, { by: "site" });
    expect([run.at, run.run.asks, run.texts("read")]).toEqual(["c", { type: "person" }, []]);
    run.tell({ type: "yes" });
    expect(run.texts("answered")).toEqual(["yes"]);
    run.tell({ type: "reading", said: "4 bar", fits: true }, { by: "site" });
    run.tell({ type: "operated", outcome: "verified" }, { by: "site" });
    expect([run.at, run.texts("operated")]).toEqual(["x", []]);
    run.tell({ type: "next" });
    run.tell({ type: "operated", outcome: "unknown" }, { by: "site" });
    run.tell({ type: "operated", outcome: "verified" }, { by: "site" });
    expect([run.at, run.run.asks, run.texts("operated")]).toEqual(["o", { type: "unknown_outcome" }, []]);
  });

  it("is read again where nobody can be asked, and waits where it does not fit and no way leads on", () => {
    const run = led([check, instruct("x")]);
    expect(run.tell({ type: "reading", fits: false }, { by: "site" })).toEqual([{ say: "not_read" }]);
    expect([run.at, run.run.asks, run.texts("not_read")]).toEqual(["c", undefined, [undefined]]);
    run.tell({ type: "reading", said: "4 bar", fits: true }, { by: "site" });
    expect([run.at, run.texts("read")]).toEqual(["c", []]);
    run.tell({ type: "next" });
    expect([run.at, run.run.asks]).toEqual(["c", { type: "reading" }]);
    expect(run.tell({ type: "reading", said: "9 bar", fits: false }, { by: "site" })).toEqual([
      { say: "reading", text: "9 bar", fits: false },
      { say: "no_way_on" },
    ]);
    run.tell({ type: "next" });
    expect(run.tell({ type: "reading", said: "4 bar", fits: true }, { by: "site" })[0]).toEqual({
      ...{ say: "reading", text: "4 bar", fits: true },
    });
    expect([run.at, run.texts("read")]).toEqual(["x", ["9 bar", "4 bar"]]);
  });

  it("asks the person before it is taken for failed", () => {
    const run = led([{ ...check, text: "Is it still?", otherwise: "f" }, instruct("x"), instruct("f")]);
    expect(run.tell({ type: "reading", fits: false }, { by: "site" })).toEqual([
      { say: "not_read" },
      { say: "person", step: "c" },
    ]);
    run.tell({ type: "no" });
    expect([run.at, run.texts("failed")]).toEqual(["f", [undefined]]);
  });

  it.each([
    ["verified", "x", "operated", undefined],
    ["refused", "f", "not_operated", undefined],
    ["failed", "f", "not_operated", undefined],
    ["unknown", "f", "not_operated", undefined],
  ] as const)("leads on from an operation that is %s to %s", (outcome, to, what, asks) => {
    const run = led([{ ...operate, otherwise: "f" }, instruct("x"), instruct("f")]);
    const said = run.tell({ type: "operated", outcome }, { by: "site" });
    expect(said[0]).toEqual({ say: `operated_${outcome}` });
    expect([run.at, run.texts(what), run.run.asks]).toEqual([to, [outcome], asks]);
  });
});

describe("a run that is paused", () => {
  it("is ended by a yes to whether it is to end, and by none to anything else", () => {
    const run = led([instruct("x")]);
    run.tell({ type: "pause" });
    expect(run.tell({ type: "yes" })).toEqual([{ say: "paused" }]);
    run.tell({ type: "quit" });
    run.tell({ type: "no" });
    expect([run.run.status, run.run.asks]).toEqual(["paused", undefined]);
    run.tell({ type: "quit" });
    expect(run.tell({ type: "yes" })).toEqual([{ say: "quit" }]);
    expect(run.run.status).toBe("quit");
  });

  it("hears noise, and counts it for nothing", () => {
    const run = led([instruct("x")]);
    run.tell({ type: "pause" });
    const { pausedMs } = run.run;
    for (let noise = 0; noise < 3; noise++) expect(run.tell({ type: "noise" })).toEqual([{ say: "paused" }]);
    expect([run.run.pausedMs, run.run.misses, run.texts("paused")]).toEqual([pausedMs, 0, [undefined]]);
  });
});

describe("what a run says", () => {
  it("is the step again, slowly where that is asked, and what is asked at it", () => {
    const run = led([instruct("x")], { intake: [{ name: "a", label: "Line", required: false }] });
    for (const type of ["values", "why", "options"] as const)
      expect(run.tell({ type })).toEqual([{ say: "field", field: "a" }]);
    expect(run.tell({ type: "left" })).toEqual([{ say: "left_unknown" }]);
    expect(run.tell({ type: "yes" })).toEqual([{ say: "value_expected" }]);
    expect(run.tell({ type: "failed" })).toEqual([{ say: "value_expected" }]);
    run.tell({ type: "next" });
    expect([run.at, run.texts("recorded")]).toEqual(["x", []]);
    for (const type of ["values", "why", "options"] as const)
      expect(run.tell({ type })).toEqual([{ say: type, step: "x" }]);
    expect(run.tell({ type: "slower" })).toEqual([{ say: "step", step: "x", slowly: true }]);
    expect(run.tell({ type: "repeat" })).toEqual([{ say: "step", step: "x", slowly: false }]);
    expect(run.tell({ type: "resume" })).toEqual([{ say: "step", step: "x", slowly: false }]);
    expect(run.tell({ type: "yes" })).toEqual([{ say: "say_done" }]);
    expect(run.tell({ type: "value", value: 3 })[0]).toEqual({ say: "not_understood" });
    expect(run.tell({ type: "jump", step: "nowhere" })).toEqual([{ say: "no_such_step" }]);
    expect(run.tell({ type: "hand_over", to: "bob" })).toEqual([{ say: "handed_over", name: "bob" }]);
  });

  it("is what can be said where somebody asks, and after noise twice", () => {
    const run = led([instruct("x")]);
    const [commands] = run.tell({ type: "commands" });
    expect(commands).toMatchObject({ say: "commands", commands: expect.arrayContaining(["next", "quit"]) });
    run.tell({ type: "noise" });
    expect(run.tell({ type: "noise" }).at(-1)).toEqual(commands);
  });

  it("is a question by the way until it is answered or dropped", () => {
    const run = led([instruct("x"), instruct("y")]);
    expect(run.tell({ type: "quit" })).toEqual([{ say: "ask_quit" }]);
    expect(run.tell({ type: "noise" }).map(({ say }) => say)).toEqual(["not_understood", "ask_quit"]);
    expect(run.tell({ type: "no" })).toEqual([{ say: "step", step: "x", slowly: false }]);
    run.tell({ type: "leave_out", left: "skipped" });
    expect(run.tell({ type: "leave_out", left: "does_not_apply" })).toEqual([{ say: "ask_reason" }]);
    expect(run.run.asks).toEqual({ type: "reason", left: "does_not_apply", before: undefined });
    run.tell({ type: "where" });
    expect(run.run.asks).toBeUndefined();
    run.tell({ type: "quit" });
    run.tell({ type: "where" });
    expect(run.tell({ type: "yes" })).toEqual([{ say: "step", step: "x", slowly: false }]);
    run.tell({ type: "quit" });
    expect(run.tell({ type: "yes" })).toEqual([{ say: "quit" }]);
  });

  it("is what was asked before, where a step is not left out after all", () => {
    const seal = { verification_prompt: "Is the seal whole?", otherwise: "f" };
    const run = led([instruct("x", seal), instruct("f")]);
    run.tell({ type: "next" });
    run.tell({ type: "leave_out", left: "skipped" });
    expect(run.tell({ type: "no" })).toEqual([{ say: "verification", step: "x" }]);
    expect([run.at, run.run.asks?.type, run.texts("failed")]).toEqual(["x", "verification", []]);
  });

  it("is the next field where one is left out that may stay empty, and which step was jumped back to", () => {
    const intake = [{ name: "a", label: "Line", required: false }];
    const run = led([instruct("x"), instruct("y")], { intake });
    expect(run.tell({ type: "leave_out", left: "skipped" })[0]).toEqual({
      ...{ say: "step", step: "x", slowly: false },
    });
    run.tell({ type: "next" });
    run.tell({ type: "jump", step: "x" });
    expect([run.at, run.texts("jumped")]).toEqual(["x", ["x"]]);
  });

  it("is that no way leads on, where a failure leads nowhere", () => {
    const run = led([instruct("x", { verification_prompt: "Is it off?" })]);
    run.tell({ type: "next" });
    expect(run.tell({ type: "failed" })).toEqual([{ say: "no_way_on" }]);
    expect([run.at, run.run.asks, run.texts("failed")]).toEqual(["x", undefined, [undefined]]);
    // What is asked anew has to be heard first.
    expect(run.tell({ type: "next" })).toEqual([{ say: "step", step: "x", slowly: false }]);
    run.tell({ type: "next" });
    expect(run.tell({ type: "no" })).toEqual([{ say: "no_way_on" }]);
    expect([run.at, run.run.asks, run.run.wayBack]).toEqual(["x", undefined, []]);
  });

  it("is that no way leads on, where what follows is missing", () => {
    const run = led([instruct("x", { next: "nowhere" })]);
    expect(run.tell({ type: "next" })).toEqual([{ say: "no_way_on" }]);
    expect([run.at, run.run.wayBack]).toEqual(["x", []]);
    const heading = { id: "s", kind: "section", title: "First" };
    for (const index of [procedureOf([{ ...heading, next: "nowhere" }]), guideOf([heading])]) {
      const stuck = new Led(indexGuide(index));
      expect([stuck.at, stuck.stepped.says]).toEqual([
        "s",
        [{ say: "section", step: "s" }, { say: "no_way_on" }],
      ]);
    }
    const titled = led([heading, instruct("x")]);
    expect(titled.run.log.map(({ at, what }) => [what, at].join(" "))).toEqual([
      ...["started s", "arrived s", "arrived x"],
    ]);
  });

  it("is nothing of steps in a tree, of which nobody knows how many there are", () => {
    const run = new Led(indexGuide(guideOf([question("q", { Yes: "y" }), instruct("y", { next: "q" })])));
    expect(run.tell({ type: "left" })).toEqual([{ say: "left_unknown" }]);
    expect(run.tell({ type: "answer", option: "7" })).toEqual([
      { say: "not_understood" },
      { say: "step", step: "q", slowly: false },
    ]);
    run.tell({ type: "answer", option: "0" });
    expect([run.at, run.texts("answered")]).toEqual(["y", ["Yes"]]);
  });

  it("ends with headings that lead to each other alone", () => {
    const headings = ["s", "t"].map((id) => ({
      id,
      kind: "section",
      title: id,
      next: id === "s" ? "t" : "s",
    }));
    const said = new Led(indexGuide(procedureOf(headings))).stepped.says;
    expect(said.filter(({ say }) => say === "section")).toHaveLength(STEPS_MAX + 1);
  });
});
