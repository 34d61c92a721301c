/** The adapter against a faithful server on real sockets, with every fault that a model server is known for. */
import { getEventListeners } from "node:events";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  cutReply,
  errorReply,
  hangReply,
  rawReply,
  refusalReply,
  searchReply,
  textReply,
  toolReply,
} from "../../test/support/openai-replies.js";
import type { ChatBody } from "../../test/support/openai-requests.js";
import { OpenAiServer } from "../../test/support/openai-server.js";
import { VirtualClock } from "../../test/support/virtual-clock.js";
import { OpenAiModel, type OpenAiModelOptions, STREAM_MS_MAX } from "./openai.js";
import { dialectOf } from "./openai-dialect.js";
import { replyCharsMax } from "./openai-reply.js";
import { type ModelEvent, ModelFailure, type ModelRequest } from "./port.js";

const SECRET_QUESTION = "how long do I bleed the compressor";
const TOOL = {
  name: "retrieve_relevant_documents",
  description: "Searches.",
  parameters: {
    type: "object",
    properties: { search_query: { type: "string" } },
    required: ["search_query"],
  },
};
const ask: ModelRequest = {
  messages: [
    { role: "system", content: "Answer." },
    { role: "user", content: SECRET_QUESTION },
  ],
  tools: [TOOL],
  toolChoice: "required",
  outputTokensMax: 300,
};
const CALL = { id: "call_1", name: TOOL.name, arguments: '{"search_query":"bleed compressor"}' };
const answer: ModelRequest = {
  ...ask,
  messages: [
    ...ask.messages,
    { role: "tool_calls", calls: [CALL] },
    { role: "tool", callId: "call_1", content: "Two minutes." },
  ],
  toolChoice: "none",
};

let server: OpenAiServer;
let clock: VirtualClock;
let model: OpenAiModel;
const never = new AbortController().signal;

function modelWith(options: Partial<OpenAiModelOptions> = {}): OpenAiModel {
  return new OpenAiModel(clock, {
    model: "gpt-4.1-mini",
    baseUrl: server.baseUrl,
    apiKey: server.apiKey,
    temperature: 0,
    firstByteTimeoutMs: 15_000,
    idleTimeoutMs: 3_000,
    ...options,
  });
}

beforeEach(async () => {
  server = await OpenAiServer.start();
  clock = new VirtualClock();
  model = modelWith();
});
afterEach(async () => {
  await server.close();
});

async function collect(events: AsyncIterable<ModelEvent>): Promise<ModelEvent[]> {
  const all: ModelEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

/** The failure that `work` ends in; it must quote neither the key nor what was asked. */
async function failureOf(work: Promise<unknown>): Promise<ModelFailure> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ModelFailure);
  const failure = error as ModelFailure;
  const told = `${failure.message} ${failure.stack} ${String(failure.cause)}`;
  expect(told).not.toContain(server.apiKey);
  expect(told).not.toContain(SECRET_QUESTION);
  return failure;
}

