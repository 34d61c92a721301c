/** A user who shows up on another relay in the middle of an answer: nothing lost, nothing twice, in the middle of a word. */
import { describe, expect, test } from "vitest";
import { searchReply, textReply } from "../support/openai-replies.js";
import { VirtualClock } from "../support/virtual-clock.js";
import { LOCKOUT } from "./documents.js";
import { packetsOf, pidsOf, type TestRelay, type TestUser } from "./relay.js";
import { Drip, drippedSpeech, librarian, packets } from "./script.js";
import { congest, World, type WorldOptions } from "./world.js";

const ANSWER = "The padlock is red.";
const AUDIO = packets(6);

interface Scene {
  readonly world: World;
  readonly first: TestRelay;
  readonly second: TestRelay;
  /** The same user on either relay. */
  readonly there: TestUser;
  readonly here: TestUser;
  release(from: number, to: number): void;
}

/** Ann has asked on the first relay, and `heard` packets of six have come to her there. */
async function speaking(heard: number, options: WorldOptions = {}): Promise<Scene> {
  const world = await World.start({ documents: { acme: { "lockout.md": LOCKOUT } }, ...options });
  const speech = drippedSpeech(AUDIO);
  world.server.expectChat(searchReply("press 4")).expectChat(textReply(ANSWER)).expectSpeech(speech.reply);
  const [first, second] = [await world.relay(), await world.relay()];
  const [there, here] = [first.user("acme", "ann", "c-1"), second.user("acme", "ann", "c-2")];
  there.askAloud("How do I lock out press 4?", { request_id: "r-1" });
  speech.release(0, heard);
  await there.packets(heard);
  return { world, first, second, there, here, release: speech.release };
}

