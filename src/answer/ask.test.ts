import { beforeEach, describe, expect, it } from "vitest";
import { RecordedEvents } from "../../test/support/events.js";
import { HANG, ScriptedModel, searchCall, usage } from "../../test/support/fake-model.js";
import { passage, ScriptedRetrieval } from "../../test/support/fake-retrieval.js";
import { noEmergency } from "../../test/support/gated.js";
import { english } from "../../test/support/locales.js";
import { VirtualClock } from "../../test/support/virtual-clock.js";
import { watch } from "../../test/support/watch.js";
import type { AskRequest } from "../capability/capability.js";
import type { DraftEvent } from "../capability/draft.js";
import { ModelFailure } from "../llm/port.js";
import { loadPrompts } from "../llm/prompts.js";
import { SearchUnavailable } from "../retrieval/port.js";
import { createAsk, RESCUE_MS } from "./ask.js";
import { phrasesFor } from "./phrases.js";

const prompts = await loadPrompts();
const phrases = phrasesFor("default", english);
const TURN_MS = 20_000;
const lockout = passage("lockout", "Turn the main key of the press to off. Hang your tag on it.", {
  title: "Press lockout",
  headings: ["Lock out the press"],
});
const down = new ModelFailure("unavailable", "no connection");

let clock: VirtualClock;
let events: RecordedEvents;
let model: ScriptedModel;
let retrieval: ScriptedRetrieval;
let stop: AbortController;
let left: boolean;

beforeEach(() => {
  clock = new VirtualClock();
  events = new RecordedEvents();
  model = new ScriptedModel(clock);
  retrieval = new ScriptedRetrieval();
  stop = new AbortController();
  left = false;
});

/** Asks; gives what was told, with the text that was not taken back in one piece. */
function run(more: Partial<AskRequest> = {}, { speculate = false, quoted = false } = {}) {
  const told: DraftEvent[] = [];
  const ask = createAsk({
    clock,
    retrieval,
    resultsMax: 5,
    searchTimeoutMs: 5_000,
    prompts,
    emergency: noEmergency,
    model: {
      model,
      random: { fraction: () => 1, id: () => "id" },
      limits: { attemptsMax: 2, delayMs: 200, delayMaxMs: 1_000 },
    },
    options: {
      toolName: "retrieve_relevant_documents",
      outputTokensMax: 500,
      speculate,
      searchLanguage: (network) => (network === "werk" ? "German" : "English"),
      quotes: () => quoted,
    },
  });
  const rewind = () => {
    if (!left) for (let i = told.length - 1; i >= 0; i--) if (told[i]!.type === "text") told.splice(i, 1);
    return !left;
  };
  const request: AskRequest = {
    question: "How do I lock out the press?",
    history: [],
    access: { network: "plant", username: "ann", groups: [], kiosk: false },
    locale: english,
    persona: "default",
    responseType: "audio",
    beginByMs: clock.monotonic() + TURN_MS,
    telemetry: events,
    rewind,
    ...more,
  };
  const done = watch(
    (async () => {
      for await (const event of ask(request, stop.signal)) told.push(event);
    })(),
  );
  return {
    told,
    get end() {
      return done.now;
    },
    get text() {
      return told
        .flatMap((event) => (event.type === "text" || event.type === "phrase" ? [event] : []))
        .map(({ type, text }) => (type === "phrase" ? `${text} ` : text))
        .join("");
    },
    get last() {
      return told.at(-1);
    },
  };
}

function expectClean(): void {
  model.verify();
  retrieval.verify();
  expect(clock.pending).toBe(0);
}