describe("complete", () => {
  it("forces one tool call", async () => {
    server.expectChat(searchReply("bleed compressor"), (body) => {
      expect(body).toEqual({
        model: "gpt-4.1-mini",
        messages: [
          { role: "system", content: "Answer." },
          { role: "user", content: SECRET_QUESTION },
        ],
        tools: [{ type: "function", function: TOOL }],
        tool_choice: "required",
        parallel_tool_calls: false,
        max_completion_tokens: 300,
        temperature: 0,
        stream: false,
      });
    });
    expect(await model.complete(ask, never)).toEqual({
      calls: [CALL],
      text: "",
      usage: { inputTokens: 100, outputTokens: 20 },
    });
    server.verify();
  });

  it.each(["arguments", "text"])("takes no %s without an end", async (what) => {
    const written = "never ends ".repeat(100_000);
    const search_query = JSON.stringify({ search_query: written });
    const isText = what === "text";
    server.expectChat(
      isText ? textReply(written) : toolReply([{ name: TOOL.name, arguments: search_query }]),
    );
    await expect(model.complete(isText ? answer : ask, never)).rejects.toMatchObject({
      kind: "malformed",
      message: "the answer is too long",
    });
  });

  it("names the class of service that is set, to a server that knows it", async () => {
    const tiers: unknown[] = [];
    for (const name of ["openai", "ollama"] as const) {
      server.expectChat(textReply("Yes."), (body) => tiers.push(body.service_tier));
      const tiered = modelWith({ serviceTier: "priority", dialect: dialectOf(name, undefined) });
      await tiered.complete({ ...ask, tools: [], toolChoice: "none" }, never);
    }
    expect(tiers).toEqual(["priority", undefined]);
    server.verify();
  });

  it("hands over several calls, for the caller to answer each", async () => {
    server.expectChat(searchReply("one", "two"));
    const { calls } = await model.complete(ask, never);
    expect(calls.map((call) => call.id)).toEqual(["call_1", "call_2"]);
  });

  it("answers in text without tools", async () => {
    server.expectChat(textReply("Two minutes."), (body) => {
      expect(body).not.toHaveProperty("tools");
      expect(body).not.toHaveProperty("tool_choice");
      expect(body).not.toHaveProperty("parallel_tool_calls");
    });
    const reply = await model.complete({ ...ask, tools: [], toolChoice: "none" }, never);
    expect(reply.text).toBe("Two minutes.");
    server.verify();
  });

  it.each([
    ["no tool call", textReply("I know it."), "malformed"],
    ["a tool that does not exist", toolReply([{ name: "rm", arguments: "{}" }]), "malformed"],
    ["broken JSON arguments", toolReply([{ name: TOOL.name, arguments: '{"search_' }]), "malformed"],
    ["a missing argument", toolReply([{ name: TOOL.name, arguments: "{}" }]), "malformed"],
    [
      "an argument of the wrong type",
      toolReply([{ name: TOOL.name, arguments: '{"search_query":7}' }]),
      "malformed",
    ],
    ["an empty argument", toolReply([{ name: TOOL.name, arguments: '{"search_query":" "}' }]), "malformed"],
    ["a refusal", refusalReply(), "rejected"],
    ["429", errorReply(429), "rate_limited"],
    ["an empty purse", errorReply(429, { code: "insufficient_quota" }), "rejected"],
    ["500", errorReply(500), "unavailable"],
    ["503", errorReply(503), "unavailable"],
    ["400 that quotes the prompt", errorReply(400, { message: `Bad: ${SECRET_QUESTION}` }), "rejected"],
    ["404", errorReply(404, { code: "model_not_found" }), "rejected"],
    ["an error page", rawReply("text/html", "<h1>502</h1>", 502), "unavailable"],
    ["a page instead of an answer", rawReply("text/html", "<h1>Welcome</h1>"), "malformed"],
    ["broken JSON", rawReply("application/json", '{"choices": ['), "malformed"],
    ["JSON of another shape", rawReply("application/json", '{"choices": []}'), "malformed"],
    ["a connection closed without a byte", cutReply, "unavailable"],
    ["a connection cut in the body", textReply("Two minutes.", { ending: "cut" }), "cut"],
  ])("meets %s", async (_name, reply, kind) => {
    server.expectChat(reply);
    expect((await failureOf(model.complete(ask, never))).kind).toBe(kind);
    server.verify();
  });

  it("tells how long the server wants to be left alone", async () => {
    server.expectChat(errorReply(429, { retryAfterS: 2 }));
    expect((await failureOf(model.complete(ask, never))).retryAfterMs).toBe(2_000);
  });

  it("meets a wrong key and a server that is not there", async () => {
    const wrong = modelWith({ apiKey: "sk-wrong" });
    expect(await failureOf(wrong.complete(ask, never))).toMatchObject({
      kind: "rejected",
      message: "the model server answers 401 (invalid_api_key)",
    });
    await server.close();
    const { kind, message } = await failureOf(model.complete(ask, never));
    expect([kind, message]).toEqual(["unavailable", "no connection to the model server (ECONNREFUSED)"]);
  });

  it("waits 15 s for the first byte, then 3 s for each next one", async () => {
    server.expectChat(hangReply).expectChat(textReply("Two minutes.", { ending: "hang" }));
    const silent = failureOf(model.complete(ask, never));
    await server.received(1);
    await clock.advance(14_999);
    expect(clock.pending).toBe(1);
    await clock.advance(1);
    expect((await silent).kind).toBe("timeout");
    expect(await server.requests[0]?.over).toBe("aborted");

    const stuck = failureOf(model.complete(ask, never));
    await server.received(2);
    while (clock.pending === 0) await clock.advance(0);
    await clock.advance(15_000);
    expect((await stuck).kind).toBe("timeout");
    expect(clock.pending).toBe(0);
  });

  it("stops when told to, and leaves no listener behind", async () => {
    const turn = new AbortController();
    server.expectChat(hangReply).expectChat(searchReply("x"));
    const waiting = model.complete(ask, turn.signal);
    await server.received(1);
    const reason = new Error("the worker pressed the button");
    const other = new AbortController();
    await model.complete(ask, other.signal);
    expect(getEventListeners(other.signal, "abort")).toHaveLength(0);
    turn.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    expect(await server.requests[0]?.over).toBe("aborted");
    expect(getEventListeners(turn.signal, "abort")).toHaveLength(0);
    expect(clock.pending).toBe(0);
    await expect(model.complete(ask, turn.signal)).rejects.toBe(reason);
  });
});

