/** What is left of a spoken answer when the synthesizer fails: text before the first packet, the rest as text after it. */
import { describe, expect, test } from "vitest";
import { oggOpus, tonePackets } from "../support/naive-ogg.js";
import {
  cutReply,
  errorReply,
  hangReply,
  rawReply,
  type SpeechReply,
  searchReply,
  speechReply,
  textReply,
} from "../support/openai-replies.js";
import { VirtualClock } from "../support/virtual-clock.js";
import { LOCKOUT } from "./documents.js";
import type { TestUser } from "./relay.js";
import { Drip, drippedSpeech, inPieces, packets, pages, spoken } from "./script.js";
import { World, type WorldOptions } from "./world.js";

const ANSWER = "The padlock is red. The shift lead keeps it.";

async function askAloud(options: WorldOptions = {}): Promise<{ world: World; ann: TestUser }> {
  const world = await World.start({ documents: { acme: { "lockout.md": LOCKOUT } }, ...options });
  const ann = (await world.relay()).user("acme", "ann");
  world.server.expectChat(searchReply("press 4")).expectChat(textReply(ANSWER));
  ann.askAloud("How do I lock out press 4?", { request_id: "r-1" });
  return { world, ann };
}

/** Silence after the first sentence must not be what ends the second. */
const UNUSED = hangReply;
const MP3 = Buffer.from("fffb9064000f000000690000000800000d20000001", "hex");

describe("before the first packet", () => {
  const failures: readonly { readonly name: string; readonly reply: SpeechReply }[] = [
    { name: "an HTTP error", reply: errorReply(500) },
    { name: "too many requests", reply: errorReply(429) },
    { name: "a cut connection", reply: cutReply },
    { name: "JSON", reply: rawReply("application/json", '{"error":{"message":"no voice"}}') },
    { name: "JSON that says it is audio", reply: rawReply("audio/opus", '{"audio":"T2dnUw=="}') },
    { name: "MP3", reply: rawReply("audio/mpeg", MP3) },
    { name: "MP3 that says it is Opus", reply: rawReply("audio/opus", MP3) },
    { name: "no bytes at all", reply: rawReply("audio/opus", "") },
    { name: "an Ogg without packets", reply: speechReply({ packets: 0 }) },
    { name: "an Ogg that ends in its first packet", reply: speechReply({ packets: 1, bytesMax: 150 }) },
    { name: "stereo", reply: spoken(packets(2), { channels: 2 }) },
    { name: "packets of 10 ms", reply: inPieces([oggOpus([Buffer.from([0xf0, 1, 2])], { packetMs: 10 })]) },
  ];
  test.each(failures)("$name: one text_message and nothing else", async ({ reply }) => {
    const { world, ann } = await askAloud();
    world.server.expectSpeech(reply).expectSpeech(UNUSED);
    await ann.answered("r-1");
    await ann.relay.flushed();
    expect(ann.summary).toEqual([`text_message "${ANSWER}"`]);
    expect(ann.frames[0]?.json).toMatchObject({ request_id: "r-1" });
    expect(world.eventsOf("speech_failed")).toMatchObject([{ midStream: false }]);
    expect(await world.metric('readback_turns_total{result="answered"}')).toBe(1);
    expect(world.log).not.toContain("padlock");
  });

  test("no byte within 15 s: text, with all that was written meanwhile", async () => {
    const clock = new VirtualClock();
    const { world, ann } = await askAloud({ clock });
    world.server.expectSpeech(hangReply).expectSpeech(hangReply);
    await world.server.received(4);
    await clock.advance(15_000);
    await ann.answered("r-1");
    expect(ann.summary).toEqual([`text_message "${ANSWER}"`]);
  });

  test("the text waits for its last word", async () => {
    const world = await World.start({ documents: { acme: { "lockout.md": LOCKOUT } } });
    const ann = (await world.relay()).user("acme", "ann");
    const words = new Drip<string>();
    world.server
      .expectChat(searchReply("press 4"))
      .expectChat(textReply(words))
      .expectSpeech(errorReply(500));
    ann.askAloud("How do I lock out press 4?");
    words.put("The padlock is red. The shift ");
    await world.happened("speech_failed");
    words.put("lead keeps it.");
    words.close();
    await ann.answered();
    expect(ann.summary).toEqual([`text_message "${ANSWER}"`]);
    world.server.verify();
  });
});

