/** The templates of every language against each other: each is understood as what it is, and as nothing else. */
import { describe, expect, it } from "vitest";
import { INTENTS } from "../locale/commands/intents.js";
import { type Sample, samplesOf } from "../locale/commands/samples.test-util.js";
import { commands } from "./commands.js";
import { commandIn, utterance } from "./utterance.js";

/** Samples of each sentence. */
const EACH = 4;

const isSentence = ({ intent }: Sample) => intent in INTENTS;
const REMARKS = ["about_this", "explain"];

describe.each(commands.grammars.map((grammar) => [grammar.language, grammar] as const))("in %s", (_, grammar) => {
  const samples = samplesOf(grammar, EACH);

  it("every sentence is understood as what it is", () => {
    const missed = samples
      .filter(isSentence)
      .filter(({ intent, text }) => !commands.of(commands.hear(text)).some((one) => one.intent === intent));
    expect(missed.map(({ intent, text }) => `${intent}: ${text}`)).toEqual([]);
  });

  it("every phrase is found in a sentence", () => {
    const missed = samples
      .filter((sample) => !isSentence(sample))
      .filter(({ intent, text }) => !commands.phrases(commands.hear(`so ${text} blix`).words).has(intent as never));
    expect(missed.map(({ intent, text }) => `${intent}: ${text}`)).toEqual([]);
  });

  it("no sentence takes another route", () => {
    const astray = samples
      .filter((sample) => isSentence(sample) && !REMARKS.includes(sample.intent))
      .map(({ intent, text }) => ({ intent, text, command: commandIn(utterance(text)) }))
      .filter(({ intent, command }) => routeOf(command?.intent) !== routeOf(intent))
      .map(({ intent, text, command }) => `${intent}: ${text} => ${command?.intent} in ${command?.language}`);
    expect(astray).toEqual([]);
  });
});

function routeOf(intent: string | undefined): string | undefined {
  return intent;
}
