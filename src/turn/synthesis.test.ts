import { describe, expect, it } from "vitest";
import { RecordedEvents } from "../../test/support/events.js";
import { atOnce, failing, hanging, opusSample, ScriptedSpeech, Tap } from "../../test/support/fake-speech.js";
import { settle, VirtualClock } from "../../test/support/virtual-clock.js";
import { watch } from "../../test/support/watch.js";
import type { WaterfallMark } from "../domain/waterfall.js";
import { Condition } from "../lib/condition.js";
import { SpeechFailure } from "../speech/port.js";
import { ShapeChoice } from "../speech/shape.js";
import { Script } from "./script.js";
import { Synthesis, UNITS_AHEAD_MAX } from "./synthesis.js";
import { request } from "./voice-bench.test-util.js";

function bench() {
  const clock = new VirtualClock();
  const events = new RecordedEvents();
  const tts = new ScriptedSpeech();
  const changed = new Condition();
  const script = new Script(changed);
  const stop = new AbortController();
  const marks: WaterfallMark[] = [];
  const job = { request, mark: (mark: WaterfallMark) => marks.push(mark), signal: stop.signal };
  const shape = new ShapeChoice(() => []);
  const synthesis = new Synthesis(script, changed, { clock, tts, telemetry: events, shape }, job);
  let pid = 0;
  /** Takes packets until there is none. */
  const drain = () => {
    const packets: Uint8Array[] = [];
    for (;;) {
      const next = synthesis.next(pid);
      if (typeof next === "string") return { packets, rest: next };
      packets.push(next);
      pid += 1;
    }
  };
  return { clock, events, tts, changed, script, stop, synthesis, drain, marks };
}

