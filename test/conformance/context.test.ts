/** Answers from what the caller attached, and questions that need another look: behind the real gate. */
import { describe, expect, it } from "vitest";
import { createAsk } from "../../src/answer/ask.js";
import { createOfflineAsk } from "../../src/answer/offline.js";
import { phrasesFor } from "../../src/answer/phrases.js";
import { createPlatform } from "../../src/answer/platform.js";
import { loadPrompts } from "../../src/llm/prompts.js";
import { RecordedEvents } from "../support/events.js";
import { ScriptedModel } from "../support/fake-model.js";
import { passage, ScriptedRetrieval } from "../support/fake-retrieval.js";
import { gatedAnswer, noEmergency } from "../support/gated.js";
import { english } from "../support/locales.js";
import { VirtualClock } from "../support/virtual-clock.js";

const prompts = await loadPrompts();
const phrases = phrasesFor("default", english);
const offline = (retrieval: ScriptedRetrieval) =>
  createOfflineAsk({
    clock: new VirtualClock(),
    retrieval,
    resultsMax: 5,
    searchTimeoutMs: 5_000,
  });

describe("a platform question", () => {
  const context = { extraContext: '{"usage_percent": 40, "plan": "Team", "invoice_due": "1 March 2027"}' };
  const clock = new VirtualClock();

  it("is answered from the attached data that fits", async () => {
    const answer = await gatedAnswer(createPlatform({ clock, prompts }), {
      question: "When is the invoice due?",
      context,
    });
    expect(answer).toMatchObject({ text: "Invoice due is 1 March 2027.", outcome: "answered", passages: [] });
    expect(answer.claims[0]?.evidence[0]).toMatchObject({
      type: "user_input",
      source: "attached.extra_context",
    });
  });

  it("says what is missing", async () => {
    const ask = createPlatform({ clock, prompts });
    const nothing = await gatedAnswer(ask, { question: "What is my usage?", context: undefined });
    expect(nothing).toMatchObject({ text: phrases.talk.nothingAttached, outcome: "not_in_documents" });
    const userInfo = { dev_id: "4" };
    for (const [question, attached] of [
      ["Who won the cup?", context],
      ["What is my usage?", { userInfo }],
    ] as const) {
      const unfitting = await gatedAnswer(ask, { question, context: attached });
      expect(unfitting).toMatchObject({ text: phrases.talk.notInAttached, outcome: "not_in_documents" });
    }
    const known = await gatedAnswer(ask, { question: "What do you know about me?", context: { userInfo } });
    expect(known).toMatchObject({ text: "Dev id is 4.", outcome: "answered" });
  });

  it("lets a model say what the data says, and nothing else", async () => {
    const scripted = new ScriptedModel(clock).expectStream("Your plan is Team. Your usage is 90 percent.");
    const limits = { attemptsMax: 1, delayMs: 1, delayMaxMs: 1 };
    const model = {
      model: scripted,
      random: { fraction: () => 1, id: () => "id" },
      limits,
      outputTokensMax: 99,
    };
    const answer = await gatedAnswer(createPlatform({ clock, prompts, model }), {
      question: "What is my plan?",
      context,
    });
    expect(answer.text).toContain("Your plan is Team.");
    expect(answer.text).not.toContain("90");
    scripted.verify();
  });
});

describe("a question about an attachment", () => {
  it("is told that it comes from what was sent, not from a document", async () => {
    const retrieval = new ScriptedRetrieval().expectSearch("What is the torque of this bolt?", []);
    const context = { selectedText: "The torque of the bolt is 40 newton metres. The bolt is blue." };
    const answer = await gatedAnswer(offline(retrieval), {
      question: "What is the torque of this bolt?",
      context,
    });
    expect(answer.text).toBe(`${phrases.fromAttached} The torque of the bolt is 40 newton metres.`);
    expect(answer.claims[0]?.evidence[0]?.type).toBe("user_input");
  });
});

