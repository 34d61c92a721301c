/** Generated guides are judged as a naive checker judges them, which walks every way and knows its texts by heart. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { GUIDE_RULES, type GuideRule } from "../schema/finding.js";
import type { Guide } from "../schema/guide.js";
import { guideOf, instruct, procedureOf, question } from "../schema/guides.test-util.js";
import { actsIn } from "./ear-rules.js";
import { speechSeconds } from "./speech-length.js";
import { validateGuide } from "./validate.js";

type Fields = Readonly<Record<string, unknown>>;

/** Texts with what the ear finds in them, by hand. */
const TEXTS: readonly (readonly [
  text: string,
  rules: readonly GuideRule[],
  danger?: "danger" | "lock out",
])[] = [
  ["Close the valve.", []],
  ["Close the valve and open the drain.", ["one-act"]],
  ["Close the clips and switch on the blower.", ["one-act"]],
  ["Press start, then press stop.", ["one-act"]],
  ["Look at the gauge of [VAR:line].", []],
  ["Drain tank [VAR:p].", []],
  ["Open the cover. Warning: the blade is sharp.", ["warning-first"]],
  ["Set the regulator to 4.5.", ["units-said"]],
  ["Set the regulator to 4.5 bar.", []],
  ["Open the 480 V panel.", [], "danger"],
  ["Touch the bar at 180 °C.", [], "danger"],
  ["Isolate the panel.", [], "lock out"],
  [`Close ${"the very long and winding valve of the line ".repeat(6)}.`, ["speech-length"]],
];
/** Words for options, with those that sound like them. */
const LABELS: readonly (readonly [label: string, alike: readonly string[]])[] = [
  ["Yes", ["yes "]],
  ["yes ", ["Yes"]],
  ["No", []],
  ["Fifteen", ["Fifty"]],
  ["Fifty", ["Fifteen"]],
  ["Blinking", []],
];

const IDS = ["a", "b", "c", "d", "e", "z"];
const target = fc.constantFrom(...IDS, "gone");
const maybe = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: undefined, freq: 2 });

const step = (id: string): fc.Arbitrary<Fields> => {
  const text = fc.constantFrom(...TEXTS.map(([written]) => written));
  const onward = { next: maybe(target), otherwise: maybe(target) };
  const critical = { critical: maybe(fc.boolean()), min_seconds: maybe(fc.constant(5)) };
  const option = fc.record({
    id: fc.constantFrom("1", "2", "3"),
    label: fc.constantFrom(...LABELS.map(([l]) => l)),
    next: target,
  });
  const base = { id: fc.constant(id), title: fc.constant("Step") };
  const act = fc.record({
    ...base,
    kind: fc.constant("instruct"),
    text,
    ...onward,
    ...critical,
    warning: maybe(fc.constant("Hot.")),
  });
  const bounds = {
    min: maybe(fc.constantFrom(1, 3)),
    max: maybe(fc.constantFrom(2, 4)),
    unit: maybe(fc.constantFrom("bar", "zz")),
  };
  return fc.oneof(
    { weight: 3, arbitrary: act },
    fc.record({
      ...{
        ...base,
        kind: fc.constant("question"),
        text: fc.constantFrom("Is it on?", "Is it on? Is it hot?"),
      },
      options: fc.array(option, { maxLength: 5 }),
    }),
    fc.record({
      ...{
        ...base,
        ...onward,
        ...bounds,
        kind: fc.constant("record"),
        text: fc.constant("What does it show?"),
      },
      ...{ variable: fc.constantFrom("p", "q"), value_type: fc.constantFrom("number", "text") },
    }),
    fc.record({ ...base, kind: fc.constant("section"), ...onward }),
    fc.record({ ...base, kind: fc.constant("end") }),
  );
};

const guide = fc
  .tuple(
    fc.tuple(...IDS.map(step)),
    fc.constantFrom("troubleshooting", "procedural"),
    fc.boolean(),
    fc.subarray([...IDS], { minLength: 1 }),
  )
  .map(([steps, flow_type, isTwice, kept]) => {
    const some = steps.filter(({ id }) => kept.includes(String(id)));
    const intake = [{ name: "line", label: "Line" }];
    return guideOf(isTwice ? [...some, some[0]!] : some, { flow_type, intake });
  });

/** The naive checker: by lists, and by every way through the guide, step after step. */
class Naive {
  readonly #steps: readonly Guide["steps"][number][];
  readonly #found: string[] = [];

  constructor(readonly guide: Guide) {
    this.#steps = guide.steps.filter(({ id }, at) => guide.steps.findIndex((one) => one.id === id) === at);
  }

