/**
 * The floor: a press of the button stops what is being said, and nothing is said while it is held. Every situation on
 * the wire, to the frame.
 */
import { beforeAll, describe, expect, test } from "vitest";
import { UTTERANCE_GAP_MS_MAX } from "../../src/chat/recording.js";
import { hangReply, searchReply, textReply } from "../support/openai-replies.js";
import { type TranscriptReply, transcriptReply } from "../support/openai-transcriptions.js";
import { spokenPackets } from "../support/spoken.js";
import { VirtualClock } from "../support/virtual-clock.js";
import { LOCKOUT } from "./documents.js";
import { pidsOf, type TestRelay, type TestUser } from "./relay.js";
import { contents, drippedSpeech, librarian, packets, spoken } from "./script.js";
import { World, type WorldOptions } from "./world.js";

const TYPED = "What is the colour of the padlock?";
const SPOKEN = "Where is the breaker of press 4?";
const documents = { acme: { "lockout.md": LOCKOUT } };

let voice: Uint8Array[];
beforeAll(async () => {
  voice = await spokenPackets(SPOKEN);
});

interface Scene {
  readonly world: World;
  readonly relay: TestRelay;
  readonly ann: TestUser;
  readonly clock: VirtualClock;
}

async function begin(options: WorldOptions = {}): Promise<Scene> {
  const clock = new VirtualClock();
  const transcription = () => transcriptReply(SPOKEN);
  const respond = { ...librarian, transcription };
  const world = await World.start({ documents, respond, clock, ...options });
  const relay = await world.relay();
  return { world, relay, ann: relay.user("acme", "ann"), clock };
}

/** Ann hears "The padlock is red." and has two packets of it; the rest of the speech is still to come. */
async function answering(options: WorldOptions = {}): Promise<Scene & { readonly speech: Speech }> {
  const scene = await begin(options);
  const speech = drippedSpeech(packets(6));
  scene.world.server
    .expectChat(searchReply("padlock"))
    .expectChat(textReply("The padlock is red."))
    .expectSpeech(speech.reply);
  scene.ann.askAloud(TYPED, { request_id: "r-1" });
  speech.release(0, 2);
  await scene.ann.packets(2);
  return { ...scene, speech };
}

type Speech = ReturnType<typeof drippedSpeech>;

const STOPPED = ["message 1", "audio 1/0", "audio 1/1", "end_message 1 40 ms interrupted"];

/** What came after `count` frames, without packets. */
const after = (user: TestUser, count: number) =>
  user.summary.slice(count).filter((line) => !line.startsWith("audio"));

