import { beforeEach, describe, expect, it } from "vitest";
import { VirtualClock } from "../../test/support/virtual-clock.js";
import {
  type LanguageModel,
  type ModelEvent,
  ModelFailure,
  type ModelReply,
  type ModelRequest,
} from "./port.js";
import { completeWithRetry, type RetryDeps, streamWithRetry } from "./retry.js";

const request: ModelRequest = { messages: [], tools: [], toolChoice: "none", outputTokensMax: 100 };
const reply: ModelReply = { calls: [], text: "Yes.", usage: { inputTokens: 1, outputTokens: 1 } };
const end: ModelEvent = { type: "end", reason: "complete", usage: reply.usage };
const never = new AbortController().signal;

let clock: VirtualClock;
let startMs: number;
let attemptsAtMs: number[];

beforeEach(() => {
  clock = new VirtualClock();
  startMs = clock.monotonic();
  attemptsAtMs = [];
});

/** A model whose attempts end as scripted, one after the other. */
function depsFor(...script: (ModelFailure | ModelEvent[])[]): RetryDeps {
  const next = () => {
    attemptsAtMs.push(clock.monotonic() - startMs);
    return script.shift() ?? new Error("one attempt too many");
  };
  const model: LanguageModel = {
    name: "scripted",
    async complete() {
      const step = next();
      if (Array.isArray(step)) return reply;
      throw step;
    },
    async *stream() {
      const step = next();
      if (!Array.isArray(step)) throw step;
      yield* step;
      if (step.at(-1)?.type !== "end") throw new ModelFailure("cut", "cut");
    },
  };
  const limits = { attemptsMax: 3, delayMs: 250, delayMaxMs: 2_000 };
  return { model, clock, random: { fraction: () => 1, id: () => "" }, limits };
}

const down = () => new ModelFailure("unavailable", "down");
const complete = (deps: RetryDeps, allowedMs = 15_000, signal = never) =>
  completeWithRetry(deps, request, startMs + allowedMs, signal);

describe("completeWithRetry", () => {
  it("tries again after pauses that double", async () => {
    const done = complete(depsFor(down(), down(), []));
    await clock.advance(10_000);
    expect(await done).toBe(reply);
    expect(attemptsAtMs).toEqual([0, 250, 750]);
  });

  it("gives up with the last failure after the last attempt", async () => {
    const last = new ModelFailure("malformed", "third");
    const done = expect(complete(depsFor(down(), down(), last))).rejects.toBe(last);
    await clock.advance(10_000);
    await done;
  });

  it("does not repeat what the server has refused, nor our own mistakes", async () => {
    const refused = new ModelFailure("rejected", "401");
    await expect(complete(depsFor(refused))).rejects.toBe(refused);
    await expect(complete(depsFor())).rejects.toThrow("one attempt too many");
    expect(attemptsAtMs).toHaveLength(2);
  });

  it("waits as long as the server asks, if there is time for that", async () => {
    const done = complete(depsFor(new ModelFailure("rate_limited", "429", 4_000), []));
    await clock.advance(10_000);
    await done;
    expect(attemptsAtMs).toEqual([0, 4_000]);
    const limited = new ModelFailure("rate_limited", "429", 20_000);
    startMs = clock.monotonic();
    await expect(complete(depsFor(limited))).rejects.toBe(limited);
  });

  it("does not start an attempt after its time", async () => {
    const failure = down();
    await expect(complete(depsFor(failure), 250)).rejects.toBe(failure);
  });

  it("stops in a pause", async () => {
    const turn = new AbortController();
    const reason = new Error("cancelled");
    const done = expect(complete(depsFor(down()), 15_000, turn.signal)).rejects.toBe(reason);
    await clock.advance(100);
    turn.abort(reason);
    await done;
    expect(clock.pending).toBe(0);
  });
});

describe("streamWithRetry", () => {
  async function texts(deps: RetryDeps, rewind = () => false): Promise<string[]> {
    const all: string[] = [];
    for await (const event of streamWithRetry(deps, request, startMs + 15_000, rewind, never)) {
      all.push(event.type === "text" ? event.text : event.reason);
    }
    return all;
  }

  it("tries again before the first text", async () => {
    const done = texts(depsFor(down(), [{ type: "text", text: "Yes." }, end]));
    await clock.advance(10_000);
    expect(await done).toEqual(["Yes.", "complete"]);
  });

  it("says nothing twice", async () => {
    await expect(texts(depsFor([{ type: "text", text: "Ye" }]))).rejects.toThrow("cut");
    expect(attemptsAtMs).toHaveLength(1);
  });

  it("begins again when what came can be taken back", async () => {
    const done = texts(
      depsFor([{ type: "text", text: "Ye" }], [{ type: "text", text: "Yes." }, end]),
      () => true,
    );
    await clock.advance(10_000);
    expect(await done).toEqual(["Ye", "Yes.", "complete"]);
  });
});
