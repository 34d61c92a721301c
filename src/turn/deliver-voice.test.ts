import { getEventListeners } from "node:events";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { assertWellFormed } from "../../test/support/fake-outlet.js";
import { atOnce, dripping, failing, hanging, opusSample, Tap } from "../../test/support/fake-speech.js";
import { settle } from "../../test/support/virtual-clock.js";
import { TurnFailure } from "../domain/failure.js";
import { DeadlineExceeded } from "../lib/deadline.js";
import { SpeechFailure } from "../speech/port.js";
import { ANSWER_AUDIO_MS_MAX, UNDERRUN_MS_MAX } from "./deliver-voice.js";
import { CUSHION_MS } from "./pacer.js";
import { VoiceBench } from "./voice-bench.test-util.js";

let bench: VoiceBench;

beforeEach(() => {
  bench = new VoiceBench();
});

/** Whatever happened: the relay got a well-formed reply, every call was expected, and nothing is left running. */
afterEach(async () => {
  await settle();
  assertWellFormed(bench.relay.handed);
  bench.tts.verify();
  expect(bench.clock.pending).toBe(0);
  expect(getEventListeners(bench.stop.signal, "abort")).toEqual([]);
});

const delivered = (value: object) => ({ type: "resolved", value });
const unavailable = new SpeechFailure("unavailable", "no connection");

describe("an answer that is spoken", () => {
  it("is a message, its packets byte for byte, its end and its words, in that order", async () => {
    const [one, two] = [opusSample(4), opusSample(3)];
    bench.tts.expect("Lock the press.", atOnce(one.ogg)).expect("Tag it out.", atOnce(two.ogg));
    const run = bench.run();
    bench.finish("Lock the press. Tag it out.");
    await bench.clock.advance(1_000);
    expect(bench.relay.story).toEqual([
      "message 1",
      "audio 1.0-6",
      "end 1 420",
      "transcription 1 Lock the press. Tag it out.",
    ]);
    expect(bench.relay.handed[0]).toMatchObject({ shape: { sampleRateHz: 16_000, packetMs: 60 } });
    expect(bench.relay.packets(1).map(({ packet }) => packet)).toEqual([...one.packets, ...two.packets]);
    expect(bench.relay.handed.every((frame) => frame.requestId === "r")).toBe(true);
    const text = "Lock the press. Tag it out.";
    const lastDueMs = expect.any(Number);
    expect(run.now).toEqual(delivered({ text, heard: text, audioMs: 420, interrupted: false, lastDueMs }));
    expect(bench.firsts).toBe(1);
  });

  it("begins while the rest is still being written", async () => {
    bench.tts.expect("Lock the press.", atOnce(opusSample(4).ogg));
    const run = bench.run();
    bench.write("Lock the press. Tag");
    await settle();
    expect(bench.relay.story).toEqual(["message 1", "audio 1.0-2"]);
    expect(bench.firsts).toBe(1);
    expect(run.now.type).toBe("pending");
    bench.tts.expect("Tag it out.", atOnce(opusSample(1).ogg));
    bench.finish(" it out.");
    await bench.clock.advance(1_000);
    expect(bench.relay.story.slice(1, 3)).toEqual(["audio 1.0-4", "end 1 300"]);
  });

  it("is paced: packet i leaves i durations after the first, less the cushion, never all at once", async () => {
    bench.tts.expect("Lock the press.", atOnce(opusSample(8).ogg));
    const run = bench.run();
    await bench.clock.advance(500);
    bench.finish("Lock the press.");
    await bench.clock.advance(299);
    expect(run.now.type).toBe("pending");
    await bench.clock.advance(1_000);
    const atMs = bench.relay.handedAtMs.map((ms) => ms - 500);
    const packets = Array.from({ length: 8 }, (_, i) => Math.max(0, i * 60 - CUSHION_MS));
    expect(atMs).toEqual([0, ...packets, 300, 300]);
  });

  it("shifts later deadlines when the synthesizer falls behind", async () => {
    // Two packets a page and a page every 200 ms, which is slower than speech.
    const { ogg } = opusSample(6, { packetsPerPageMax: 2 });
    const tap = new Tap();
    bench.tts.expect("Lock the press.", tap.body);
    bench.run();
    bench.finish("Lock the press.");
    const pages = pagesOf(ogg);
    tap.pour(Buffer.concat(pages.slice(0, 3)));
    await bench.clock.advance(200);
    tap.pour(pages[3]!);
    await bench.clock.advance(30);
    tap.pour(pages[4]!);
    tap.close();
    await bench.clock.advance(1_000);
    expect(bench.relay.handedAtMs.slice(1, 7)).toEqual([0, 0, 200, 200, 230, 260]);
    expect(bench.events.of("speech_underrun")).toMatchObject([{ ms: 80 }]);
  });

  it("is a text when there is nothing in it that can be spoken", async () => {
    const run = bench.run();
    bench.finish("…");
    await settle();
    expect(bench.relay.brief).toEqual(["text 1 …"]);
    expect(run.now).toEqual(delivered({ text: "…", heard: "…", audioMs: 0, interrupted: false }));
    expect(bench.firsts).toBe(1);
  });
});

