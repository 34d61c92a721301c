/** The slots that settings come to, against servers on real sockets: who is asked, with which key, in which dialect. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { RecordedEvents } from "../../test/support/events.js";
import { errorReply, textReply } from "../../test/support/openai-replies.js";
import { OpenAiServer } from "../../test/support/openai-server.js";
import { VirtualClock } from "../../test/support/virtual-clock.js";
import { loadConfig } from "../config/load.js";
import type { ModelRequest } from "../llm/port.js";
import { createModels, type Models } from "./models.js";

const request: ModelRequest = {
  messages: [{ role: "user", content: "How long?" }],
  tools: [],
  toolChoice: "none",
  outputTokensMax: 100,
};
const never = new AbortController().signal;

let home: OpenAiServer;
let away: OpenAiServer;
let events: RecordedEvents;

beforeEach(async () => {
  home = await OpenAiServer.start({ apiKey: "home-key" });
  away = await OpenAiServer.start({ apiKey: "away-key" });
  events = new RecordedEvents();
});
afterEach(async () => {
  await Promise.all([home.close(), away.close()]);
});

/** The address of a server under another name: to the settings that is another machine. */
const elsewhere = (server: OpenAiServer) => server.baseUrl.replace("127.0.0.1", "localhost");

function modelsOf(llm: object): Models {
  const { config } = loadConfig({}, { llm });
  return createModels(config, { clock: new VirtualClock(), telemetry: events });
}

const main = () => ({ base_url: home.baseUrl, api_key: "home-key", model: "big", attempts_max: 4 });
const ask = (slot: Models["main"]) => slot!.model.complete({ ...request }, never);
const keysAt = (server: OpenAiServer) => server.requests.map(({ headers }) => headers.authorization);

describe("without a model", () => {
  it("has no slot, but for a judge and a verifier that are set", () => {
    const none = { main: undefined, conversational: undefined, judge: undefined, verifier: undefined };
    expect(modelsOf({})).toEqual(none);
    const set = { base_url: away.baseUrl, model: "strict" };
    const { main, judge, verifier } = modelsOf({ judge: set, verifier: set });
    expect(verifier).toMatchObject({ name: "verifier" });
    expect(main).toBeUndefined();
    expect(judge).toMatchObject({ name: "judge" });
  });
});

describe("the slots", () => {
  it("are the main model's where nothing else is said", async () => {
    const models = modelsOf({ ...main(), price: { input_per_million: 1, output_per_million: 1 } });
    expect(models.judge).toBeUndefined();
    expect(models.main).toMatchObject({
      name: "main",
      limits: { attemptsMax: 4, delayMs: 250, delayMaxMs: 2_000 },
      outputTokensMax: 500,
      price: { inputPerMillion: 1, outputPerMillion: 1 },
    });
    expect(models.conversational).toMatchObject({ name: "conversational", price: models.main?.price });
    home.expectChat(textReply("Yes.")).expectChat(textReply("Yes."));
    for (const slot of [models.main, models.conversational])
      expect((await ask(slot)).usage).toMatchObject({ model: "big", costUsd: 0.000_12 });
    expect(keysAt(home)).toEqual(["Bearer home-key", "Bearer home-key"]);
  });

  it("set what they set, and have no price that is another model's", async () => {
    const { conversational } = modelsOf({
      ...main(),
      price: { input_per_million: 1, output_per_million: 1 },
      conversational: { model: "small", output_tokens_max: 60, temperature: null },
    });
    expect(conversational).toMatchObject({ outputTokensMax: 60, price: undefined });
    home.expectChat(textReply("Yes."), (body) => {
      expect(body.model).toBe("small");
      expect(body).not.toHaveProperty("temperature");
    });
    expect((await ask(conversational)).usage).not.toHaveProperty("costUsd");
    home.verify();
  });

  it("know a server by its address, and take the settings' word before that", async () => {
    const { conversational } = modelsOf({ ...main(), dialect: "vllm", conversational: { model: "small" } });
    home.expectChat(textReply("Yes."), (body) => expect(body.max_tokens).toBe(100));
    await ask(conversational);
    home.verify();
  });
});

