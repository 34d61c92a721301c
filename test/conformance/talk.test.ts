/** Turns about the answer before, behind the real gate: what is said again was said by a document. */

import { describe, expect, it } from "vitest";
import { createConverse } from "../../src/answer/converse.js";
import { createOfflineAsk } from "../../src/answer/offline.js";
import { phrasesFor } from "../../src/answer/phrases.js";
import { createReplay } from "../../src/answer/replay.js";
import type { Passage } from "../../src/domain/passage.js";
import { documentSources } from "../../src/domain/source-ref.js";
import type { HistoryEntry } from "../../src/domain/turn.js";
import { ModelFailure } from "../../src/llm/port.js";
import { loadPrompts } from "../../src/llm/prompts.js";
import { SearchUnavailable } from "../../src/retrieval/port.js";
import { RecordedEvents } from "../support/events.js";
import { HANG, ScriptedModel } from "../support/fake-model.js";
import { passage, ScriptedRetrieval } from "../support/fake-retrieval.js";
import { gatedAnswer, remembered } from "../support/gated.js";
import { english } from "../support/locales.js";
import { VirtualClock } from "../support/virtual-clock.js";

const prompts = await loadPrompts();
const { talk, ...phrases } = phrasesFor("default", english);
const kiosk = phrasesFor("kiosk", english);
const lockout = passage(
  "lockout",
  [
    "Use this procedure before you clear a jam. It takes about 15 minutes.",
    "**Warning: The sealing bars stay at 180 °C for up to 40 minutes after power is off.**",
    "## Locking out",
    "1. Press the red stop button on the operator panel.\n2. Turn the main switch to zero.\n3. Put your personal lock on the main switch.",
  ].join("\n\n"),
  { title: "Lockout of the packing line", headings: ["Locking out"], revision: "2026-03" },
);
const alarm = passage(
  "alarm",
  "The alarm sounds when a room has been too warm for more than 15 minutes. Press the silence button once. " +
    "Call the refrigeration service on extension 415. Keep the door shut.",
  { title: "Cold room alarm", page: 2 },
);

async function answered(question: string, ...found: readonly Passage[]) {
  const retrieval = new ScriptedRetrieval().expectSearch(question, found);
  const deps = { clock: new VirtualClock(), retrieval, resultsMax: 5, searchTimeoutMs: 5_000, prompts };
  const answer = await gatedAnswer(createOfflineAsk(deps), { question });
  return { answer, history: remembered(question, answer) };
}

const lockingOut = await answered("How do I lock out the packing line?", lockout);
const whenAlarm = await answered("When does the alarm sound?", alarm);
const replay = createReplay;

describe("repeat", () => {
  it("says the same, in the same order, from the same passages", async () => {
    for (const { answer, history } of [lockingOut, whenAlarm]) {
      const again = await gatedAnswer(replay("repeat"), { question: "repeat", history });
      expect(again.text).toBe(answer.text);
      expect(again.spoken).toBe(answer.spoken);
      expect(again.claims).toEqual(answer.claims);
      expect(again.passages).toEqual(answer.passages);
      expect(again.outcome).toBe(answer.outcome);
      expect(again.confidence).toBe(answer.confidence);
    }
    expect(lockingOut.answer.claims.length).toBeGreaterThan(3);
  });

  it("can be repeated itself, and says a refusal again as a refusal", async () => {
    const refused = await answered("Who won the cup?", alarm);
    expect(refused.answer.outcome).toBe("not_in_documents");
    let { history } = refused;
    for (let i = 0; i < 2; i++) {
      const again = await gatedAnswer(replay("repeat"), { question: "again", history });
      expect(again).toMatchObject({ text: phrases.notInDocuments, outcome: "not_in_documents", claims: [] });
      history = remembered("again", again);
    }
  });

  it("has nothing to say when nothing was said", async () => {
    for (const what of ["repeat", "slower", "source"] as const) {
      const again = await gatedAnswer(replay(what), { question: what });
      expect(again).toMatchObject({ text: talk.nothingSaid, outcome: "ambiguous" });
    }
  });

  it("says what was heard of an answer that broke off", async () => {
    const history: HistoryEntry[] = [
      { role: "user", text: "How?", sources: documentSources(["doc-lockout"]) },
      { role: "assistant", text: "Press the red", sources: documentSources(["doc-lockout"]) },
    ];
    const again = await gatedAnswer(replay("repeat"), { question: "again", history });
    expect(again).toMatchObject({ text: "Press the red", claims: [], degraded: true });
  });

  it("says of a line that only the caller remembers that the caller sent it", async () => {
    const text = "The emergency number is 555.";
    const history: HistoryEntry[] = [{ role: "assistant", text, sources: [] }];
    const again = await gatedAnswer(replay("repeat"), { question: "again", history });
    expect(again.text).toBe(`${phrases.fromAttached} ${text}`);
    expect(again.claims[0]?.evidence[0]).toMatchObject({ type: "user_input", source: "history" });
  });
});

