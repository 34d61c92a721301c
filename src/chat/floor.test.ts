// The floor where time runs out or the service ends: what a fuzz test found, and what it cannot look for.
import { describe, expect, it } from "vitest";
import { settle } from "../../test/support/virtual-clock.js";
import { PREPARE_MS_MAX as TURN_MS_MAX } from "../turn/turn.js";
import { ANN, type Fate, FloorBench } from "./floor-bench.test-util.js";

const FATE: Fate = { recogniser: "words", writer: "answers", afterMs: 0 };

/** Two sentences are being spoken, and the service shuts down. */
async function shuttingDown(): Promise<{ bench: FloorBench; down: Promise<void> }> {
  const bench = new FloorBench();
  bench.ask(0, "audio", FATE);
  await bench.clock.advance(600);
  return { bench, down: bench.chats.shutdown(10_000) };
}

describe("an answer that may finish at shutdown", () => {
  it.each(["cancel", "press"] as const)("is stopped by a %s", async (what) => {
    const { bench, down } = await shuttingDown();
    if (what === "cancel") expect(bench.chats.cancel(ANN)).toBe(true);
    else bench.press(0, "audio", FATE);
    await down;
    expect(bench.relays[0]!.brief.filter((line) => line.startsWith("end "))).toEqual([
      expect.stringMatching(/interrupted$/),
    ]);
    expect(bench.verdict()).toEqual([]);
  });

  it("is not stopped twice", async () => {
    const { bench, down } = await shuttingDown();
    await bench.clock.advance(10_000);
    await down;
    expect(bench.chats.cancel(ANN)).toBe(false);
    expect(bench.verdict()).toEqual([]);
  });
});

it("lets go of a recogniser when the turn waits for it no longer", async () => {
  const bench = new FloorBench();
  bench.press(0, "audio", { ...FATE, recogniser: "hangs" });
  bench.speak(0, 3, 0);
  bench.release(0);
  await bench.clock.advance(TURN_MS_MAX);
  expect(bench.events.of("speech_recognised")).toMatchObject([{ result: "timeout" }]);
  await bench.finish(0);
  expect(bench.verdict()).toEqual([]);
});

it("leaves nothing behind after a thousand presses, each of which stops the one before", async () => {
  const bench = new FloorBench();
  for (let i = 0; i < 1_000; i++) {
    bench.press(0, "audio", FATE);
    bench.speak(0, 2, 0);
    if (i % 2 === 0) bench.release(0);
    await settle();
  }
  bench.cancel(0);
  await settle();
  expect(bench.clock.pending).toBe(1); // What looks for silent chats.
  await bench.finish(0);
  expect(bench.verdict()).toEqual([]);
});
