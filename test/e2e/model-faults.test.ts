/** What a user gets when the model is slow, refuses, stops in the middle, talks nonsense or is not there at all. */
import { describe, expect, test } from "vitest";
import { systemClock } from "../../src/lib/clock.js";
import {
  cutReply,
  errorReply,
  hangReply,
  rawReply,
  refusalReply,
  searchReply,
  textReply,
  toolReply,
} from "../support/openai-replies.js";
import { OpenAiServer } from "../support/openai-server.js";
import { VirtualClock } from "../support/virtual-clock.js";
import { LOCKOUT } from "./documents.js";
import { pidsOf, type TestUser } from "./relay.js";
import { Drip, packets, spoken } from "./script.js";
import { World, type WorldOptions } from "./world.js";

const QUESTION = "How do I lock out press 4?";
const SEARCH = searchReply("press 4 lockout");
const ANSWER = "The padlock is red.";
/** How the passage of the one document sounds when it is read aloud. */
const READ_ALOUD =
  "I can't reach the language model. Lockout of press 4, Lockout, revision 3 says: Press 4 is locked out with a red padlock";
const REST_IS_LOST =
  "The rest of this answer is lost. Do not go on until you have heard all of it; please ask again.";

/** Pauses between two attempts pass, short as they are. */
const PASSING_TIME = { clock: systemClock };

async function begin(options: WorldOptions = {}): Promise<{ world: World; ann: TestUser }> {
  const world = await World.start({ documents: { acme: { "lockout.md": LOCKOUT } }, ...options });
  return { world, ann: (await world.relay()).user("acme", "ann") };
}

describe("a failed request is tried again", () => {
  const failures = [
    { name: "429", reply: errorReply(429, { retryAfterS: 0 }) },
    { name: "500", reply: errorReply(500) },
    { name: "503", reply: errorReply(503) },
    { name: "a connection cut before the first byte", reply: cutReply },
    { name: "a body that is no JSON", reply: rawReply("application/json", "<html>busy</html>") },
    { name: "a body of another shape", reply: rawReply("application/json", '{"choices":"none"}') },
  ];
  test.each(failures)("in stage 1 after $name", async ({ reply }) => {
    const { world, ann } = await begin(PASSING_TIME);
    world.server.expectChat(reply).expectChat(SEARCH).expectChat(textReply(ANSWER));
    ann.ask(QUESTION);
    expect((await ann.answered()).text).toBe(ANSWER);
    expect(world.server.chats[1]).toEqual(world.server.chats[0]);
    world.server.verify();
  });

  const nonsense = [
    { name: "text instead of a tool call", reply: textReply("I know that one by heart.") },
    {
      name: "arguments that are no JSON",
      reply: toolReply([{ name: "retrieve_relevant_documents", arguments: "{" }]),
    },
    {
      name: "another tool",
      reply: toolReply([{ name: "open_door", arguments: '{"search_query":"press 4"}' }]),
    },
    { name: "no query", reply: toolReply([{ name: "retrieve_relevant_documents", arguments: "{}" }]) },
    {
      name: "a query that is no text",
      reply: toolReply([{ name: "retrieve_relevant_documents", arguments: '{"search_query":["press"]}' }]),
    },
  ];
  test.each(nonsense)("in stage 1 after $name", async ({ reply }) => {
    const { world, ann } = await begin(PASSING_TIME);
    world.server.expectChat(reply).expectChat(SEARCH).expectChat(textReply(ANSWER));
    ann.ask(QUESTION);
    expect((await ann.answered()).text).toBe(ANSWER);
    world.server.verify();
  });

  const beginnings = [
    ...failures.slice(0, 4),
    { name: "an empty answer", reply: textReply("") },
    { name: "an answer of blanks", reply: textReply(" \n ") },
    { name: "a cut in mid-sentence", reply: textReply("The padlock is ", { ending: "cut" }) },
  ];
  test.each(beginnings)("in stage 2 after $name", async ({ reply }) => {
    const { world, ann } = await begin(PASSING_TIME);
    world.server.expectChat(SEARCH).expectChat(reply).expectChat(textReply(ANSWER));
    ann.ask(QUESTION);
    expect((await ann.answered()).text).toBe(ANSWER);
    expect(ann.frames).toHaveLength(1);
    world.server.verify();
  });

  test("in stage 2 when sentences went to the synthesizer already, but none of them was heard", async () => {
    const { world, ann } = await begin(PASSING_TIME);
    const words = new Drip<string>();
    world.server
      .expectChat(SEARCH)
      .expectChat(textReply(words, { ending: "cut" }))
      .expectSpeech(hangReply);
    ann.askAloud(QUESTION);
    words.put("LOCKOUT71 is the tag. And ");
    await world.server.received(3);
    world.server.expectChat(textReply(ANSWER)).expectSpeech(spoken(packets(2)));
    words.close();
    expect((await ann.answered()).text).toBe(ANSWER);
    expect(ann.summary).toEqual([
      "message 1",
      "audio 1/0",
      "audio 1/1",
      "end_message 1 40 ms",
      `transcription 1 "${ANSWER}"`,
    ]);
    const asked = world.server.speeches.map(({ input }) => input);
    expect(asked).toEqual(["LOCKOUT seventy-one is the tag.", ANSWER]);
    expect(await world.server.requests[2]?.over).toBe("aborted");
    world.server.verify();
  });
});

