/** What the caller's platform attached is read at one moment: said again later, it is not said as what is so now. */

import { describe, expect, it } from "vitest";
import { gatedAnswer, remembered } from "../../test/support/gated.js";
import { locales } from "../../test/support/locales.js";
import { VirtualClock } from "../../test/support/virtual-clock.js";
import type { Answer } from "../domain/answer.js";
import { documentSources } from "../domain/source-ref.js";
import type { HistoryEntry } from "../domain/turn.js";
import { loadPrompts } from "../llm/prompts.js";
import { createConverse } from "./converse.js";
import { createPlatform } from "./platform.js";
import { createReplay } from "./replay.js";

const prompts = await loadPrompts();
const question = "What is the pump pressure?";
const MINUTE_MS = 60_000;
const VALUE = "Pump pressure is 4.2 bar.";

async function asked(clock: VirtualClock, readAtMs = clock.now()): Promise<Answer> {
  const context = { extraContext: '{"pump pressure": "4.2 bar", "room": "B 12"}', readAtMs };
  return gatedAnswer(createPlatform({ clock, prompts }), { question, context }, clock);
}

const again = (what: "repeat" | "slower", history: readonly HistoryEntry[], clock: VirtualClock) =>
  gatedAnswer(createReplay(what), { question: "Repeat that.", history }, clock);

describe("a reading that is said again", () => {
  it("is said as it was, while it counts as what is so now", async () => {
    const clock = new VirtualClock();
    const answer = await asked(clock);
    expect(answer).toMatchObject({ text: VALUE, claims: [{ evidence: [{ ageMs: 0 }] }] });
    await clock.advance(MINUTE_MS);
    const { claims, text } = await again("repeat", remembered(question, answer), clock);
    expect(text).toBe(VALUE);
    expect(claims).toMatchObject([{ said: true, evidence: [{ ageMs: MINUTE_MS }] }]);
  });

  it.each(["repeat", "slower"] as const)(
    "is said with its age later, on %s, and with its age of then once more",
    async (what) => {
      const clock = new VirtualClock();
      const first = await asked(clock);
      await clock.advance(2 * MINUTE_MS);
      const second = await again(what, remembered(question, first), clock);
      expect(second).toMatchObject({
        text: `This is how it was 2 minutes ago: ${VALUE}`,
        spoken: `This is how it was 2 minutes ago: Pump pressure is four point two bar.`,
        outcome: "answered",
        claims: [{ said: true, evidence: [{ ageMs: 2 * MINUTE_MS }] }],
      });
      await clock.advance(58 * MINUTE_MS);
      const third = await again(what, remembered(question, second), clock);
      expect(third.text).toBe(`This is how it was 60 minutes ago: ${VALUE}`);
    },
  );

  it("is as old as its caller says, from the first time on", async () => {
    const clock = new VirtualClock();
    const { text } = await asked(clock, clock.now() - 5 * MINUTE_MS);
    expect(text).toBe(`This is how it was 5 minutes ago: ${VALUE}`);
  });

  it("has an age in other words, too", async () => {
    const clock = new VirtualClock();
    const history = remembered(question, await asked(clock));
    await clock.advance(3 * MINUTE_MS);
    const talk = createConverse({ clock, prompts, retrieval: readable, searchTimeoutMs: 5_000 });
    const { text } = await gatedAnswer(talk, { question: "Say that in other words.", history }, clock);
    expect(text).toContain(`This is how it was 3 minutes ago: ${VALUE}`);
  });

  it("has one where the answer broke off, and only what was heard is known", async () => {
    const clock = new VirtualClock();
    const readAtMs = clock.now();
    await clock.advance(4 * MINUTE_MS);
    for (const sources of [[], documentSources(["manual"])]) {
      const line = { role: "assistant", text: VALUE, sources, readAtMs } as const;
      const { text } = await again("repeat", [line], clock);
      expect(text).toContain(`This is how it was 4 minutes ago: ${VALUE}`);
    }
  });

  it.each([
    ["de", "So war es vor 2 Minuten:"],
    ["es", "Así era hace 2 minutos:"],
    ["fr", "Voici ce qu'il en était il y a 2 minutes :"],
    ["pl", "Tak było 2 minuty temu:"],
    ["uk", "Ось як було 2 хвилини тому:"],
  ])("has its age in the language of the answer: %s", async (language, words) => {
    const clock = new VirtualClock();
    const history = remembered(question, await asked(clock));
    await clock.advance(2 * MINUTE_MS);
    const locale = locales.of(language);
    const { text } = await gatedAnswer(createReplay("repeat"), { history, locale }, clock);
    expect(text).toBe(`${words} ${VALUE}`);
  });
});

const readable = { readable: (ids: readonly string[]) => Promise.resolve(new Set(ids)) };
