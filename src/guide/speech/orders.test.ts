import { describe, expect, it } from "vitest";
import { samplesOf, writtenGrammars } from "../../locale/commands/samples.test-util.js";
import { CASES } from "../../routing/cases.test-util.js";
import { commands } from "../../routing/commands.js";
import { take } from "../../routing/take.js";
import type { GuideRun, RunAction } from "../run/run.js";
import { beginRun, stepRun } from "../run/stepper.js";
import { indexGuide } from "../schema/graph.js";
import { guideOf, instruct, procedureOf, question } from "../schema/guides.test-util.js";
import { orderOf, secondedIn } from "./orders.js";

const at = { atMs: 0, by: "anna" };
const index = indexGuide(
  procedureOf([
    instruct("lid", { title: "Open the lid" }),
    {
      id: "gauge",
      kind: "record",
      title: "Gauge",
      text: "What does it show?",
      variable: "p",
      unit: "bar",
      min: 0,
    },
    {
      id: "belt",
      kind: "instruct",
      title: "Change the belt",
      text: "Change it.",
      check_digit: { place: "the frame", digits: "4711" },
    },
    question("lamp", { Red: "lid", Green: "z" }),
  ]),
);
const run = beginRun(index, at).run;
const stepped = (from: GuideRun, ...actions: readonly RunAction[]) =>
  actions.reduce((one, action) => {
    const heard = stepRun(index, one, { type: "heard", ...at }).run;
    return stepRun(index, heard, { ...action, ...at }).run;
  }, from);
const gauge = stepped(run, { type: "next" });
const belt = stepped(gauge, { type: "value", value: 1 }, { type: "yes" });
const lamp = stepped(belt, { type: "value", value: "4711" }, { type: "next" });
const paused = stepped(run, { type: "pause" });

const act = (type: RunAction["type"], more: object = {}) => ({ type, ...more });

/** No value: it is asked for again. */
const refused = (text: string): [string, string, string] => [text, "bar", text];

