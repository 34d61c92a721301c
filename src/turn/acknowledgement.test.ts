import { getEventListeners } from "node:events";
import { afterEach, describe, expect, it } from "vitest";
import { assertWellFormed, type FakeOutlet } from "../../test/support/fake-outlet.js";
import { atOnce, failing, hanging, opusSample } from "../../test/support/fake-speech.js";
import { english } from "../../test/support/locales.js";
import { settle } from "../../test/support/virtual-clock.js";
import { TurnFailure } from "../domain/failure.js";
import { DeadlineExceeded } from "../lib/deadline.js";
import { SpeechFailure } from "../speech/port.js";
import { GRACE_MS } from "./acknowledgement.js";
import { Line } from "./line.js";
import { VoiceBench } from "./voice-bench.test-util.js";
import { WAITS_MIN } from "./wait-predictor.js";

const ANSWER = "Lock the press.";
const PHRASES = ([1, 2, 3, 4] as const).map((i) => english.say(`acknowledgement_${i}`));

let bench: VoiceBench;
let relays: FakeOutlet[];

afterEach(async () => {
  await settle();
  for (const relay of relays) assertWellFormed(relay.handed);
  bench.tts.verify();
  expect(bench.clock.pending).toBe(0);
  expect(getEventListeners(bench.stop.signal, "abort")).toEqual([]);
});

/** A bench on which enough answers took `waitMs`, and whose relay wants acknowledgements. */
async function taught(
  waitMs: number,
  { acknowledge = "tone" as "tone" | "phrase", answers = WAITS_MIN } = {},
) {
  bench = new VoiceBench({ acknowledge });
  relays = [bench.relay];
  bench.relay.acknowledges = true;
  const elsewhere = new Line(bench.newRelay(), bench.clock, () => {});
  for (let i = 0; i < answers; i++) {
    const acknowledging = bench.acknowledgements.begin({ ...bench.job, line: elsewhere });
    await bench.clock.advance(waitMs);
    await acknowledging.giveWay("packet");
  }
  return bench.clock.now() - bench.startMs;
}

function expectAnswer(count = 2): void {
  bench.tts.expect(ANSWER, atOnce(opusSample(count).ogg));
}

const cancelled = new TurnFailure("cancelled", "The answer was stopped.");