describe("a relay that says what it takes", () => {
  const RADIO = { sampleRateHz: 16_000, packetMs: 60 };
  const PHONE = { sampleRateHz: 48_000, packetMs: 20 };

  it("gets packets of 60 ms of a voice that makes 20, and a voice is told what it likes", async () => {
    bench.relay.shapes = [RADIO];
    const [one, two] = [opusSample(7, { packetMs: 20 }), opusSample(3, { packetMs: 20 })];
    bench.tts.expect("Lock the press.", atOnce(one.ogg)).expect("Tag it out.", atOnce(two.ogg));
    const run = bench.run();
    bench.finish("Lock the press. Tag it out.");
    await bench.clock.advance(1_000);
    expect(bench.relay.story.slice(0, 3)).toEqual(["message 1", "audio 1.0-3", "end 1 240"]);
    expect(bench.relay.handed[0]).toMatchObject({ shape: RADIO });
    expect(run.now).toMatchObject(delivered({ audioMs: 240 }));
    expect(bench.tts.requests.map(({ shape }) => shape)).toEqual([RADIO, RADIO]);
  });

  it("gets the voice's own packets where it takes them, under a rate that it takes", async () => {
    bench.relay.shapes = [RADIO, PHONE];
    const { ogg, packets } = opusSample(4, { packetMs: 20 });
    bench.tts.expect("Lock the press.", atOnce(ogg));
    bench.run();
    bench.finish("Lock the press.");
    await bench.clock.advance(1_000);
    expect(bench.relay.handed[0]).toMatchObject({ shape: PHONE });
    expect(bench.relay.packets(1).map(({ packet }) => packet)).toEqual(packets);
  });

  it("gets text where the voice has no such packets", async () => {
    bench.relay.shapes = [PHONE];
    bench.tts.expect("Lock the press.", atOnce(opusSample(4, { packetMs: 60 }).ogg));
    bench.run();
    bench.finish("Lock the press.");
    await bench.clock.advance(1_000);
    expect(bench.relay.story).toEqual(["text 1 Lock the press."]);
    expect(bench.events.of("speech_failed")).toMatchObject([{ kind: "wrong_shape", midStream: false }]);
  });

  it("has the words heard counted in the packets that it got", async () => {
    bench.relay.shapes = [RADIO];
    const words = "one two three four five six seven eight nine ten";
    bench.tts.expect(words, atOnce(opusSample(30, { packetMs: 20 }).ogg));
    const run = bench.run();
    bench.finish(words);
    await settle();
    expect(bench.relay.packets(1)).toHaveLength(3);
    bench.stop.abort(new TurnFailure("cancelled", "The answer was stopped."));
    await settle();
    // 3 of 11 packets, one of them cut short by a change of the encoder's mode, are 13 of 48 characters.
    expect(run.now).toMatchObject(delivered({ heard: "one two three", audioMs: 180, interrupted: true }));
  });

  it("keeps the shape of a message that moves to a relay with another one", async () => {
    bench.relay.shapes = [RADIO];
    bench.tts.expect("Lock the press.", atOnce(opusSample(30, { packetMs: 20 }).ogg));
    bench.run();
    bench.finish("Lock the press.");
    await bench.clock.advance(120);
    const other = bench.newRelay();
    other.shapes = [PHONE, RADIO];
    bench.line.attach(other);
    await bench.clock.advance(1_000);
    expect(other.handed[0]).toMatchObject({ type: "message", shape: RADIO, firstPid: 5 });
    expect(other.story.slice(1, 3)).toEqual(["audio 1.5-10", "end 1 660"]);
    assertWellFormed(other.handed);
  });
});