describe("slower", () => {
  it("gives the warnings and one step at a time", async () => {
    const { history } = lockingOut;
    const first = await gatedAnswer(replay("slower"), { question: "slower", history });
    expect(first.text).toContain("180 °C");
    expect(first.text).toContain("red stop button");
    expect(first.text).not.toContain("main switch");
    expect(first.text.endsWith(talk.nextStep)).toBe(true);
    const retrieval = new ScriptedRetrieval().expectReadable(["doc-lockout"], ["doc-lockout"]);
    const second = await gatedAnswer(converse({ retrieval }), {
      question: "Continue.",
      history: [...history, ...remembered("slower", first)],
    });
    expect(second.text).toContain("Turn the main switch to zero.");
    expect(second.text).not.toContain("personal lock");
  });
});

describe("source", () => {
  it("names the documents, and quotes them on a screen", async () => {
    const { history } = whenAlarm;
    const spoken = await gatedAnswer(replay("source"), { question: "source", history });
    expect(spoken.text).toBe(talk.source("Cold room alarm, page 2"));
    const shown = await gatedAnswer(replay("source"), { question: "source", history, responseType: "text" });
    expect(shown.text).toBe(
      `${talk.source("Cold room alarm, page 2")} The alarm sounds when a room has been too warm for more than 15 minutes.`,
    );
    expect(shown.claims[0]).toMatchObject({ said: true, evidence: [{ source: "alarm" }] });
  });

  it("is not told at a kiosk", async () => {
    const asked = { question: "source", history: whenAlarm.history, responseType: "text" } as const;
    const told = await gatedAnswer(replay("source"), { ...asked, persona: "kiosk" });
    expect(told.text).toBe(kiosk.talk.source(""));
    expect(told.text).not.toContain("Cold room");
  });

  it("is that of the last answer, past small talk and other questions about the source", async () => {
    const source = await gatedAnswer(replay("source"), { question: "source", history: whenAlarm.history });
    const history = [...whenAlarm.history, ...remembered("source", source)];
    const again = await gatedAnswer(replay("source"), { question: "source", history });
    expect(again.text).toBe(source.text);
  });

  it("is not that of an older answer when the last one found nothing", async () => {
    const refused = await answered("Who won the cup?", alarm);
    const history = [...whenAlarm.history, ...refused.history];
    const told = await gatedAnswer(replay("source"), { question: "source", history });
    expect(told.text).toBe(talk.noSource);
  });
});

function converse({
  retrieval = new ScriptedRetrieval(),
  model,
}: {
  retrieval?: ScriptedRetrieval;
  model?: ScriptedModel;
} = {}) {
  const slot = model && {
    model,
    random: { fraction: () => 1, id: () => "id" },
    limits: { attemptsMax: 1, delayMs: 1, delayMaxMs: 1 },
    outputTokensMax: 200,
  };
  return createConverse({
    clock: new VirtualClock(),
    prompts,
    retrieval,
    searchTimeoutMs: 5_000,
    model: slot,
  });
}

const readable = () => new ScriptedRetrieval().expectReadable(["doc-alarm"], ["doc-alarm"]);

