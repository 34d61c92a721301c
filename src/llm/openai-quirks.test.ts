/** The adapter against servers that differ from OpenAI's, as docs/models.md tells of each. */
import { afterEach, describe, expect, it } from "vitest";
import type { Quirks } from "../../test/support/openai-quirks.js";
import {
  errorReply,
  hangReply,
  rawReply,
  searchReply,
  textReply,
  toolReply,
} from "../../test/support/openai-replies.js";
import { OpenAiServer } from "../../test/support/openai-server.js";
import { VirtualClock } from "../../test/support/virtual-clock.js";
import { OpenAiModel } from "./openai.js";
import { type DialectName, dialectOf } from "./openai-dialect.js";
import { ModelFailure, type ModelRequest } from "./port.js";

const TOOL = {
  name: "retrieve_relevant_documents",
  description: "Searches the documents.",
  parameters: {
    type: "object",
    properties: { search_query: { type: "string" } },
    required: ["search_query"],
    additionalProperties: false,
  },
};
const CALL = { id: "call_1", name: TOOL.name, arguments: '{"search_query":"bleed compressor"}' };
const ask: ModelRequest = {
  messages: [
    { role: "system", content: "Answer." },
    { role: "user", content: "How long?" },
  ],
  tools: [TOOL],
  toolChoice: "required",
  outputTokensMax: 300,
};
const answer: ModelRequest = {
  ...ask,
  messages: [
    ...ask.messages,
    { role: "tool_calls", calls: [CALL] },
    { role: "tool", callId: "call_1", content: "Two minutes." },
  ],
  toolChoice: "none",
};
const never = new AbortController().signal;

const servers: OpenAiServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function started(name: DialectName, quirks: Quirks = {}) {
  const server = await OpenAiServer.start({ quirks });
  servers.push(server);
  const clock = new VirtualClock();
  const model = new OpenAiModel(clock, {
    model: "a-model",
    baseUrl: server.baseUrl,
    apiKey: server.apiKey,
    dialect: dialectOf(name, server.baseUrl),
    temperature: 0,
    firstByteTimeoutMs: 15_000,
    idleTimeoutMs: 3_000,
  });
  return { clock, server, model };
}

async function textOf(model: OpenAiModel, request: ModelRequest): Promise<string> {
  let said = "";
  for await (const event of model.stream(request, never)) if (event.type === "text") said += event.text;
  return said;
}

