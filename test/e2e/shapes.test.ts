/** What a relay's `hello` changes on the wire: the shape of the voice [LT-46, LT-88], and acknowledgements [LT-89]. */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { muxOggOpus, OpusPacketDecoder } from "@readback/audio";
import { describe, expect, test } from "vitest";
import { searchReply, textReply } from "../support/openai-replies.js";
import { VirtualClock } from "../support/virtual-clock.js";
import { LOCKOUT } from "./documents.js";
import { packetsOf, pidsOf, type TestRelay, type TestUser } from "./relay.js";
import { drippedSpeech, packets, spoken } from "./script.js";
import { temporaryDirectory, World } from "./world.js";

const documents = { acme: { "lockout.md": LOCKOUT } };
const QUESTION = "How do I lock out press 4?";
const ANSWER = "The padlock is red.";
/** Answers that teach how long one takes. */
const LESSONS = 8;
const WAIT_MS = 2_000;

describe("a relay that takes only packets of 60 ms at 16 kHz", () => {
  test("gets those of 20 ms three by three, and hears the same", async () => {
    const clock = new VirtualClock();
    const world = await World.start({ documents, clock });
    // Of one configuration: where an encoder changes it a packet would be filled.
    const tone = packets(100);
    const sent = tone.filter(([toc]) => toc === tone.at(-1)![0]).slice(0, 30);
    world.server.expectChat(searchReply("press 4")).expectChat(textReply(ANSWER)).expectSpeech(spoken(sent));
    const relay = await world.relay();
    relay.send({ command: "hello", audio: [{ sample_rate: 16_000, frame_ms: 60 }] });
    const ann = relay.user("acme", "ann");
    ann.askAloud(QUESTION);
    await ann.packets(3);
    await clock.advance(1_000);
    await ann.answered();
    const [message] = ann.frames;
    expect(message?.json).toMatchObject({ command: "message", codec_header: "gD4BPA==", duration: 60 });
    const got = packetsOf(ann.frames);
    expect(pidsOf(ann.frames)).toEqual(Array.from({ length: 10 }, (_, pid) => pid));
    expect(ann.summary.slice(-2)).toEqual(["end_message 1 600 ms", `transcription 1 "${ANSWER}"`]);
    expect(pcmOf(got).equals(pcmOf(sent))).toBe(true);
    expect(opusinfo(got)).toMatch(/Packet duration:\s+60\.0ms \(max\),\s+60\.0ms \(avg\),\s+60\.0ms \(min\)/);
    world.server.verify();
  });

  test("keeps the shape of a message that moves there from one that takes anything, or gets its words", async () => {
    const world = await World.start({ documents });
    const speech = drippedSpeech(packets(6));
    world.server.expectChat(searchReply("press 4")).expectChat(textReply(ANSWER)).expectSpeech(speech.reply);
    const [first, second] = [await world.relay(), await world.relay()];
    second.send({ command: "hello", audio: [{ sample_rate: 16_000, frame_ms: 60 }] });
    const [there, here] = [first.user("acme", "ann", "c-1"), second.user("acme", "ann", "c-2")];
    there.askAloud(QUESTION, { request_id: "r-1" });
    speech.release(0, 3);
    await there.packets(3);
    here.send("get_chat");
    await there.received("end_message");
    speech.release(3, 6);
    expect(await here.answered("r-1")).toMatchObject({ command: "transcription", text: ANSWER });
    expect(pidsOf(here.frames)).toEqual([]);
  });
});

