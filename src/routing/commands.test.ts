/** The templates of every language against each other: each is understood as what it is, and as nothing else. */
import { describe, expect, it } from "vitest";
import { atOnce } from "../lib/steps.js";
import { samplesOf, type UtteranceSample, writtenGrammars } from "../locale/commands/samples.test-util.js";
import { commands } from "./commands.js";
import { utterance } from "./normalized-message.js";

/** Samples of each sentence. */
const EACH = 12;

const isSentence = ({ section }: UtteranceSample) => section === "intents";
/** Of these, another intent is meant, or none. */
const NOT_ROUTED = ["about_this", "explain", "never_mind"];

describe.each(writtenGrammars.map((grammar) => [grammar.language, grammar] as const))(
  "in %s",
  (_, grammar) => {
    const samples = samplesOf(grammar, EACH);

    it("every sentence is understood as what it is", () => {
      const missed = samples
        .filter(isSentence)
        .filter(({ intent, text }) => !commands.of(commands.hear(text)).some((one) => one.intent === intent));
      expect(missed.map(({ intent, text }) => `${intent}: ${text}`)).toEqual([]);
    });

    it("every phrase is found in a sentence", () => {
      const missed = samples
        .filter(({ section }) => section === "phrases")
        .filter(
          ({ intent, text }) =>
            !commands.phrases(commands.hear(`so ${text} blix`).words).has(intent as never),
        );
      expect(missed.map(({ intent, text }) => `${intent}: ${text}`)).toEqual([]);
    });

    it("no sentence takes another route", () => {
      const astray = samples
        .filter((sample) => isSentence(sample) && !NOT_ROUTED.includes(sample.intent))
        .map(({ intent, text }) => ({ intent, text, command: utterance(text).command }))
        .filter(({ intent, command }) => command?.intent !== intent)
        .map(
          ({ intent, text, command }) => `${intent}: ${text} => ${command?.intent} in ${command?.language}`,
        );
      expect(astray).toEqual([]);
    });
  },
);

const ARGUMENTS: readonly (readonly [text: string, intent: string, slots: object])[] = [
  ["Open valve 3", "operate", { action: "open", target: "valve 3" }],
  ["Öffne Ventil 3", "operate", { action: "open", target: "Ventil 3" }],
  ["Abre la válvula 3", "operate", { action: "open", target: "válvula 3" }],
  ["Ouvre la vanne 3", "operate", { action: "open", target: "vanne 3" }],
  ["Otwórz zawór 3", "operate", { action: "open", target: "zawór 3" }],
  ["Відкрий клапан 3", "operate", { action: "open", target: "клапан 3" }],
  ["set the oven to one hundred and eighty degrees", "operate", { target: "oven", value: 180, unit: "°C" }],
  ["Stell Kühlraum 2 auf minus achtzehn Komma fünf Grad", "operate", { value: -18.5, target: "Kühlraum 2" }],
  ["raise the pressure in tank 4 by 0.5 bar", "operate", { quantity: "pressure", value: 0.5, unit: "bar" }],
  ["Éteins l'éclairage du hall B", "operate", { action: "switch_off", target: "éclairage du hall B" }],
  ["Mach die Hallentür zu", "operate", { action: "close", target: "Hallentür" }],
  ["open valve 3, then close the door", "operate", { target: "valve 3" }],
  ["Is valve 3 still open?", "check", { target: "valve 3", state: "open" }],
  [
    "what is the temperature in cold room 2 right now",
    "check",
    { quantity: "temperature", target: "cold room 2" },
  ],
  ["Which guides are there?", "guide_list", {}],
  ["what guides do you have", "guide_list", {}],
  ["Welche Anleitungen gibt es?", "guide_list", {}],
  ["¿Qué guías hay?", "guide_list", {}],
  ["Quels guides y a-t-il ?", "guide_list", {}],
  ["Jakie są przewodniki?", "guide_list", {}],
  ["Які є інструкції?", "guide_list", {}],
  ["start the lockout procedure", "guide_start", { procedure: "lockout procedure" }],
  ["sag das auf Polnisch", "translate", { language: "pl" }],
];

it.each(ARGUMENTS)("%s: %s", (text, intent, slots) => {
  const command = utterance(text).command;
  const values = Object.fromEntries(
    Object.entries(command?.slots ?? {}).map(([name, { value }]) => [name, value]),
  );
  expect(command?.intent).toBe(intent);
  expect(values).toMatchObject(slots);
});

it("knows what is added to a list while it runs, and leaves the others as they were", () => {
  const site = atOnce(commands.with("equipment", ["Big Bertha"]));
  const text = "silence Big Bertha in hall 3 before lunch";
  const order = "drain Big Bertha";
  expect(commands.of(commands.hear(order))).toEqual([]);
  expect(site.of(site.hear(order))[0]).toMatchObject({
    intent: "operate",
    slots: { target: { text: "Big Bertha" } },
  });
  expect(site.of(site.hear(text))).toEqual([]);
});

it.each(["I broke the scanner", "I need a ladder for rack seven", "a man fell"])(
  "takes %j, which tells its language, for no command of another",
  (text) => {
    expect(utterance(text).command).toBeUndefined();
  },
);