describe("Ollama", () => {
  const quirks = { ignores: ["tool_choice", "parallel_tool_calls", "max_completion_tokens"] };

  it("is made to call the tool by a schema, which it heeds, and has its answer limited", async () => {
    const { server, model } = await started("ollama", quirks);
    server.expectChat(textReply('{"search_query":"bleed compressor"}'), (body) => {
      expect(body).not.toHaveProperty("tools");
      expect(body.max_tokens).toBe(300);
      expect(body.response_format).toMatchObject({
        type: "json_schema",
        json_schema: { schema: TOOL.parameters },
      });
      expect(body.messages[0]?.content).toContain("Searches the documents.");
      expect(body.messages).toHaveLength(2);
    });
    expect(await model.complete(ask, never)).toMatchObject({ calls: [CALL], text: "" });
    server.verify();
  });

  it("is forgiven what a model writes around the arguments", async () => {
    const { server, model } = await started("ollama", quirks);
    server.expectChat(textReply(`Here you are:\n\`\`\`json\n${CALL.arguments}\n\`\`\`\n`));
    expect((await model.complete(ask, never)).calls).toEqual([CALL]);
    server.verify();
  });

  it("is asked in the same way again where the arguments do not end, since it has begun them", async () => {
    const { server, model } = await started("ollama", quirks);
    server.expectChat(textReply('{"search_query":"bleed, bleed, bleed', { finishReason: "length" }));
    await expect(model.complete(ask, never)).rejects.toMatchObject({ kind: "malformed" });
    server.expectChat(textReply(CALL.arguments), (body) => expect(body.response_format).toBeDefined());
    expect((await model.complete(ask, never)).calls).toEqual([CALL]);
    server.verify();
  });

  it("gets no tool where it must not call one, since it would all the same", async () => {
    const { server, model } = await started("ollama", quirks);
    server.expectChat(textReply("Two minutes."), (body) => {
      expect(body).not.toHaveProperty("tools");
      expect(body.messages.map(({ role }) => role)).toEqual(["system", "user", "assistant", "tool"]);
    });
    expect(await textOf(model, answer)).toBe("Two minutes.");
    server.verify();
  });

  it("is found out where nobody said who it is: the next attempt brings the call", async () => {
    const { server, model } = await started("openai", quirks);
    server.expectChat(textReply("I know it: two minutes."));
    await expect(model.complete(ask, never)).rejects.toMatchObject({ kind: "malformed" });
    for (let again = 0; again < 2; again++) server.expectChat(textReply(CALL.arguments));
    expect((await model.complete(ask, never)).calls).toEqual([CALL]);
    expect((await model.complete(ask, never)).calls).toEqual([CALL]);
    server.verify();
  });

  it("may leave out the ids of calls, and the count of tokens", async () => {
    const { server, model } = await started("openai");
    server.expectChat(toolReply([{ id: "", name: TOOL.name, arguments: CALL.arguments }]));
    expect((await model.complete(ask, never)).calls).toEqual([CALL]);
    const chunk = (choice: object) => `data: ${JSON.stringify({ choices: [choice] })}\n\n`;
    const body = chunk({ delta: { content: "Two minutes." } }) + chunk({ delta: {}, finish_reason: "stop" });
    server.expectChat(rawReply("text/event-stream", `${body}data: [DONE]\n\n`));
    const events = [];
    for await (const event of model.stream(answer, never)) events.push(event);
    expect(events.at(-1)).toEqual({
      type: "end",
      reason: "complete",
      usage: { inputTokens: 0, outputTokens: 0 },
    });
  });
});

describe("vLLM", () => {
  const OLD = { refuses: ["parallel_tool_calls", "max_completion_tokens", "stream_options"] };

  it("gets only what all of its releases know", async () => {
    const { server, model } = await started("vllm", { refuses: OLD.refuses.slice(0, 2) });
    server.expectChat(searchReply("bleed compressor"), (body) =>
      expect(body).toMatchObject({ tool_choice: "required", max_tokens: 300 }),
    );
    expect((await model.complete(ask, never)).calls).toEqual([CALL]);
    expect(server.requests).toHaveLength(1);
    server.verify();
  });

  it("teaches what it does not know, once", async () => {
    const { server, model } = await started("openai", OLD);
    server.expectChat(searchReply("bleed compressor")).expectChat(textReply("Two minutes."));
    expect((await model.complete(ask, never)).calls).toEqual([CALL]);
    expect(server.requests).toHaveLength(3);
    expect(await textOf(model, answer)).toBe("Two minutes.");
    expect(server.requests).toHaveLength(5);
    server.expectChat(textReply("Two minutes."));
    expect(await textOf(model, answer)).toBe("Two minutes.");
    expect(server.requests).toHaveLength(6);
    server.verify();
  });
});

describe("Anthropic's OpenAI endpoint", () => {
  it("is told the shape in words", async () => {
    const { server, model } = await started("anthropic", { ignores: ["response_format"] });
    const responseFormat = { type: "json_schema", name: "claims", schema: TOOL.parameters } as const;
    server.expectChat(textReply("{}"), (body) => {
      expect(body.messages.filter(({ role }) => role === "system")).toHaveLength(1);
      expect(body.messages[0]?.content).toContain('"search_query"');
      expect(body.tool_choice).toBe("none");
    });
    expect(await textOf(model, { ...answer, responseFormat })).toBe("{}");
    server.verify();
  });

  it("calls tools as OpenAI does", async () => {
    const { server, model } = await started("anthropic", { ignores: ["response_format"] });
    server.expectChat(searchReply("bleed compressor"), (body) => expect(body.tool_choice).toBe("required"));
    expect((await model.complete(ask, never)).calls).toEqual([CALL]);
    server.verify();
  });
});

