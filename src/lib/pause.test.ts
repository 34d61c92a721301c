import { describe, expect, it } from "vitest";
import { systemClock } from "./clock.js";
import { type Origin, workFor } from "./origin.js";
import { Haste, pause, SLICE_MS } from "./pause.js";

/** Works `steps` steps of a fifth of a slice each, noting each. */
async function toil(name: string, steps: number, done: string[], haste?: Haste): Promise<void> {
  for (let step = 0; step < steps; step++) {
    await pause(haste);
    const untilMs = systemClock.monotonic() + SLICE_MS / 5;
    while (systemClock.monotonic() < untilMs);
    done.push(name);
  }
}

describe("pause", () => {
  it("lets immediates in while much work is under way", async () => {
    let rounds = 0;
    let working = true;
    const count = (): void => {
      rounds++;
      if (working) setImmediate(count);
    };
    setImmediate(count);
    await toil("work", 50, []);
    working = false;
    expect(rounds).toBeGreaterThanOrEqual(3);
  });

  it("gives a newcomer his turn before those with much to do are done", async () => {
    const done: string[] = [];
    const of = (peer: string): Origin => [peer, "1", "user"];
    const loud = Array.from({ length: 20 }, () => workFor(of("loud"), () => toil("loud", 10, done)));
    const quiet = workFor(of("quiet"), () => toil("quiet", 10, done));
    await Promise.all([...loud, quiet]);
    expect(done).toHaveLength(210);
    expect(done.lastIndexOf("quiet")).toBeLessThan(150);
  });

  it("prefers who has used least of the loop lately, whenever he comes", async () => {
    const done: string[] = [];
    const of = (peer: string): Origin => [peer, "1", "user"];
    const crowd = ["loud", "noisy", "rude"].map((peer) => workFor(of(peer), () => toil(peer, 1_000, done)));
    // Long enough that a pause of the machine in his turn is less than what they have used.
    for (let rounds = 0; rounds < 200; rounds++) await new Promise(setImmediate);
    const before = done.length;
    await workFor(of("quiet"), () => toil("quiet", 15, done));
    const others = done.length - before - 15;
    // In turns it would be three of theirs to each of his, 45; a machine that holds him up looks like work of his.
    expect(others).toBeLessThan(20);
    await Promise.all(crowd);
  });

  it("lets him whose turn it is use it up, however many others wait", async () => {
    const of = (peer: string): Origin => [peer, "1", "user"];
    const loud = Array.from({ length: 20 }, () => workFor(of("loud"), () => toil("loud", 10, [])));
    let rounds = 0;
    let working = true;
    const count = (): void => {
      rounds++;
      if (working) setImmediate(count);
    };
    setImmediate(count);
    const small = async () => {
      for (let step = 0; step < 30; step++) await pause();
    };
    await workFor(of("quiet"), small);
    expect(rounds).toBeLessThan(10);
    working = false;
    await Promise.all(loud);
  });

  describe("of one peer", () => {
    const user = (name: string): Origin => ["peer", name, name];
    const crowd = (done: string[]) =>
      Array.from({ length: 20 }, (_, i) => workFor(user(`${i}`), () => toil("patient", 10, done)));

    it("does first what has haste, and of that what had it first", async () => {
      const done: string[] = [];
      const patient = crowd(done);
      const [early, late] = [new Haste(), new Haste()];
      early.begin(60_000);
      late.begin(60_000);
      const second = workFor(user("second"), () => toil("second", 30, done, late));
      const first = workFor(user("first"), () => toil("first", 30, done, early));
      await Promise.all([first, second, ...patient]);
      expect(done.lastIndexOf("first")).toBeLessThan(done.lastIndexOf("second"));
      // What ran before they came, and what goes on within the round of theirs, is not theirs to stop.
      expect(
        done.slice(0, done.lastIndexOf("second")).filter((name) => name === "patient").length,
      ).toBeLessThan(50);
    });

    it("does first what gets haste while it waits", async () => {
      const done: string[] = [];
      const patient = crowd(done);
      const haste = new Haste();
      const work = workFor(user("late"), () => toil("late", 30, done, haste));
      for (let rounds = 0; rounds < 5; rounds++) await new Promise(setImmediate);
      const before = done.length;
      haste.begin(60_000);
      await work;
      expect(done.length - before).toBeLessThan(80);
      await Promise.all(patient);
    });

    it("lets nobody have haste beyond what was given, nor after its end", async () => {
      for (const stop of [(haste: Haste) => haste.spend(1), (haste: Haste) => haste.end()]) {
        const done: string[] = [];
        const patient = crowd(done);
        const haste = new Haste();
        haste.begin(0);
        const work = workFor(user("greedy"), () => toil("greedy", 30, done, haste));
        stop(haste);
        expect(haste.isOn).toBe(false);
        await work;
        expect(done.filter((name) => name === "patient").length).toBeGreaterThan(100);
        await Promise.all(patient);
      }
    });

    it("has no haste at the cost of another peer", async () => {
      const done: string[] = [];
      const haste = new Haste();
      haste.begin(60_000);
      const greedy = workFor(user("greedy"), () => toil("greedy", 200, done, haste));
      for (let rounds = 0; rounds < 10; rounds++) await new Promise(setImmediate);
      const before = done.length;
      await workFor(["quiet", "1", "user"], () => toil("quiet", 15, done));
      expect(done.length - before - 15).toBeLessThan(40);
      await greedy;
    });
  });
});
