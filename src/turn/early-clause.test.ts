import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { assertWellFormed } from "../../test/support/fake-outlet.js";
import { atOnce, failing, hanging, opusSample, Tap } from "../../test/support/fake-speech.js";
import { settle } from "../../test/support/virtual-clock.js";
import { TurnFailure } from "../domain/failure.js";
import { SpeechFailure } from "../speech/port.js";
import { restAfter } from "./early-clause.js";
import { VoiceBench } from "./voice-bench.test-util.js";

const CLAUSE = "If the alarm sounds twice, ";
const REST = "all people leave the hall. ";
const [CLAUSE_WORDS, REST_WORDS] = ["If the alarm sounds twice,", "all people leave the hall."];

describe("restAfter", () => {
  it.each([
    ["the rest", CLAUSE, `${CLAUSE}${REST}`, REST],
    ["nothing of another sentence", CLAUSE, `When the alarm sounds twice, ${REST}`, undefined],
    [
      "the rest where marks are not spoken",
      "**Leave the hall, ",
      "**Leave the hall, now** and wait.",
      "now** and wait.",
    ],
    [
      "nothing where a link goes on",
      "Read [the plan, ",
      "Read [the plan, all of it](https://x.example/a).",
      undefined,
    ],
    [
      "the rest in a script without blanks",
      "请先关闭主电源开关，",
      "请先关闭主电源开关，然后挂好锁。",
      "然后挂好锁。",
    ],
  ])("is %s", (_, clause, sentence, rest) => {
    expect(restAfter(clause, sentence)).toBe(rest);
  });
});

describe("a first clause that is made ready", () => {
  let bench: VoiceBench;
  beforeEach(() => {
    bench = new VoiceBench();
  });
  afterEach(() => {
    bench.tts.verify();
    assertWellFormed(bench.relay.handed);
  });
  const results = () => bench.events.of("early_clause_ended").map(({ result }) => result);

  it("waits for its sentence, and then begins at once", async () => {
    const rest = new Tap();
    bench.tts.expect(CLAUSE_WORDS, atOnce(opusSample(2).ogg)).expect(REST_WORDS, rest.body);
    const delivered = bench.run();
    bench.clause(CLAUSE);
    await settle();
    expect(bench.tts.calls).toBe(1);
    expect(bench.relay.handed).toEqual([]);
    expect(bench.marks).toEqual([]);
    bench.finish(`${CLAUSE}${REST}`);
    await settle();
    expect(bench.relay.story).toEqual(["message 1", "audio 1.0-1"]);
    expect(bench.marks.slice(0, 2)).toEqual(["tts_request", "tts_first_byte"]);
    rest.pour(opusSample(3).ogg);
    rest.close();
    await bench.clock.advance(1_000);
    expect(bench.relay.story).toEqual([
      "message 1",
      "audio 1.0-4",
      "end 1 300",
      `transcription 1 ${CLAUSE}${REST.trim()}`,
    ]);
    expect(delivered.now).toMatchObject({ type: "resolved", value: { heard: `${CLAUSE}${REST.trim()}` } });
    expect(results()).toEqual(["saved"]);
  });

  it("is never heard when its sentence does not come", async () => {
    bench.tts
      .expect(CLAUSE_WORDS, atOnce(opusSample(2).ogg))
      .expect("I don't know.", atOnce(opusSample(1).ogg));
    bench.run();
    bench.clause(CLAUSE);
    await settle();
    bench.finish("I don't know. ");
    await bench.clock.advance(1_000);
    expect(bench.relay.story).toEqual([
      "message 1",
      "audio 1.0-0",
      "end 1 60",
      "transcription 1 I don't know.",
    ]);
    expect(results()).toEqual(["wasted"]);
  });

  it("is stopped when its sentence does not come while it is still being made", async () => {
    bench.tts.expect(CLAUSE_WORDS, hanging).expect("I don't know.", atOnce(opusSample(1).ogg));
    bench.run();
    bench.clause(CLAUSE);
    await settle();
    bench.finish("I don't know. ");
    await settle();
    expect(bench.tts.signals.map(({ aborted }) => aborted)).toEqual([true, false]);
    await bench.clock.advance(1_000);
  });

  it("is never heard when nothing is said at all", async () => {
    bench.tts.expect(CLAUSE_WORDS, atOnce(opusSample(2).ogg));
    const delivered = bench.run();
    bench.clause(CLAUSE);
    await settle();
    bench.breakDown(new Error("the writer is gone"));
    await settle();
    expect(bench.relay.handed).toEqual([]);
    expect(delivered.now).toMatchObject({ type: "rejected" });
    expect(results()).toEqual(["wasted"]);
  });

  it("is made anew with its whole sentence when its voice failed", async () => {
    bench.tts
      .expect(CLAUSE_WORDS, failing(new SpeechFailure("unavailable", "down")))
      .expect(`${CLAUSE_WORDS} ${REST_WORDS}`, atOnce(opusSample(4).ogg));
    bench.run();
    bench.clause(CLAUSE);
    await settle();
    bench.finish(`${CLAUSE}${REST}`);
    await bench.clock.advance(1_000);
    expect(bench.relay.story.slice(0, 2)).toEqual(["message 1", "audio 1.0-3"]);
    expect(results()).toEqual(["wasted"]);
  });

  it("is forgotten when the writer starts over", async () => {
    bench.tts.expect(CLAUSE_WORDS, hanging).expect("Pull the handle.", atOnce(opusSample(2).ogg));
    bench.run();
    bench.clause(CLAUSE);
    await settle();
    expect(bench.delivery.rewind()).toBe(true);
    expect(bench.tts.signals[0]?.aborted).toBe(true);
    bench.finish("Pull the handle. ");
    await bench.clock.advance(1_000);
    expect(bench.relay.story[1]).toBe("audio 1.0-1");
    expect(results()).toEqual(["wasted"]);
  });

  it("is asked for once", async () => {
    bench.tts.expect(CLAUSE_WORDS, hanging);
    bench.run();
    bench.clause(CLAUSE);
    bench.clause(CLAUSE);
    await settle();
    expect(bench.tts.calls).toBe(1);
  });

  it("counts as heard as far as its packets left, and no word beyond it", async () => {
    bench.tts.expect(CLAUSE_WORDS, atOnce(opusSample(10).ogg)).expect(REST_WORDS, hanging);
    const delivered = bench.run();
    bench.clause(CLAUSE);
    await settle();
    bench.write(`${CLAUSE}${REST}`);
    await bench.clock.advance(180);
    bench.stop.abort(new TurnFailure("cancelled", "The answer was stopped."));
    await settle();
    const { value } = delivered.now as { value: { heard: string } };
    expect(CLAUSE.startsWith(value.heard)).toBe(true);
    expect(value.heard).not.toBe("");
    expect(value.heard.length).toBeLessThan(CLAUSE.length - 2);
  });
});