describe("a press while an answer is spoken", () => {
  test("stops it at once; no packet of it follows; what was spoken is answered next", async () => {
    const { ann, relay, speech, world } = await answering();
    ann.press(7, { request_id: "v-1" });
    await ann.answered("r-1");
    expect(ann.summary.slice(0, 4)).toEqual(STOPPED);
    speech.release(2, 6);
    await relay.flushed();
    expect(pidsOf(ann.frames)).toEqual([0, 1]);
    ann.speak(7, voice);
    ann.release(7);
    await ann.answered("v-1");
    expect(after(ann, 5)).toEqual([
      `transcription 7 "${SPOKEN}" (question)`,
      "message 2",
      "end_message 2 80 ms",
      expect.stringMatching(/^transcription 2 /),
    ]);
    expect(ann.frames.filter(({ mid }) => mid === 1)).toHaveLength(2);
    expect(await world.metric("readback_answers_interrupted_total")).toBe(1);
  });

  test("leaves in the chat's memory only what was heard", async () => {
    const { ann, world } = await answering();
    ann.say(7, voice, { request_id: "v-1" });
    const heard = String((await ann.answered("r-1")).text);
    await ann.answered("v-1");
    expect("The padlock is red.").toContain(heard);
    expect(heard).not.toBe("The padlock is red.");
    const told = contents(world.server.chats.at(-1)!, "assistant");
    expect(told.some((line) => line.includes("red"))).toBe(false);
    if (heard !== "") expect(told).toContain(heard);
  });

  test("aborts the synthesis that is under way", async () => {
    const { ann, world } = await answering();
    ann.press(7);
    await ann.answered("r-1");
    const request = world.server.requests.find(({ path }) => path.endsWith("/audio/speech"));
    expect(await request?.over).toBe("aborted");
  });

  test("leaves the questions that wait, to be answered after the spoken one", async () => {
    const { ann } = await answering();
    ann.ask("What is LOCKOUT71?", { request_id: "r-2" });
    ann.say(7, voice, { request_id: "v-1", response_type: "text" });
    await ann.answered("r-2");
    const order = ann.frames.flatMap(({ json }) =>
      json?.command === "text_message" ? [json.request_id] : [],
    );
    expect(order).toEqual(["v-1", "r-2"]);
  });

  test("stops it also when nothing is said", async () => {
    const { ann } = await answering();
    ann.say(7, [], { request_id: "v-1" });
    expect((await ann.answered("v-1")).text).toMatch(/didn't catch/);
    expect(ann.summary.slice(0, 4)).toEqual(STOPPED);
  });
});

describe("a press before the first packet", () => {
  test("ends the question with `cancelled`", async () => {
    const { ann, world } = await begin();
    world.server.expectChat(hangReply);
    ann.askAloud(TYPED, { request_id: "r-1" });
    await world.server.received(1);
    ann.press(7, { request_id: "v-1" });
    expect(await ann.answered("r-1")).toMatchObject({ code: "cancelled" });
    expect(await world.server.requests[0]?.over).toBe("aborted");
    ann.speak(7, voice);
    ann.release(7);
    expect(await ann.answered("v-1")).toMatchObject({ role: "answer" });
  });

  test("of a second spoken question ends the first, which is being understood", async () => {
    const { ann, world } = await begin();
    world.server.expectTranscription({ type: "hang" });
    ann.say(7, voice, { request_id: "v-1" });
    await world.server.received(1);
    ann.say(8, voice, { request_id: "v-2" });
    expect(await ann.answered("v-1")).toMatchObject({ code: "cancelled" });
    expect(await ann.answered("v-2")).toMatchObject({ role: "answer" });
    expect(await world.server.requests[0]?.over).toBe("aborted");
  });
});

describe("a double press", () => {
  test("with another id: the first is over, the second is answered", async () => {
    const { ann, world } = await begin();
    ann.press(7, { request_id: "v-1" });
    ann.speak(7, voice.slice(0, 3));
    ann.say(8, voice, { request_id: "v-2" });
    expect(await ann.answered("v-1")).toMatchObject({ code: "cancelled" });
    ann.speak(7, voice.slice(3, 5), 3);
    ann.release(7);
    expect(await ann.answered("v-2")).toMatchObject({ role: "answer" });
    expect(world.server.transcriptions.map(({ audio }) => audio.packets.length)).toEqual([voice.length]);
    expect(await world.metric("readback_audio_packets_dropped_total")).toBe(2);
  });

  test("with the same id: refused, and the first goes on", async () => {
    const { ann, world } = await begin();
    ann.press(7, { request_id: "v-1" });
    ann.speak(7, voice.slice(0, 3));
    ann.press(7, { request_id: "v-2" });
    expect(await ann.answered("v-2")).toMatchObject({ code: "bad_parameter" });
    ann.speak(7, voice.slice(3), 3);
    ann.release(7);
    expect(await ann.answered("v-1")).toMatchObject({ role: "answer" });
    expect(world.server.transcriptions[0]?.audio.packets).toEqual(voice);
  });

  test("every one of many presses counts", async () => {
    const { ann } = await begin();
    for (let id = 1; id <= 12; id++) {
      ann.say(id, voice, { request_id: `v-${id}` });
      expect(await ann.answered(`v-${id}`), `press ${id}`).toMatchObject({ role: "answer" });
    }
  });
});

describe("while the button is held", () => {
  test("nothing is answered", async () => {
    const { ann, relay } = await begin();
    ann.press(7, { request_id: "v-1" });
    ann.ask(TYPED, { request_id: "r-2" });
    ann.speak(7, voice);
    await relay.flushed();
    expect(ann.frames).toEqual([]);
    ann.release(7);
    await ann.answered("r-2");
    expect(ann.frames.at(-1)?.json).toMatchObject({ command: "text_message", request_id: "r-2" });
  });

  test("`cancel` drops what is being spoken, and what waits is answered", async () => {
    const { ann, world } = await begin();
    ann.press(7, { request_id: "v-1" });
    ann.speak(7, voice.slice(0, 4));
    ann.ask(TYPED, { request_id: "r-2" });
    ann.send("cancel");
    expect(await ann.answered("v-1")).toMatchObject({ code: "cancelled" });
    await ann.answered("r-2");
    ann.release(7);
    await ann.relay.flushed();
    expect(world.server.transcriptions).toEqual([]);
    expect(ann.frames).toHaveLength(2);
  });

  test("`close_chat` ends it", async () => {
    const { ann } = await begin();
    ann.press(7, { request_id: "v-1" });
    ann.send("close_chat");
    expect(await ann.answered("v-1")).toMatchObject({ code: "cancelled" });
    expect(await ann.received("chat_closed")).toMatchObject({ reason: "closed" });
  });

  test("a full mailbox takes neither the spoken question nor an eleventh typed one", async () => {
    const { ann, world } = await begin();
    world.server.expectChat(hangReply);
    ann.ask(TYPED, { request_id: "r-0" });
    await world.server.received(1);
    for (let n = 1; n <= 10; n++) ann.ask(TYPED, { request_id: `r-${n}` });
    ann.press(7, { request_id: "v-1" });
    expect(await ann.answered("v-1")).toMatchObject({ code: "chat_busy" });
    expect(await ann.answered("r-0")).toMatchObject({ code: "cancelled" });
  });

  test("who is gone loses the floor after a while", async () => {
    const { ann, clock, relay, world } = await begin();
    ann.press(7, { request_id: "v-1" });
    ann.speak(7, voice.slice(0, 4));
    ann.ask(TYPED, { request_id: "r-2" });
    await relay.flushed();
    await clock.advance(UTTERANCE_GAP_MS_MAX);
    expect(await ann.answered("v-1")).toMatchObject({ code: "timeout" });
    await ann.answered("r-2");
    expect(await world.metric('readback_turns_total{result="timeout"}')).toBe(1);
  });

  test.each([
    ["a packet of another duration", () => packets(1), 0, "unsupported_audio"],
    ["a packet that is no Opus", () => [Uint8Array.of()], 0, "unsupported_audio"],
    ["a hole", () => voice.slice(0, 1), 5, "bad_parameter"],
  ])("%s ends the message, once", async (_what, audio, fromPid, code) => {
    const { ann, relay, world } = await begin();
    ann.press(7, { request_id: "v-1" });
    ann.speak(7, audio(), fromPid);
    ann.speak(7, voice);
    ann.release(7);
    expect(await ann.answered("v-1")).toMatchObject({ code });
    await relay.flushed();
    expect(ann.frames).toHaveLength(1);
    expect(world.server.transcriptions).toEqual([]);
  });
});

describe("a user who changes the relay", () => {
  test("while speaking goes on speaking there, and is answered there", async () => {
    const { ann, world } = await begin();
    const other = (await world.relay()).user("acme", "ann", "c-2");
    ann.press(7, { request_id: "v-1" });
    ann.speak(7, voice.slice(0, 9));
    await ann.relay.flushed();
    ann.relay.destroy();
    other.speak(7, voice.slice(9), 9);
    other.release(7);
    expect(await other.answered("v-1")).toMatchObject({ role: "answer" });
    expect(world.server.transcriptions[0]?.audio.packets).toEqual(voice);
    expect(other.frames.every(({ cid }) => cid === "c-2")).toBe(true);
  });

  test("and presses there anew is heard, whatever number the voice message has", async () => {
    const { ann, world } = await begin();
    const other = (await world.relay()).user("acme", "ann", "c-2");
    ann.press(7, { request_id: "v-1" });
    ann.speak(7, voice.slice(0, 3));
    await ann.relay.flushed();
    ann.relay.destroy();
    other.say(7, voice, { request_id: "v-2" });
    expect(await other.answered("v-1")).toMatchObject({ code: "cancelled" });
    expect(await other.answered("v-2")).toMatchObject({ role: "answer" });
    expect(world.server.transcriptions.map(({ audio }) => audio.packets)).toEqual([voice]);
  });

  test("by pressing there hears the old answer end on neither twice", async () => {
    const { ann, world } = await answering();
    const other = (await world.relay()).user("acme", "ann", "c-2");
    other.say(7, voice, { request_id: "v-1" });
    await other.answered("v-1");
    await ann.relay.flushed();
    expect(ann.summary).toEqual(["message 1", "audio 1/0", "audio 1/1", "end_message 1 40 ms moved"]);
    const ends = other.summary.filter((line) => line.startsWith("end_message 1"));
    expect(ends).toEqual(["end_message 1 40 ms interrupted"]);
    expect(pidsOf(other.frames.filter(({ mid }) => mid === 1))).toEqual([]);
  });
});

describe("a cancel", () => {
  test("after the end finds nothing to stop", async () => {
    const { ann } = await begin();
    ann.say(7, voice, { request_id: "v-1" });
    await ann.answered("v-1");
    ann.send("cancel", { request_id: "c-1" });
    expect(await ann.answered("c-1")).toMatchObject({ code: "not_found" });
  });

  test("while the words are being found out ends the question", async () => {
    const { ann, world } = await begin();
    world.server.expectTranscription({ type: "hang" } satisfies TranscriptReply);
    ann.say(7, voice, { request_id: "v-1" });
    await world.server.received(1);
    ann.send("cancel");
    expect(await ann.answered("v-1")).toMatchObject({ code: "cancelled" });
    expect(await world.server.requests[0]?.over).toBe("aborted");
  });
});

describe("a typed message during an answer", () => {
  test("waits, aloud or not", async () => {
    const { ann, speech, world } = await answering();
    world.server.expectSpeech(spoken(packets(2)));
    ann.askAloud("What is LOCKOUT71?", { request_id: "r-2" });
    speech.release(2, 6);
    await ann.answered("r-2");
    expect(ann.summary).toContain("end_message 1 120 ms");
    expect(pidsOf(ann.frames).slice(0, 8)).toEqual([0, 1, 2, 3, 4, 5, 0, 1]);
  });

  test("stops it where the network is configured so", async () => {
    const config = { "chat.floor_by_network": { acme: "any" } };
    const { ann } = await answering({ config });
    ann.ask("What is LOCKOUT71?", { request_id: "r-2" });
    await ann.answered("r-2");
    expect(ann.summary.slice(0, 4)).toEqual(STOPPED);
  });

  test("does not stop what is being spoken, wherever it is configured so", async () => {
    const { ann } = await begin({ config: { "chat.floor": "any" } });
    ann.press(7, { request_id: "v-1" });
    ann.ask(TYPED, { request_id: "r-2" });
    ann.speak(7, voice);
    ann.release(7);
    expect(await ann.answered("v-1")).toMatchObject({ role: "answer" });
    await ann.answered("r-2");
  });
});