describe("speech that fails before the first packet", () => {
  const { ogg } = opusSample(2);
  it.each([
    ["no connection", failing(unavailable)],
    ["a fault of the adapter", failing(new TypeError("x"))],
    ["JSON", atOnce(Buffer.from('{"error":{"message":"quota"}}'))],
    ["MP3", atOnce(Buffer.from("ID3\u0004\u0000\u0000\u0000\u0000\u0000\u0000\u00ff\u00fb\u0090", "latin1"))],
    ["an empty body", atOnce()],
    ["an Ogg stream without a packet", atOnce(Buffer.concat(pagesOf(ogg).slice(0, 2)))],
    ["an Ogg stream cut in its headers", atOnce(ogg.subarray(0, 40))],
    ["stereo", atOnce(opusSample(2, { channels: 2 }).ogg)],
  ])("becomes one text: %s", async (_, body) => {
    bench.tts.expect("Lock the press.", body);
    const run = bench.run();
    bench.finish("Lock the press.");
    await settle();
    expect(bench.relay.brief).toEqual(["text 1 Lock the press."]);
    const text = "Lock the press.";
    expect(run.now).toEqual(delivered({ text, heard: text, audioMs: 0, interrupted: false }));
    expect(bench.events.of("speech_failed")).toMatchObject([{ midStream: false }]);
    expect(bench.firsts).toBe(1);
  });

  it("waits for the whole text, and asks for no more speech", async () => {
    bench.tts.expect("Lock the press.", failing(unavailable));
    const run = bench.run();
    bench.write("Lock the press. Tag");
    await bench.clock.advance(3_000);
    expect(bench.relay.brief).toEqual([]);
    expect(run.now.type).toBe("pending");
    bench.finish(" it out. Test it.");
    await settle();
    expect(bench.relay.brief).toEqual(["text 1 Lock the press. Tag it out. Test it."]);
  });

  it("stops the sentences after the one that failed at once", async () => {
    bench.tts.expect("Lock the press.", failing(unavailable)).expect("Tag it out.", hanging);
    bench.run();
    bench.write("Lock the press. Tag it out. Test");
    await settle();
    expect(bench.tts.signals[1]!.aborted).toBe(true);
    bench.finish(" it.");
    await settle();
    expect(bench.relay.brief).toEqual(["text 1 Lock the press. Tag it out. Test it."]);
  });

  it("rejects when the text finds no room either", async () => {
    bench.tts.expect("Lock the press.", failing(unavailable));
    bench.relay.full = true;
    const run = bench.run();
    bench.finish("Lock the press.");
    await settle();
    expect(run.now).toMatchObject({ type: "rejected", error: { code: "assistant_unavailable" } });
    expect(bench.firsts).toBe(0);
  });

  it("is text for a relay that does not take the shape, or no voice now", async () => {
    bench.relay.takes = ({ packetMs }) => packetMs === 20;
    bench.tts.expect("Lock the press.", atOnce(opusSample(2).ogg));
    bench.run();
    bench.finish("Lock the press.");
    await settle();
    expect(bench.relay.brief).toEqual(["text 2 Lock the press."]);
    expect(bench.events.of("speech_failed")).toMatchObject([{ kind: "not_taken", midStream: false }]);
  });

  it("is text when the time to begin is over and only the voice is late", async () => {
    bench.tts.expect("Lock the press.", hanging);
    const run = bench.run();
    bench.finish("Lock the press.");
    await settle();
    bench.stop.abort(new DeadlineExceeded("the answer", 20_000));
    await settle();
    expect(bench.relay.brief).toEqual(["text 1 Lock the press."]);
    expect(run.now.type).toBe("resolved");
    expect(bench.events.of("speech_failed")).toMatchObject([{ kind: "late" }]);
  });

  it("rejects when the text is late too", async () => {
    bench.tts.expect("Lock the press.", hanging);
    const run = bench.run();
    bench.write("Lock the press. Tag");
    await settle();
    const late = new DeadlineExceeded("the answer", 20_000);
    bench.stop.abort(late);
    await settle();
    expect(run.now).toEqual({ type: "rejected", error: late });
    expect(bench.relay.brief).toEqual([]);
    expect(bench.events.of("speech_failed")).toEqual([]);
  });
});