describe("an answer in two stages", () => {
  it("plans with a required call, searches, and composes without one", async () => {
    model.expectSearches("press lockout").expectStream("Turn the key ", "to off.");
    retrieval.expectSearch("press lockout", [lockout]);
    const answer = run();
    await clock.advance(0);
    expect(answer.told).toEqual([
      { type: "queries", queries: ["press lockout"] },
      { type: "passages", passages: [lockout] },
      { type: "text", text: "Turn the key " },
      { type: "text", text: "to off." },
      { type: "end", searched: "found", degraded: false },
    ]);
    expect(answer.end.type).toBe("resolved");
    const [first, second] = model.requests;
    expect(first).toMatchObject({ toolChoice: "required", outputTokensMax: 500 });
    expect(first!.tools).toHaveLength(1);
    expect(second).toMatchObject({ toolChoice: "none", tools: first!.tools });
    expect(second!.messages.slice(0, first!.messages.length)).toEqual(first!.messages);
    expect(second!.messages.slice(first!.messages.length)).toMatchObject([
      { role: "tool_calls", calls: [searchCall("press lockout")] },
      { role: "tool", callId: "call_1", content: expect.stringContaining(lockout.text) },
    ]);
    expect(retrieval.accesses).toMatchObject([{ network: "plant", username: "ann", kiosk: false }]);
    expectClean();
  });

  it("runs every search that the model asks for, and answers each call", async () => {
    model.expectSearches("lock", "gloves").expectStream("Yes.");
    retrieval.expectSearch("lock", [lockout]).expectSearch("gloves", []);
    run();
    await clock.advance(0);
    expect(model.requests[1]!.messages.filter(({ role }) => role === "tool")).toHaveLength(2);
    expectClean();
  });

  it("counts tokens and time by stage", async () => {
    model.expectSearches("lock").expectStream(300, "Yes.", 200);
    retrieval.expectSearch("lock", [lockout]);
    run();
    await clock.advance(1_000);
    expect(events.of("tokens_used")).toMatchObject([
      { stage: "plan", ...usage },
      { stage: "compose", ...usage },
    ]);
    expect(events.of("stage_finished").map(({ stage, ms }) => [stage, ms])).toEqual([
      ["plan", 0],
      ["search", 0],
      ["compose_first_text", 300],
      ["compose", 500],
    ]);
  });

  it("tells the model in which language to search", async () => {
    model.expectReply(down);
    run({ access: { network: "werk", username: "ann", groups: [], kiosk: false }, beginByMs: 0 });
    await clock.advance(0);
    expect(JSON.stringify(model.requests[0]!.tools)).toContain("in German");
  });

  it("tells that passages were cut", async () => {
    model.expectSearches("lock").expectStream("Yes.");
    retrieval.expectSearch("lock", [passage("long", "word ".repeat(3_000))]);
    run();
    await clock.advance(0);
    expect(events.of("passages_truncated")).toMatchObject([{ tokens: 3_000, limit: 2_500 }]);
  });

  it.each([
    ["nothing was found", [], "I can't find that in your documents.", "found"],
    ["the search is down", new SearchUnavailable("down"), "I can't search now.", "unavailable"],
  ] as const)("goes through the second stage too when %s", async (_, result, said, searched) => {
    model.expectSearches("lock").expectStream(said);
    retrieval.expectSearch("lock", result);
    const answer = run();
    await clock.advance(0);
    expect(answer.text).toBe(said);
    expect(answer.last).toEqual({ type: "end", searched, degraded: false });
    expectClean();
  });

  it("goes through the second stage too when the search takes too long", async () => {
    model.expectSearches("lock").expectStream(phrases.searchUnavailable);
    retrieval.expectSearch("lock", "hang");
    const answer = run();
    await clock.advance(5_000);
    expect(answer.last).toMatchObject({ type: "end", searched: "unavailable" });
    expectClean();
  });

  it("is partial when some of its searches failed", async () => {
    model.expectSearches("lock", "gloves").expectStream("Turn the key.");
    retrieval.expectSearch("lock", [lockout]).expectSearch("gloves", new SearchUnavailable("down"));
    const answer = run();
    await clock.advance(0);
    expect(answer.last).toEqual({ type: "end", searched: "partly", degraded: false });
  });

  it("quotes its evidence where the network wants that, claim by claim", async () => {
    const claim = {
      text: "Turn the main key to off.",
      passage: 1,
      quote: "Turn the main key of the press to off",
    };
    const written = JSON.stringify({ claims: [claim, { ...claim, passage: 7 }], question: "" });
    model.expectSearches("lock").expectStream(written.slice(0, 60), written.slice(60));
    retrieval.expectSearch("lock", [lockout]);
    const answer = run({}, { quoted: true });
    await clock.advance(0);
    const { text, quote } = claim;
    expect(answer.told.slice(2)).toEqual([
      { type: "claim", text, source: lockout.chunkId, quote },
      { type: "claim", text, source: "", quote },
      { type: "end", searched: "found", degraded: false },
    ]);
    expect(model.requests[1]).toMatchObject({ responseFormat: { name: "claims" } });
    expect(model.requests[1]!.messages.at(-1)!.role).toBe("system");
    expectClean();
  });

  it("reads a passage aloud when the quoted answer cannot be read", async () => {
    model.expectSearches("lock").expectStream("Turn the key.");
    retrieval.expectSearch("lock", [lockout]);
    const answer = run({}, { quoted: true });
    await clock.advance(0);
    expect(answer.last).toEqual({ type: "end", searched: "found", degraded: true, outcome: "partial" });
    expectClean();
  });

  it("is written once more when it breaks off before anything has left", async () => {
    model
      .expectSearches("lock")
      .expectStream("Tu", new ModelFailure("cut", "broken"))
      .expectStream("Turn the key.");
    retrieval.expectSearch("lock", [lockout]);
    const answer = run();
    await clock.advance(200);
    expect(answer.text).toBe("Turn the key.");
    expect(answer.last).toEqual({ type: "end", searched: "found", degraded: false });
    expect(events.of("model_failed")).toMatchObject([{ stage: "compose", error: "cut: broken" }]);
    expect(events.of("answer_rewound")).toHaveLength(1);
    expectClean();
  });
});