describe("an acknowledgement", () => {
  it("is a message of its own that has ended before the answer begins", async () => {
    const startMs = await taught(2_000);
    expectAnswer();
    const run = bench.run();
    await bench.clock.advance(2_000);
    expect(bench.relay.story).toEqual(["acknowledgement 1", "audio 1.0-3", "end 1 240"]);
    expect(bench.relay.handedAtMs.map((ms) => ms - startMs - GRACE_MS)).toEqual([0, 0, 0, 0, 60, 60]);
    expect(bench.relay.handed.every(({ requestId }) => requestId === "r")).toBe(true);
    expect(bench.events.of("acknowledged")).toMatchObject([{ sign: "tone", predictedMs: 2_000 }]);
    bench.finish(ANSWER);
    await bench.clock.advance(1_000);
    expect(bench.relay.story.slice(3)).toEqual([
      "message 2",
      "audio 2.0-1",
      "end 2 120",
      `transcription 2 ${ANSWER}`,
    ]);
    expect(run.now).toMatchObject({ type: "resolved", value: { text: ANSWER, heard: ANSWER, audioMs: 120 } });
    expect(bench.firsts).toBe(1);
  });

  it.each<[string, Parameters<typeof taught>, (relay: FakeOutlet) => void]>([
    ["the relay does not want one", [2_000], (relay) => Object.assign(relay, { acknowledges: false })],
    ["answers come soon", [999], () => {}],
    ["too little is known", [2_000, { answers: WAITS_MIN - 1 }], () => {}],
    ["the relay takes no such packets", [2_000], (relay) => Object.assign(relay, { takes: () => false })],
  ])("is not given where %s", async (_name, [waitMs, options], change) => {
    await taught(waitMs, options);
    change(bench.relay);
    expectAnswer();
    bench.run();
    await bench.clock.advance(2_000);
    expect(bench.relay.story).toEqual([]);
    bench.finish(ANSWER);
    await bench.clock.advance(1_000);
    expect(bench.relay.story[0]).toMatch(/^message|^text/);
    expect(bench.events.of("acknowledged")).toEqual([]);
  });

  it("is not given when the answer comes sooner than was expected", async () => {
    await taught(2_000);
    expectAnswer();
    bench.run();
    await bench.clock.advance(GRACE_MS - 1);
    bench.finish(ANSWER);
    await bench.clock.advance(1_000);
    expect(bench.relay.story[0]).toBe("message 1");
  });

  it("is played to its end when the answer is ready meanwhile", async () => {
    const startMs = await taught(2_000);
    expectAnswer();
    bench.run();
    await bench.clock.advance(GRACE_MS + 10);
    bench.finish(ANSWER);
    await settle();
    expect(bench.relay.story).toEqual(["acknowledgement 1", "audio 1.0-2"]);
    await bench.clock.advance(1_000);
    expect(bench.relay.story.slice(1, 5)).toEqual(["audio 1.0-3", "end 1 240", "message 2", "audio 2.0-1"]);
    expect(bench.relay.handedAtMs[6]! - startMs).toBe(GRACE_MS + 60);
  });

  it("stops with the turn: its message ends as interrupted, and nothing of the answer follows", async () => {
    await taught(2_000);
    const run = bench.run();
    await bench.clock.advance(GRACE_MS + 10);
    bench.stop.abort(cancelled);
    await settle();
    expect(bench.relay.story).toEqual(["acknowledgement 1", "audio 1.0-2", "end 1 180 interrupted"]);
    expect(run.now).toEqual({ type: "rejected", error: cancelled });
  });

  it("stops with the turn also when the answer is ready and waits for its end", async () => {
    await taught(2_000);
    expectAnswer();
    const run = bench.run();
    await bench.clock.advance(GRACE_MS + 10);
    bench.finish(ANSWER);
    await settle();
    bench.stop.abort(cancelled);
    await settle();
    expect(bench.relay.story).toEqual(["acknowledgement 1", "audio 1.0-2", "end 1 180 interrupted"]);
    expect(run.now).toEqual({ type: "rejected", error: cancelled });
  });

  it("is over before an answer that comes as text", async () => {
    await taught(2_000);
    bench.tts.expect(ANSWER, failing(new SpeechFailure("unavailable", "no connection")));
    bench.run();
    await bench.clock.advance(GRACE_MS + 10);
    bench.finish(ANSWER);
    await bench.clock.advance(1_000);
    expect(bench.relay.story.slice(1)).toEqual(["audio 1.0-3", "end 1 240", `text 2 ${ANSWER}`]);
  });

  it("does not keep back the text of an answer whose voice has not come in time", async () => {
    await taught(2_000);
    bench.tts.expect(ANSWER, hanging);
    const run = bench.run();
    bench.finish(ANSWER);
    await bench.clock.advance(1_000);
    bench.stop.abort(new DeadlineExceeded("the answer", 20_000));
    await settle();
    expect(bench.relay.story.slice(1)).toEqual(["audio 1.0-3", "end 1 240", `text 2 ${ANSWER}`]);
    expect(run.now.type).toBe("resolved");
  });

  it("is over before an answer that fails is given up", async () => {
    await taught(2_000);
    const run = bench.run();
    await bench.clock.advance(GRACE_MS + 10);
    bench.breakDown(new Error("no model"));
    await settle();
    expect(run.now.type).toBe("pending");
    await bench.clock.advance(1_000);
    expect(bench.relay.story.at(-1)).toBe("end 1 240");
    expect(run.now.type).toBe("rejected");
  });

  it("does not hold on to a draft that was taken back while it was played", async () => {
    await taught(2_000);
    bench.tts.expect("First draft.", atOnce(opusSample(2).ogg));
    bench.run();
    await bench.clock.advance(GRACE_MS + 10);
    bench.write("First draft. ");
    await settle();
    expect(bench.delivery.rewind()).toBe(true);
    expectAnswer(3);
    bench.finish(ANSWER);
    await bench.clock.advance(1_000);
    expect(bench.relay.story.slice(3)).toEqual([
      "message 2",
      "audio 2.0-2",
      "end 2 180",
      `transcription 2 ${ANSWER}`,
    ]);
  });

  it("moves with its user, but only to a relay that wants it", async () => {
    for (const acknowledges of [true, false]) {
      await taught(2_000);
      expectAnswer();
      bench.run();
      await bench.clock.advance(GRACE_MS + 10);
      const other = bench.newRelay();
      other.acknowledges = acknowledges;
      relays.push(other);
      bench.line.attach(other);
      await bench.clock.advance(1_000);
      expect(bench.relay.story.at(-1)).toBe("end 1 180 moved");
      expect(other.story).toEqual(acknowledges ? ["acknowledgement 1+3", "audio 1.3-3", "end 1 240"] : []);
      bench.finish(ANSWER);
      await bench.clock.advance(1_000);
      expect(other.story.at(-1)).toBe(`transcription 2 ${ANSWER}`);
    }
  });

  it("comes in packets that the relay takes", async () => {
    await taught(2_000);
    bench.relay.shapes = [{ sampleRateHz: 48_000, packetMs: 20 }];
    bench.run();
    await bench.clock.advance(1_000);
    expect(bench.relay.handed[0]).toMatchObject({ shape: { sampleRateHz: 48_000, packetMs: 20 } });
    expect(bench.relay.story.at(-1)).toBe("end 1 220");
    bench.stop.abort(cancelled);
  });
});