describe("keys", () => {
  it("go to the machine that they are for", async () => {
    const {
      conversational,
      judge,
      main: mainSlot,
    } = modelsOf({
      ...main(),
      organization: "org-home",
      conversational: { base_url: elsewhere(away), fallbacks: [] },
      judge: { base_url: elsewhere(away), api_key: "away-key" },
      fallbacks: [{ model: "small", base_url: elsewhere(away) }],
    });
    away.expectChat(textReply("Yes."));
    await expect(ask(conversational)).rejects.toMatchObject({ kind: "rejected" });
    await ask(judge);
    home.expectChat(errorReply(500));
    await expect(ask(mainSlot)).rejects.toMatchObject({ kind: "unavailable" });
    expect(keysAt(away)).toEqual(["Bearer none", "Bearer away-key", "Bearer none"]);
    expect(away.requests.map(({ headers }) => headers["openai-organization"])).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(home.requests[0]?.headers["openai-organization"]).toBe("org-home");
    expect(JSON.stringify(events.all)).not.toMatch(/home-key|away-key/);
  });
});

describe("fallbacks", () => {
  const fallbacks = () => [
    { model: "medium" },
    {
      model: "small",
      base_url: elsewhere(away),
      api_key: "away-key",
      price: { input_per_million: 2, output_per_million: 5 },
    },
  ];

  it("are asked in order, each at its server, and are named by it", async () => {
    const models = modelsOf({ ...main(), fallbacks: fallbacks() });
    const { host } = new URL(elsewhere(away));
    expect(models.main?.model.name).toBe(`big, then medium, then small at ${host}`);
    home.expectChat(errorReply(500)).expectChat(errorReply(503), (body) => expect(body.model).toBe("medium"));
    away.expectChat(textReply("Yes."));
    expect((await ask(models.main)).usage).toMatchObject({ model: `small at ${host}`, costUsd: 0.000_3 });
    expect(events.of("model_fallback").map(({ from, to }) => [from, to])).toEqual([
      ["big", "medium"],
      ["medium", `small at ${host}`],
    ]);
    home.verify();
  });

  it("stand in for the conversational model too, where they are, and for no judge", async () => {
    const models = modelsOf({
      ...main(),
      fallbacks: fallbacks(),
      conversational: { base_url: elsewhere(away), api_key: "away-key", model: "chatty" },
      judge: { model: "strict" },
    });
    away.expectChat(errorReply(500), (body) => expect(body.model).toBe("chatty"));
    home.expectChat(textReply("Yes."), (body) => expect(body.model).toBe("medium"));
    expect((await ask(models.conversational)).text).toBe("Yes.");
    expect(keysAt(home)).toEqual(["Bearer home-key"]);
    home.expectChat(errorReply(500), (body) => expect(body.model).toBe("strict"));
    await expect(ask(models.judge)).rejects.toMatchObject({ kind: "unavailable" });
    home.verify();
    away.verify();
  });

  it("share one breaker with every slot that uses the same model", async () => {
    const models = modelsOf({ ...main(), breaker: { failures_max: 2 } });
    home.expectChat(errorReply(500)).expectChat(errorReply(500));
    await expect(ask(models.main)).rejects.toMatchObject({ kind: "unavailable" });
    await expect(ask(models.conversational)).rejects.toMatchObject({ kind: "unavailable" });
    expect(events.of("model_breaker_changed")).toEqual([
      { type: "model_breaker_changed", model: "big", state: "open" },
    ]);
    await expect(ask(models.main)).rejects.toMatchObject({ retryAfterMs: 10_000 });
    expect(home.requests).toHaveLength(2);
  });
});