  findings(): readonly string[] {
    const { flowType, steps } = this.guide;
    const first = steps.filter(({ kind }) => kind !== "section")[0];
    if (flowType === "troubleshooting" && first && first.kind !== "question")
      this.#tell("first-step", first.id);
    if (flowType !== "troubleshooting" && !["end", "solution"].includes(steps.at(-1)!.kind))
      this.#tell("end-last", steps.at(-1)!.id);
    const reached = this.#from(steps[0]!.id, () => false);
    for (const [at, one] of steps.entries()) {
      if (steps.slice(0, at).some(({ id }) => id === one.id)) this.#tell("step-id", one.id);
      this.#graph(one, reached);
      this.#ear(one);
    }
    return this.#found;
  }

  #tell(rule: GuideRule, id: string): void {
    this.#found.push(`${id} ${rule}`);
  }

  #ways(one: Guide["steps"][number]): readonly string[] {
    if (one.kind === "end" || one.kind === "solution") return [];
    if (one.kind === "question") return one.options.map(({ next }) => next);
    const at = this.guide.steps.findIndex(({ id }) => id === one.id);
    const listed = this.guide.flowType === "troubleshooting" ? undefined : this.guide.steps[at + 1]?.id;
    return [one.next ?? listed, one.otherwise].filter((id) => id !== undefined);
  }

  /** Every step on any way from `id`; no way goes on from where it `stops`. */
  #from(
    id: string,
    stops: (one: Guide["steps"][number]) => boolean,
    way: readonly string[] = [],
  ): readonly string[] {
    const one = this.#steps.find((other) => other.id === id);
    if (one === undefined || way.includes(id)) return way;
    const here = [...way, id];
    if (stops(one)) return here;
    return this.#ways(one).reduce<readonly string[]>((seen, to) => this.#from(to, stops, seen), here);
  }

  #graph(one: Guide["steps"][number], reached: readonly string[]): void {
    const { id, kind } = one;
    const ways = this.#ways(one);
    const isEnd = kind === "end" || kind === "solution";
    for (const to of ways) if (!this.#steps.some((other) => other.id === to)) this.#tell("next-exists", id);
    if (kind !== "section" && !reached.includes(id)) this.#tell("unreachable", id);
    if (!isEnd && kind !== "question" && ways.length === 0 && (kind !== "section" || reached.includes(id)))
      this.#tell("dead-end", id);
    const ends = this.#from(id, () => false).some(
      (to) => this.#steps.find((other) => other.id === to)?.kind === "end",
    );
    if (ways.length > 0 && !ends) this.#tell("no-exit", id);
    if (kind === "question" && one.options.length === 0) this.#tell("options", id);
    if (kind === "question")
      for (const twice of ["1", "2", "3"])
        if (one.options.filter((option) => option.id === twice).length > 1) this.#tell("option-fields", id);
    const start = this.guide.steps[0]!.id;
    if (one.text?.includes("[VAR:p]")) {
      const unfilled = this.#from(start, (other) => other.kind === "record" && other.variable === "p");
      if (unfilled.includes(id)) this.#tell("variable-filled", id);
    }
    if (one.minSeconds !== undefined && !one.critical) this.#tell("min-seconds", id);
    if (kind === "record") {
      const { max, min, valueType } = one;
      if (min === 3 && max === 2) this.#tell("range", id);
      else if (valueType === "text" && (min !== undefined || max !== undefined)) this.#tell("range", id);
    }
  }

  #ear(one: Guide["steps"][number]): void {
    const { id, kind } = one;
    if (one.text?.split("?").length === 3) this.#tell("one-act", id);
    if (kind === "record" && (one.unit === "zz" || (one.unit === undefined && one.valueType === "number")))
      this.#tell("units-said", id);
    if (kind === "question" && one.options.length > 4) this.#tell("options-few", id);
    else if (kind === "question")
      for (const [at, { label }] of one.options.entries())
        for (const other of one.options.slice(0, at))
          if (other.label === label || LABELS.find(([l]) => l === label)![1].includes(other.label))
            this.#tell("options-apart", id);
    const known = TEXTS.find(([text]) => text === one.text);
    if (kind !== "instruct" || known === undefined) return;
    for (const rule of known[1]) this.#tell(rule, id);
    if (known[2] !== "danger" || one.warning !== undefined) return;
    const open = this.#from(this.guide.steps[0]!.id, ({ text }) => text === "Isolate the panel.");
    if (open.includes(id)) this.#tell("warning-first", id);
  }
}

