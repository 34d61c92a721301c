/**
 * What the service says unasked, on the wire: to relays that take it when the user is quiet, to others before the next
 * answer; stopped by a press, and not taken where nobody asked for it.
 */
import { beforeAll, describe, expect, test } from "vitest";
import { capability } from "../support/capabilities.js";
import { transcriptReply } from "../support/openai-transcriptions.js";
import { spokenPackets } from "../support/spoken.js";
import { VirtualClock } from "../support/virtual-clock.js";
import { LOCKOUT } from "./documents.js";
import type { TestRelay, TestUser } from "./relay.js";
import { drippedSpeech, librarian, packets, spoken } from "./script.js";
import { World } from "./world.js";

const WORDS = "The timer of press 4 is over.";
const QUESTION = "What is the colour of the padlock?";
const timer = capability("phrase", async function* () {
  yield { type: "phrase", text: WORDS };
  yield { type: "end", searched: "not_needed", degraded: false, outcome: "answered" };
});
/** Long after the end of any test, by whatever clock. */
const untilMs = Date.UTC(2100, 0, 1);

let voice: Uint8Array[];
beforeAll(async () => {
  voice = await spokenPackets(QUESTION);
});

interface Scene {
  readonly world: World;
  readonly relay: TestRelay;
  readonly ann: TestUser;
  readonly clock: VirtualClock;
  announce(responseType: "text" | "audio"): "taken" | "no_chat";
}

/** Ann has been answered on a relay, which takes announcements or knows nothing of them. */
async function begin(announcements: boolean): Promise<Scene> {
  const transcription = () => transcriptReply(QUESTION);
  const respond = { ...librarian, transcription };
  const clock = new VirtualClock();
  const world = await World.start({ documents: { acme: { "lockout.md": LOCKOUT } }, respond, clock });
  const relay = await world.relay();
  if (announcements) relay.send({ command: "hello", announcements: true });
  const ann = relay.user("acme", "ann");
  ann.ask(QUESTION, { request_id: "r-1" });
  await ann.answered("r-1");
  const context = { user: { network: "acme", username: "ann" }, features: [], groups: [], untilMs };
  const announce = (responseType: "text" | "audio") =>
    world.announce({ ...context, id: "a-1", subject: "timer 1", capability: timer, responseType });
  return { world, relay, ann, clock, announce };
}

/** The commands about announcements and answers, with what tells them apart. */
const told = (user: TestUser) =>
  user.frames.flatMap(({ json }) => {
    const { command, kind = "answer", request_id = "none" } = json ?? {};
    const isTold = command === "text_message" || command === "message";
    return isTold ? [`${command} ${kind} ${request_id}`] : [];
  });

const ANSWER = "text_message answer r-1";

describe("to a relay that takes announcements", () => {
  test("a text goes at once, without a request id", async () => {
    const { ann, announce, world } = await begin(true);
    expect(announce("text")).toBe("taken");
    expect(await ann.answered()).toMatchObject({ text: WORDS, kind: "announcement" });
    expect(told(ann)).toEqual([ANSWER, "text_message announcement none"]);
    await world.metricBecomes('readback_announcements_total{result="answered"}', (value) => value === 1);
    expect(await world.metric("ai_message_requests_total")).toBe(1);
  });

  test("a voice goes at once, and can be repeated", async () => {
    const { ann, announce, world } = await begin(true);
    world.server.expectSpeech(spoken(packets(3)));
    announce("audio");
    expect(await ann.answered()).toMatchObject({ command: "transcription", text: WORDS });
    expect(told(ann)).toEqual([ANSWER, "message announcement none"]);
    expect(ann.summary.filter((line) => line.startsWith("audio"))).toHaveLength(3);
    ann.ask("Say that again.", { request_id: "r-2" });
    expect((await ann.answered("r-2")).text).toBe(WORDS);
  });

  test.each([
    [1, "before the answer where no word of it was heard", 2],
    [30, "no more where some of it was heard", 1],
  ])("a press after %i packets stops it; it is said %s", async (heard, _, times) => {
    const { ann, announce, clock, relay, world } = await begin(true);
    const speech = drippedSpeech(packets(60));
    world.server.expectSpeech(speech.reply);
    announce("audio");
    speech.release(0, heard);
    await ann.packets(1);
    await clock.advance(1_000);
    await ann.packets(heard);
    ann.press(7, { request_id: "v-1" });
    expect(await ann.received("end_message")).toMatchObject({ interrupted: true });
    ann.speak(7, voice);
    ann.release(7);
    await ann.answered("v-1");
    await relay.flushed();
    const announcements = told(ann).filter((line) => line.includes("announcement"));
    expect(announcements).toHaveLength(times);
    expect(told(ann).at(-1)).toBe("message answer v-1");
  });

  test("it ends when its user goes on to a relay that knows nothing of announcements", async () => {
    const { ann, announce, world } = await begin(true);
    const second = await world.relay();
    const there = second.user("acme", "ann", "c-2");
    const speech = drippedSpeech(packets(6));
    world.server.expectSpeech(speech.reply);
    announce("audio");
    speech.release(0, 1);
    await ann.packets(1);
    there.send("get_chat");
    expect(await ann.received("end_message")).toMatchObject({ moved: true });
    await world.happened("announcement_ended");
    await second.flushed();
    expect(told(there)).toEqual([]);
    expect(there.summary.filter((line) => line.startsWith("audio"))).toEqual([]);
  });
});

describe("to a relay that knows nothing of announcements", () => {
  test.each(["typed", "spoken"])("it goes before the next answer: %s", async (how) => {
    const { ann, announce, relay } = await begin(false);
    expect(announce("text")).toBe("taken");
    await relay.flushed();
    expect(told(ann)).toEqual([ANSWER]);
    const asked = { request_id: "r-2", response_type: "text" };
    if (how === "typed") ann.ask(QUESTION, asked);
    else ann.say(7, voice, asked);
    await ann.answered("r-2");
    expect(told(ann)).toEqual([ANSWER, "text_message announcement none", "text_message answer r-2"]);
  });

  test("it goes as soon as the relay says that it takes them, or its user comes to one that does", async () => {
    const { ann, announce, relay, world } = await begin(false);
    announce("text");
    relay.send({ command: "hello", announcements: true });
    expect(await ann.answered()).toMatchObject({ text: WORDS });
    relay.send({ command: "hello" });
    await relay.flushed();
    announce("text");
    const second = await world.relay();
    second.send({ command: "hello", announcements: true });
    const there = second.user("acme", "ann", "c-2");
    there.send("get_chat");
    expect(await there.answered()).toMatchObject({ text: WORDS, kind: "announcement" });
    expect(told(ann)).toEqual([ANSWER, "text_message announcement none"]);
  });
});

test("whoever has no chat is not there; what waits ends with its chat", async () => {
  const { ann, announce, world } = await begin(false);
  announce("text");
  ann.send("close_chat");
  await ann.received("chat_closed");
  expect(await world.happened("announcement_dropped")).toMatchObject({
    subject: "timer 1",
    reason: "closed",
  });
  expect(announce("text")).toBe("no_chat");
});
