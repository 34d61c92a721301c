import { getEventListeners } from "node:events";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { settle } from "../../test/support/virtual-clock.js";
import { currentOrigin, type Origin, workFor } from "../lib/origin.js";
import { TurnsBench } from "./admission-bench.test-util.js";

function bench(turnsRunningMax: number, turnsWaitingMax: number): TurnsBench {
  return new TurnsBench({ turnsRunningMax, turnsWaitingMax });
}

const ANN = { user: { network: "plant", username: "ann" }, responseType: "text" } as const;

const of = (peer: string, user = "user"): Origin => [peer, "1", user];

describe("peers", () => {
  it("leave places free for one that comes", async () => {
    const turns = bench(8, 100);
    for (let i = 0; i < 20; i++) turns.ask(of("loud", `${i}`));
    await settle();
    expect(turns.begun).toHaveLength(6);
    const quiet = [turns.ask(of("quiet")), turns.ask(of("quiet"))];
    await settle();
    expect(turns.begun.slice(6)).toEqual(quiet);
  });

  it("run equally many turns when they have as many to run", async () => {
    const turns = bench(8, 100);
    for (let i = 0; i < 20; i++) turns.ask(of("loud", `${i}`));
    for (let i = 0; i < 20; i++) turns.ask(of("quiet", `${i}`));
    await settle();
    for (let turn = 0; turn < 6; turn++) {
      turns.end(turn);
      await settle();
    }
    const running = (peer: string) => turns.begunOf(peer) - (peer === "loud" ? 6 : 0);
    expect([running("loud"), running("quiet")]).toEqual([4, 4]);
  });

  it("give way when too many wait, as far as they have most of what waits", async () => {
    const turns = bench(1, 4);
    for (let i = 0; i < 5; i++) turns.ask(of("loud"));
    const quiet = [turns.ask(of("quiet")), turns.ask(of("quiet"))];
    await settle();
    expect(quiet.map((turn) => turns.state(turn))).toEqual(["pending", "pending"]);
    expect([0, 1, 2, 3, 4].map((turn) => turns.state(turn))).toEqual([
      "pending",
      "rejected",
      "rejected",
      "pending",
      "pending",
    ]);
  });

  it("are those for whom their turns work, whoever made room", async () => {
    const { admission } = bench(1, 4);
    const { signal } = new AbortController();
    const origins = await Promise.all(
      ["a", "b"].map((peer) =>
        workFor(of(peer), () => admission.run(ANN, signal, async () => currentOrigin())),
      ),
    );
    expect(origins).toEqual([of("a"), of("b")]);
  });
});

describe("Admission", () => {
  it("lets in as many as may run, and the others in the order in which they came", async () => {
    const turns = bench(2, 10);
    for (let i = 0; i < 5; i++) turns.ask();
    await settle();
    expect(turns.begun).toEqual([0, 1]);
    turns.end(1);
    await settle();
    expect(turns.begun).toEqual([0, 1, 2]);
    turns.end(0, new Error("broken"));
    turns.end(2);
    await settle();
    expect(turns.begun).toEqual([0, 1, 2, 3, 4]);
    expect(turns.results[0]!.now).toMatchObject({ type: "rejected", error: { message: "broken" } });
    expect(turns.results[1]!.now).toEqual({ type: "resolved", value: 1 });
  });

  it("gives up the one that has waited longest when too many wait", async () => {
    const turns = bench(1, 2);
    for (let i = 0; i < 4; i++) turns.ask();
    await settle();
    expect(turns.results[1]!.now).toMatchObject({
      type: "rejected",
      error: { code: "assistant_unavailable", message: expect.stringContaining("Too many people") },
    });
    expect([2, 3].map((turn) => turns.state(turn))).toEqual(["pending", "pending"]);
    turns.end(0);
    await settle();
    expect(turns.begun).toEqual([0, 2]);
  });

  it("lets go of one that stops waiting, with its reason", async () => {
    const turns = bench(1, 2);
    for (let i = 0; i < 3; i++) turns.ask();
    turns.stops[1]!.abort("cancelled");
    await settle();
    expect(turns.results[1]!.now).toEqual({ type: "rejected", error: "cancelled" });
    turns.ask();
    await settle();
    expect(turns.state(2)).toBe("pending");
    turns.end(0);
    await settle();
    expect(turns.begun).toEqual([0, 2]);
  });

  it("leaves a running turn to its own signal", async () => {
    const turns = bench(1, 2);
    turns.ask();
    await settle();
    turns.stops[0]!.abort("cancelled");
    await settle();
    expect(turns.state(0)).toBe("pending");
    turns.end(0);
    await settle();
    expect(turns.state(0)).toBe("resolved");
  });

  it("lets in nobody who was stopped before", async () => {
    const turns = bench(1, 2);
    await expect(turns.admission.run(ANN, AbortSignal.abort("cancelled"), async () => 1)).rejects.toBe(
      "cancelled",
    );
    turns.ask();
    await settle();
    expect(turns.begun).toEqual([0]);
  });

  it("leaves no listener on a signal", async () => {
    const { admission, clock } = bench(1, 1);
    const { signal } = new AbortController();
    await admission.run(ANN, signal, async () => 1);
    await expect(admission.run(ANN, signal, () => Promise.reject(new Error("x")))).rejects.toThrow("x");
    expect(clock.pending).toBe(0);
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  it("keeps to its limits and loses no place, whatever comes", async () => {
    const step = fc.oneof(
      { weight: 3, arbitrary: fc.constant("ask" as const) },
      { weight: 2, arbitrary: fc.nat(30).map((turn) => ({ end: turn })) },
      { weight: 1, arbitrary: fc.nat(30).map((turn) => ({ stop: turn })) },
      { weight: 1, arbitrary: fc.constant("settle" as const) },
    );
    const schedules = fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const turns = bench(3, 4);
      for (const one of steps) {
        if (one === "ask") turns.ask();
        else if (one === "settle") await settle();
        else if ("end" in one) turns.end(one.end);
        else turns.stops[one.stop]?.abort("cancelled");
        expect(turns.running).toBeLessThanOrEqual(3);
      }
      await settle();
      const pending = turns.results.filter(({ now }) => now.type === "pending").length;
      expect(pending - turns.running).toBeLessThanOrEqual(4);
      expect(turns.begun).toEqual([...turns.begun].sort((a, b) => a - b));
      for (let round = 0; round < turns.results.length; round++) {
        turns.begun.forEach((turn) => {
          turns.end(turn);
        });
        await settle();
      }
      expect(turns.results.filter(({ now }) => now.type === "pending")).toEqual([]);
      const next = [turns.ask(), turns.ask(), turns.ask()];
      await settle();
      expect(turns.begun.slice(-3)).toEqual(next);
    });
    await fc.assert(schedules, { numRuns: 60 });
  });
});
