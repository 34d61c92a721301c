// How a spoken answer ends before its end: stopped by somebody, left by its writer, or taken back.
import { getEventListeners } from "node:events";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { assertWellFormed } from "../../test/support/fake-outlet.js";
import { atOnce, failing, hanging, opusSample } from "../../test/support/fake-speech.js";
import { settle } from "../../test/support/virtual-clock.js";
import { TurnFailure } from "../domain/failure.js";
import { DeadlineExceeded } from "../lib/deadline.js";
import { SpeechFailure } from "../speech/port.js";
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

describe("an answer that is stopped", () => {
  const cancelled = new TurnFailure("cancelled", "The answer was stopped.");

  it("rejects before its first packet, and says nothing", async () => {
    bench.tts.expect("Lock the press.", hanging);
    const run = bench.run();
    bench.write("Lock the press. Tag");
    await settle();
    bench.stop.abort(cancelled);
    await settle();
    expect(run.now).toEqual({ type: "rejected", error: cancelled });
    expect(bench.relay.brief).toEqual([]);
    expect(bench.tts.signals[0]!.aborted).toBe(true);
  });

  it("rejects when it waits for the text after a failure of speech", async () => {
    bench.tts.expect("Lock the press.", failing(unavailable));
    const run = bench.run();
    bench.write("Lock the press. Tag");
    await settle();
    bench.stop.abort(cancelled);
    await settle();
    expect(run.now).toEqual({ type: "rejected", error: cancelled });
    expect(bench.relay.brief).toEqual([]);
  });

  it("rejects while its first frame has not left", async () => {
    bench.relay.slow();
    bench.tts.expect("Lock the press.", atOnce(opusSample(5).ogg));
    const run = bench.run();
    bench.finish("Lock the press.");
    await settle();
    bench.stop.abort(cancelled);
    await settle();
    bench.relay.drain();
    expect(run.now).toEqual({ type: "rejected", error: cancelled });
    expect(bench.relay.brief).toEqual([]);
  });

  it("ends later with the words that were heard, and nothing after them", async () => {
    // 16 characters in 16 packets: a character each.
    bench.tts.expect("Lock the press.", atOnce(opusSample(16).ogg)).expect("Tag it out.", hanging);
    const startMs = bench.clock.monotonic();
    const run = bench.run();
    bench.write("Lock the press. Tag it out. And");
    await bench.clock.advance(9 * 60 - CUSHION_MS);
    expect(bench.relay.packets(1)).toHaveLength(10);
    bench.stop.abort(cancelled);
    await settle();
    bench.write(" more.");
    await bench.clock.advance(5_000);
    expect(bench.relay.story).toEqual([
      "message 1",
      "audio 1.0-9",
      "end 1 600 interrupted",
      "transcription 1 Lock the",
    ]);
    expect(run.now).toEqual(
      delivered({
        text: "Lock the press. Tag it out. And",
        heard: "Lock the",
        audioMs: 600,
        interrupted: true,
        lastDueMs: startMs + 9 * 60 - CUSHION_MS,
      }),
    );
    expect(bench.tts.signals.map(({ aborted }) => aborted)).toEqual([true, true]);
  });

  it("counts only what the socket was given, and takes back the rest", async () => {
    bench.tts.expect("Lock the press.", atOnce(opusSample(16).ogg));
    const run = bench.run();
    bench.finish("Lock the press. ");
    await bench.clock.advance(5 * 60 - CUSHION_MS);
    bench.relay.slow();
    await bench.clock.advance(6 * 60);
    bench.stop.abort(cancelled);
    await settle();
    bench.relay.drain();
    expect(bench.relay.story).toEqual([
      "message 1",
      "audio 1.0-5",
      "end 1 360 interrupted",
      "transcription 1 Lock",
    ]);
    expect(run.now).toMatchObject(delivered({ heard: "Lock", audioMs: 360 }));
  });

  it("has no second end when its audio had ended already", async () => {
    bench.tts.expect("Lock the press.", failing(unavailable, opusSample(16).ogg));
    const run = bench.run();
    bench.write("Lock the press. Tag");
    await bench.clock.advance(2_000);
    expect(bench.relay.story.at(-1)).toBe("end 1 960");
    bench.stop.abort(cancelled);
    await settle();
    expect(bench.relay.story.slice(2)).toEqual(["end 1 960", "transcription 1 Lock the"]);
    expect(run.now).toMatchObject(delivered({ interrupted: true }));
  });

  it("ends though its writer hangs", async () => {
    bench.tts.expect("Lock the press.", atOnce(opusSample(4).ogg));
    const run = bench.run();
    bench.write("Lock the press. Tag");
    await bench.clock.advance(200);
    bench.stop.abort(cancelled);
    await settle();
    expect(run.now).toMatchObject(delivered({ interrupted: true, heard: "Lock the press." }));
  });

  it("is not interrupted, but ended, when its time is over", async () => {
    bench.tts.expect("Lock the press.", atOnce(opusSample(4).ogg));
    const run = bench.run();
    bench.write("Lock the press. Tag");
    await bench.clock.advance(200);
    bench.stop.abort(new DeadlineExceeded("the answer", 180_000));
    await settle();
    expect(bench.relay.story.slice(2)).toEqual(["end 1 240", "transcription 1 Lock the press."]);
    expect(run.now).toMatchObject(delivered({ interrupted: false }));
  });
});