describe("a question that needs another look", () => {
  const alarm = passage("alarm", "The alarm sounds when a room is too warm for more than 15 minutes.", {
    title: "Alarm",
  });

  const question = "When does the alarm sound?";
  const says = "The alarm sounds when a room is too warm for more than 15 minutes.";
  const clock = new VirtualClock();

  function askWith(model: ScriptedModel, retrieval: ScriptedRetrieval, speculate: boolean) {
    return createAsk({
      clock,
      retrieval,
      resultsMax: 5,
      searchTimeoutMs: 5_000,
      retryBelow: 0.25,
      prompts,
      emergency: noEmergency,
      model: {
        model,
        random: { fraction: () => 1, id: () => "id" },
        limits: { attemptsMax: 1, delayMs: 1, delayMaxMs: 1 },
      },
      options: {
        toolName: "retrieve_relevant_documents",
        outputTokensMax: 500,
        speculate,
        searchLanguage: () => "English",
        quotes: () => false,
      },
    });
  }

  it("is searched for in the user's own words before the model is asked for others", async () => {
    for (const speculate of [true, false]) {
      const model = new ScriptedModel(clock).expectSearches("bell noise").expectStream(says);
      const retrieval = new ScriptedRetrieval();
      if (speculate) retrieval.expectSearch(question, [alarm]).expectSearch("bell noise", []);
      else retrieval.expectSearch("bell noise", []).expectSearch(question, [alarm]);
      const telemetry = new RecordedEvents();
      const asked = { question, telemetry, beginByMs: clock.monotonic() + 20_000 };
      const answer = await gatedAnswer(askWith(model, retrieval, speculate), asked);
      expect(answer.outcome).toBe("answered");
      expect(answer.queries).toEqual(["bell noise", question]);
      expect(telemetry.of("retrieval_retried")).toMatchObject([{ result: "better" }]);
      if (speculate) expect(telemetry.of("speculation_ended")).toMatchObject([{ result: "saved" }]);
      model.verify();
      retrieval.verify();
    }
  });

  it("has the model search once more, at most once, and answer from both", async () => {
    for (const [found, result] of [
      [[alarm], "better"],
      [[], "no better"],
    ] as const) {
      const model = new ScriptedModel(clock)
        .expectSearches("bell noise")
        .expectSearches("when alarm sounds")
        .expectStream(says);
      const retrieval = new ScriptedRetrieval()
        .expectSearch("bell noise", [])
        .expectSearch(question, [])
        .expectSearch("when alarm sounds", found);
      const telemetry = new RecordedEvents();
      const asked = { question, telemetry, beginByMs: clock.monotonic() + 20_000 };
      const answer = await gatedAnswer(askWith(model, retrieval, false), asked);
      expect(answer.outcome).toBe(result === "better" ? "answered" : "not_in_documents");
      expect(telemetry.of("retrieval_retried")).toMatchObject([{ result }]);
      const ids = model.requests
        .at(-1)!
        .messages.flatMap((message) => ("callId" in message ? [message.callId] : []));
      expect(ids).toEqual(result === "better" ? ["call_1", "call_1b"] : ["call_1"]);
      model.verify();
      retrieval.verify();
    }
  });

  it("is asked back when two documents fit alike, and answered from the one that is chosen", async () => {
    const steps = (thing: string) =>
      passage(thing, `1. Switch the ${thing} off.\n2. Lock the ${thing} with your own lock.`, {
        title: `Lockout of the ${thing}`,
        headings: ["Lockout"],
      });
    const found = [steps("press"), steps("oven")];
    const question = "How do I do the lockout?";
    const retrieval = new ScriptedRetrieval().expectSearch(question, found);
    for (const one of found) retrieval.documents.set(one.documentId, [one]);
    const asked = await gatedAnswer(offline(retrieval), { question });
    expect(asked).toMatchObject({
      text: phrases.whichOne("Lockout of the press", "Lockout of the oven"),
      outcome: "ambiguous",
      claims: [],
    });
    const clearer = "How do I do the lockout Lockout of the oven";
    retrieval.expectSearch(clearer, found);
    const chosen = { documentId: found[1]!.documentId, asked: question };
    const answer = await gatedAnswer(offline(retrieval), { question: clearer, chosen });
    expect(answer.text).toContain("Switch the oven off.");
    expect(answer.text).not.toContain("press");
    expect(answer.outcome).toBe("answered");
  });

  it("is told that the revision it asks for does not hold any more", async () => {
    const question = "How long do I wait for the drives in the September 2025 lockout?";
    const lockout = passage("lockout", "You wait 8 minutes for the drives to run down.", {
      title: "Lockout",
      revision: "2026-03",
      supersedes: ["2025-09"],
    });
    const retrieval = new ScriptedRetrieval().expectSearch(question, [lockout]);
    const answer = await gatedAnswer(offline(retrieval), { question });
    const first = phrases.superseded("Lockout, September 2025 revision", "Lockout, March 2026 revision");
    expect(answer.text).toBe(`${first} You wait 8 minutes for the drives to run down.`);
    expect(answer.outcome).toBe("conflicting");
  });

  it("has its premise corrected by the documents", async () => {
    const question = "Why do we use water on a large spill?";
    const spill = passage("spill", "Never use water on a large spill. Leave the area at once.", {
      title: "Spill",
    });
    const retrieval = new ScriptedRetrieval().expectSearch(question, [spill]);
    const answer = await gatedAnswer(offline(retrieval), { question });
    expect(answer.text.startsWith(`${phrases.saysOtherwise} Never use water on a large spill.`)).toBe(true);
    expect(answer.text.match(/Never use water/g)).toHaveLength(1);
  });
});
