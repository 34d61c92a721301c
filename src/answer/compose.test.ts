import { getEventListeners } from "node:events";
import { beforeEach, describe, expect, it } from "vitest";
import { RecordedEvents } from "../../test/support/events.js";
import { HANG, ScriptedModel, usage } from "../../test/support/fake-model.js";
import { VirtualClock } from "../../test/support/virtual-clock.js";
import { watch } from "../../test/support/watch.js";
import { DeadlineExceeded } from "../lib/deadline.js";
import { ModelFailure, type ModelRequest } from "../llm/port.js";
import { composed } from "./compose.js";

const request: ModelRequest = { messages: [], tools: [], toolChoice: "none", outputTokensMax: 500 };
const cut = new ModelFailure("cut", "the answer broke off");
const BEGIN_WITHIN_MS = 5_000;

let clock: VirtualClock;
let events: RecordedEvents;
let model: ScriptedModel;
let stop: AbortController;
/** The text that has come out and was not taken back. */
let said: string;
/** Whether what was said has left: then there is no way back. */
let left: boolean;

beforeEach(() => {
  clock = new VirtualClock();
  events = new RecordedEvents();
  model = new ScriptedModel(clock);
  stop = new AbortController();
  said = "";
  left = false;
});

function run() {
  const limits = { attemptsMax: 3, delayMs: 200, delayMaxMs: 1_000 };
  const retry = { model, clock, random: { fraction: () => 1, id: () => "id" }, limits };
  const rewind = () => {
    if (!left) said = "";
    return !left;
  };
  const user = { network: "plant", username: "ann" };
  const deps = { telemetry: events, user, slot: "main", retry, rewind } as const;
  const texts = composed(request, clock.monotonic() + BEGIN_WITHIN_MS, deps, stop.signal);
  return watch(
    (async () => {
      for await (const text of texts) said += text;
    })(),
  );
}

/** Nothing is left running, and nothing listens any more. */
function expectClean(): void {
  model.verify();
  expect(clock.pending).toBe(0);
  expect(getEventListeners(stop.signal, "abort")).toEqual([]);
}

describe("composed", () => {
  it("passes the answer on as it is written, then its end", async () => {
    model.expectStream("Lock ", 100, "it.");
    const answer = run();
    await clock.advance(0);
    expect(said).toBe("Lock ");
    await clock.advance(100);
    expect(said).toBe("Lock it.");
    expect(answer.now).toEqual({ type: "resolved", value: undefined });
    expect(events.of("tokens_used")).toMatchObject([{ stage: "compose", slot: "main", ...usage }]);
    expectClean();
  });

  it("begins again as long as nothing has left", async () => {
    model.expectStream("Lo", cut).expectStream(new ModelFailure("unavailable", "x")).expectStream("Lock it.");
    const answer = run();
    await clock.advance(200 + 400);
    expect(said).toBe("Lock it.");
    expect(answer.now.type).toBe("resolved");
    expectClean();
  });

  it("does not begin again once something has left", async () => {
    model.expectStream("Lock ", 100, cut);
    const answer = run();
    await clock.advance(0);
    left = true;
    await clock.advance(100);
    expect(answer.now).toEqual({ type: "rejected", error: cut });
    expect(said).toBe("Lock ");
    expectClean();
  });

  it.each(["length", "content_filter", "refusal"] as const)(
    "takes %s for a failure, not worth another try",
    async (end) => {
      model.expectStream("Lock", { end });
      const answer = run();
      await clock.advance(0);
      expect(answer.now).toMatchObject({
        type: "rejected",
        error: { kind: "rejected", message: `the answer ended before its end: ${end}` },
      });
      expectClean();
    },
  );

  it("must begin in time", async () => {
    model.expectStream(HANG);
    const answer = run();
    await clock.advance(BEGIN_WITHIN_MS - 1);
    expect(answer.now.type).toBe("pending");
    await clock.advance(1);
    expect(answer.now).toMatchObject({
      type: "rejected",
      error: {
        name: "ModelFailure",
        kind: "timeout",
        message: "the beginning of the answer took longer than 5000 ms",
      },
    });
    expectClean();
  });

  it("is taken back when what it wrote has not left in time", async () => {
    model.expectStream("Lock", HANG);
    const answer = run();
    await clock.advance(BEGIN_WITHIN_MS);
    expect(said).toBe("");
    expect(answer.now).toMatchObject({ type: "rejected", error: { kind: "timeout" } });
    expectClean();
  });

  it("may take its time once something has left", async () => {
    model.expectStream("Lock ", 2 * BEGIN_WITHIN_MS, "it.");
    const answer = run();
    await clock.advance(0);
    left = true;
    await clock.advance(2 * BEGIN_WITHIN_MS);
    expect(said).toBe("Lock it.");
    expect(answer.now.type).toBe("resolved");
    expectClean();
  });

  it("ends with the signal's reason, before or after something has left", async () => {
    for (const departed of [false, true]) {
      stop = new AbortController();
      model.expectStream("Lock", HANG);
      const answer = run();
      await clock.advance(10);
      left = departed;
      stop.abort("stop");
      await clock.advance(0);
      expect(answer.now).toEqual({ type: "rejected", error: "stop" });
      expectClean();
    }
  });

  it("does not take the end of the turn's time for a failure of the model", async () => {
    model.expectStream("Lock", HANG);
    const answer = run();
    await clock.advance(10);
    const over = new DeadlineExceeded("the answer", 20_000);
    stop.abort(over);
    await clock.advance(0);
    expect(answer.now).toEqual({ type: "rejected", error: over });
    expectClean();
  });

  it("does not begin under a signal that is aborted, and not when the time is over", async () => {
    stop.abort("stop");
    model.expectStream(HANG);
    const answer = run();
    await clock.advance(0);
    expect(answer.now).toEqual({ type: "rejected", error: "stop" });
    expectClean();
  });
});