describe("speech that fails in mid-stream", () => {
  it("ends the audio at once, and is followed by the whole text", async () => {
    const { ogg } = opusSample(2);
    const broken = failing(new SpeechFailure("cut", "the connection broke"), ogg);
    bench.tts.expect("Lock the press.", broken);
    const run = bench.run();
    bench.write("Lock the press. Tag");
    await bench.clock.advance(1_000);
    expect(bench.relay.story).toEqual(["message 1", "audio 1.0-1", "end 1 120"]);
    expect(run.now.type).toBe("pending");
    bench.finish(" it out.");
    await settle();
    expect(bench.relay.brief.at(-1)).toBe("transcription 1 Lock the press. Tag it out.");
    const text = "Lock the press. Tag it out.";
    const lastDueMs = expect.any(Number);
    expect(run.now).toEqual(delivered({ text, heard: text, audioMs: 120, interrupted: false, lastDueMs }));
    expect(bench.events.of("speech_failed")).toMatchObject([{ kind: "cut", midStream: true }]);
  });

  it("is so in a later sentence too, after all packets of those before it", async () => {
    bench.tts
      .expect("Lock the press.", atOnce(opusSample(5).ogg))
      .expect("Tag it out.", failing(unavailable));
    bench.run();
    bench.finish("Lock the press. Tag it out.");
    await bench.clock.advance(1_000);
    expect(bench.relay.story).toEqual([
      "message 1",
      "audio 1.0-4",
      "end 1 300",
      "transcription 1 Lock the press. Tag it out.",
    ]);
  });

  it("is so when the shape changes from one sentence to the next", async () => {
    bench.tts
      .expect("Lock the press.", atOnce(opusSample(3).ogg))
      .expect("Tag it out.", atOnce(opusSample(3, { packetMs: 20 }).ogg));
    bench.run();
    bench.finish("Lock the press. Tag it out.");
    await bench.clock.advance(1_000);
    expect(bench.relay.story.slice(1, 3)).toEqual(["audio 1.0-2", "end 1 180"]);
    expect(bench.events.of("speech_failed")).toMatchObject([{ kind: "wrong_shape", midStream: true }]);
  });

  it("is so when the receiver is dry for longer than it can bear", async () => {
    const tap = new Tap();
    bench.tts.expect("Lock the press.", tap.body);
    bench.run();
    bench.finish("Lock the press.");
    tap.pour(opusSample(2).ogg);
    await bench.clock.advance(120 + UNDERRUN_MS_MAX - 1);
    expect(bench.relay.story).toEqual(["message 1", "audio 1.0-1"]);
    await bench.clock.advance(1);
    expect(bench.relay.story.slice(2)).toEqual(["end 1 120", "transcription 1 Lock the press."]);
    expect(bench.events.of("speech_failed")).toMatchObject([{ kind: "underrun", midStream: true }]);
    expect(bench.tts.signals[0]!.aborted).toBe(true);
  });

  it("bears a shorter silence", async () => {
    const tap = new Tap();
    bench.tts.expect("Lock the press.", tap.body).expect("Tag it out.", atOnce(opusSample(1).ogg));
    bench.run();
    bench.finish("Lock the press. Tag it out.");
    tap.pour(opusSample(2).ogg);
    await bench.clock.advance(120 + UNDERRUN_MS_MAX - 1);
    tap.close();
    await bench.clock.advance(1_000);
    expect(bench.relay.story.slice(1)).toEqual([
      "audio 1.0-2",
      "end 1 180",
      "transcription 1 Lock the press. Tag it out.",
    ]);
    expect(bench.events.of("speech_underrun")).toMatchObject([{ ms: UNDERRUN_MS_MAX - 1 }]);
  });

  it("is so when the answer is longer than 120 s of audio", async () => {
    const { ogg } = opusSample(ANSWER_AUDIO_MS_MAX / 60 + 10);
    bench.tts.expect("Lock the press.", atOnce(ogg)).expect("Tag it out.", hanging);
    bench.run();
    bench.finish("Lock the press. Tag it out.");
    await bench.clock.advance(ANSWER_AUDIO_MS_MAX + 1_000);
    expect(bench.relay.story).toEqual([
      "message 1",
      "audio 1.0-1999",
      "end 1 120000",
      "transcription 1 Lock the press. Tag it out.",
    ]);
    expect(bench.events.of("speech_failed")).toMatchObject([{ kind: "too_long", midStream: true }]);
  });

  it("is so when the relay's outbox gives the answer up", async () => {
    bench.tts.expect("Lock the press.", dripping(bench.clock, opusSample(100).ogg, 60, 1));
    const run = bench.run();
    bench.finish("Lock the press.");
    await bench.clock.advance(300);
    bench.relay.slow();
    await bench.clock.advance(300);
    const handed = bench.relay.packets(1).length;
    bench.relay.giveUp(1, 0);
    await bench.clock.advance(60);
    bench.relay.drain();
    expect(bench.relay.story).toEqual([
      "message 1",
      `audio 1.0-${handed - 1}`,
      `end 1 ${handed * 60}`,
      "transcription 1 Lock the press.",
    ]);
    expect(run.now).toMatchObject(delivered({ audioMs: handed * 60, heard: "Lock the press." }));
    expect(bench.events.of("speech_failed")).toMatchObject([{ kind: "given_up", midStream: true }]);
  });
});

/** An Ogg file as its pages. */
function pagesOf(ogg: Uint8Array): Uint8Array[] {
  const bytes = Buffer.from(ogg);
  const starts: number[] = [];
  for (let at = bytes.indexOf("OggS"); at >= 0; at = bytes.indexOf("OggS", at + 4)) starts.push(at);
  return starts.map((start, i) => ogg.subarray(start, starts[i + 1]));
}