describe("stream", () => {
  it("repeats the tools, forbids them, and ends with the usage", async () => {
    server.expectChat(textReply("Two minutes, then check."), (body) => {
      expect(body).toMatchObject({
        tool_choice: "none",
        parallel_tool_calls: false,
        stream: true,
        stream_options: { include_usage: true },
      });
      expect(body.tools).toHaveLength(1);
      expect(body.messages.slice(2)).toEqual([
        {
          role: "assistant",
          content: null,
          tool_calls: [
            { id: "call_1", type: "function", function: { name: CALL.name, arguments: CALL.arguments } },
          ],
        },
        { role: "tool", tool_call_id: "call_1", content: "Two minutes." },
      ]);
    });
    const events = await collect(model.stream(answer, never));
    expect(events.slice(0, -1).map((event) => (event.type === "text" ? event.text : ""))).toEqual([
      "Two ",
      "minutes, ",
      "then ",
      "check.",
    ]);
    expect(events.at(-1)).toEqual({
      type: "end",
      reason: "complete",
      usage: { inputTokens: 100, outputTokens: 20 },
    });
    server.verify();
  });

  it("hands over text while the rest is still being written", async () => {
    let release = () => {};
    const rest = new Promise<void>((resolve) => {
      release = resolve;
    });
    async function* pieces() {
      yield "First. ";
      await rest;
      yield "Second.";
    }
    server.expectChat(textReply(pieces()));
    const events = model.stream(answer, never);
    expect((await events.next()).value).toEqual({ type: "text", text: "First. " });
    release();
    expect((await events.next()).value).toEqual({ type: "text", text: "Second." });
    await events.return();
  });

  it.each(["length", "content_filter"] as const)("tells that it ended for %s", async (finishReason) => {
    server.expectChat(textReply("Half an", { finishReason }));
    expect((await collect(model.stream(answer, never))).at(-1)).toMatchObject({ reason: finishReason });
  });

  it.each(["", "<think>"])("ends for length where the server does not: %j", async (begin) => {
    let sent = 0;
    const pieces = function* () {
      yield begin;
      for (; sent < 100_000; sent++) yield "never ends ";
    };
    server.expectChat(textReply(pieces()));
    const events = await collect(model.stream(answer, never));
    const text = events.flatMap((event) => (event.type === "text" ? [event.text] : [])).join("");
    expect(text.length).toBe(begin === "" ? replyCharsMax(answer) : 0);
    expect(events.at(-1)).toMatchObject({ type: "end", reason: "length" });
    await expect(server.requests[0]?.over).resolves.toBe("aborted");
    expect(sent).toBeLessThan(100_000);
  });

  it("ends for length where it takes too long", async () => {
    const pieces = async function* () {
      yield "It begins";
      await new Promise(() => {});
    };
    server.expectChat(textReply(pieces()));
    const patient = modelWith({ idleTimeoutMs: 2 * STREAM_MS_MAX });
    const events: ModelEvent[] = [];
    for await (const event of patient.stream(answer, never)) {
      events.push(event);
      if (event.type === "text") await clock.advance(STREAM_MS_MAX);
    }
    expect(events).toMatchObject([{ text: "It begins" }, { type: "end", reason: "length" }]);
  });

  it("tells a refusal without speaking it", async () => {
    server.expectChat(refusalReply("Not for you."));
    const events = await collect(model.stream(answer, never));
    expect(events).toMatchObject([{ type: "end", reason: "refusal" }]);
  });

  it.each([
    ["429", errorReply(429), "rate_limited"],
    ["500", errorReply(500), "unavailable"],
    ["an empty answer", textReply(""), "malformed"],
    ["a tool call all the same", searchReply("again"), "malformed"],
    ["a page instead of events", rawReply("text/html", "<h1>Hi</h1>"), "cut"],
    ["an event that is no JSON", rawReply("text/event-stream", "data: {oops\n\n"), "malformed"],
    ["an event of another shape", rawReply("text/event-stream", "data: {}\n\n"), "malformed"],
    [
      "an error event",
      rawReply("text/event-stream", 'data: {"error":{"message":"overloaded"}}\n\n'),
      "unavailable",
    ],
    ["a connection closed without a byte", cutReply, "unavailable"],
    ["a stream without an end", rawReply("text/event-stream", ""), "cut"],
  ])("meets %s", async (_name, reply, kind) => {
    server.expectChat(reply);
    expect((await failureOf(collect(model.stream(answer, never)))).kind).toBe(kind);
    server.verify();
  });

  it("throws `cut` after the text that came", async () => {
    server.expectChat(textReply("Two min", { ending: "cut" }));
    const texts: string[] = [];
    const cut = await failureOf(
      (async () => {
        for await (const event of model.stream(answer, never))
          if (event.type === "text") texts.push(event.text);
      })(),
    );
    expect(cut.kind).toBe("cut");
    expect(texts.join("")).toBe("Two min");
  });

  it("gives up after 3 s of silence in the middle", async () => {
    server.expectChat(textReply("Two min", { ending: "hang" }));
    const events = model.stream(answer, never);
    await events.next();
    await events.next();
    const stuck = failureOf(events.next());
    while (clock.pending === 0) await clock.advance(0);
    await clock.advance(3_000);
    expect((await stuck).kind).toBe("timeout");
    expect(await server.requests[0]?.over).toBe("aborted");
    expect(clock.pending).toBe(0);
  });

  it("stops the server's work when the caller stops, by signal or by breaking off", async () => {
    server
      .expectChat(textReply("On and on", { ending: "hang" }))
      .expectChat(textReply("On", { ending: "hang" }));
    const turn = new AbortController();
    const events = model.stream(answer, turn.signal);
    await events.next();
    const reason = new Error("barge-in");
    const waiting = collect(events);
    turn.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    expect(await server.requests[0]?.over).toBe("aborted");
    expect(getEventListeners(turn.signal, "abort")).toHaveLength(0);

    for await (const event of model.stream(answer, never)) {
      expect(event).toEqual({ type: "text", text: "On" });
      break;
    }
    expect(await server.requests[1]?.over).toBe("aborted");
    expect(getEventListeners(never, "abort")).toHaveLength(0);
    expect(clock.pending).toBe(0);
  });
});