describe("what is said to a guide", () => {
  it.each<[string, object | undefined]>([
    ["Next", act("next")],
    ["OK, done. Next.", act("next")],
    ["fertig", act("next")],
    ["siguiente paso", act("next")],
    ["go back one step", act("back")],
    ["say again", act("repeat")],
    ["slower please", act("slower")],
    ["just the values", act("values")],
    ["which step are we on", act("where")],
    ["What's left?", act("left")],
    ["wie viel noch", act("left")],
    ["Why?", act("why")],
    ["Dlaczego?", act("why")],
    ["that failed", act("failed")],
    ["das geht nicht", act("failed")],
    ["take a note that the lid is cracked", act("note", { text: "the lid is cracked" })],
    ["skip this step", act("leave_out", { left: "skipped" })],
    ["skip it because the lid is off", act("leave_out", { left: "skipped", reason: "the lid is off" })],
    ["that doesn't apply here", act("leave_out", { left: "does_not_apply" })],
    ["Pause", act("pause")],
    ["pause the guide", act("pause")],
    ["wait a minute", act("pause")],
    ["I'm done for today", act("pause")],
    ["warten Sie einen Moment", act("pause")],
    ["für heute fertig", act("pause")],
    ["that's wrong", act("no")],
    ["that is not right", act("no")],
    ["stimmt nicht", act("no")],
    ["wrong", act("no")],
    ["c'est faux", act("no")],
    ["take a note that", act("noise")],
    ["skip it because of", act("leave_out", { left: "skipped" })],
    ["wait", act("pause")],
    ["go to step 3", act("jump", { step: "belt" })],
    ["jump to change the belt", act("jump", { step: "belt" })],
    ["go to the moon", undefined],
    ["repeat step three", act("repeat", { step: "belt" })],
    ["quit the guide", act("quit")],
    ["help", act("help")],
    ["Hilfe", act("help")],
    ["what can I say?", act("commands")],
    ["що я можу сказати", act("commands")],
    ["hand over to Boris", { type: "hand_over", to: "Boris" }],
    ["übergib die Anleitung an Boris", { type: "hand_over", to: "Boris" }],
    ["tell me in five minutes", { type: "timer", ms: 300_000 }],
    ["préviens-moi dans 30 secondes", { type: "timer", ms: 30_000 }],
    ["yes", act("yes")],
    ["nein", act("no")],
    ["", act("noise")],
    ["hmm", act("noise")],
    ["What's the maximum temperature in the freezer?", undefined],
    ["Is pump 3 running?", undefined],
  ])("%s", (text, order) => {
    expect(orderOf(text, index, run)).toEqual(order);
  });

  it.each<[string, GuideRun, object | undefined]>([
    ["four point two bar", gauge, act("value", { value: 4.2 })],
    ["nought point five bar", gauge, act("value", { value: 0.5 })],
    ["point five", gauge, act("value", { value: 0.5 })],
    ["point 25 bar", gauge, act("value", { value: 0.25 })],
    [".5 bar", gauge, act("value", { value: 0.5 })],
    ["Komma fünf", gauge, act("value", { value: 0.5 })],
    ["null Komma fünf", gauge, act("value", { value: 0.5 })],
    ["zero", gauge, act("value", { value: 0 })],
    ["virgule cinq bar", gauge, act("value", { value: 0.5 })],
    ["420 kPa", gauge, act("value", { value: 4.2 })],
    ["it shows 4.2", gauge, act("value", { value: 4.2 })],
    ["4.2 degrees Celsius", gauge, act("value", { value: "4.2 degrees Celsius" })],
    ["What is the pressure of tank 4?", gauge, undefined],
    ["purple monkey", gauge, act("noise")],
    ["skip this step", gauge, act("leave_out", { left: "skipped" })],
    ["4711", belt, act("value", { value: "4711" })],
    ["forty-seven eleven", belt, act("value", { value: "4711" })],
    ["vier sieben eins eins", belt, act("value", { value: "4711" })],
    ["vier Komma zwei Bar", gauge, act("value", { value: 4.2 })],
    ["red", lamp, act("answer", { option: "0" })],
    ["the green one", lamp, act("answer", { option: "1" })],
    ["the second one", lamp, act("answer", { option: "1" })],
    ["options", lamp, act("options")],
    ["yes", paused, act("yes")],
    ["carry on from yesterday", paused, act("resume")],
    ["continue where we left off", paused, act("resume")],
    ["let's go on", paused, act("resume")],
    ["machen wir weiter", paused, act("resume")],
    ["incorrect", stepped(gauge, { type: "value", value: 4 }), act("no")],
    ["go back two", belt, undefined],
    ["the number is 4711", belt, act("value", { value: "4711" })],
    ["continue", paused, act("resume")],
    ["I'm back", paused, act("resume")],
    [
      "the lid is off",
      stepped(run, { type: "leave_out", left: "skipped" }),
      act("note", { text: "the lid is off" }),
    ],
  ])("%s, where it is asked for", (text, from, order) => {
    expect(orderOf(text, index, from)).toEqual(order);
  });

  it.each<[string, string, number | string | undefined]>([
    ["negative five", "°C", -5],
    ["minus five degrees", "°C", -5],
    ["minus point five", "bar", -0.5],
    ["negative nought point five bar", "bar", -0.5],
    ["five below zero", "°C", -5],
    ["twelve degrees below zero", "°C", -12],
    ["fünf unter null", "°C", -5],
    ["negativ fünf", "°C", -5],
    ["cinco bajo cero", "°C", -5],
    ["cinq degrés sous zéro", "°C", -5],
    ["pięć poniżej zera", "°C", -5],
    ["п'ять нижче нуля", "°C", -5],
    ["від'ємне п'ять", "°C", -5],
    ["five degrees", "°C", 5],
    ["five below", "°C", "five below"],
    ["three point five mega pascals", "bar", 35],
    ["three hundred kilo pascals", "bar", 3],
    ["three thousand millibar", "bar", 3],
    ["dreitausend Millibar", "bar", 3],
    ["four furlongs", "bar", "four furlongs"],
    ["four litres per minute", "l/min", 4],
    ["fourteen hundred revolutions per minute", "rpm", 1400],
    ["twelve boxes", "boxes", 12],
    ["twelve pallets", "boxes", "twelve pallets"],
    ["four please", "bar", 4],
    ["no, it's four bar", "bar", 4],
    ["nein vier Bar", "bar", 4],
    ["about four bar", "bar", 4],
    ...["it's not four bar", "it isn't four bar", "less than four", "over four bar", "at least four"].map(
      refused,
    ),
    ...["between four and five", "it was four bar yesterday", "it should be four bar"].map(refused),
    ...["das sind nicht vier Bar", "weniger als vier Bar", "vorhin waren es vier Bar"].map(refused),
    ...["no son cuatro bar", "menos de cuatro bar", "ayer era cuatro bar"].map(refused),
    ...["ce n'est pas quatre bar", "plus de quatre bar", "to nie cztery bary", "це не чотири бари"].map(
      refused,
    ),
  ])("%s, asked for in %s", (text, unit, value) => {
    const asking = indexGuide(
      procedureOf([{ id: "v", kind: "record", title: "V", text: "How much?", variable: "v", unit }]),
    );
    expect(orderOf(text, asking, beginRun(asking, at).run)).toEqual(act("value", { value }));
  });

  it("takes what is denied for a no to what is read back", () => {
    const before = stepped(gauge, { type: "value", value: 4 });
    expect(orderOf("it's not four bar", index, before)).toEqual(act("no"));
    expect(orderOf("no, it's five bar", index, before)).toEqual(act("value", { value: 5 }));
  });

  it("has a second person say whose hold point it is", () => {
    expect(secondedIn("I confirm the hold point for Anna")).toBe("Anna");
    expect(secondedIn("ich bestätige für Anna")).toBe("Anna");
    expect(secondedIn("yes")).toBeUndefined();
  });
});

