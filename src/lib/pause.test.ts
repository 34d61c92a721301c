import { describe, expect, it } from "vitest";
import { systemClock } from "./clock.js";
import { type Origin, workFor } from "./origin.js";
import { pause, SLICE_MS } from "./pause.js";

/** Works `steps` steps of a fifth of a slice each, noting each. */
async function toil(name: string, steps: number, done: string[]): Promise<void> {
  for (let step = 0; step < steps; step++) {
    await pause();
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
    const crowd = ["loud", "noisy", "rude"].map((peer) => workFor(of(peer), () => toil(peer, 100, done)));
    for (let rounds = 0; rounds < 20; rounds++) await new Promise(setImmediate);
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
});