describe("a conversational turn", () => {
  it.each([
    ["Hello!", talk.greeting],
    ["good morning Readback", talk.greeting],
    ["OK thanks a lot", talk.welcome],
    ["Danke", talk.welcome],
    ["Over and out.", talk.goodbye],
    ["shorter please", talk.nothingSaid],
    ["translate that into German", talk.nothingSaid],
  ])("answers %s with a phrase", async (question, text) => {
    const answer = await gatedAnswer(converse(), { question });
    expect(answer).toMatchObject({ text, claims: [], passages: [] });
    expect(answer.outcome).toBe(text === talk.nothingSaid ? "ambiguous" : "answered");
  });

  it.each([
    ["shorter please", "The alarm sounds when a room has been too warm for more than 15 minutes."],
    ["what did you mean?", `${phrases.says("Cold room alarm, page 2")} The alarm sounds when`],
    [
      "go on",
      "Press the silence button once. Call the refrigeration service on extension 415. Keep the door shut.",
    ],
    ["translate it to Polish", `${talk.needsModel} The alarm sounds`],
    ["say it for a child", `${talk.inTheirWords} The alarm sounds`],
  ])("does what can be done without a model: %s", async (question, text) => {
    const retrieval = readable();
    const answer = await gatedAnswer(converse({ retrieval }), { question, history: whenAlarm.history });
    expect(answer.text.slice(0, text.length)).toBe(text);
    expect(answer.outcome).toBe("answered");
    expect(answer.passages).toEqual([alarm]);
    retrieval.verify();
  });

  it("has no more to say than the document, and says so", async () => {
    const retrieval = readable();
    const more = await gatedAnswer(converse({ retrieval }), { question: "more", history: whenAlarm.history });
    retrieval.expectReadable(["doc-alarm"], ["doc-alarm"]);
    const history = [...whenAlarm.history, ...remembered("more", more)];
    const rest = await gatedAnswer(converse({ retrieval }), { question: "more", history });
    expect(rest.text).toBe(talk.nothingMore);
  });

  it.each([
    ["may not be read any more", [] as readonly string[]],
    ["cannot be asked for", new SearchUnavailable("down")],
  ])("says nothing again that %s", async (_, result) => {
    const retrieval = new ScriptedRetrieval().expectReadable(["doc-alarm"], result);
    const asked = { question: "shorter", history: whenAlarm.history };
    const answer = await gatedAnswer(converse({ retrieval }), asked);
    expect(answer).toMatchObject({ text: talk.nothingSaid, passages: [] });
  });

  it("lets a model say it in other words, and drops what the passages do not say", async () => {
    const model = new ScriptedModel(new VirtualClock()).expectStream(
      "The alarm sounds when a room was too warm for more than 15 minutes. ",
      "Then open the door for 2 hours.",
    );
    const asked = { question: "in other words", history: whenAlarm.history };
    const answer = await gatedAnswer(converse({ retrieval: readable(), model }), asked);
    expect(answer.text).toContain("more than 15 minutes");
    expect(answer.text).not.toContain("2 hours");
    expect(answer.outcome).toBe("partial");
    const [request] = model.requests;
    expect(request).toMatchObject({ tools: [], toolChoice: "none", outputTokensMax: 200 });
    expect(request!.messages.at(-1)).toMatchObject({
      role: "user",
      content: expect.stringMatching(/\[Passage 1\][\s\S]*silence button[\s\S]*in other words$/),
    });
    model.verify();
  });

  it("falls back to the documents' words when the model fails", async () => {
    const model = new ScriptedModel(new VirtualClock()).expectStream(new ModelFailure("rejected", "no"));
    const events = new RecordedEvents();
    const asked = { question: "shorter", history: whenAlarm.history, telemetry: events };
    const answer = await gatedAnswer(converse({ retrieval: readable(), model }), asked);
    expect(answer).toMatchObject({ outcome: "answered", degraded: true });
    expect(answer.text).toContain("15 minutes");
    expect(events.of("model_failed")).toHaveLength(1);
    expect(events.of("answer_degraded")).toHaveLength(1);
    model.verify();
  });

  it("says that the rest is lost when the model breaks off after the first words", async () => {
    const model = new ScriptedModel(new VirtualClock()).expectStream(
      "The alarm sounds when a room was too warm for more than 15 minutes. Then",
      new ModelFailure("cut", "cut"),
    );
    const asked = { question: "in other words", history: whenAlarm.history, rewind: () => false };
    const answer = await gatedAnswer(converse({ retrieval: readable(), model }), asked);
    expect(answer.text).toMatch(new RegExp(`15 minutes\\. ${phrases.restIsLost}$`));
    expect(answer.outcome).toBe("partial");
    model.verify();
  });

  it("never hangs longer than the turn allows", async () => {
    const clock = new VirtualClock();
    const model = new ScriptedModel(clock).expectStream(HANG);
    const deps = {
      clock,
      prompts,
      retrieval: readable(),
      searchTimeoutMs: 5_000,
      model: {
        model,
        random: { fraction: () => 1, id: () => "id" },
        limits: { attemptsMax: 1, delayMs: 1, delayMaxMs: 1 },
        outputTokensMax: 200,
      },
    };
    const asked = { question: "shorter", history: whenAlarm.history, beginByMs: clock.monotonic() + 20_000 };
    const answer = gatedAnswer(createConverse(deps), asked);
    await clock.advance(20_000);
    expect((await answer).degraded).toBe(true);
    expect(clock.pending).toBe(0);
  });
});