describe("a writer that breaks down", () => {
  const broken = new TurnFailure("assistant_unavailable", "The assistant cannot be reached.");

  it("rejects before the first sound", async () => {
    const run = bench.run();
    bench.write("Lock");
    bench.breakDown(broken);
    await settle();
    expect(run.now).toEqual({ type: "rejected", error: broken });
    expect(bench.relay.brief).toEqual([]);
  });

  it("ends the answer after the sentences that were whole", async () => {
    bench.tts.expect("Lock the press.", atOnce(opusSample(8).ogg));
    const run = bench.run();
    bench.write("Lock the press. Tag");
    await settle();
    bench.breakDown(broken);
    await bench.clock.advance(1_000);
    expect(bench.relay.story).toEqual([
      "message 1",
      "audio 1.0-7",
      "end 1 480",
      "transcription 1 Lock the press.",
    ]);
    expect(run.now).toMatchObject(delivered({ interrupted: false, audioMs: 480, heard: "Lock the press." }));
  });

  it("is the end of it too when speech had failed before", async () => {
    bench.tts.expect("Lock the press.", failing(unavailable, opusSample(4).ogg));
    const run = bench.run();
    bench.write("Lock the press. Tag");
    await bench.clock.advance(1_000);
    bench.breakDown(broken);
    await settle();
    expect(bench.relay.story.slice(2)).toHaveLength(2);
    expect(run.now).toMatchObject(delivered({ interrupted: false, audioMs: 240 }));
  });
});

describe("rewind", () => {
  it("forgets what was written and synthesized before the first packet", async () => {
    bench.tts.expect("Lock the press.", hanging).expect("Wear gloves.", atOnce(opusSample(2).ogg));
    bench.run();
    bench.write("Lock the press. Tag");
    await settle();
    expect(bench.delivery.rewind()).toBe(true);
    bench.finish("Wear gloves.");
    await bench.clock.advance(1_000);
    expect(bench.tts.signals[0]!.aborted).toBe(true);
    expect(bench.relay.story).toEqual([
      "message 1",
      "audio 1.0-1",
      "end 1 120",
      "transcription 1 Wear gloves.",
    ]);
  });

  it("is too late once the message is on its way", async () => {
    bench.relay.close();
    bench.tts.expect("Lock the press.", atOnce(opusSample(2).ogg));
    const run = bench.run();
    bench.finish("Lock the press.");
    await settle();
    expect(bench.delivery.rewind()).toBe(false);
    await bench.clock.advance(10_000);
    expect(run.now).toMatchObject({ type: "rejected", error: { name: "UserGone" } });
  });

  it("works after a failure of speech: the new answer is a text", async () => {
    bench.tts.expect("Lock the press.", failing(unavailable));
    bench.run();
    bench.write("Lock the press. Tag");
    await settle();
    expect(bench.delivery.rewind()).toBe(true);
    bench.finish("Wear gloves.");
    await settle();
    expect(bench.relay.brief).toEqual(["text 1 Wear gloves."]);
  });
});
