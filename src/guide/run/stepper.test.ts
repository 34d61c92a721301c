import { describe, expect, it } from "vitest";
import { indexGuide } from "../schema/graph.js";
import { guideOf, instruct, procedureOf, question } from "../schema/guides.test-util.js";
import { LOG_MAX, WAY_BACK_MAX } from "./run.js";
import { check, hold, Led, led, operate, record } from "./runs.test-util.js";

const SECOND_MS = 1_000;

describe("a run", () => {
  it("goes through the intake and the steps, and is over", () => {
    const intake = [
      { name: "b", label: "Bar", type: "number", unit: "bar", order: 2 },
      { name: "a", label: "Line", order: 1 },
      { name: "n", label: "Remark", required: false, order: 3 },
    ];
    const run = led([{ id: "s", kind: "section", title: "First" }, instruct("x"), instruct("y")], { intake });
    expect(run.at).toBe("a");
    expect(run.tell({ type: "next" })).toEqual([{ say: "value_expected" }]);
    expect(run.tell({ type: "value", value: "line two" })).toEqual([{ say: "readback", value: "line two" }]);
    run.tell({ type: "yes" });
    expect(run.tell({ type: "value", value: "four" })).toEqual([{ say: "not_a_number" }]);
    run.tell({ type: "value", value: 4.2 });
    run.tell({ type: "no" });
    run.tell({ type: "value", value: 4.1 });
    expect(run.tell({ type: "yes" })).toEqual([{ say: "field", field: "n" }]);
    expect(run.tell({ type: "next" })).toEqual([
      { say: "section", step: "s" },
      { say: "step", step: "x", slowly: false },
    ]);
    expect(run.run.values).toEqual({ a: "line two", b: 4.1 });
    expect(run.tell({ type: "where" })).toEqual([{ say: "where", number: "1", count: "2" }]);
    run.tell({ type: "next" });
    expect(run.tell({ type: "left" })).toEqual([{ say: "left", count: "0" }]);
    expect(run.tell({ type: "next" })).toEqual([{ say: "ended", step: "z" }]);
    expect(run.run.status).toBe("done");
    expect(run.tell({ type: "back" })).toEqual([{ say: "over" }]);
  });

  it("asks for what a form held already no more", () => {
    const index = indexGuide(procedureOf([instruct("x")], { intake: [{ name: "a", label: "Line" }] }));
    expect(new Led(index, { a: "2" }).at).toBe("x");
  });

  it("reads a value back, and asks once more for one out of range", () => {
    const run = led([
      { ...record, unit: "bar", min: 0, max: 4.5, otherwise: "low" },
      instruct("low"),
      instruct("y"),
    ]);
    run.tell({ type: "value", value: 9 });
    expect(run.tell({ type: "yes" })).toEqual([
      { say: "out_of_range_between", low: "0", high: "4.5 bar" },
      { say: "step", step: "r", slowly: false },
    ]);
    run.tell({ type: "value", value: 8 });
    run.tell({ type: "yes" });
    expect(run.at).toBe("low");
    expect(run.run.values).toEqual({ p: 8 });
    expect(run.texts("out_of_range")).toEqual(["9", "8"]);
    run.tell({ type: "back" });
    expect(run.run.values).toEqual({});
  });

  it("asks for the digits of the label before the act", () => {
    const place = { place: "cabinet P1", digits: "047" };
    const run = led([instruct("x", { check_digit: place }), instruct("y")]);
    expect(run.stepped.says).toEqual([{ say: "check_digit", step: "x" }]);
    expect(run.tell({ type: "next" })).toEqual([{ say: "check_digit", step: "x" }]);
    expect(run.tell({ type: "value", value: "048" })).toEqual([{ say: "wrong_digit", step: "x" }]);
    expect(run.tell({ type: "value", value: "047" })).toEqual([{ say: "step", step: "x", slowly: false }]);
    run.tell({ type: "next" });
    expect(run.at).toBe("y");
  });

  it("asks again where a critical step is done too fast, and notes it", () => {
    const run = led([instruct("x", { critical: true, min_seconds: 30 }), instruct("y")]);
    expect(run.tell({ type: "next" }, { afterMs: 5 * SECOND_MS })).toEqual([{ say: "too_fast" }]);
    run.tell({ type: "no" }, { afterMs: SECOND_MS });
    expect(run.tell({ type: "next" }, { afterMs: 5 * SECOND_MS })).toEqual([{ say: "too_fast" }]);
    run.tell({ type: "yes" });
    expect(run.at).toBe("y");
    const hasty = run.run.log.filter(({ what }) => what === "done_fast");
    expect(hasty.map(({ atMs }) => atMs)).toEqual([5 * SECOND_MS, 11 * SECOND_MS]);
  });

  it("does not count the time of a pause as work", () => {
    const run = led([instruct("x", { critical: true, min_seconds: 30 }), instruct("y")]);
    run.tell({ type: "pause" }, { afterMs: SECOND_MS });
    expect(run.tell({ type: "next" })).toEqual([{ say: "paused" }]);
    run.tell({ type: "resume" });
    expect(run.tell({ type: "next" }, { afterMs: SECOND_MS })).toEqual([{ say: "too_fast" }]);
  });

  it("takes no answer for a step while it is paused, but whether it is to end", () => {
    const seal = { critical: true, verification_prompt: "Is the seal whole?" };
    const run = led([instruct("x", seal), instruct("y")]);
    run.tell({ type: "next" });
    run.tell({ type: "pause" });
    for (const type of ["yes", "no"] as const) expect(run.tell({ type })).toEqual([{ say: "paused" }]);
    expect([run.at, run.texts("verified")]).toEqual(["x", []]);
    run.tell({ type: "quit" });
    expect(run.tell({ type: "no" })).toEqual([{ say: "paused" }]);
    run.tell({ type: "resume" });
    run.tell({ type: "yes" });
    expect(run.at).toBe("y");
  });

  it("asks what verifies a step", () => {
    const prompt = { verification_prompt: "Is the lamp off?", otherwise: "f" };
    const run = led([instruct("x", prompt), instruct("y"), instruct("f")]);
    expect(run.tell({ type: "next" })).toEqual([{ say: "verification", step: "x" }]);
    expect(run.tell({ type: "next" })).toEqual([{ say: "verification", step: "x" }]);
    run.tell({ type: "no" });
    expect(run.at).toBe("f");
    run.tell({ type: "back" });
    run.tell({ type: "next" });
    run.tell({ type: "yes" });
    expect(run.at).toBe("y");
  });

  it("keeps the words that a verification asks for", () => {
    const run = led([instruct("x", { verification_prompt: "Which seal?", verification_type: "text_input" })]);
    run.tell({ type: "next" });
    expect(run.tell({ type: "yes" })).toEqual([{ say: "value_expected" }]);
    run.tell({ type: "value", value: "A 17" });
    expect(run.texts("verified")).toEqual(["A 17"]);
  });

  it("leaves a step out with a reason, but none that is guarded, answers a question or is needed later", () => {
    const steps = [
      instruct("x"),
      instruct("k", { critical: true }),
      hold,
      { ...record, id: "r" },
      instruct("y", { text: "Set it to [VAR:p]." }),
    ];
    const run = led(steps);
    expect(run.tell({ type: "leave_out", left: "does_not_apply" })).toEqual([{ say: "ask_reason" }]);
    run.tell({ type: "note", text: "no such valve here" });
    expect(run.texts("does_not_apply")).toEqual(["no such valve here"]);
    expect(run.tell({ type: "leave_out", left: "skipped", reason: "late" })).toEqual([
      { say: "keep_critical" },
    ]);
    expect(run.tell({ type: "jump", step: "y" })).toEqual([{ say: "may_not_jump" }]);
    run.tell({ type: "next" });
    expect(run.tell({ type: "leave_out", left: "skipped", reason: "late" })).toEqual([
      { say: "keep_hold_point" },
    ]);
    expect(run.tell({ type: "next" })).toEqual([{ say: "needs_second_of", group: "fitters" }]);
    const second = { type: "second", groups: ["fitters"] } as const;
    run.tell(second);
    run.tell({ type: "second", groups: ["cooks"] }, { by: "bob" });
    expect(run.at).toBe("h");
    run.tell(second, { by: "bob" });
    expect(run.at).toBe("r");
    expect(run.tell({ type: "leave_out", left: "skipped", reason: "late" })).toEqual([
      { say: "keep_needed_later" },
    ]);
  });

  it("asks a hold point's question once a second person has confirmed it", () => {
    const run = led([{ ...hold, verification_prompt: "Is the seal whole?", otherwise: "y" }, instruct("y")]);
    expect(run.tell({ type: "yes" })).not.toContainEqual({ say: "verification", step: "h" });
    const second = { type: "second", groups: ["fitters"] } as const;
    expect(run.tell(second, { by: "bob" })).toEqual([{ say: "verification", step: "h" }]);
    expect(run.at).toBe("h");
    run.tell({ type: "yes" });
    expect(run.at).toBe("y");
    expect(run.stepped.run.passed).toContain("h");
  });

  it("lets nobody confirm a hold point before the digits of its label were read", () => {
    const run = led([{ ...hold, check_digit: { place: "cabinet P1", digits: "47" } }, instruct("y")]);
    const second = { type: "second", groups: ["fitters"] } as const;
    expect(run.tell(second, { by: "bob" })).toEqual([{ say: "check_digit", step: "h" }]);
    expect(run.at).toBe("h");
    run.tell({ type: "value", value: "47" });
    run.tell(second, { by: "bob" });
    expect(run.at).toBe("y");
  });

  it.each([
    ["critical step", instruct("k", { critical: true })],
    ["hold point", hold],
  ])("lets nobody jump past a %s that is not done, or to where they are", (_, step) => {
    const run = led([instruct("x"), step, instruct("y")]);
    for (const to of ["y", "x"])
      expect(run.tell({ type: "jump", step: to })).toEqual([{ say: "may_not_jump" }]);
    expect(run.at).toBe("x");
  });

  it("lets nobody jump out of the form", () => {
    const run = led([instruct("x"), hold, instruct("y")], { intake: [{ name: "a", label: "Line" }] });
    for (const to of ["x", "y"])
      expect(run.tell({ type: "jump", step: to })).toEqual([{ say: "may_not_jump" }]);
    expect(run.at).toBe("a");
  });

  it("reads the site before it asks a person", () => {
    const steps = [{ ...check, text: "Is the pump still?", otherwise: "f" }, instruct("y"), instruct("f")];
    const run = led(steps);
    expect([run.at, run.run.asks]).toEqual(["c", { type: "reading" }]);
    expect(run.tell({ type: "next" })).toEqual([{ say: "needs_reading" }]);
    run.tell({ type: "reading", fits: false }, { by: "site" });
    expect(run.tell({ type: "next" })).toEqual([{ say: "person", step: "c" }]);
    run.tell({ type: "yes" });
    expect(run.at).toBe("y");
    run.tell({ type: "back" });
    run.tell({ type: "reading", said: "4 bar", fits: false }, { by: "site" });
    expect(run.at).toBe("f");
    expect(run.texts("read")).toEqual(["4 bar"]);
  });

  it("waits for an operation, whatever is said, and never tries one again whose outcome nobody knows", () => {
    const run = led([instruct("x"), operate, instruct("y")]);
    run.tell({ type: "next" });
    expect([run.at, run.run.asks]).toEqual(["o", { type: "operation" }]);
    for (const type of ["next", "back", "failed"] as const)
      expect(run.tell({ type })).toEqual([{ say: "needs_operation" }]);
    run.tell({ type: "operated", outcome: "refused" }, { by: "site" });
    run.tell({ type: "next" });
    expect([run.at, run.run.asks]).toEqual(["o", { type: "operation" }]);
    run.tell({ type: "operated", outcome: "unknown" }, { by: "site" });
    expect(run.tell({ type: "next" })).toEqual([{ say: "needs_operation" }]);
    expect(run.run.asks).toEqual({ type: "unknown_outcome" });
    run.tell({ type: "leave_out", left: "skipped", reason: "done by hand" });
    expect(run.at).toBe("y");
  });

  it("hears what came of an operation while it is paused, and goes on from there", () => {
    const run = led([operate, { ...check, text: "Is it still?" }]);
    run.tell({ type: "pause" });
    run.tell({ type: "operated", outcome: "verified" }, { by: "site" });
    expect([run.at, run.run.status, run.run.asks]).toEqual(["c", "paused", undefined]);
    run.tell({ type: "resume" });
    expect([run.at, run.run.asks]).toEqual(["c", { type: "reading" }]);
  });

  it("follows the options of a tree, and jumps back to where it was", () => {
    const run = new Led(
      indexGuide(
        guideOf([
          question("q", { Yes: "ok", No: "fix" }),
          instruct("fix", { next: "q" }),
          { id: "ok", kind: "solution", title: "Fixed", text: "It runs." },
        ]),
      ),
    );
    expect(run.tell({ type: "next" })).toEqual([{ say: "options", step: "q" }]);
    run.tell({ type: "answer", option: "1" });
    expect(run.at).toBe("fix");
    expect(run.tell({ type: "jump", step: "ok" })).toEqual([{ say: "may_not_jump" }]);
    run.tell({ type: "jump", step: "q" });
    expect([run.at, run.run.wayBack.length]).toEqual(["q", 0]);
    run.tell({ type: "answer", option: "0" });
    expect(run.run.status).toBe("done");
  });

  it("says another step again without going there", () => {
    const run = led([instruct("x"), instruct("y")]);
    expect(run.tell({ type: "repeat", step: "y" })).toEqual([{ say: "step", step: "y", slowly: false }]);
    expect(run.at).toBe("x");
  });

  it("forgets the oldest places of a loop without end, and goes back as far as the rest", () => {
    const loop = [instruct("a"), instruct("b", { next: "a" })];
    const run = led(loop);
    for (let step = 0; step < WAY_BACK_MAX + 3; step++) run.tell({ type: "next" });
    expect(run.run.wayBack.length).toBe(WAY_BACK_MAX);
    for (let step = 0; step < WAY_BACK_MAX; step++)
      expect(run.tell({ type: "back" })[0]).toMatchObject({ say: "step" });
    expect(run.at).toBe("b");
    expect(run.tell({ type: "back" })).toEqual([{ say: "nothing_before" }]);
  });

  it("ends when its record is full, and takes nothing more", () => {
    const run = led([instruct("x"), instruct("y")]);
    const begun = run.run.log.length;
    for (let note = begun; note < LOG_MAX; note++)
      expect(run.tell({ type: "note", text: `${note}` })).toEqual([{ say: "noted" }]);
    expect(run.run.log.length).toBe(LOG_MAX);
    expect(run.tell({ type: "next" })).toEqual([{ say: "record_full" }]);
    expect([run.run.status, run.at, run.run.log.length]).toEqual(["quit", "x", LOG_MAX + 1]);
    expect(run.run.log.at(-1)).toMatchObject({ what: "quit", at: "x" });
    expect(run.tell({ type: "next" })).toEqual([{ say: "over" }]);
  });

  it("is paused by noise three times in a row", () => {
    const run = led([instruct("x"), instruct("y")]);
    const noise = { type: "noise" } as const;
    expect(run.tell(noise).map(({ say }) => say)).toEqual(["not_understood", "step"]);
    expect(run.tell(noise).map(({ say }) => say)).toEqual(["not_understood", "step", "commands"]);
    run.tell({ type: "repeat" });
    run.tell(noise);
    run.tell(noise);
    expect(run.tell(noise)).toEqual([{ say: "paused" }]);
    expect(run.tell({ type: "resume" }).map(({ say }) => say)).toEqual(["resumed", "step"]);
  });

  it("forgets in a pause of noise what was asked by the way", () => {
    const run = led([instruct("x"), instruct("y")]);
    run.tell({ type: "leave_out", left: "skipped" });
    for (let noise = 0; noise < 3; noise++) run.tell({ type: "noise" });
    expect(run.run.status).toBe("paused");
    expect(run.tell({ type: "note", text: "loud" })).toEqual([{ say: "noted" }]);
    expect([run.at, run.texts("skipped")]).toEqual(["x", []]);
  });

  it("obeys who works, until it is handed over", () => {
    const run = led([instruct("x"), instruct("y")]);
    expect(run.tell({ type: "next" }, { by: "bob" })).toEqual([{ say: "not_yours" }]);
    run.tell({ type: "hand_over", to: "bob" });
    expect(run.tell({ type: "next" })).toEqual([{ say: "not_yours" }]);
    // Who takes it over has not heard the step.
    expect(run.tell({ type: "next" }, { by: "bob" })).toEqual([{ say: "step", step: "x", slowly: false }]);
    run.tell({ type: "next" }, { by: "bob" });
    expect(run.at).toBe("y");
  });

  it("counts nothing as done that was not said to its end to who says so", () => {
    const hot = instruct("y", { warning: "It is hot.", verification_prompt: "Is it off?" });
    const run = led([instruct("x"), hot, instruct("k")]);
    const step = { say: "step", step: "y", slowly: false };
    const cut = { isHeard: false };
    run.tell({ type: "next" });
    expect(run.tell({ type: "next" }, cut)).toEqual([step]);
    expect(run.tell({ type: "yes" }, cut)).toEqual([step]);
    run.hears();
    // Said before it was heard to its end, and understood after that.
    expect(run.tell({ type: "next", saidMs: 1 })).toEqual([step]);
    run.tell({ type: "next" });
    expect(run.tell({ type: "yes" }, cut)).toEqual([{ say: "verification", step: "y" }]);
    expect([run.at, run.texts("verified")]).toEqual(["y", []]);
    run.tell({ type: "yes" });
    expect(run.at).toBe("k");
  });

  it("takes no done of who works behind a second person's word for a step that they have not heard", () => {
    const run = led([hold, instruct("y", { warning: "It is hot." }), instruct("k")]);
    run.tell({ type: "second", groups: ["fitters"] }, { by: "bob" });
    expect(run.tell({ type: "next" }, { isHeard: false })).toEqual([
      { say: "step", step: "y", slowly: false },
    ]);
    expect([run.at, run.texts("done")]).toEqual(["y", []]);
  });

  it.each([{ type: "where" }, { type: "aside" }, { type: "note", text: "loud" }] as const)(
    "reads a value back again behind other talk: $type",
    (talk) => {
      const run = led([{ ...record, unit: "bar" }, instruct("y")]);
      run.tell({ type: "value", value: 4 });
      run.tell(talk);
      const isAgain = talk.type === "aside";
      const readback = [{ say: "readback", value: "4 bar" }];
      if (!isAgain) expect(run.tell({ type: "yes" }, { isHeard: false })).toEqual(readback);
      else expect(run.stepped.says).toEqual([{ say: "back_to", number: "1" }, ...readback]);
      expect(run.texts("recorded")).toEqual([]);
      run.tell({ type: "yes" });
      expect(run.texts("recorded")).toEqual(["4"]);
    },
  );

  it("does not end by a yes to what was asked before something else", () => {
    const run = led([instruct("x"), instruct("y")]);
    run.tell({ type: "quit" });
    expect(run.tell({ type: "aside" })).toEqual([{ say: "back_to", number: "1" }]);
    run.tell({ type: "yes" });
    expect(run.run.status).toBe("running");
  });

  it("goes back past what a site read or did, which would lead on again", () => {
    const run = led([instruct("x"), check, operate, instruct("y")]);
    run.tell({ type: "next" });
    run.tell({ type: "reading", said: "4 bar", fits: true }, { by: "site" });
    expect(run.tell({ type: "operated", outcome: "already" }, { by: "site" })[0]).toEqual({
      say: "operated_already",
    });
    expect([run.at, run.texts("already"), run.texts("operated")]).toEqual(["y", [undefined], []]);
    run.tell({ type: "back" });
    expect(run.at).toBe("x");
    expect(run.tell({ type: "back" })).toEqual([{ say: "nothing_before" }]);
  });

  it("goes back past what a site read where the run came to it again and left it unread", () => {
    const run = led([instruct("x"), check, instruct("y", { otherwise: "c" })]);
    run.tell({ type: "next" });
    run.tell({ type: "reading", said: "4 bar", fits: true }, { by: "site" });
    run.tell({ type: "failed" });
    expect([run.at, run.run.asks]).toEqual(["c", { type: "reading" }]);
    run.tell({ type: "back" });
    run.tell({ type: "back" });
    expect(run.at).toBe("x");
  });

  it("jumps past no step that warns and to no end, and back to what it passed", () => {
    const run = led([instruct("a"), instruct("b"), instruct("c"), instruct("w", { warning: "It is hot." })]);
    run.tell({ type: "jump", step: "c" });
    expect(run.tell({ type: "jump", step: "z" })).toEqual([{ say: "may_not_jump" }]);
    run.tell({ type: "jump", step: "b" });
    expect([run.at, run.run.wayBack.length]).toEqual(["b", 1]);
    run.tell({ type: "jump", step: "w" });
    expect(run.tell({ type: "jump", step: "z" })).toEqual([{ say: "may_not_jump" }]);
    run.tell({ type: "jump", step: "a" });
    expect(run.at).toBe("a");
    const warned = led([instruct("a"), instruct("w", { warning: "It is hot." }), instruct("c")]);
    expect(warned.tell({ type: "jump", step: "c" })).toEqual([{ say: "may_not_jump" }]);
  });

  it("takes a yes or a no at a question for no answer that is done", () => {
    const run = led([question("q", { "It hums": "y", "It turns": "y" }), instruct("y")]);
    for (const type of ["yes", "no", "next"] as const)
      expect(run.tell({ type })).toEqual([{ say: "options", step: "q" }]);
    expect(run.tell({ type: "aside" })).toEqual([
      { say: "back_to", number: "1" },
      { say: "step", step: "q", slowly: false },
    ]);
  });

  it("ends where somebody confirms it, and calls for help when asked", () => {
    const run = led([instruct("x")]);
    expect(run.tell({ type: "help" })).toEqual([{ say: "help_called" }]);
    expect(run.tell({ type: "help", isCalled: false })).toEqual([{ say: "help_nobody" }]);
    expect(run.texts("help")).toHaveLength(2);
    run.tell({ type: "quit" });
    run.tell({ type: "no" });
    expect(run.run.asks).toBeUndefined();
    run.tell({ type: "quit" });
    run.tell({ type: "yes" });
    expect(run.run.status).toBe("quit");
  });
});