describe("a relay that wants acknowledgements", () => {
  test("gets one, ended before the answer begins, once answers are known to take long", async () => {
    const { relay, ann, clock, ask } = await taught();
    const release = await ask("r-long");
    await clock.advance(300);
    await ann.received("message", LESSONS + 1);
    await clock.advance(1_000);
    await ann.received("end_message", LESSONS + 1);
    release();
    await ann.answered("r-long");
    await relay.flushed();
    const frames = ann.frames.filter(({ json, mid }) => mid !== undefined || json?.request_id === "r-long");
    const summary = ann.summary.slice(-(4 + 2 + 5));
    expect(summary).toEqual([
      "message 9",
      ...[0, 1, 2, 3].map((pid) => `audio 9/${pid}`),
      "end_message 9 240 ms",
      "message 10",
      "audio 10/0",
      "audio 10/1",
      "end_message 10 40 ms",
      `transcription 10 "${ANSWER}"`,
    ]);
    const kinds = frames.flatMap(({ json }) => (json?.command === "message" ? [json.kind] : []));
    expect(kinds).toEqual(["acknowledgement", "answer"]);
    const tone = ann.frames.filter(({ mid }) => mid === 9);
    expect(opusinfo(packetsOf(tone))).toMatch(/Packet duration:\s+60\.0ms/);
  });

  test.each([
    ["a cancel", (user: TestUser) => user.send("cancel")],
    ["a press of the button", (user: TestUser) => user.press(7)],
  ])("gets its end when %s stops it, and then that the question was cancelled", async (_what, stop) => {
    const { relay, ann, clock, ask } = await taught();
    await ask("r-long");
    await clock.advance(260);
    await ann.received("message", LESSONS + 1);
    stop(ann);
    expect(await ann.answered("r-long")).toMatchObject({ command: "ai_message_error", code: "cancelled" });
    await relay.flushed();
    expect(ann.summary.slice(-2)).toEqual([
      "end_message 9 180 ms interrupted",
      expect.stringMatching(/cancelled$/),
    ]);
  });

  test("gets none on a relay that did not ask for it", async () => {
    const { world, relay, clock, ask } = await taught({ acknowledgements: false });
    const release = await ask("r-long");
    await clock.advance(2_000);
    await relay.flushed();
    expect(world.eventsOf("acknowledged")).toEqual([]);
    release();
  });
});

interface Scene {
  readonly world: World;
  readonly relay: TestRelay;
  readonly ann: TestUser;
  readonly clock: VirtualClock;
  /** Asks, and resolves when speech is asked for; the result lets it go. */
  ask(requestId: string): Promise<() => void>;
}

/** A service whose answers to Ann have taken long, on a relay that wants to be told. */
async function taught({ acknowledgements = true } = {}): Promise<Scene> {
  const clock = new VirtualClock();
  const world = await World.start({ documents, clock });
  const relay = await world.relay();
  relay.send({ command: "hello", acknowledgements });
  const ann = relay.user("acme", "ann");
  let requests = 0;
  const ask = async (requestId: string) => {
    const speech = drippedSpeech(packets(2));
    world.server.expectChat(searchReply("press 4")).expectChat(textReply(ANSWER)).expectSpeech(speech.reply);
    ann.askAloud(QUESTION, { request_id: requestId });
    requests += 3;
    await world.server.received(requests);
    return () => speech.release(0, 2);
  };
  for (let lesson = 0; lesson < LESSONS; lesson++) {
    const release = await ask(`r-${lesson}`);
    await clock.advance(WAIT_MS);
    release();
    await ann.answered(`r-${lesson}`);
  }
  return { world, relay, ann, clock, ask };
}

function pcmOf(all: readonly Uint8Array[]): Buffer {
  const decoder = new OpusPacketDecoder();
  return Buffer.concat(
    all.map((packet) => {
      const pcm = decoder.decode(packet);
      return Buffer.from(pcm.buffer, pcm.byteOffset, pcm.byteLength);
    }),
  );
}

/** What opus-tools say of these packets; they complain of nothing. */
function opusinfo(all: readonly Uint8Array[]): string {
  const path = join(temporaryDirectory(), "voice.opus");
  writeFileSync(path, muxOggOpus(all));
  const { error, stdout, stderr } = spawnSync("opusinfo", [path], { encoding: "utf8" });
  if (error !== undefined)
    throw new Error("opusinfo is not here: apt-get install -y opus-tools", { cause: error });
  expect(stdout + stderr).not.toMatch(/warning|error|illegal|invalid/i);
  return stdout;
}