describe("when the model does not come back", () => {
  const SEARCH_FAILS = [errorReply(500), errorReply(500), errorReply(500)];

  test.each([
    { name: "stage 1 fails each time", script: SEARCH_FAILS },
    { name: "the key is refused", script: [errorReply(401, { code: "invalid_api_key" })] },
    { name: "the quota is used up", script: [errorReply(429, { code: "insufficient_quota" })] },
    { name: "stage 1 is refused", script: [refusalReply()] },
    { name: "stage 2 fails each time", script: [SEARCH, ...SEARCH_FAILS] },
    { name: "stage 2 is refused", script: [SEARCH, refusalReply()] },
    {
      name: "stage 2 is filtered",
      script: [SEARCH, textReply("The padlock ", { finishReason: "content_filter" })],
    },
    { name: "stage 2 is too long", script: [SEARCH, textReply("The padlock ", { finishReason: "length" })] },
  ])("the best passage is read aloud, word for word: $name", async ({ script }) => {
    const { world, ann } = await begin(PASSING_TIME);
    for (const reply of script) world.server.expectChat(reply);
    ann.ask(QUESTION);
    const answer = await ann.answered();
    expect(answer.command).toBe("text_message");
    expect(answer.text).toContain(READ_ALOUD);
    expect(ann.frames).toHaveLength(1);
    expect(await world.metric("readback_answers_degraded_total")).toBe(1);
    expect(await world.metric('readback_turns_total{result="partial"}')).toBe(1);
    world.server.verify();
  });

  test("it is read aloud in the voice that is left", async () => {
    const voice = await OpenAiServer.start();
    const gone = await OpenAiServer.start();
    await gone.close();
    const { ann } = await begin({
      ...PASSING_TIME,
      config: {
        "llm.base_url": gone.baseUrl,
        "speech.base_url": voice.baseUrl,
        "speech.api_key": voice.apiKey,
      },
    });
    for (let unit = 0; unit < 4; unit++) voice.expectSpeech(spoken(packets(2, 2 * unit)));
    ann.askAloud(QUESTION);
    const answer = await ann.answered();
    expect(answer).toMatchObject({ command: "transcription" });
    expect(answer.text).toContain(READ_ALOUD);
    expect(pidsOf(ann.frames).length).toBe(2 * voice.speeches.length);
    await voice.close();
  });

  test("a question that no passage fits gets assistant_unavailable", async () => {
    const { world, ann } = await begin(PASSING_TIME);
    for (const reply of SEARCH_FAILS) world.server.expectChat(reply);
    ann.askAloud("What is the capital of Peru?", { request_id: "r-1" });
    expect(await ann.answered("r-1")).toMatchObject({
      command: "ai_message_error",
      code: "assistant_unavailable",
    });
    expect(ann.frames).toHaveLength(1);
    expect(await world.metric('readback_turns_total{result="assistant_unavailable"}')).toBe(1);
    expect(await world.metric("ai_message_error_responses_total")).toBe(1);
  });

  test("a model that is slow, but never silent for 3 s, is waited for", async () => {
    const clock = new VirtualClock();
    const { world, ann } = await begin({ clock });
    const words = new Drip<string>();
    world.server.expectChat(SEARCH).expectChat(textReply(words));
    ann.ask(QUESTION);
    words.put("The ");
    await world.happened("stage_finished", 3);
    for (const word of ["pad", "lock ", "is ", "red", "."]) {
      await clock.advance(2_900);
      words.put(word);
      await ann.relay.flushed();
    }
    words.close();
    expect((await ann.answered()).text).toBe(ANSWER);
    world.server.verify();
  });

  test("a model that hangs is waited for 17 s, then the passage is read aloud", async () => {
    const clock = new VirtualClock();
    const { world, ann } = await begin({ clock });
    world.server.expectChat(hangReply).expectChat(hangReply);
    ann.ask(QUESTION);
    await searchedBeside(world, 1);
    await clock.advance(15_000);
    await world.server.received(2);
    await world.relay().then((relay) => relay.flushed());
    expect(ann.frames).toEqual([]);
    await clock.advance(2_000);
    expect((await ann.answered()).text).toContain(READ_ALOUD);
    world.server.verify();
  });

  test("a stage 2 that falls silent in mid-sentence is given up after 3 s", async () => {
    const clock = new VirtualClock();
    const { world, ann } = await begin({ clock, config: { "llm.attempts_max": 1 } });
    const words = new Drip<string>();
    world.server.expectChat(SEARCH).expectChat(textReply(words, { ending: "hang" }));
    ann.ask(QUESTION);
    await world.server.received(2);
    words.put("The padlock");
    await world.happened("stage_finished", 3); // plan, search, compose_first_text
    await clock.advance(3_000);
    expect((await ann.answered()).text).toContain(READ_ALOUD);
  });
});

