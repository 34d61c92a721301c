/** Spoken questions over a real socket: heard, understood, answered aloud. */
import { beforeAll, describe, expect, test } from "vitest";
import { searchReply, textReply } from "../support/openai-replies.js";
import { transcriptReply } from "../support/openai-transcriptions.js";
import { spokenPackets } from "../support/spoken.js";
import { LOCKOUT } from "./documents.js";
import { packetsOf, pidsOf, type TestRelay, type TestUser } from "./relay.js";
import { lastContent, librarian, packets, spoken } from "./script.js";
import { World, type WorldOptions } from "./world.js";

const QUESTION = "Where is the padlock of press 4?";
const documents = { acme: { "lockout.md": LOCKOUT }, beta: { "lockout.md": LOCKOUT } };

/** The question as a phone sends it. */
let question: Uint8Array[];
beforeAll(async () => {
  question = await spokenPackets(QUESTION);
});

interface Scene {
  readonly world: World;
  readonly relay: TestRelay;
  readonly ann: TestUser;
}

async function begin(options: WorldOptions = {}): Promise<Scene> {
  const world = await World.start({ documents, respond: librarian, ...options });
  const relay = await world.relay();
  return { world, relay, ann: relay.user("acme", "ann") };
}

describe("a spoken question", () => {
  test("comes back as a spoken answer; the audio that was uploaded decodes and has its length", async () => {
    const { world, ann } = await begin();
    world.server.expectTranscription(transcriptReply(QUESTION));
    world.server.expectChat(searchReply("press 4")).expectChat(textReply("The padlock is red."));
    world.server.expectSpeech(spoken(packets(3)));
    ann.say(7, question, { request_id: "v-1" });
    expect(await ann.answered("v-1")).toMatchObject({ message_id: 1, text: "The padlock is red." });
    expect(ann.summary).toEqual([
      `transcription 7 "${QUESTION}" (question)`,
      "message 1",
      "audio 1/0",
      "audio 1/1",
      "audio 1/2",
      "end_message 1 60 ms",
      'transcription 1 "The padlock is red."',
    ]);
    expect(packetsOf(ann.frames)).toEqual(packets(3).map((packet) => Buffer.from(packet)));
    const [upload] = world.server.transcriptions;
    expect(upload?.audio.packets).toEqual(question);
    const preSkipMs = (upload?.audio.preSkipSamples ?? 0) / 48;
    expect(upload?.audio.durationMs).toBe(question.length * 60 - preSkipMs);
    expect(lastContent(world.server.chats[0]!, "user")).toBe(QUESTION);
    world.server.verify();
  });

  test("is answered as text where that is asked for", async () => {
    const { world, ann } = await begin();
    world.server.expectTranscription(transcriptReply(QUESTION));
    ann.say(7, question, { request_id: "v-1", response_type: "text" });
    expect(await ann.answered("v-1")).toMatchObject({ command: "text_message" });
    expect(pidsOf(ann.frames)).toEqual([]);
  });

  test("is remembered by its words", async () => {
    const { world, ann } = await begin();
    world.server.expectTranscription(transcriptReply(QUESTION));
    ann.say(7, question, { request_id: "v-1" });
    await ann.answered("v-1");
    ann.ask("And who keeps it?", { request_id: "r-2" });
    await ann.answered("r-2");
    const told = world.server.chats.at(-1)?.messages.map(({ content }) => content);
    expect(told).toContain(QUESTION);
  });

  test("tells the recogniser its language where the sender gives one", async () => {
    const { world, ann } = await begin();
    world.server.expectTranscription(transcriptReply("¿Dónde está el candado?"), ({ language }) =>
      expect(language).toBe("es"),
    );
    ann.say(7, question, { request_id: "v-1", language: "es-MX" });
    await ann.answered("v-1");
    world.server.verify();
  });

  test("that says nothing in the documents is told so in the language in which it was heard", async () => {
    const { world, ann } = await begin({
      respond: { ...librarian, chat: () => textReply("No lo sé.") },
    });
    world.server.expectTranscription(transcriptReply("Menú", { language: "spanish" }));
    world.server.expectChat(searchReply("menu"));
    ann.say(7, question, { request_id: "v-1", response_type: "text" });
    expect((await ann.answered("v-1")).text).toMatch(/documentos/);
  });

  test.each([
    ["has nothing in it", []],
    ["is shorter than any word", "short"],
  ])("that %s gets a short request to say it again, and is not remembered", async (_what, audio) => {
    const { world, ann } = await begin();
    ann.say(7, audio === "short" ? question.slice(0, 2) : [], { request_id: "v-1" });
    const answer = await ann.answered("v-1");
    expect(answer).toMatchObject({ message_id: 1, text: "I didn't catch that. Please say it again." });
    expect(ann.summary.slice(0, 2)).toEqual(['transcription 7 "" (question)', "message 1"]);
    expect(world.server.transcriptions).toEqual([]);
    expect(world.server.chats).toEqual([]);
    ann.send("get_chat");
    expect(await ann.received("chat")).toMatchObject({ message_count: 0 });
  });

  test("that cannot be made out is not answered either", async () => {
    const { world, ann } = await begin();
    world.server.expectTranscription(transcriptReply("[BLANK_AUDIO]"));
    ann.say(7, question, { request_id: "v-1" });
    expect((await ann.answered("v-1")).text).toMatch(/didn't catch/);
    expect(world.server.chats).toEqual([]);
  });

  test("that the recogniser cannot take is an error, and the chat goes on", async () => {
    const { world, ann } = await begin();
    const fault = { type: "error", status: 401, code: "invalid_api_key", message: "Incorrect key." } as const;
    world.server.expectTranscription(fault);
    ann.say(7, question, { request_id: "v-1" });
    expect(await ann.answered("v-1")).toMatchObject({ code: "transcription_unavailable" });
    world.server.expectTranscription(transcriptReply(QUESTION));
    ann.say(8, question, { request_id: "v-2" });
    expect(await ann.answered("v-2")).toMatchObject({ role: "answer" });
  });

  test("longer than a message may be is refused as a typed one is", async () => {
    const { world, ann } = await begin();
    world.server.expectTranscription(transcriptReply(Array.from({ length: 300 }, (_, i) => `word${i} `)));
    ann.say(7, question, { request_id: "v-1" });
    expect(await ann.answered("v-1")).toMatchObject({ code: "message_too_long" });
  });
});

describe("two people who speak at the same time", () => {
  test("on one relay each get what they asked for", async () => {
    const { world, relay, ann } = await begin({
      respond: {
        ...librarian,
        transcription: ({ body }) => transcriptReply(`press 4 said in ${body.audio.packets.length}`),
      },
    });
    const bob = relay.user("beta", "ann", "c-other");
    ann.press(7);
    bob.press(7);
    for (const [i, packet] of question.entries()) {
      ann.speak(7, [packet], i);
      if (i % 2 === 0) bob.speak(7, [packet], i / 2);
    }
    bob.release(7);
    ann.release(7);
    const understood = async (user: TestUser) =>
      (await user.until((frames) => frames.find(({ json }) => json?.role === "question")?.json)).text;
    expect(await understood(ann)).toBe(`press 4 said in ${question.length}`);
    expect(await understood(bob)).toBe(`press 4 said in ${Math.ceil(question.length / 2)}`);
    expect(world.server.transcriptions).toHaveLength(2);
  });
});
