/** Calls for help, stops and denials begin whatever else is asked, typed or spoken; all else waits, or is refused. */
import { describe, expect, it } from "vitest";
import { settle } from "../../test/support/virtual-clock.js";
import { watch } from "../../test/support/watch.js";
import type { HeardRequest, ListeningResult, TurnRequest } from "../domain/turn.js";
import { TurnsBench } from "./admission-bench.test-util.js";
import { runWhenAdmitted } from "./urgent.js";

const user = { network: "plant", username: "ann" };
const context = { id: "t-1", user, responseType: "audio", features: [], groups: [] } as const;
const typed = (text: string): TurnRequest => ({ ...context, text });
const spoken = (words: Promise<ListeningResult>): HeardRequest => ({ ...context, messageId: 1, words });
const heard = (text: string) => spoken(Promise.resolve({ type: "words", text }));

type Fullness = "closed" | "no room" | "late";

/** A service that takes no turn: its intake is closed, its line is full, or whoever waits would be late. */
async function full(how: Fullness): Promise<TurnsBench> {
  const turns = new TurnsBench(
    { turnsRunningMax: 1, turnsWaitingMax: 1, turnWaitMsMax: 1_000 },
    how === "closed" ? { closedFor: "heap" } : undefined,
  );
  if (how === "late") {
    turns.ask(undefined, { heldMs: { audio: 5_000, text: 5_000 } });
    await turns.clock.advance(5_000);
  }
  if (how === "closed") return turns;
  turns.ask();
  if (how === "no room") turns.ask();
  await settle();
  return turns;
}

function run(turns: TurnsBench, request: TurnRequest | HeardRequest, hasPending = false) {
  const stop = new AbortController();
  const begin = async (as: string) => as;
  const turn = { request, isUrgent: false, hasPending };
  return { stop, outcome: watch(runWhenAdmitted(turn, begin, turns.admission, stop.signal)) };
}

describe.each(["closed", "no room", "late"] as const)("where it is %s", (how) => {
  it.each([
    ["Stop.", false],
    ["stopp", false],
    ["never mind", false],
    ["No!", false],
    ["Help, he is not breathing!", false],
    ["don't do that, wait", true],
    ["ні, зупини", true],
  ])("%s begins at once, with its voice", async (text, hasPending) => {
    for (const request of [typed(text), heard(text)]) {
      const { outcome } = run(await full(how), request, hasPending);
      await settle();
      expect(outcome.now).toEqual({ type: "resolved", value: "audio" });
    }
  });

  it.each([
    ["How do I stop the conveyor?", false],
    ["Which pump has no pressure?", false],
    ["Where is the padlock?", true],
  ])("%s does not", async (text, hasPending) => {
    for (const request of [typed(text), heard(text)]) {
      const turns = await full(how);
      const { outcome, stop } = run(turns, request, hasPending);
      await settle();
      expect(outcome.now.type).toBe(how === "no room" ? "pending" : "rejected");
      stop.abort("over");
      await settle();
      expect(outcome.now.type).toBe("rejected");
    }
  });

  it("what is spoken begins when it turns out to be one, and not when its user has left meanwhile", async () => {
    const turns = await full(how);
    let resolve: (heard: ListeningResult) => void = () => {};
    const words = new Promise<ListeningResult>((hear) => {
      resolve = hear;
    });
    const leaves = run(turns, spoken(words));
    const stays = run(turns, spoken(words));
    await settle();
    leaves.stop.abort("gone");
    await settle();
    expect([stays.outcome.now.type, leaves.outcome.now.type]).toEqual(["pending", "rejected"]);
    resolve({ type: "words", text: "stop" });
    await settle();
    expect(stays.outcome.now).toEqual({ type: "resolved", value: "audio" });
  });
});