describe("after the first sound", () => {
  const endings = [
    { name: "cut", options: { ending: "cut" } },
    { name: "length", options: { finishReason: "length" } },
    { name: "content_filter", options: { finishReason: "content_filter" } },
    { name: "refusal", options: { refusal: "I can't go on." } },
  ] as const;
  test.each(endings)(
    "$name: no other try; the fixed phrase says that the rest is lost",
    async ({ options }) => {
      const { world, ann } = await begin();
      const words = new Drip<string>();
      world.server.expectChat(SEARCH).expectChat(textReply(words, options));
      world.server.expectSpeech(spoken(packets(2)));
      ann.askAloud(QUESTION, { request_id: "r-1" });
      words.put("The padlock is red. Then wal");
      await ann.packets(2);
      for (const from of [10, 20])
        world.server.expectSpeech(spoken(packets(1, from)), ({ input }) =>
          expect(REST_IS_LOST).toContain(input),
        );
      words.close();
      const { text } = await ann.answered("r-1");
      expect(text).toMatch(/^The padlock is red\. +The rest of this answer is lost\..*please ask again\.$/);
      expect(text).toContain(REST_IS_LOST);
      expect(ann.summary.slice(0, -1)).toEqual([
        "message 1",
        ...[0, 1, 2, 3].map((pid) => `audio 1/${pid}`),
        "end_message 1 80 ms",
      ]);
      expect(await world.metric('readback_turns_total{result="partial"}')).toBe(1);
      world.server.verify();
    },
  );

  test("silence of more than 3 s does the same, and what was promised is spoken", async () => {
    const clock = new VirtualClock();
    const { world, ann } = await begin({ clock });
    const words = new Drip<string>();
    world.server.expectChat(SEARCH).expectChat(textReply(words, { ending: "hang" }));
    // Long enough that the receiver is not dry when the model is given up.
    world.server.expectSpeech(spoken(packets(200)));
    world.server.expectSpeech(spoken(packets(1, 300))).expectSpeech(spoken(packets(1, 310)));
    ann.askAloud(QUESTION);
    words.put("The padlock is red. Then wal");
    await ann.packets(7);
    for (let sent = 10; sent <= 202; sent += 3) {
      await clock.advance(60);
      await ann.packets(sent);
    }
    expect((await ann.answered()).text).toContain(REST_IS_LOST);
    expect(ann.summary).toContain("end_message 1 4040 ms");
    world.server.verify();
  });
});

/** The model has so many requests, and the search that runs beside stage 1 is over: it is real work, which no clock holds. */
async function searchedBeside(world: World, searches: number, requests = searches): Promise<void> {
  await Promise.all([world.server.received(requests), world.happened("search_finished", searches)]);
}

describe("the time to begin", () => {
  test("is 20 s: what is written by then is text when the voice has not come", async () => {
    const clock = new VirtualClock();
    const { world, ann } = await begin({ clock });
    world.server.expectChat(hangReply).expectChat(hangReply);
    for (let unit = 0; unit < 3; unit++) world.server.expectSpeech(hangReply);
    ann.askAloud(QUESTION, { request_id: "r-1" });
    await searchedBeside(world, 1);
    await clock.advance(15_000);
    await world.server.received(2);
    await clock.advance(2_000); // the passage is found, the synthesizer hangs
    await world.server.received(3);
    await clock.advance(2_900);
    await ann.relay.flushed();
    expect(ann.frames).toEqual([]);
    await clock.advance(100);
    expect((await ann.answered("r-1")).text).toContain(READ_ALOUD);
    expect(ann.frames.map(({ json }) => json?.command)).toEqual(["text_message"]);
    expect(world.eventsOf("speech_failed")).toMatchObject([{ midStream: false }]);
  });

  test("counts from leaving the mailbox", async () => {
    const clock = new VirtualClock();
    const { world, ann } = await begin({ clock });
    for (let request = 0; request < 4; request++) world.server.expectChat(hangReply);
    ann.ask(QUESTION, { request_id: "r-1" });
    await searchedBeside(world, 1);
    ann.ask(QUESTION, { request_id: "r-2" });
    await clock.advance(15_000);
    await world.server.received(2);
    await clock.advance(2_000);
    await ann.answered("r-1");
    await searchedBeside(world, 2, 3);
    await clock.advance(15_000);
    await world.server.received(4);
    expect(ann.frames).toHaveLength(1);
    await clock.advance(2_000);
    expect((await ann.answered("r-2")).text).toContain(READ_ALOUD);
    world.server.verify();
  });
});
