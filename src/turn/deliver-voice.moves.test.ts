// A spoken answer whose user moves between relays, is away for a while, and stops it: at any moment, in any order.
import fc from "fast-check";
import { expect, it } from "vitest";
import { assertWellFormed, type FakeOutlet } from "../../test/support/fake-outlet.js";
import { atOnce, dripping, opusSample } from "../../test/support/fake-speech.js";
import { patience } from "../../test/support/patience.js";
import { settle } from "../../test/support/virtual-clock.js";
import { TurnFailure } from "../domain/failure.js";
import { USER_ABSENCE_MS_MAX } from "./line.js";
import { VoiceBench } from "./voice-bench.test-util.js";

const cancelled = new TurnFailure("cancelled", "The answer was stopped.");

it("goes on at the new relay in the middle of a sentence, at the same pace", async () => {
  const bench = new VoiceBench();
  bench.tts.expect("Lock the press.", atOnce(opusSample(10).ogg));
  const run = bench.run();
  bench.finish("Lock the press.");
  await bench.clock.advance(150);
  const next = bench.newRelay();
  bench.line.attach(next);
  await bench.clock.advance(1_000);
  expect(bench.relay.story).toEqual(["message 1", "audio 1.0-4", "end 1 300 moved"]);
  expect(next.story).toEqual(["message 1+5", "audio 1.5-9", "end 1 600", "transcription 1 Lock the press."]);
  expect(next.handedAtMs.slice(1, 6)).toEqual([180, 240, 300, 360, 420]);
  expect(run.now).toMatchObject({ type: "resolved", value: { audioMs: 600 } });
  bench.tts.verify();
});

it("waits for a user whose connection is gone, then goes on without a burst", async () => {
  const bench = new VoiceBench();
  const { ogg, packets } = opusSample(12);
  bench.tts.expect("Lock the press.", atOnce(ogg));
  const run = bench.run();
  bench.finish("Lock the press.");
  await bench.clock.advance(60);
  bench.relay.slow();
  await bench.clock.advance(120);
  bench.relay.close();
  await bench.clock.advance(9_000);
  const next = bench.newRelay();
  bench.line.attach(next);
  await bench.clock.advance(2_000);
  const sent = [...bench.relay.packets(1), ...next.packets(1)];
  expect(sent.map(({ packet }) => packet)).toEqual(packets);
  // What waited at the old relay comes at once, then the packet that ended the silence and a cushion after it.
  expect(next.handedAtMs.slice(1, -2).map((ms) => ms - 9_180)).toEqual([0, 0, 0, 0, 0, 60, 120, 180]);
  assertWellFormed(next.handed);
  expect(run.now.type).toBe("resolved");
  expect(bench.clock.pending).toBe(0);
});

it("ends for good when the user does not come back", async () => {
  const bench = new VoiceBench();
  bench.tts.expect("Lock the press.", atOnce(opusSample(15).ogg));
  const run = bench.run();
  bench.finish("Lock the press.");
  await bench.clock.advance(360);
  bench.relay.close();
  await bench.clock.advance(60 + USER_ABSENCE_MS_MAX);
  expect(run.now).toMatchObject({ type: "resolved", value: { heard: "Lock the", interrupted: false } });
  const next = bench.newRelay();
  bench.line.attach(next);
  await bench.clock.advance(60_000);
  expect(next.brief).toEqual([]);
  expect(bench.clock.pending).toBe(0);
});

it("is ended properly at a relay from which the user cancels it", async () => {
  const bench = new VoiceBench();
  bench.tts.expect("Lock the press.", atOnce(opusSample(16).ogg));
  const run = bench.run();
  bench.finish("Lock the press. ");
  await bench.clock.advance(9 * 60 - 120);
  bench.relay.slow();
  await bench.clock.advance(120);
  const next = bench.newRelay();
  next.slow();
  // As dispatch does it: the move and the cancel in one go.
  bench.line.attach(next);
  bench.stop.abort(cancelled);
  await settle();
  bench.relay.drain();
  next.drain();
  expect(bench.relay.story.slice(2)).toEqual(["end 1 600 moved"]);
  expect(next.story).toEqual(["message 1+10", "end 1 600 interrupted", "transcription 1 Lock the"]);
  expect(run.now).toMatchObject({ type: "resolved", value: { interrupted: true, heard: "Lock the" } });
});