describe("with the old relay alive", () => {
  test("it gets end_message moved, the new one the rest and the transcription", async () => {
    const { world, first, there, here, release } = await speaking(3);
    here.send("get_chat");
    await there.received("end_message");
    release(3, 6);
    await here.answered("r-1");
    await first.flushed();
    expect(there.summary).toEqual([
      "message 1",
      "audio 1/0",
      "audio 1/1",
      "audio 1/2",
      "end_message 1 60 ms moved",
    ]);
    const chat = here.summary.filter((line) => line.startsWith("chat"));
    expect(chat).toHaveLength(1);
    expect(here.summary.filter((line) => !line.startsWith("chat"))).toEqual([
      "message 1 from 3",
      "audio 1/3",
      "audio 1/4",
      "audio 1/5",
      "end_message 1 120 ms",
      `transcription 1 "${ANSWER}"`,
    ]);
    expect([...packetsOf(there.frames), ...packetsOf(here.frames)]).toEqual(
      AUDIO.map((one) => Buffer.from(one)),
    );
    expect(here.frames.every(({ cid }) => cid === "c-2")).toBe(true);
    expect(there.frames.every(({ cid }) => cid === "c-1")).toBe(true);
    const told = [...there.frames, ...here.frames].flatMap(({ json }) =>
      json?.message_id === 1 ? [json] : [],
    );
    expect(told.map((json) => json.request_id)).toEqual(["r-1", "r-1", "r-1", "r-1", "r-1"]);
    expect(await world.metric("readback_answers_moved_total")).toBe(1);
    expect(await world.metric('readback_turns_total{result="answered"}')).toBe(1);
  });

  test("and back again", async () => {
    const { there, here, release } = await speaking(2);
    here.send("get_chat");
    await there.received("end_message");
    release(2, 4);
    await here.packets(2);
    there.send("get_chat");
    await here.received("end_message");
    release(4, 6);
    await there.answered("r-1");
    const withoutChat = (user: TestUser) => user.summary.filter((line) => !line.startsWith("chat"));
    expect(withoutChat(here)).toEqual([
      "message 1 from 2",
      "audio 1/2",
      "audio 1/3",
      "end_message 1 80 ms moved",
    ]);
    expect(withoutChat(there)).toEqual([
      "message 1",
      "audio 1/0",
      "audio 1/1",
      "end_message 1 40 ms moved",
      "message 1 from 4",
      "audio 1/4",
      "audio 1/5",
      "end_message 1 120 ms",
      `transcription 1 "${ANSWER}"`,
    ]);
  });

  test("an audio frame moves its user, and so does a command that is turned down; others stay where they are", async () => {
    const { world, second, there, here, release } = await speaking(2);
    second.sendAudio(["nw:acme", "un:ann", "cid:c-2", "mid:7", "pid:0"], packets(1)[0]!);
    await there.received("end_message");
    there.send("summarize");
    await here.received("end_message");
    release(2, 6);
    await there.answered("r-1");
    expect(pidsOf(there.frames)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(world.eventsOf("answer_moved")).toHaveLength(2);
  });

  test("keep_alive, a refused command and another user's command move nobody", async () => {
    const { world, second, there, here, release } = await speaking(2);
    second.send({ command: "keep_alive", network: "acme", username: "ann" }, here.lines);
    second.send({ command: "ai_message", network: "acme", username: "ann" }, here.lines);
    second.send({ command: "get_chat", network: "acme", username: "bob" }, here.lines);
    second.user("acme", "Ann").send("get_chat");
    second.user("acme2", "ann").send("get_chat");
    await second.flushed();
    release(2, 6);
    await there.answered("r-1");
    expect(pidsOf(there.frames)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(world.eventsOf("answer_moved")).toHaveLength(0);
  });

  test("before the first packet: only the new relay is spoken to", async () => {
    const world = await World.start({ documents: { acme: { "lockout.md": LOCKOUT } } });
    const words = new Drip<string>();
    const speech = drippedSpeech(AUDIO);
    world.server.expectChat(searchReply("press 4")).expectChat(textReply(words)).expectSpeech(speech.reply);
    const [first, second] = [await world.relay(), await world.relay()];
    first.user("acme", "ann").askAloud("How do I lock out press 4?");
    await world.server.received(2);
    const here = second.user("acme", "ann");
    here.send("get_chat");
    await here.received("chat");
    words.put(ANSWER);
    words.close();
    speech.release(0, 6);
    await here.answered();
    await first.flushed();
    expect(first.frames).toEqual([]);
    expect(here.summary).toContain("message 1");
    expect(pidsOf(here.frames)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(world.eventsOf("answer_moved")).toHaveLength(0);
  });

  test("what waits in the mailbox is answered where the user is", async () => {
    const { world, first, there, here, release } = await speaking(2);
    world.server.expectChat(searchReply("press 4")).expectChat(textReply("The shift lead."));
    there.ask("Who keeps the padlock?", { request_id: "r-2" });
    await first.flushed();
    here.send("get_chat");
    release(2, 6);
    await here.answered("r-2");
    expect(here.summary.at(-1)).toBe('text_message "The shift lead."');
    expect(there.summary.at(-1)).toBe("end_message 1 40 ms moved");
  });

  test("a new question moves the answer that is under way too, and then gets its own", async () => {
    const { world, there, here, release } = await speaking(2);
    world.server.expectChat(searchReply("press 4")).expectChat(textReply("The shift lead."));
    here.ask("Who keeps the padlock?", { request_id: "r-2" });
    await there.received("end_message");
    release(2, 6);
    await here.answered("r-2");
    expect(here.summary.slice(-2)).toEqual([`transcription 1 "${ANSWER}"`, 'text_message "The shift lead."']);
  });

  test("that cannot take the packets: the audio ends with the old one, the text goes to the new one", async () => {
    const { second, there, here, release } = await speaking(2);
    second.send({ command: "hello", audio: [{ sample_rate: 16_000, frame_ms: 60 }] });
    here.send("get_chat");
    await there.received("end_message");
    release(2, 6);
    const last = await here.answered("r-1");
    expect(last.text).toBe(ANSWER);
    expect(pidsOf(here.frames)).toEqual([]);
  });

  test("that does not read: what waits for it goes to the new one instead", async () => {
    const world = await World.start({ documents: { acme: { "lockout.md": LOCKOUT } }, respond: librarian });
    const speech = drippedSpeech(AUDIO);
    world.server.expectChat(searchReply("press 4")).expectChat(textReply(ANSWER)).expectSpeech(speech.reply);
    const [first, second] = [await world.relay(), await world.relay()];
    await congest(world, first);
    first.user("acme", "ann").askAloud("How do I lock out press 4?", { request_id: "r-1" });
    speech.release(0, 4);
    await world.happened("first_packet");
    const here = second.user("acme", "ann");
    here.send("get_chat");
    await here.packets(4);
    speech.release(4, 6);
    await here.answered("r-1");
    expect(here.summary.filter((line) => !line.startsWith("chat"))).toEqual([
      "message 1 from 0",
      ...[0, 1, 2, 3, 4, 5].map((pid) => `audio 1/${pid}`),
      "end_message 1 120 ms",
      `transcription 1 "${ANSWER}"`,
    ]);
    first.resume();
    await world.metricBecomes("readback_outbox_bytes", (bytes) => bytes === 0);
    await first.flushed();
    expect(first.user("acme", "ann").frames).toEqual([]);
  });
});

describe("with the old relay gone", () => {
  test("the rest waits for the user to turn up", async () => {
    const { world, first, there, here, release } = await speaking(3, { clock: new VirtualClock() });
    first.destroy();
    await world.happened("relay_disconnected");
    release(3, 6);
    await world.happened("speech_unit_finished");
    here.send("get_chat");
    await here.answered("r-1");
    expect(pidsOf(there.frames)).toEqual([0, 1, 2]);
    expect(here.summary.filter((line) => !line.startsWith("chat"))).toEqual([
      "message 1 from 3",
      "audio 1/3",
      "audio 1/4",
      "audio 1/5",
      "end_message 1 120 ms",
      `transcription 1 "${ANSWER}"`,
    ]);
  });

  test("9.9 s are not too long, more than 10 s are; the chat goes on afterwards", async () => {
    const clock = new VirtualClock();
    const scene = await speaking(3, { clock });
    scene.first.destroy();
    await scene.world.happened("relay_disconnected");
    scene.release(3, 6);
    await scene.world.happened("speech_unit_finished");
    await clock.advance(9_900);
    expect(scene.world.eventsOf("turn_finished")).toHaveLength(0);
    await clock.advance(200);
    await scene.world.happened("turn_finished");
    expect(scene.world.eventsOf("turn_finished")).toHaveLength(1);
    scene.world.server.expectChat(searchReply("press 4")).expectChat(textReply("The shift lead."));
    scene.here.ask("Who keeps the padlock?", { request_id: "r-2" });
    await scene.here.answered("r-2");
    expect(scene.here.summary).toEqual(['text_message "The shift lead."']);
  });

  test("the user may turn up only to stop it", async () => {
    const { world, first, here, release } = await speaking(3);
    first.destroy();
    await world.happened("relay_disconnected");
    release(3, 6);
    await world.happened("speech_unit_finished");
    here.send("cancel");
    await here.answered("r-1");
    expect(here.summary[0]).toBe("message 1 from 3");
    const pids = pidsOf(here.frames);
    expect(pids).toEqual([3, 4, 5].slice(0, pids.length));
    expect(here.summary.slice(1 + pids.length)).toEqual([
      `end_message 1 ${(3 + pids.length) * 20} ms interrupted`,
      expect.stringMatching(/^transcription 1 "/),
    ]);
  });

  test("the user may turn up only to close the chat, or to ask something else", async () => {
    for (const command of ["close_chat", "ai_message"]) {
      const { world, first, here, release } = await speaking(3);
      first.destroy();
      await world.happened("relay_disconnected");
      release(3, 6);
      world.server.expectChat(searchReply("press 4")).expectChat(textReply("The shift lead."));
      here.send(command, { text: "Who keeps the padlock?", request_id: "r-2" });
      await here.until(
        (frames) => frames.some(({ json }) => json?.request_id === "r-2"),
        `the end of ${command}`,
      );
      const said = here.frames
        .filter(({ json }) => json?.request_id === "r-1")
        .map(({ json }) => json?.command);
      expect(said, command).toEqual(["message", "end_message", "transcription"]);
    }
  });

  test("a text answer waits as well", async () => {
    const world = await World.start({ documents: { acme: { "lockout.md": LOCKOUT } } });
    const words = new Drip<string>();
    world.server.expectChat(searchReply("press 4")).expectChat(textReply(words));
    const [first, second] = [await world.relay(), await world.relay()];
    first.user("acme", "ann").ask("How do I lock out press 4?");
    await world.server.received(2);
    first.destroy();
    await world.happened("relay_disconnected");
    words.put(ANSWER);
    words.close();
    await world.happened("stage_finished", 4);
    const here = second.user("acme", "ann");
    here.send("get_chat");
    expect((await here.answered()).text).toBe(ANSWER);
  });
});