describe("validation", () => {
  it("finds in generated guides exactly what a naive checker finds", () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(guide, (one) => {
        const found = validateGuide(one).map(({ rule, step: id }) => `${id} ${rule}`);
        for (const { rule } of validateGuide(one)) seen.add(rule);
        expect(found.toSorted()).toEqual([...new Naive(one).findings()].toSorted());
      }),
      { numRuns: 600 },
    );
    // Rules of the reader of files, and those that need the documents (document/source-rules.ts).
    const never = [
      "shape",
      "step-kind",
      "step-text",
      "terminal-last",
      "content-type",
      "verification-type",
      "commands",
      "no-branching",
    ];
    const all = GUIDE_RULES.filter((rule) => !never.includes(rule) && !rule.startsWith("source-"));
    expect([...seen].toSorted()).toEqual(all.toSorted());
  });

  it("tells step, problem and remedy in the order of the steps", () => {
    const steps = [instruct("a", { text: "Set it to 4.5." }), instruct("b", { next: "b" })];
    expect(validateGuide(procedureOf(steps))).toEqual([
      expect.objectContaining({ rule: "no-exit", step: "a" }),
      {
        rule: "units-said",
        step: "a",
        problem: "4.5 has no unit",
        remedy: "write its unit, or what it counts or names",
      },
      expect.objectContaining({ rule: "no-exit", step: "b" }),
      expect.objectContaining({ rule: "unreachable", step: "z" }),
    ]);
  });
});

const rulesOf = (one: Guide) => validateGuide(one).map(({ rule }) => rule);

describe("the ear", () => {
  it.each([
    ["Turn the main switch on cabinet P1 to zero.", ["turn"]],
    ["Close the air valve at the infeed and put the second lock on it.", ["close", "put"]],
    ["Hang your tag on both locks, with your name, the date and the time.", ["hang"]],
    ["Wait 8 minutes for the drives and the flywheel to run down.", ["wait"]],
    ["Check that doors and locks are closed.", ["check"]],
    ["Press start (press it once).", ["press"]],
    ["Take it off; then label it.", ["take", "label"]],
  ])("counts the acts of %j", (text, acts) => {
    expect(actsIn(text)).toEqual(acts);
  });

  it("counts acts in English only, and questions everywhere", () => {
    const text = "Schließe das Ventil und öffne die Tür.";
    expect(rulesOf(procedureOf([instruct("a", { text })], { language: "de" }))).toEqual([]);
    const asked = question("a", { Ja: "z", Nein: "z" }, { text: "Ist es an? Ist es heiß?" });
    expect(rulesOf(procedureOf([asked], { language: "de" }))).toEqual(["one-act"]);
  });

  it("takes numbers and units as they are spoken", () => {
    expect(speechSeconds("180 °C", "en")).toBeGreaterThan(speechSeconds("9 bar", "en"));
    expect(speechSeconds("180 °C", "en")).toBeGreaterThan(1.5);
    expect(speechSeconds("**Close** it.", "en")).toBe(speechSeconds("Close it.", "en"));
  });

  it("takes only a required field for one that is filled", () => {
    const said = [instruct("a", { text: "Open valve [VAR:line]." })];
    const rules = (required?: boolean) =>
      rulesOf(procedureOf(said, { intake: [{ name: "line", label: "Line", required }] }));
    expect([rules(), rules(true), rules(false)]).toEqual([[], [], ["variable-filled"]]);
  });

  it("hears synonyms", () => {
    const { options, ...rest } = question("a", { Lit: "z", Dark: "z" }) as Fields & {
      options: readonly Fields[];
    };
    const heard = options.map((option, at) => ({ ...option, synonyms: [["on", "off"][at]] }));
    expect(rulesOf(procedureOf([{ ...rest, options: heard }]))).toEqual(["options-apart"]);
    expect(rulesOf(procedureOf([{ ...rest, options }]))).toEqual([]);
  });

  it.each([
    [{ kind: "check", signal: "pressure", expect: { min: 2, max: 4 } }, ["units-said"]],
    [{ kind: "check", signal: "pressure", expect: { min: 2, equals: 3, unit: "bar" } }, ["range"]],
    [{ kind: "check", signal: "pressure", expect: {} }, ["range"]],
    [{ kind: "check", signal: "status", expect: { equals: "running" } }, []],
    [{ kind: "check", signal: "status" }, []],
    [{ kind: "operate", action: "set", value: 4 }, ["units-said"]],
    [{ kind: "operate", action: "set", value: 4, unit: "pieces" }, []],
    [{ kind: "operate", action: "stop", text: "I stop the 400 V drive." }, ["warning-first"]],
  ])("judges %j", (fields, rules) => {
    const steps = [{ id: "a", title: "Pump two", resource: "plant/pump/p2", ...fields }];
    expect(rulesOf(procedureOf(steps))).toEqual(rules);
  });
});