describe("a search ahead of the model's query", () => {
  const ahead = { speculate: true };

  it("is the only one when the model asks for the same thing", async () => {
    model.expectSearches("lock out press").expectStream("Turn the key.");
    retrieval.expectSearch("How do I lock out the press?", [lockout]);
    const answer = run({}, ahead);
    await clock.advance(0);
    expect(answer.told).toContainEqual({ type: "passages", passages: [lockout] });
    expect(events.of("speculation_ended")).toMatchObject([{ result: "saved" }]);
    expectClean();
  });

  it("leaves no trace when the model asks for something else", async () => {
    const stray = passage("stray", "Never shown.");
    model.expectSearches("press safety").expectStream("Turn the key.");
    retrieval.expectSearch("How do I lock out the press?", [stray]).expectSearch("press safety", [lockout]);
    const answer = run({}, ahead);
    await clock.advance(0);
    expect(answer.told).toContainEqual({ type: "passages", passages: [lockout] });
    expect(JSON.stringify([answer.told, model.requests])).not.toContain(stray.text);
    expect(events.of("speculation_ended")).toMatchObject([{ result: "wasted" }]);
    expectClean();
  });

  it("serves the passage that is read aloud when the model is down", async () => {
    model.expectReply(down).expectReply(down);
    retrieval.expectSearch("How do I lock out the press?", [lockout]);
    const answer = run({}, ahead);
    await clock.advance(200);
    expect(answer.last).toEqual({ type: "end", searched: "found", degraded: true, outcome: "partial" });
    expect(events.of("speculation_ended")).toMatchObject([{ result: "saved" }]);
    expectClean();
  });

  it("asks for the new topic alone in an open chat", async () => {
    const history = [{ role: "user", text: "What do I do when the alarm sounds?", sources: [] }] as const;
    model.expectSearches("lock out press").expectStream("Turn the key.");
    retrieval.expectSearch("How do I lock out the press?", [lockout]);
    run({ history }, ahead);
    await clock.advance(0);
    expect(events.of("speculation_ended")).toMatchObject([{ result: "saved" }]);
    expectClean();
  });

  it("takes the time of one search where it hangs", async () => {
    model.expectSearches("lock out press").expectStream("I can't search now.");
    retrieval.expectSearch("How do I lock out the press?", "hang");
    const answer = run({}, ahead);
    await clock.advance(4_999);
    expect(answer.end.type).toBe("pending");
    await clock.advance(1);
    expect(answer.last).toMatchObject({ type: "end", searched: "unavailable" });
    expectClean();
  });

  it("ends with an answer that is given up", async () => {
    model.expectReply(HANG);
    retrieval.expectSearch("How do I lock out the press?", "hang");
    const answer = run({}, ahead);
    await clock.advance(0);
    stop.abort(new Error("stopped"));
    await clock.advance(0);
    expect(answer.end.type).toBe("rejected");
    expect(events.of("speculation_ended")).toMatchObject([{ result: "wasted" }]);
    expectClean();
  });
});