describe("Synthesis", () => {
  it("gives packets in the order of the text, though a later sentence is ready first", async () => {
    const { tts, script, synthesis, drain } = bench();
    const [one, two] = [opusSample(2), opusSample(3)];
    const slow = new Tap();
    tts.expect("Lock the press.", slow.body).expect("Tag it out.", atOnce(two.ogg));
    script.append("Lock the press. Tag it out.");
    script.close();
    expect(drain()).toEqual({ packets: [], rest: "pending" });
    await settle();
    expect(drain()).toEqual({ packets: [], rest: "pending" });
    slow.pour(one.ogg);
    slow.close();
    await settle();
    const { packets, rest } = drain();
    expect(packets).toEqual([...one.packets, ...two.packets]);
    expect(rest).toBe("end");
    expect(synthesis.spoken(60)).toEqual([
      { text: "Lock the press. ", firstPid: 0, packets: 2, packetMs: 60, complete: true },
      { text: "Tag it out.", firstPid: 2, packets: 3, packetMs: 60, complete: true },
    ]);
    tts.verify();
  });

  it("gives a packet as soon as it is there, and announces it", async () => {
    const { tts, script, changed, drain } = bench();
    const { ogg, packets } = opusSample(3, { packetsPerPageMax: 1 });
    const tap = new Tap();
    tts.expect("Lock the press.", tap.body);
    script.append("Lock the press.");
    script.close();
    drain();
    const told = watch(changed.wait(new AbortController().signal));
    tap.pour(ogg.subarray(0, ogg.length - packets[2]!.length - 1));
    await settle();
    expect(told.now.type).toBe("resolved");
    expect(drain()).toEqual({ packets: packets.slice(0, 2), rest: "pending" });
  });

  it("works on the playing sentence and two more, not further", async () => {
    const { tts, script, drain } = bench();
    const taps = Array.from({ length: 5 }, () => new Tap());
    taps.forEach((tap, i) => {
      tts.expect(`Step number ${i}.`, tap.body);
    });
    script.append(taps.map((_, i) => `Step number ${i}.`).join(" "));
    script.close();
    drain();
    await settle();
    expect(tts.calls).toBe(1 + UNITS_AHEAD_MAX);
    for (const [i, tap] of taps.entries()) {
      tap.pour(opusSample(1).ogg);
      tap.close();
      await settle();
      drain();
      expect(tts.calls).toBe(Math.min(5, i + 2 + UNITS_AHEAD_MAX));
    }
    expect(drain().rest).toBe("end");
    tts.verify();
  });

  it("asks nobody to speak what cannot be spoken", () => {
    const { tts, script, drain } = bench();
    script.append("---\n\n*** \n\n…");
    script.close();
    expect(drain()).toEqual({ packets: [], rest: "end" });
    tts.verify();
  });

  it("fails after the packets that came before the failure, and not before its sentence's turn", async () => {
    const { tts, script, synthesis, drain } = bench();
    const { ogg, packets } = opusSample(2);
    const first = new Tap();
    tts.expect("Lock the press.", first.body).expect("Tag it out.", failing(new SpeechFailure("cut", "x")));
    script.append("Lock the press. Tag it out.");
    script.close();
    drain();
    await settle();
    expect(drain().rest).toBe("pending");
    first.pour(ogg);
    await settle();
    expect(drain()).toEqual({ packets, rest: "pending" });
    first.close();
    await settle();
    expect(() => synthesis.next(2)).toThrow(SpeechFailure);
  });

  it("takes whatever a synthesizer throws for a failure of speech", async () => {
    const { tts, script, synthesis, drain } = bench();
    tts.expect("Lock the press.", failing(new TypeError("a fault")));
    script.append("Lock the press.");
    script.close();
    drain();
    await settle();
    expect(() => synthesis.next(0)).toThrow(
      expect.objectContaining({ name: "SpeechFailure", kind: "unavailable" }),
    );
  });

  it("meets the writer's error after the last whole sentence", async () => {
    const { tts, script, synthesis, drain } = bench();
    tts.expect("Lock the press.", atOnce(opusSample(1).ogg));
    script.append("Lock the press. Tag");
    script.fail(new Error("writer"));
    expect(drain().rest).toBe("pending");
    await settle();
    expect(synthesis.next(0)).toBeInstanceOf(Uint8Array);
    expect(() => synthesis.next(1)).toThrow("writer");
  });

  it("stops everything under way when aborted, and can begin anew", async () => {
    const { clock, tts, script, synthesis, drain } = bench();
    tts.expect("Lock the press.", hanging).expect("Tag it out.", hanging);
    script.append("Lock the press. Tag it out. And");
    drain();
    await settle();
    synthesis.abort();
    script.clear();
    await settle();
    expect(tts.signals.map(({ aborted }) => aborted)).toEqual([true, true]);
    const { ogg, packets } = opusSample(1);
    tts.expect("Another answer.", atOnce(ogg));
    script.append("Another answer.");
    script.close();
    drain();
    await settle();
    expect(drain()).toEqual({ packets, rest: "end" });
    expect(clock.pending).toBe(0);
    tts.verify();
  });

  it("stops when the turn's signal aborts", async () => {
    const { tts, script, stop, drain } = bench();
    tts.expect("Lock the press.", hanging);
    script.append("Lock the press. And");
    drain();
    stop.abort("stop");
    await settle();
    expect(tts.signals[0]!.reason).toBe("stop");
  });

  it("tells of each sentence that begins, and of each unit that is finished", async () => {
    const { clock, events, tts, script, drain } = bench();
    const tap = new Tap();
    tts.expect("Lock the press.", tap.body);
    script.append("Lock the press.");
    script.close();
    drain();
    await clock.advance(50);
    const { ogg } = opusSample(3, { preSkipSamples: 312, packetsPerPageMax: 2 });
    tap.pour(ogg);
    await clock.advance(30);
    tap.close();
    await settle();
    drain();
    expect(events.of("sentence_spoken")).toEqual([
      { type: "sentence_spoken", user: request.user, pid: 0, text: "Lock the press." },
    ]);
    expect(events.of("speech_unit_finished")).toEqual([
      {
        type: "speech_unit_finished",
        user: request.user,
        ms: 80,
        firstPacketMs: 50,
        packets: 3,
        preSkipSamples: 312,
        endTrimSamples: 0,
        model: expect.any(String),
      },
    ]);
  });
});
