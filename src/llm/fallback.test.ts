/** Several models as one, against servers on real sockets, with everything that goes wrong at one of them. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { RecordedEvents } from "../../test/support/events.js";
import { HANG, ScriptedModel } from "../../test/support/fake-model.js";
import {
  type ChatReply,
  cutReply,
  errorReply,
  hangReply,
  rawReply,
  refusalReply,
  textReply,
} from "../../test/support/openai-replies.js";
import { OpenAiServer } from "../../test/support/openai-server.js";
import { VirtualClock } from "../../test/support/virtual-clock.js";
import { Breaker } from "./breaker.js";
import { CHANCE_MS, FallbackModel, type Provider } from "./fallback.js";
import { OpenAiModel } from "./openai.js";
import { type LanguageModel, type ModelEvent, ModelFailure, type ModelRequest } from "./port.js";
import { type RetryDeps, streamWithRetry } from "./retry.js";

const request: ModelRequest = {
  messages: [{ role: "user", content: "How long?" }],
  tools: [],
  toolChoice: "none",
  outputTokensMax: 100,
};
const never = new AbortController().signal;
const PAUSE_MS = 10_000;

let clock: VirtualClock;
let events: RecordedEvents;
let first: OpenAiServer;
let second: OpenAiServer;

beforeEach(async () => {
  clock = new VirtualClock();
  events = new RecordedEvents();
  first = await OpenAiServer.start({ apiKey: "key-of-the-first" });
  second = await OpenAiServer.start({ apiKey: "key-of-the-second" });
});
afterEach(async () => {
  await Promise.all([first.close(), second.close()]);
});

function provider(model: LanguageModel, price?: Provider["price"]): Provider {
  const limits = { failuresMax: 3, pauseMs: PAUSE_MS, pauseMsMax: PAUSE_MS };
  const breaker = new Breaker(clock, limits, (state) =>
    events.emit({ type: "model_breaker_changed", model: model.name, state }),
  );
  return { model, price, breaker };
}

function at(server: OpenAiServer, name: string, price?: Provider["price"]): Provider {
  const options = {
    model: name,
    baseUrl: server.baseUrl,
    apiKey: server.apiKey,
    temperature: 0,
    firstByteTimeoutMs: 15_000,
    idleTimeoutMs: 3_000,
  };
  return provider(new OpenAiModel(clock, options), price);
}

const joined = (...providers: [Provider, ...Provider[]]) =>
  new FallbackModel(providers, { slot: "main", clock, telemetry: events });

const both = () =>
  joined(
    at(first, "big", { inputPerMillion: 1, outputPerMillion: 4 }),
    at(second, "small", { inputPerMillion: 0.5, outputPerMillion: 2 }),
  );

async function read(stream: AsyncIterable<ModelEvent>): Promise<{ text: string; by: string | undefined }> {
  let text = "";
  let by: string | undefined;
  for await (const event of stream) {
    if (event.type === "text") text += event.text;
    else by = event.usage.model;
  }
  return { text, by };
}

const states = () => events.of("model_breaker_changed").map(({ model, state }) => `${model} ${state}`);

describe("a model made of several", () => {
  it("asks the first, and says who has answered and what it cost", async () => {
    first.expectChat(textReply("Two minutes."));
    const { usage } = await both().complete(request, never);
    expect(usage).toEqual({
      inputTokens: 100,
      outputTokens: 20,
      model: "big",
      costUsd: expect.closeTo(0.000_18, 12),
    });
    expect(second.requests).toEqual([]);
    expect(both().name).toBe("big, then small");
  });

  it.each<[string, ChatReply]>([
    ["answers 500", errorReply(500)],
    ["answers 429", errorReply(429, { retryAfterS: 60 })],
    ["refuses the key", errorReply(401)],
    ["refuses the request", errorReply(400)],
    ["closes without a byte", cutReply],
    ["answers nonsense", rawReply("text/html", "<h1>Welcome</h1>")],
    ["has nothing to say", textReply("")],
    ["will not answer", refusalReply()],
    ["breaks off before the first word", textReply("", { ending: "cut" })],
  ])("asks the next when the first %s", async (_what, reply) => {
    first.expectChat(reply).expectChat(reply);
    second.expectChat(textReply("Two minutes.")).expectChat(textReply("Two minutes."));
    const reply2 = await both().complete(request, never);
    expect(reply2).toMatchObject({ text: "Two minutes.", usage: { model: "small" } });
    expect(reply2.usage.costUsd).toBeCloseTo(0.000_09, 12);
    expect(await read(both().stream(request, never))).toEqual({ text: "Two minutes.", by: "small" });
    expect(events.of("model_fallback")).toHaveLength(2);
    expect(events.of("model_fallback")[0]).toMatchObject({ slot: "main", from: "big", to: "small" });
    first.verify();
    second.verify();
  });

  it("asks the next when nobody is at home, with a key of its own and no other", async () => {
    await first.close();
    second.expectChat(textReply("Two minutes."));
    expect((await both().complete(request, never)).text).toBe("Two minutes.");
    const [asked] = second.requests;
    expect(asked?.headers.authorization).toBe("Bearer key-of-the-second");
    expect(JSON.stringify([asked?.headers, asked?.body, events.all])).not.toContain("key-of-the-first");
  });

  it("fails with what is worth another attempt, and asks nobody again who refused", async () => {
    first.expectChat(errorReply(400));
    second.expectChat(errorReply(503)).expectChat(textReply("Two minutes."));
    const model = both();
    await expect(model.complete(request, never)).rejects.toMatchObject({ kind: "unavailable" });
    expect((await model.complete(request, never)).usage.model).toBe("small");
    first.verify();
  });

  it("fails at once when everybody has refused", async () => {
    first.expectChat(errorReply(400));
    second.expectChat(errorReply(404));
    const model = both();
    for (let attempts = 0; attempts < 2; attempts++)
      await expect(model.complete(request, never)).rejects.toMatchObject({ kind: "rejected" });
    first.verify();
    second.verify();
  });

  it("stops with the caller, and blames nobody for it", async () => {
    first.expectChat(hangReply);
    const turn = new AbortController();
    const reason = new Error("barge-in");
    const model = both();
    const done = expect(model.complete(request, turn.signal)).rejects.toBe(reason);
    await first.received(1);
    turn.abort(reason);
    await done;
    expect(events.all).toMatchObject([{ type: "model_called", model: "big", result: "aborted" }]);
    expect(clock.pending).toBe(0);
  });

  it("does not hide a mistake of ours behind another model", async () => {
    const broken = new ScriptedModel(clock).expectReply(new TypeError("a bug"));
    await expect(joined(provider(broken), at(second, "small")).complete(request, never)).rejects.toThrow(
      "a bug",
    );
  });
});

describe("time", () => {
  const hanging = () => new ScriptedModel(clock).expectReply(HANG).expectStream(HANG);

  it("is kept for those that come later", async () => {
    const done = read(
      joined(provider(hanging().expectStream()), at(second, "small")).stream(
        { ...request, giveUpAtMs: clock.monotonic() + 17_000 },
        never,
      ),
    );
    second.expectChat(textReply("Two minutes."));
    await clock.advance(17_000 - CHANCE_MS - 1);
    expect(second.requests).toHaveLength(0);
    await clock.advance(1);
    expect(await done).toEqual({ text: "Two minutes.", by: "small" });
  });

  it("is shared evenly when there is little, and who got little is not blamed", async () => {
    const models = [hanging(), hanging(), hanging()].map((model) => provider(model));
    const model = joined(models[0]!, ...models.slice(1));
    for (let requests = 0; requests < 5; requests++) {
      const timed = { ...request, giveUpAtMs: clock.monotonic() + 3_000 };
      for (const { model } of models) (model as ScriptedModel).expectReply(HANG);
      const done = expect(model.complete(timed, never)).rejects.toMatchObject({ kind: "timeout" });
      await clock.advance(3_000);
      await done;
    }
    expect(states()).toEqual([]);
  });

  it("that is over starts nothing", async () => {
    const model = joined(at(first, "big"));
    const late = { ...request, giveUpAtMs: clock.monotonic() + 100 };
    await expect(model.complete(late, never)).rejects.toMatchObject({ kind: "timeout" });
    await expect(read(model.stream(late, never))).rejects.toBeInstanceOf(ModelFailure);
    expect(first.requests).toEqual([]);
  });
});

describe("the breaker of a server", () => {
  it("opens, passes it over, and closes by a probe", async () => {
    const model = both();
    const ask = () => model.complete({ ...request }, never);
    for (let failures = 0; failures < 3; failures++) first.expectChat(errorReply(500));
    for (let asked = 0; asked < 6; asked++) second.expectChat(textReply("Two minutes."));
    for (let asked = 0; asked < 5; asked++) expect((await ask()).usage.model).toBe("small");
    expect(first.requests).toHaveLength(3);
    await clock.advance(PAUSE_MS);
    first.expectChat(errorReply(500)).expectChat(textReply("Two minutes."));
    expect((await ask()).usage.model).toBe("small");
    await clock.advance(PAUSE_MS);
    expect((await ask()).usage.model).toBe("big");
    expect(states()).toEqual(["big open", "big probing", "big open", "big probing", "big closed"]);
    first.verify();
    second.verify();
  });

  it("sends everybody elsewhere while one request tries it out", async () => {
    const model = both();
    for (let failures = 0; failures < 3; failures++) {
      first.expectChat(errorReply(500));
      second.expectChat(textReply("Two minutes."));
      await model.complete({ ...request }, never);
    }
    await clock.advance(PAUSE_MS);
    let release = () => {};
    const written = new Promise<void>((resolve) => {
      release = resolve;
    });
    async function* slowly() {
      await written;
      yield "Two minutes.";
    }
    first.expectChat(textReply(slowly()));
    second.expectChat(textReply("Two minutes."));
    const probe = model.complete({ ...request }, never);
    await first.received(4);
    expect((await model.complete({ ...request }, never)).usage.model).toBe("small");
    release();
    expect((await probe).usage.model).toBe("big");
  });

  it("stays closed for 429, for refusals, and for listeners who leave", async () => {
    const model = joined(at(first, "big"));
    for (let times = 0; times < 4; times++) {
      first
        .expectChat(errorReply(429))
        .expectChat(errorReply(400))
        .expectChat(textReply("Two min", { ending: "hang" }));
      await expect(model.complete({ ...request }, never)).rejects.toMatchObject({ kind: "rate_limited" });
      await expect(model.complete({ ...request }, never)).rejects.toMatchObject({ kind: "rejected" });
      for await (const event of model.stream({ ...request }, never)) if (event.type === "text") break;
    }
    expect(states()).toEqual([]);
  });

  it("tells how long it stays open when there is nobody else", async () => {
    const model = joined(at(first, "big"));
    for (let failures = 0; failures < 3; failures++) {
      first.expectChat(textReply("Two min", { ending: "cut" }));
      await expect(read(model.stream({ ...request }, never))).rejects.toMatchObject({ kind: "cut" });
    }
    await expect(model.complete({ ...request }, never)).rejects.toMatchObject({
      kind: "unavailable",
      retryAfterMs: PAUSE_MS,
    });
    first.verify();
  });
});

describe("with retries", () => {
  const limits = { attemptsMax: 3, delayMs: 0, delayMaxMs: 0 };
  const deps = (model: LanguageModel): RetryDeps => ({
    model,
    clock,
    random: { fraction: () => 1, id: () => "" },
    limits,
  });
  const told = (model: LanguageModel, rewind: () => boolean) =>
    read(streamWithRetry(deps(model), request, clock.monotonic() + 17_000, rewind, never));

  it("nobody else goes on once something has been said", async () => {
    first.expectChat(textReply("Two min", { ending: "cut" }));
    await expect(told(both(), () => false)).rejects.toMatchObject({ kind: "cut" });
    expect(second.requests).toEqual([]);
    first.verify();
  });

  it("somebody else begins again when what was said can be taken back", async () => {
    first.expectChat(textReply("Two min", { ending: "cut" }));
    second.expectChat(textReply("Three minutes."));
    const done = told(both(), () => true);
    while (second.requests.length === 0) await clock.advance(0);
    expect(await done).toEqual({ text: "Two minThree minutes.", by: "small" });
  });
});
