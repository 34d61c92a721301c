/** Who begins, who is answered without a voice and who is refused where more is asked than there is room for. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { settle } from "../../test/support/virtual-clock.js";
import type { ResponseType } from "../domain/turn.js";
import type { Origin } from "../lib/origin.js";
import { TurnsBench } from "./admission-bench.test-util.js";
import type { ClosedReason } from "./intake.js";

const of = (peer: string, user: string): Origin => [peer, "1", user];

const REFUSED = { type: "rejected", error: { code: "assistant_unavailable" } };
const SECOND = { audio: 1_000, text: 1_000 };

/** With two places, whose turns all hold them for a second, and a wait of three seconds at the most. */
async function known(heldMs = SECOND): Promise<TurnsBench> {
  const turns = new TurnsBench({ turnsRunningMax: 2, turnWaitMsMax: 3_000 });
  for (const responseType of ["audio", "text"] as const) turns.ask(of("a", "u"), { heldMs, responseType });
  await turns.clock.advance(Math.max(heldMs.audio, heldMs.text));
  return turns;
}

describe("a turn that cannot begin in time", () => {
  it("is refused at once, and those that can be waited for begin", async () => {
    const turns = await known();
    const ask = (i: number) => turns.ask(of("a", `${i}`), { heldMs: SECOND });
    const first = ask(0);
    await turns.clock.advance(500);
    const asked = [first, ...Array.from({ length: 9 }, (_, i) => ask(i + 1))];
    await settle();
    // Two run, a place comes free every half second, and the one of the third second would be too late.
    expect(asked.slice(0, 7).every((turn) => turns.state(turn) === "pending")).toBe(true);
    expect(asked.slice(7).map((turn) => turns.results[turn]!.now)).toMatchObject([REFUSED, REFUSED, REFUSED]);
    expect(turns.degraded).toEqual(["refusal: late", "refusal: late", "refusal: late"]);
    await turns.clock.advance(3_000);
    expect(turns.begun.slice(2)).toEqual(asked.slice(0, 7));
  });

  it("is not begun when its time is over, whatever was expected", async () => {
    const turns = await known();
    const [stuck, alsoStuck, waiting] = [1, 2, 3].map((user) => turns.ask(of("a", `${user}`)));
    await turns.clock.advance(2_999);
    expect(turns.state(waiting!)).toBe("pending");
    await turns.clock.advance(1);
    expect(turns.results[waiting!]!.now).toMatchObject(REFUSED);
    turns.end(stuck!);
    turns.end(alsoStuck!);
    await settle();
    expect(turns.begun).not.toContain(waiting);
    expect(turns.degraded).toEqual(["refusal: expired"]);
    expect(turns.clock.pending).toBe(0);
  });

  it("is refused where the places of its peer are taken, while another peer's begins", async () => {
    const turns = new TurnsBench({ turnsRunningMax: 4, turnWaitMsMax: 1_000 });
    turns.ask(of("loud", "0"), { heldMs: { audio: 9_000, text: 9_000 } });
    await turns.clock.advance(9_000);
    const loud = [1, 2, 3, 4].map((user) => turns.ask(of("loud", `${user}`)));
    const quiet = turns.ask(of("quiet", "u"));
    await settle();
    expect(loud.map((turn) => turns.state(turn))).toEqual(["pending", "pending", "pending", "rejected"]);
    expect(turns.begun).toContain(quiet);
  });
});

describe("a spoken answer", () => {
  const heldMs = { audio: 1_200, text: 200 };
  const voice = { heldMs, responseType: "audio" } as const;

  it("is spoken where there is room, becomes a text where others would be late, and is refused last", async () => {
    const turns = await known(heldMs);
    const asked = Array.from({ length: 20 }, (_, i) => turns.ask(of("a", `${i}`), voice));
    await turns.clock.advance(60_000);
    const as = asked.map((turn) => turns.begunAs.get(turn)?.as ?? "refused");
    expect(as.slice(0, 2)).toEqual(["audio", "audio"]);
    expect(as).toContain("text");
    expect(as).toContain("refused");
    expect(as.indexOf("text")).toBeLessThan(as.indexOf("refused"));
    expect(turns.degraded).toContain("text: late");
    // With the pressure gone, it is spoken again.
    const later = turns.ask(of("a", "u"), voice);
    await settle();
    expect(turns.begunAs.get(later)?.as).toBe("audio");
  });

  it("of a network that asks for little is spoken beside one that asks for much", async () => {
    const turns = await known(heldMs);
    for (let i = 0; i < 20; i++) turns.ask(of("a", `${i}`), { ...voice, network: "greedy" });
    const modest = turns.ask(of("a", "u"), { ...voice, network: "modest" });
    await turns.clock.advance(60_000);
    expect(turns.begunAs.get(modest)?.as).toBe("audio");
    expect(turns.degraded).toContain("text: late");
  });

  it("that was asked for as a text stays one", async () => {
    const turns = await known(heldMs);
    const text = turns.ask(of("a", "u"), { heldMs });
    await settle();
    expect(turns.begunAs.get(text)?.as).toBe("text");
    expect(turns.degraded).toEqual([]);
  });
});