describe("a model that cannot be reached", () => {
  const aloud = `${phrases.readingAloud("Press lockout, Lock out the press")} Turn the main key of the press to off. Hang your tag on it.`;

  it("is replaced by the best passage when it cannot plan: the question itself is searched for", async () => {
    model.expectReply(down).expectReply(down);
    retrieval.expectSearch("How do I lock out the press?", [lockout]);
    const answer = run({ history: [{ role: "user", text: "What is it?", sources: [] }] });
    await clock.advance(200);
    expect(answer.told).toEqual([
      { type: "passages", passages: [lockout] },
      { type: "phrase", text: phrases.readingAloud("Press lockout, Lock out the press") },
      { type: "text", text: "Turn the main key of the press to off. Hang your tag on it." },
      { type: "end", searched: "found", degraded: true, outcome: "partial" },
    ]);
    expect(events.of("model_failed")).toMatchObject([{ stage: "plan" }, { stage: "plan" }]);
    expect(events.of("answer_degraded")).toMatchObject([{ from: "plan" }]);
    expectClean();
  });

  it("is replaced by a passage that was found already when it cannot compose", async () => {
    model.expectSearches("lock").expectStream(down).expectStream(down);
    retrieval.expectSearch("lock", [lockout]);
    const answer = run();
    await clock.advance(200);
    expect(answer.text).toBe(aloud);
    expect(answer.last).toEqual({ type: "end", searched: "found", degraded: true, outcome: "partial" });
    expect(events.of("answer_degraded")).toMatchObject([{ from: "compose" }]);
    expectClean();
  });

  it("is not left with what its own query found: where nothing of it fits, the question is searched for", async () => {
    const other = passage("other", "The canteen opens at noon.");
    model.expectSearches("lunch").expectStream(down).expectStream(down);
    retrieval.expectSearch("lunch", [other]);
    retrieval.expectSearch("How do I lock out the press?", [lockout]);
    const answer = run();
    await clock.advance(200);
    expect(answer.text).toBe(aloud);
    expect(answer.told).toContainEqual({ type: "passages", passages: [other, lockout] });
    expect(answer.last).toEqual({ type: "end", searched: "found", degraded: true, outcome: "partial" });
    expectClean();
  });

  it("does not search once more where the search itself has failed", async () => {
    model.expectSearches("lock").expectStream(down).expectStream(down);
    retrieval.expectSearch("lock", new SearchUnavailable("down"));
    const answer = run();
    await clock.advance(200);
    expect(answer.end).toMatchObject({ type: "rejected", error: { code: "assistant_unavailable" } });
    expectClean();
  });

  it.each(["plan", "compose"] as const)("is given up in time to read a passage (%s)", async (stage) => {
    if (stage === "plan") {
      model.expectReply(HANG);
      retrieval.expectSearch("How do I lock out the press?", [lockout]);
    } else {
      model.expectSearches("lock").expectStream("Turn", HANG);
      retrieval.expectSearch("lock", [lockout]);
    }
    const answer = run();
    await clock.advance(TURN_MS - RESCUE_MS - 1);
    expect(answer.end.type).toBe("pending");
    await clock.advance(1);
    expect(answer.text).toBe(aloud);
    expect(answer.end.type).toBe("resolved");
    expect(events.of("model_failed")).toMatchObject([
      { stage, error: expect.stringMatching(/^timeout: .* took longer than \d+ ms$/) },
    ]);
    expectClean();
  });

  it.each(["length", "content_filter", "refusal"] as const)(
    "is replaced before the first sound when it ends by %s",
    async (end) => {
      model.expectSearches("lock").expectStream("Turn the", { end });
      retrieval.expectSearch("lock", [lockout]);
      const answer = run();
      await clock.advance(0);
      expect(answer.text).toBe(aloud);
      expectClean();
    },
  );

  it.each([
    ["is cut", new ModelFailure("cut", "broken")],
    ["ends for length", { end: "length" }],
    ["is filtered", { end: "content_filter" }],
  ] as const)(
    "has its answer ended by a fixed phrase when it %s after the first sound",
    async (_, ending) => {
      model.expectSearches("lock").expectStream("Turn the key. Never", 100, ending);
      retrieval.expectSearch("lock", [lockout]);
      const answer = run();
      await clock.advance(50);
      left = true;
      await clock.advance(50);
      expect(answer.told.slice(2)).toEqual([
        { type: "text", text: "Turn the key. Never" },
        { type: "cut" },
        { type: "phrase", text: phrases.restIsLost },
        { type: "end", searched: "found", degraded: true, outcome: "partial" },
      ]);
      expect(answer.end.type).toBe("resolved");
      expect(events.of("answer_degraded")).toEqual([]);
      expectClean();
    },
  );

  it.each([
    ["nothing fits", [passage("other", "The canteen opens at noon.")]],
    ["nothing was found", []],
    ["the search is down too", new SearchUnavailable("down")],
  ] as const)("ends in an error when %s", async (_, result) => {
    model.expectReply(new ModelFailure("rejected", "401"));
    retrieval.expectSearch("How do I lock out the press?", result);
    const answer = run();
    await clock.advance(0);
    expect(answer.end).toMatchObject({
      type: "rejected",
      error: { name: "TurnFailure", code: "assistant_unavailable" },
    });
    expect(answer.text).toBe("");
    expectClean();
  });
});

describe("an answer that is stopped", () => {
  it.each([
    [
      "planning",
      () => {
        model.expectReply(HANG);
      },
    ],
    [
      "searching",
      () => {
        model.expectSearches("lock");
        retrieval.expectSearch("lock", "hang");
      },
    ],
    [
      "composing",
      () => {
        model.expectSearches("lock").expectStream("Turn", HANG);
        retrieval.expectSearch("lock", [lockout]);
      },
    ],
  ] as const)("ends with the reason while %s, and nothing takes its place", async (_, script) => {
    script();
    const answer = run();
    await clock.advance(10);
    stop.abort("stop");
    await clock.advance(0);
    expect(answer.end).toEqual({ type: "rejected", error: "stop" });
    expect(events.of("answer_degraded")).toEqual([]);
    expectClean();
  });

  it("does not take a fault for a failure of the model", async () => {
    model.expectReply(new TypeError("a fault"));
    const answer = run();
    await clock.advance(0);
    expect(answer.end).toMatchObject({ type: "rejected", error: { message: "a fault" } });
    expectClean();
  });
});