describe("after the first packet", () => {
  const seconds: readonly { readonly name: string; readonly reply: SpeechReply }[] = [
    { name: "an HTTP error", reply: errorReply(500) },
    { name: "a cut connection", reply: cutReply },
    { name: "JSON", reply: rawReply("application/json", "{}") },
    { name: "an empty Ogg", reply: speechReply({ packets: 0 }) },
    { name: "packets of another length", reply: spoken(packets(2, 0, 60), { packetMs: 60 }) },
    { name: "stereo", reply: spoken(packets(2), { channels: 2 }) },
  ];
  test.each(seconds)(
    "the second sentence gets $name: the audio ends, the whole text follows",
    async ({ reply }) => {
      const { world, ann } = await askAloud();
      world.server.expectSpeech(spoken(packets(2))).expectSpeech(reply);
      await ann.answered("r-1");
      await ann.relay.flushed();
      expect(ann.summary).toEqual([
        "message 1",
        "audio 1/0",
        "audio 1/1",
        "end_message 1 40 ms",
        `transcription 1 "${ANSWER}"`,
      ]);
      for (const { json } of ann.frames) if (json !== undefined) expect(json.request_id).toBe("r-1");
      expect(world.eventsOf("speech_failed")).toMatchObject([{ midStream: true }]);
    },
  );

  const endings: readonly { readonly name: string; readonly reply: SpeechReply }[] = [
    { name: "the connection is cut", reply: inPieces(pages(packets(4)).slice(0, 4), { ending: "cut" }) },
    {
      name: "the body ends within a packet",
      reply: inPieces([...pages(packets(4)).slice(0, 4), Buffer.from("OggS")]),
    },
    {
      name: "a page is damaged",
      reply: inPieces(
        pages(packets(4)).map((page, n) => (n === 4 ? page.with(-1, (page.at(-1) ?? 0) ^ 1) : page)),
      ),
    },
  ];
  test.each(endings)("$name: the packets that came are spoken, then the text", async ({ reply }) => {
    const { world, ann } = await askAloud();
    world.server.expectSpeech(reply).expectSpeech(UNUSED);
    await ann.answered("r-1");
    await ann.relay.flushed();
    const sound = ann.summary.filter((line) => line.startsWith("audio"));
    expect(sound.length).toBeGreaterThanOrEqual(2);
    expect(sound).toEqual(sound.map((_, pid) => `audio 1/${pid}`));
    expect(ann.summary.slice(sound.length + 1)).toEqual([
      `end_message 1 ${sound.length * 20} ms`,
      `transcription 1 "${ANSWER}"`,
    ]);
  });

  test("a receiver that is dry for 2 s has lost the voice; until then later packets just come later", async () => {
    const clock = new VirtualClock();
    const { world, ann } = await askAloud({ clock });
    const speech = drippedSpeech(packets(30));
    world.server.expectSpeech(speech.reply).expectSpeech(hangReply);
    speech.release(0, 2);
    await ann.packets(2);
    await clock.advance(1_040); // dry for a second
    speech.release(2, 20);
    await ann.packets(9); // the gap's end counts as a first packet: 7 at once, no burst to catch up
    await ann.relay.flushed();
    expect(ann.summary.filter((line) => line.startsWith("audio"))).toHaveLength(9);
    for (const sent of [12, 15, 18, 20]) {
      await clock.advance(60); // short packets leave three at a time
      await ann.packets(sent);
    }
    expect(await world.metric("readback_speech_underruns_total")).toBe(1);
    await clock.advance(120 + 2_000); // what the receiver has left, and then the two seconds
    await ann.answered("r-1");
    expect(ann.summary.slice(21)).toEqual(["end_message 1 400 ms", `transcription 1 "${ANSWER}"`]);
    expect(world.eventsOf("speech_failed")).toMatchObject([{ midStream: true }]);
  });

  test("a body that is larger than allowed is cut off", async () => {
    const { world, ann } = await askAloud({ config: { "speech.body_bytes_max": 1_024 } });
    const speech = drippedSpeech(packets(40));
    world.server.expectSpeech(speech.reply).expectSpeech(UNUSED);
    speech.release(0, 3);
    await ann.packets(3);
    speech.release(3, 40);
    await ann.answered("r-1");
    const sound = ann.summary.filter((line) => line.startsWith("audio"));
    expect(sound.length).toBeLessThan(40);
    expect(ann.summary.slice(sound.length + 1)).toEqual([
      `end_message 1 ${sound.length * 20} ms`,
      `transcription 1 "${ANSWER}"`,
    ]);
    expect(world.eventsOf("speech_failed")).toMatchObject([{ midStream: true }]);
  });

  test("audio of more than 120 s is cut there; the text is whole", async () => {
    const clock = new VirtualClock();
    const { world, ann } = await askAloud({ clock });
    const long = oggOpus(tonePackets(1_500, 60), { packetMs: 60, packetsPerPage: 50 });
    world.server.expectSpeech(inPieces([long])).expectSpeech(inPieces([long]));
    await ann.packets(3);
    for (let sent = 4; sent <= 2_000; sent += 100) {
      await clock.advance(100 * 60);
      await ann.packets(Math.min(sent + 99, 2_000));
    }
    await ann.answered("r-1");
    expect(ann.summary.slice(-2)).toEqual(["end_message 1 120000 ms", `transcription 1 "${ANSWER}"`]);
  });
});