it("ends in words at a relay that does not take the shape", async () => {
  const bench = new VoiceBench();
  bench.tts.expect("Lock the press.", atOnce(opusSample(10).ogg));
  const run = bench.run();
  bench.write("Lock the press. Tag");
  await bench.clock.advance(150);
  const next = bench.newRelay();
  next.takes = () => false;
  bench.line.attach(next);
  await bench.clock.advance(1_000);
  expect(bench.relay.story.at(-1)).toBe("end 1 300 moved");
  bench.tts.verify();
  bench.finish(" it out.");
  await settle();
  expect(next.brief).toEqual(["transcription 1 Lock the press. Tag it out."]);
  expect(run.now).toMatchObject({ type: "resolved", value: { audioMs: 300 } });
});

type Step =
  | { readonly do: "wait"; readonly ms: number }
  | { readonly do: "move" | "slow" | "drain" | "vanish" | "giveUp" | "fill" | "stop" };

const step = (what: Exclude<Step["do"], "wait">, weight: number) => ({
  weight,
  arbitrary: fc.constant<Step>({ do: what }),
});

const steps = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: fc.nat(300).map((ms): Step => ({ do: "wait", ms })) },
    step("move", 4),
    step("slow", 4),
    step("giveUp", 3),
    step("vanish", 2),
    step("drain", 1),
    step("fill", 1),
    step("stop", 1),
  ),
  { maxLength: 14 },
);

it("gives every packet to one relay at most, in order and without a hole, whatever happens", {
  timeout: patience(60_000),
}, async () => {
  const schedules = fc.asyncProperty(
    steps,
    fc.integer({ min: 20, max: 200 }),
    async (schedule, chunkBytes) => {
      const bench = new VoiceBench();
      const { ogg, packets } = opusSample(20, { packetsPerPageMax: 3 });
      bench.tts.expect("Lock the press.", dripping(bench.clock, ogg, chunkBytes, 40));
      const run = bench.run();
      bench.finish("Lock the press.");
      const relays: FakeOutlet[] = [bench.relay];
      for (const step of schedule) await act(step, bench, relays);
      if (relays.at(-1)!.send({ type: "chat_closed", reason: "closed" }) === "closed") move(bench, relays);
      await bench.clock.advance(20_000);
      for (const relay of relays) if (!relay.gone) relay.drain();
      expect(bench.clock.pending).toBe(0);
      expect(run.now.type).not.toBe("pending");
      check(relays, packets, run.now.type === "resolved" ? 1 : 0);
    },
  );
  await fc.assert(schedules, { numRuns: 200 });
});

async function act(step: Step, bench: VoiceBench, relays: FakeOutlet[]): Promise<void> {
  const relay = relays.at(-1)!;
  if (step.do === "wait") return bench.clock.advance(step.ms);
  if (step.do === "move") move(bench, relays);
  if (step.do === "stop") {
    // Whoever cancels is seen first.
    if (relay.gone) move(bench, relays);
    bench.stop.abort(cancelled);
    await settle();
  }
  if (step.do === "fill") relay.full = !relay.full;
  if (relay.gone) return;
  if (step.do === "slow") relay.slow();
  if (step.do === "drain") relay.drain();
  if (step.do === "vanish") relay.close();
  if (step.do === "giveUp" && bench.line.speaking) relay.giveUp(1, nextPid(relays));
}

function move(bench: VoiceBench, relays: FakeOutlet[]): void {
  const next = bench.newRelay();
  relays.push(next);
  bench.line.attach(next);
}

/** The packet after the last that was handed over. */
function nextPid(relays: readonly FakeOutlet[]): number {
  return Math.max(-1, ...relays.flatMap((relay) => relay.packets(1).map(({ pid }) => pid))) + 1;
}

function check(relays: readonly FakeOutlet[], packets: readonly Uint8Array[], answers: number): void {
  for (const relay of relays) assertWellFormed(relay.handed, { complete: !relay.gone });
  const sent = relays.flatMap((relay) => relay.packets(1));
  expect(sent.map(({ pid }) => pid)).toEqual(sent.map((_, i) => i));
  expect(sent.map(({ packet }) => packet)).toEqual(packets.slice(0, sent.length));
  const words = relays
    .flatMap(({ handed }) => handed)
    .filter(({ type }) => /^(transcription|text)/.test(type));
  expect(words).toHaveLength(answers);
}