describe("llama-cpp-python", () => {
  const fault = (message: string) => errorReply(500, { message: `1 validation error:\n  {${message}}` });

  it("answers 500 to what it cannot read, and is then asked for it in its own way", async () => {
    const { server, model } = await started("openai");
    // It does not heed `tool_choice: required`.
    server.expectChat(textReply("I know it: two minutes."));
    await expect(model.complete(ask, never)).rejects.toMatchObject({ kind: "malformed" });
    server
      .expectChat(fault("'loc': ('body', 'response_format', 'type'), 'input': 'json_schema'"))
      .expectChat(textReply(CALL.arguments), (body) =>
        expect(body.response_format).toEqual({ type: "json_object" }),
      )
      .expectChat(fault("'loc': ('body', 'messages', 2, 'Assistant', 'content'), 'input': None"))
      .expectChat(textReply("Two minutes."), (body) =>
        expect(body.messages[2]).toMatchObject({ role: "assistant", content: "" }),
      );
    expect((await model.complete(ask, never)).calls).toEqual([CALL]);
    expect(await textOf(model, answer)).toBe("Two minutes.");
    server.verify();
  });
});

describe("llama.cpp's server, with a model whose template it does not know", () => {
  const quirks = { ignores: ["tool_choice"] };

  /** The model writes on and on; the reply never comes, and the time for it is over. */
  async function late({ clock, model, server }: Awaited<ReturnType<typeof started>>) {
    server.expectChat(hangReply);
    const asked = model.complete(ask, never).catch((error: unknown) => error);
    await server.received(server.requests.length + 1);
    await clock.advance(15_000);
    expect(await asked).toMatchObject({ kind: "timeout" });
  }

  it("is found out by the time that the answer takes, too", async () => {
    const talk = await started("openai", quirks);
    await late(talk);
    const { model, server } = talk;
    server.expectChat(textReply(CALL.arguments), (body) => expect(body.response_format).toBeDefined());
    expect((await model.complete(ask, never)).calls).toEqual([CALL]);
    server.verify();
  });

  it("is asked as before where it has called before", async () => {
    const talk = await started("openai");
    const { model, server } = talk;
    server.expectChat(searchReply("bleed compressor"));
    await model.complete(ask, never);
    await late(talk);
    server.expectChat(searchReply("bleed compressor"), (body) => expect(body.tool_choice).toBe("required"));
    expect((await model.complete(ask, never)).calls).toEqual([CALL]);
    server.verify();
  });

  it("is asked as before where the caller has left", async () => {
    const { model, server } = await started("openai");
    server.expectChat(hangReply);
    const turn = new AbortController();
    const asked = model.complete(ask, turn.signal).catch((error: unknown) => error);
    await server.received(1);
    turn.abort(new Error("the worker pressed the button"));
    await asked;
    server.expectChat(searchReply("bleed compressor"), (body) => expect(body.tool_choice).toBe("required"));
    expect((await model.complete(ask, never)).calls).toEqual([CALL]);
    server.verify();
  });
});

describe("reasoning models", () => {
  it("at Bedrock think aloud in their answer, which is not handed on", async () => {
    const { server, model } = await started("bedrock");
    server
      .expectChat(textReply("<reasoning>They ask how long.</reasoning>Two minutes."))
      .expectChat(textReply("<reasoning>Two minutes, I would say"));
    expect(await textOf(model, answer)).toBe("Two minutes.");
    await expect(textOf(model, answer)).rejects.toMatchObject({ kind: "malformed" });
    server.verify();
  });

  it("at OpenAI take no temperature", async () => {
    const { server, model } = await started("openai", { refuses: ["temperature"] });
    server.expectChat(textReply("Two minutes."), (body) => expect(body).not.toHaveProperty("temperature"));
    expect(await textOf(model, answer)).toBe("Two minutes.");
    server.verify();
  });
});

describe("a server that can be made to call nothing", () => {
  it("fails without a request where there are several tools to choose from", async () => {
    const { server, model } = await started("ollama");
    const two = { ...ask, tools: [TOOL, { ...TOOL, name: "other" }] };
    await expect(model.complete(two, never)).rejects.toBeInstanceOf(ModelFailure);
    expect(server.requests).toHaveLength(0);
  });
});