describe("a spoken acknowledgement", () => {
  const isPhrase = (text: string) => PHRASES.includes(text);

  it("has its words as a transcription", async () => {
    await taught(2_000, { acknowledge: "phrase" });
    bench.tts.otherwise = (text) => (isPhrase(text) ? atOnce(opusSample(5).ogg) : hanging);
    bench.run();
    await bench.clock.advance(1_000);
    const [words] = bench.relay.handed.flatMap((frame) =>
      frame.type === "transcription" ? [frame.text] : [],
    );
    expect(isPhrase(words!)).toBe(true);
    expect(bench.relay.story).toEqual([
      "acknowledgement 1",
      "audio 1.0-4",
      "end 1 300",
      `transcription 1 ${words}`,
    ]);
    bench.stop.abort(cancelled);
  });

  it.each([
    ["cannot be spoken", failing(new SpeechFailure("unavailable", "busy"))],
    ["takes too long to say", atOnce(opusSample(21).ogg)],
  ])("gives way to the tone where it %s", async (_name, body) => {
    await taught(2_000, { acknowledge: "phrase" });
    bench.tts.otherwise = () => body;
    bench.run();
    await bench.clock.advance(1_000);
    expect(bench.relay.story).toEqual(["acknowledgement 1", "audio 1.0-3", "end 1 240"]);
    expect(bench.events.of("acknowledged")).toMatchObject([{ sign: "tone" }]);
    bench.stop.abort(cancelled);
  });

  it("is not given when the answer is ready before its own words are", async () => {
    await taught(2_000, { acknowledge: "phrase" });
    bench.tts.otherwise = (text) => (isPhrase(text) ? hanging : atOnce(opusSample(2).ogg));
    bench.run();
    await bench.clock.advance(500);
    bench.finish(ANSWER);
    await bench.clock.advance(1_000);
    expect(bench.relay.story[0]).toBe("message 1");
    expect(bench.tts.signals[0]?.aborted).toBe(true);
  });

  it("never says the same twice in a row to one user, and says all of them", async () => {
    await taught(2_000, { acknowledge: "phrase" });
    bench.tts.otherwise = () => atOnce(opusSample(1).ogg);
    for (let i = 0; i < 30; i++) {
      const acknowledging = bench.acknowledgements.begin(bench.job);
      await bench.clock.advance(1_000);
      await acknowledging.giveWay("packet");
    }
    const said = bench.relay.handed.flatMap((frame) => (frame.type === "transcription" ? [frame.text] : []));
    expect(said).toHaveLength(30);
    expect(said.some((text, i) => text === said[i - 1])).toBe(false);
    expect(new Set(said)).toEqual(new Set(PHRASES));
  });
});
