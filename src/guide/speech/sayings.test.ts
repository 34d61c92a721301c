import { describe, expect, it } from "vitest";
import { loadLocales } from "../../locale/load.js";
import { PLACEHOLDER } from "../../locale/locale.js";
import type { RunAction, Saying } from "../run/run.js";
import { beginRun } from "../run/stepper.js";
import { indexGuide } from "../schema/graph.js";
import { instruct, procedureOf, question } from "../schema/guides.test-util.js";
import { sentencesOf } from "./sayings.js";

const locales = await loadLocales();
const en = locales.of("en");
const warning = "The bars stay at 180 °C.";
const index = indexGuide(
  procedureOf(
    [
      instruct("a", {
        warning,
        text: "Set [VAR:line] to 4.2 bar.",
        help_text: "It must be low.",
        check_digit: { place: "the frame", digits: "1" },
        verification_prompt: "Is it set?",
      }),
      question("q", { Red: "a", Green: "z" }),
      { id: "h", kind: "hold_point", title: "Hold", text: "Have it confirmed.", group: "leads" },
      instruct("s", { source: { document: "docs/lock-out.md", place: "step 3" } }),
      { id: "sec", kind: "section", title: "Closing" },
    ],
    { intake: [{ name: "line", label: "Which line?" }] },
  ),
);
const run = beginRun(index, { atMs: 0, by: "anna", given: { line: "line two" } }).run;
const said = (saying: Saying) => sentencesOf(index, run, saying, en);

describe("what a guide says", () => {
  it("is its own text as it was reviewed, the warning first", () => {
    expect(said({ say: "step", step: "a", slowly: false })).toEqual([warning, "Set line two to 4.2 bar."]);
    expect(said({ say: "step", step: "a", slowly: true })[0]).toBe("Step 1 of 4.");
    expect(said({ say: "step", step: "q", slowly: false })).toEqual([
      "Is the light on?",
      "You can answer: Red, Green.",
    ]);
    expect(said({ say: "step", step: "h", slowly: false })).toEqual([
      "Have it confirmed.",
      "Somebody else of this group has to confirm this, at their own radio: leads.",
    ]);
    expect(said({ say: "field", field: "line" })).toEqual(["Which line?"]);
    expect(said({ say: "section", step: "sec" })).toEqual(["Closing."]);
    expect(said({ say: "verification", step: "a" })).toEqual(["Is it set?"]);
  });

  it("says at the end that it is over, and not its own name as if that were one more act", () => {
    const end = { id: "z", kind: "end", title: "Reset the press" };
    const named = indexGuide(procedureOf([instruct("a"), end], { name: "Reset the press" }));
    expect(sentencesOf(named, run, { say: "ended", step: "z" }, en)).toEqual(["That guide is over."]);
  });

  it("has the values, the reason and what can be said of a step", () => {
    expect(said({ say: "values", step: "a" })).toEqual(["4.2 bar."]);
    expect(said({ say: "values", step: "h" })).toEqual(["This step names no value."]);
    expect(said({ say: "why", step: "a" })).toEqual(["It must be low."]);
    expect(said({ say: "why", step: "s" })).toEqual(["It is so written in lock out, step 3."]);
    expect(said({ say: "commands", commands: ["next", "jump", "second"] })).toEqual([
      "You can say: done, go to, with the name of a step, a colleague confirms.",
    ]);
    expect(said({ say: "readback", value: "4.2 bar" })).toEqual(["4.2 bar: is that right?"]);
    expect(said({ say: "out_of_range_at_least", low: "1" })).toEqual([
      "That is out of range. It has to be at least 1.",
    ]);
    expect(said({ say: "reading", text: "Conveyor two is running.", fits: false })).toEqual([
      "Conveyor two is running.",
      "That is not as expected.",
    ]);
  });
});

const ALL: readonly Saying[] = [
  ...(
    ["step", "section", "ended", "check_digit", "wrong_digit", "verification", "person", "values"] as const
  ).map((say) => ({ say, step: "a", slowly: true }) as Saying),
  ...(
    ["too_fast", "say_done", "ask_reason", "ask_quit", "not_understood", "nothing_before", "paused"] as const
  ).map((say) => ({ say }) as Saying),
  ...(
    ["resumed", "over", "noted", "not_yours", "quit", "record_full", "not_a_number", "no_way_on"] as const
  ).map((say) => ({ say }) as Saying),
  ...(["value_expected", "needs_operation", "needs_reading", "no_such_step", "help_called"] as const).map(
    (say) => ({ say }) as Saying,
  ),
  ...(["verified", "refused", "failed", "unknown"] as const).map(
    (outcome) => ({ say: `operated_${outcome}` }) as const,
  ),
  ...(["hold_point", "critical", "needs_answer", "needed_later"] as const).map(
    (why) => ({ say: `keep_${why}` }) as const,
  ),
  { say: "why", step: "h" },
  { say: "options", step: "q" },
  { say: "field", field: "line" },
  { say: "readback", value: "x" },
  { say: "out_of_range_between", low: "1", high: "2" },
  { say: "out_of_range_at_most", high: "2" },
  { say: "where", number: "2", count: "3" },
  { say: "where_open", number: "2" },
  { say: "left", count: "2" },
  { say: "left_unknown" },
  { say: "reading", text: "It runs.", fits: true },
  { say: "not_read" },
  { say: "may_not_jump" },
  { say: "needs_second" },
  { say: "needs_second_of", group: "leads" },
  { say: "handed_over", name: "Boris" },
  { say: "commands", commands: ["next", "yes", "answer", "value"] satisfies RunAction["type"][] },
];

it.each(locales.all.map((locale) => [locale.language, locale] as const))(
  "says everything in %s",
  (_, locale) => {
    for (const saying of ALL) {
      const sentences = sentencesOf(index, run, saying, locale);
      expect(sentences.length, saying.say).toBeGreaterThan(0);
      expect(
        sentences.filter((one) => one.trim() === "" || one.match(PLACEHOLDER) !== null),
        saying.say,
      ).toEqual([]);
    }
  },
);
