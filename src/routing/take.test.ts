import { describe, expect, it } from "vitest";
import type { Option, PendingQuestion } from "../domain/dialogue.js";
import { take } from "./take.js";

const option = (words: string): Option => ({ words, means: { type: "question", question: words } });

function question(...words: readonly string[]): PendingQuestion {
  return {
    type: "question",
    turn: "t",
    untilMs: 1,
    sources: [],
    asked: "How do I start it?",
    route: "knowledge",
    words: "Which one?",
    options: words.map(option),
  };
}

/** What is chosen, or what else it is. */
function taken(said: string, pending: readonly PendingQuestion[]): string {
  const result = take(pending, said);
  return result.type === "chosen" ? result.option.words : result.type;
}

const WASHERS = question("Starting the parts washer", "Starting the bottle washer");

describe("a reply to a question back", () => {
  it.each([
    ["en", "the first one", "one, please", "second", "the last one"],
    ["de", "die erste", "eins bitte", "den zweiten", "der letzte"],
    ["es", "la primera", "uno por favor", "el segundo", "la última"],
    ["fr", "le premier", "un s'il vous plaît", "la deuxième", "le dernier"],
    ["pl", "ten pierwszy", "jeden proszę", "drugą", "ostatnia"],
    ["uk", "перший", "один будь ласка", "друге", "останній"],
  ])("names a place in %s, whatever the language of the chat", (_, first, one, second, last) => {
    const [parts, bottles] = WASHERS.options.map(({ words }) => words);
    expect([first, one, second, last].map((said) => taken(said, [WASHERS]))).toEqual([
      parts,
      parts,
      bottles,
      bottles,
    ]);
  });

  it.each([
    ["en", "yes", "nope", "never mind"],
    ["de", "ja bitte", "nein", "vergiss es"],
    ["es", "sí", "ninguna", "da igual"],
    ["fr", "oui", "aucun", "laisse tomber"],
    ["pl", "tak", "żaden", "nieważne"],
    ["uk", "так", "ні", "неважливо"],
  ])("says yes, no and never mind in %s", (_, yes, no, neverMind) => {
    const only = question("Starting the parts washer");
    expect(taken(yes, [only])).toBe("Starting the parts washer");
    expect(taken(yes, [WASHERS])).toBe("unclear");
    expect(taken(yes, [])).toBe("answers_nothing");
    expect(taken(no, [WASHERS])).toBe("refused");
    expect(taken(neverMind, [WASHERS])).toBe("cancelled");
    expect(taken(neverMind, [])).toBe("not_about_it");
  });

  it("says words of one option, and no others", () => {
    const routes = question("look that up in the documents", "walk you through it step by step");
    expect(taken("look it up", [routes])).toBe("look that up in the documents");
    expect(taken("step by step please", [routes])).toBe("walk you through it step by step");
    expect(taken("it", [routes])).toBe("not_about_it");
    expect(taken("I mean the bottle one", [WASHERS])).toBe("Starting the bottle washer");
    expect(taken("the washer", [WASHERS])).toBe("not_about_it");
  });

  it.each([
    ["room two", "Cold room 2"],
    ["Cold room 1", "Cold room 1"],
    ["the freezer", "Freezer"],
    ["the third", "Freezer"],
    ["cold room 5", "Cold room five"],
    ["номер п'ять", "Cold room five"],
    ["п'ятий", "Oven"],
  ])("tells a number in a name from a place: %s", (said, words) => {
    const rooms = question("Cold room 2", "Cold room 1", "Freezer", "Cold room five", "Oven");
    expect(taken(said, [rooms])).toBe(words);
  });

  it.each([
    "How hot is the bottle washer?",
    "Open the bottle washer",
    "Which one is the first aider?",
    "the first three steps of the parts washer",
    "the fourth one",
    "ok so how long does it take",
  ])("is none when it says something of its own: %s", (said) => {
    expect(taken(said, [WASHERS])).toBe("not_about_it");
  });

  it("is to what was opened last", () => {
    const newer = question("Freezer", "Oven");
    const result = take([WASHERS, newer], "the second");
    expect(result).toMatchObject({ type: "chosen", pending: newer, option: { words: "Oven" } });
    expect(taken("the bottle washer", [WASHERS, newer])).toBe("Starting the bottle washer");
  });

  it("is only a yes where nothing was offered in words", () => {
    const open = question("");
    expect(taken("yes", [open])).toBe("");
    expect(taken("the first one", [open])).toBe("not_about_it");
  });
});