describe("while no turns are taken", () => {
  it.each([
    ["heap", "assistant_unavailable"],
    ["event_loop", "assistant_unavailable"],
    ["stopping", "shutting_down"],
  ] as const)(
    "for %s, a new one is told %s, one that runs goes on, and one that cannot wait begins",
    async (reason, code) => {
      const intake: { closedFor: ClosedReason | undefined } = { closedFor: undefined };
      const turns = new TurnsBench({}, intake);
      const running = turns.ask();
      intake.closedFor = reason;
      const refused = turns.ask();
      await settle();
      expect(turns.results[refused]!.now).toMatchObject({ type: "rejected", error: { code } });
      expect(turns.degraded).toEqual([`refusal: ${reason}`]);
      const urgent = { user: { network: "plant", username: "ann" }, responseType: "audio" } as const;
      await expect(turns.admission.runAtOnce(urgent, async (as) => as)).resolves.toBe("audio");
      turns.end(running);
      intake.closedFor = undefined;
      const after = turns.ask();
      await settle();
      expect([turns.state(running), turns.begun.includes(after)]).toEqual(["resolved", true]);
    },
  );
});

/** What is asked, in its order, with the pause before it. */
interface Arrival {
  readonly pauseMs: number;
  readonly peer: string;
  readonly network: string;
  readonly user: number;
  readonly responseType: ResponseType;
  readonly heldMs: Readonly<Record<ResponseType, number>>;
}

const held = fc.record({ audio: fc.integer({ min: 1, max: 2_400 }), text: fc.integer({ min: 1, max: 900 }) });
const arrival = (heldMs: fc.Arbitrary<Arrival["heldMs"]>): fc.Arbitrary<Arrival> =>
  fc.record({
    pauseMs: fc.nat(150),
    peer: fc.constantFrom("a", "b"),
    network: fc.constantFrom("x", "y", "z"),
    user: fc.nat(20),
    responseType: fc.constantFrom("text", "audio"),
    heldMs,
  });

async function play(turns: TurnsBench, arrivals: readonly Arrival[]): Promise<readonly number[]> {
  const asked: number[] = [];
  for (const { peer, user, pauseMs, ...rest } of arrivals) {
    await turns.clock.advance(pauseMs);
    asked.push(turns.ask(of(peer, `${user}`), rest));
  }
  return asked;
}

const PROPERTY = { numRuns: 40 };
const LIMIT_MS = 800;

describe("whatever comes", () => {
  it("no turn begins past its time, and none waits longer", async () => {
    const schedules = fc.asyncProperty(fc.array(arrival(held), { maxLength: 60 }), async (arrivals) => {
      const turns = new TurnsBench({ turnsRunningMax: 3, turnsWaitingMax: 20, turnWaitMsMax: LIMIT_MS });
      const asked = await play(turns, arrivals);
      await turns.clock.advance(LIMIT_MS);
      for (const { waitedMs } of turns.begunAs.values()) expect(waitedMs).toBeLessThan(LIMIT_MS);
      for (const turn of asked)
        expect(turns.begunAs.has(turn) || turns.state(turn) === "rejected").toBe(true);
      await turns.clock.advance(10_000);
      expect(asked.filter((turn) => turns.state(turn) === "pending")).toEqual([]);
      expect(turns.clock.pending).toBe(0);
    });
    await fc.assert(schedules, PROPERTY);
  });

  it("what is refused at once would have begun too late", async () => {
    const heldMs = 600;
    const same = fc.constant({ audio: heldMs, text: heldMs });
    let refusals = 0;
    const schedules = fc.asyncProperty(
      fc.array(arrival(same), { minLength: 20, maxLength: 60 }),
      async (all) => {
        const turns = new TurnsBench({ turnsRunningMax: 3, turnWaitMsMax: LIMIT_MS });
        const asked = await play(turns, all);
        await settle();
        const refused = asked.find((turn) => turns.state(turn) === "rejected");
        if (
          refused === undefined ||
          turns.degraded.find((one) => one.startsWith("refusal")) !== "refusal: late"
        )
          return;
        refusals++;
        // The same, with time to wait and with nobody behind it.
        const patient = new TurnsBench({ turnsRunningMax: 3 });
        await play(patient, all.slice(0, refused + 1));
        await patient.clock.advance(60_000);
        // Places come free in steps of one turn's time, and of those that are even any may be first.
        expect(patient.begunAs.get(refused)!.waitedMs).toBeGreaterThan(LIMIT_MS - 2 * heldMs);
      },
    );
    await fc.assert(schedules, PROPERTY);
    expect(refusals).toBeGreaterThan(0);
  });

  it("a network that asks for little begins, beside one that floods its peer or another", async () => {
    let refusals = 0;
    const flood = fc.array(fc.record({ pauseMs: fc.integer({ min: 50, max: 150 }), heldMs: held }), {
      minLength: 40,
      maxLength: 80,
    });
    const schedules = fc.asyncProperty(fc.constantFrom("a", "b"), flood, async (peer, all) => {
      const turns = new TurnsBench({ turnsRunningMax: 4, turnsWaitingMax: 20, turnWaitMsMax: 3_000 });
      const modest: number[] = [];
      for (const [i, { heldMs, pauseMs }] of all.entries()) {
        await turns.clock.advance(pauseMs);
        for (const user of [2 * i, 2 * i + 1])
          turns.ask(of("a", `${user}`), { network: "greedy", responseType: "audio", heldMs });
        if (modest.every((turn) => turns.state(turn) !== "pending"))
          modest.push(turns.ask(of(peer, "u"), { network: "modest", heldMs: { audio: 300, text: 300 } }));
      }
      await turns.clock.advance(10_000);
      expect(modest.filter((turn) => turns.state(turn) !== "resolved")).toEqual([]);
      refusals += turns.degraded.length;
    });
    await fc.assert(schedules, { numRuns: 15 });
    expect(refusals).toBeGreaterThan(0);
  });
});