describe("structured output", () => {
  const claims: ModelRequest = {
    ...answer,
    responseFormat: {
      type: "json_schema",
      name: "claims",
      schema: {
        type: "object",
        properties: { claims: { type: "array", items: { type: "string" } } },
        required: ["claims"],
        additionalProperties: false,
      },
    },
  };
  const JSON_TEXT = '{"claims":["Two minutes."]}';
  const asText = async (events: AsyncIterable<ModelEvent>) =>
    (await collect(events)).map((event) => (event.type === "text" ? event.text : "")).join("");

  it("is asked for by its schema, streamed and whole", async () => {
    const check = (body: ChatBody) => {
      expect(body.response_format).toEqual({
        type: "json_schema",
        json_schema: { name: "claims", strict: true, schema: claims.responseFormat!.schema },
      });
      expect(body.messages[0]?.content).toBe("Answer.");
    };
    server.expectChat(textReply(JSON_TEXT), check).expectChat(textReply(JSON_TEXT), check);
    expect(await asText(model.stream(claims, never))).toBe(JSON_TEXT);
    expect((await model.complete(claims, never)).text).toBe(JSON_TEXT);
    server.verify();
  });

  it("is asked for more plainly where the server does not know it, and so from the first time on", async () => {
    const schemaTold = expect.stringContaining('"required":["claims"]');
    server
      .expectChat(errorReply(400, { message: 'json: unknown field "response_format.json_schema"' }))
      .expectChat(errorReply(400, { message: "response_format is not supported" }), (body) => {
        expect(body.response_format).toEqual({ type: "json_object" });
        expect(body.messages[0]).toEqual({ role: "system", content: schemaTold });
      });
    for (let again = 0; again < 2; again++) {
      server.expectChat(textReply(JSON_TEXT), (body) => {
        expect(body).not.toHaveProperty("response_format");
        expect(body.messages).toHaveLength(4);
        expect(body.messages[0]).toEqual({ role: "system", content: schemaTold });
      });
    }
    expect(await asText(model.stream(claims, never))).toBe(JSON_TEXT);
    expect(await asText(model.stream(claims, never))).toBe(JSON_TEXT);
    server.verify();
  });

  it("is not given up for a refusal about something else", async () => {
    server
      .expectChat(errorReply(400, { message: "the model does not exist" }))
      .expectChat(textReply(JSON_TEXT), (body) => {
        expect(body.response_format).toMatchObject({ type: "json_schema" });
      });
    expect((await failureOf(collect(model.stream(claims, never)))).kind).toBe("rejected");
    expect(await asText(model.stream(claims, never))).toBe(JSON_TEXT);
    server.verify();
  });
});

describe("environment", () => {
  it("takes nothing from it", async () => {
    server.expectChat(searchReply("x"));
    vi.stubEnv("OPENAI_BASE_URL", "http://127.0.0.1:9");
    vi.stubEnv("OPENAI_ORG_ID", "org-x");
    vi.stubEnv("OPENAI_PROJECT_ID", "project-x");
    await modelWith().complete(ask, never);
    vi.unstubAllEnvs();
    expect(server.requests[0]?.headers).not.toHaveProperty("openai-organization");
    expect(server.requests[0]?.headers).not.toHaveProperty("openai-project");
  });
});