describe("no run", () => {
  const samples = writtenGrammars.flatMap((grammar) => samplesOf(grammar, 6));

  it("leaves every other sentence what it was", () => {
    // Templates of runs stand in a section of their own: those of intents do not know them.
    const orders = samples.filter(({ section }) => section === "run");
    expect(orders.length).toBeGreaterThan(400);
    const kinds = new Set(
      writtenGrammars.flatMap(({ templates }) => templates.map(({ section }) => section)),
    );
    expect([...kinds].toSorted()).toEqual(["build", "intents", "phrases", "run"]);
  });

  it("makes no order of a bare yes", () => {
    expect(take([], "yes")).toEqual({ type: "answers_nothing" });
  });
});

describe("a run", () => {
  /** What belongs to the site, to documents and to talk: said in the middle of a guide, it is answered by these. */
  const others = ["knowledge", "operate", "check", "conversational"].flatMap((route) => CASES[route]!);

  it("takes nothing that another route answers", () => {
    const taken = others.filter((text) => orderOf(text, index, run) !== undefined);
    expect(taken).toEqual([]);
  });

  it.each(writtenGrammars.map((grammar) => [grammar.language, grammar] as const))(
    "takes no order, question or value of a site, in %s",
    (_language, grammar) => {
      const sites = samplesOf(grammar, 6).filter(({ intent }) =>
        ["operate", "check", "ask"].includes(intent),
      );
      const taken = sites.filter(({ text }) => orderOf(text, index, run) !== undefined);
      // "Why, perhaps": the bare "why" of a guide.
      const told = taken.map(({ intent, text }) => `${intent}: ${text}`);
      expect(told.filter((one) => one !== "ask: dlaczego może")).toEqual([]);
    },
  );

  it("understands each of its own templates, in every language", () => {
    const own = writtenGrammars.flatMap((grammar) => samplesOf(grammar, 4));
    const missed = own
      .filter(({ section }) => section === "run")
      .filter(({ intent, text }) => commands.orders(commands.hear(text))[0]?.intent !== intent);
    expect(missed.map(({ intent, language, text }) => `${language} ${intent}: ${text}`)).toEqual([]);
  });

  it("takes a tree's question by its own words", () => {
    const asked = indexGuide(procedureOf([question("q", { Ja: "q", No: "q" })]));
    const answer = (text: string) => orderOf(text, asked, beginRun(asked, at).run);
    expect(answer("yes")).toEqual(act("answer", { option: "0" }));
    expect(answer("nein")).toEqual(act("answer", { option: "1" }));
    const tree = indexGuide(
      guideOf([
        question("q", { "It leaks": "s", "It is dry": "s" }),
        { id: "s", kind: "solution", title: "Over", text: "It is over." },
      ]),
    );
    const first = beginRun(tree, at).run;
    expect(orderOf("it's leaking", tree, first)).toEqual(act("answer", { option: "0" }));
    const hums = indexGuide(guideOf([question("q", { "It hums": "q", "It turns": "q" })]));
    expect(orderOf("it's humming", hums, beginRun(hums, at).run)).toEqual(act("answer", { option: "0" }));
    expect(orderOf("it leaks", tree, first)).toEqual(act("answer", { option: "0" }));
  });
});
