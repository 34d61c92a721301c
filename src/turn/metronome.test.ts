import { describe, expect, it } from "vitest";
import { VirtualClock } from "../../test/support/virtual-clock.js";
import { type Due, Metronome } from "./metronome.js";
import { TICK_MS } from "./pacer.js";

const START_MS = 1_000_000;

function bench() {
  const clock = new VirtualClock(START_MS);
  /** Who was told to give something when, in milliseconds from the start. */
  const beats: string[] = [];
  /** Is due `times` times, every `everyMs`; `onBeat` is called each time. */
  const voice = (name: string, everyMs: number, times: number, onBeat = () => {}): Due => {
    let left = times;
    return {
      beat: (nowMs) => {
        beats.push(`${name} ${nowMs - START_MS}`);
        onBeat();
        left -= 1;
        return left > 0 ? nowMs + everyMs : undefined;
      },
    };
  };
  return { clock, beats, voice, metronome: Metronome.of(clock) };
}

describe("the metronome", () => {
  it("is one for a clock", () => {
    const { clock, metronome } = bench();
    expect(Metronome.of(clock)).toBe(metronome);
    expect(Metronome.of(new VirtualClock())).not.toBe(metronome);
  });

  it("tells each voice when it is due, at the next tick, in the order of the ticks", async () => {
    const { beats, clock, metronome, voice } = bench();
    metronome.add(voice("late", 60, 2), START_MS + 61);
    metronome.add(voice("early", 20, 3), START_MS + 3);
    await clock.advance(200);
    expect(beats).toEqual(["early 10", "early 30", "early 50", "late 70", "late 130"]);
  });

  it("has one timer, however many voices wait, and none when nobody does", async () => {
    const { clock, metronome, voice } = bench();
    for (let i = 0; i < 100; i++) metronome.add(voice(`${i}`, 60, 2), START_MS + i);
    expect(clock.pending).toBe(1);
    await clock.advance(100);
    expect(clock.pending).toBe(1);
    await clock.advance(100);
    expect(clock.pending).toBe(0);
  });

  it("tells all that are due at a tick in one go", async () => {
    const { beats, clock, metronome, voice } = bench();
    let rounds = 0;
    const follow = () => {
      if (rounds === 0) queueMicrotask(() => beats.push("later"));
      rounds += 1;
    };
    for (const name of ["a", "b", "c"]) metronome.add(voice(name, 60, 1, follow), START_MS + TICK_MS);
    await clock.advance(TICK_MS);
    expect(beats).toEqual(["a 10", "b 10", "c 10", "later"]);
  });

  it("lets go of a voice at once, also while it tells the others", async () => {
    const { beats, clock, metronome, voice } = bench();
    const [gone, left] = [voice("gone", 20, 5), voice("left", 20, 5)];
    metronome.add(gone, START_MS + 10);
    metronome.remove(gone);
    expect(clock.pending).toBe(0);
    metronome.add(
      voice("remover", 20, 1, () => metronome.remove(left)),
      START_MS + 10,
    );
    metronome.add(left, START_MS + 20);
    await clock.advance(100);
    expect(beats).toEqual(["remover 10"]);
    expect(clock.pending).toBe(0);
  });

  it("makes up for ticks that the process slept through, each voice once", async () => {
    const { beats, clock, metronome, voice } = bench();
    metronome.add(voice("a", 20, 2), START_MS + 10);
    metronome.add(voice("b", 20, 2), START_MS + 20);
    await clock.leap(500);
    expect(beats).toEqual(["a 500", "b 500"]);
    await clock.advance(100);
    expect(beats.slice(2)).toEqual(["a 520", "b 520"]);
  });

  it("takes a timer that fires a little early for one that is in time", () => {
    const fires: (() => void)[] = [];
    let nowMs = 1_000;
    const after = (_: number, callback: () => void) => {
      fires.push(callback);
      return { cancel: () => {} };
    };
    const metronome = new Metronome({ now: () => nowMs, monotonic: () => nowMs, after });
    const told: number[] = [];
    const beat = (atMs: number, dueMs: number) => {
      told.push(atMs, dueMs);
      return undefined;
    };
    metronome.add({ beat }, 1_010);
    nowMs = 1_008.4;
    fires[0]!();
    expect(told).toEqual([1_010, 1_010]);
  });
});
