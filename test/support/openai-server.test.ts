/** The fake has to be faithful: these tests hold it to the API's shapes, and to its promise that surprises fail. */
import { OggOpusDecoder } from "ogg-opus-decoder";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  cutReply,
  errorReply,
  hangReply,
  rawReply,
  refusalReply,
  searchReply,
  speechReply,
  textReply,
} from "./openai-replies.js";
import { OpenAiServer } from "./openai-server.js";

const TOOL = {
  type: "function",
  function: { name: "retrieve_relevant_documents", parameters: { type: "object" } },
};
const user = { role: "user", content: "How long?" };

let server: OpenAiServer;
beforeEach(async () => {
  server = await OpenAiServer.start();
});
afterEach(async () => {
  await server.close();
});

function post(path: string, body: object, key = server.apiKey): Promise<Response> {
  return fetch(`${server.baseUrl}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

/** What the tests look at in a JSON answer. */
interface Answer {
  readonly object: string;
  readonly choices: readonly [
    {
      readonly finish_reason: string;
      readonly message: { readonly content: string | null; readonly tool_calls: object[] };
    },
  ];
  readonly usage: { readonly total_tokens: number };
  readonly error: { readonly code: string | null };
  readonly data: readonly [{ readonly id: string }];
}

const json = async (response: Response | Promise<Response>) => (await (await response).json()) as Answer;

const chat = (body: object) =>
  post("/chat/completions", { model: "gpt-4.1-mini", messages: [user], ...body });

describe("chat completions", () => {
  it("answers with tool calls in one body", async () => {
    server.expectChat(searchReply("lockout steps"));
    const body = await json(chat({ tools: [TOOL], tool_choice: "required" }));
    expect(body.object).toBe("chat.completion");
    expect(body.choices[0].finish_reason).toBe("tool_calls");
    expect(body.choices[0].message.content).toBeNull();
    expect(body.choices[0].message.tool_calls[0]).toMatchObject({
      id: "call_1",
      function: { name: "retrieve_relevant_documents", arguments: '{"search_query":"lockout steps"}' },
    });
    expect(body.usage.total_tokens).toBe(120);
    server.verify();
  });

  it("streams the role, the deltas, the finish reason, the usage and the end mark", async () => {
    server.expectChat(textReply("Two minutes."));
    const response = await chat({ stream: true, stream_options: { include_usage: true } });
    expect(response.headers.get("content-type")).toContain("text/event-stream");
    const lines = (await response.text()).trim().split("\n\n");
    expect(lines.at(-1)).toBe("data: [DONE]");
    const events = lines.slice(0, -1).map((line) => JSON.parse(line.slice(6)));
    expect(events[0].choices[0].delta).toEqual({ role: "assistant", content: "", refusal: null });
    expect(events.slice(1, 3).map((event) => event.choices[0].delta.content)).toEqual(["Two ", "minutes."]);
    expect(events[3].choices[0].finish_reason).toBe("stop");
    expect(events[4]).toMatchObject({ choices: [], usage: { prompt_tokens: 100, completion_tokens: 20 } });
    expect(events.slice(0, 4).every((event) => event.usage === null)).toBe(true);
  });

  it.each([
    ["no model", { model: "" }, "model"],
    ["an unknown role", { messages: [{ role: "robot", content: "" }] }, "messages.[0].role"],
    ["no messages", { messages: [] }, "messages"],
    [
      "a tool message that answers nothing",
      { messages: [user, { role: "tool", tool_call_id: "x", content: "" }] },
      "messages.[1].role",
    ],
    [
      "a tool call that is not answered",
      {
        messages: [
          user,
          { role: "assistant", tool_calls: [{ id: "c1", type: "function", function: {} }] },
          user,
        ],
      },
      "messages.[2].role",
    ],
    ["a tool choice without tools", { tool_choice: "none" }, "tool_choice"],
    ["parallel_tool_calls without tools", { parallel_tool_calls: false }, "parallel_tool_calls"],
    ["stream_options without stream", { stream_options: { include_usage: true } }, "stream_options"],
    ["an unknown response format", { response_format: { type: "xml" } }, "response_format.type"],
    ["any JSON without a word of it", { response_format: { type: "json_object" } }, "messages"],
    [
      "a schema without a name",
      { response_format: { type: "json_schema", json_schema: { schema: { type: "object" } } } },
      "response_format.json_schema.name",
    ],
    [
      "a strict schema with a property that may be missing",
      {
        response_format: {
          type: "json_schema",
          json_schema: {
            name: "claims",
            strict: true,
            schema: {
              type: "object",
              properties: { text: { type: "string" } },
              required: [],
              additionalProperties: false,
            },
          },
        },
      },
      "response_format",
    ],
    [
      "an assistant message without content",
      { messages: [{ role: "assistant", content: null }] },
      "messages.[0].content",
    ],
  ])("refuses %s", async (_name, body, param) => {
    server.expectChat(textReply("never"));
    const response = await chat(body);
    expect(response.status).toBe(400);
    expect((await json(response)).error).toMatchObject({ type: "invalid_request_error", param });
    expect(() => server.verify()).toThrow(/refused with 400/);
  });

  it("refuses a wrong key", async () => {
    const response = await post("/chat/completions", {}, "sk-wrong");
    expect(response.status).toBe(401);
    expect((await json(response)).error.code).toBe("invalid_api_key");
  });

  it("answers scripted errors in the API's shape", async () => {
    server
      .expectChat(errorReply(429, { retryAfterS: 2 }))
      .expectChat(refusalReply("No."))
      .expectChat(rawReply("text/html", "<p>"));
    const limited = await chat({});
    expect([limited.status, limited.headers.get("retry-after")]).toEqual([429, "2"]);
    expect((await json(limited)).error).toMatchObject({
      type: "rate_limit_error",
      code: "rate_limit_exceeded",
    });
    expect((await json(chat({}))).choices[0].message).toMatchObject({
      content: null,
      refusal: "No.",
    });
    expect(await (await chat({})).text()).toBe("<p>");
    server.verify();
  });

  it("cuts, and hangs until the client gives up", async () => {
    server
      .expectChat(cutReply)
      .expectChat(textReply("Two min", { ending: "cut" }))
      .expectChat(hangReply);
    await expect(chat({})).rejects.toThrow("fetch failed");
    const cut = await chat({ stream: true });
    await expect(cut.text()).rejects.toThrow("terminated");
    const giveUp = new AbortController();
    const hanging = fetch(`${server.baseUrl}/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${server.apiKey}` },
      body: JSON.stringify({ model: "m", messages: [user] }),
      signal: giveUp.signal,
    });
    await server.received(3);
    giveUp.abort();
    await expect(hanging).rejects.toThrow("aborted");
    expect(await server.requests[2]?.over).toBe("aborted");
    server.verify();
  });
});

describe("speech", () => {
  const speech = (body: object) =>
    post("/audio/speech", { model: "tts-1", voice: "shimmer", input: "Hi.", ...body });

  it("drips an Ogg Opus body that another decoder plays", async () => {
    server.expectSpeech(speechReply({ packets: 50, chunkBytes: 100 }));
    const response = await speech({ response_format: "opus" });
    expect(response.headers.get("content-type")).toBe("audio/opus");
    const decoder = new OggOpusDecoder();
    await decoder.ready;
    const audio = await decoder.decodeFile(new Uint8Array(await response.arrayBuffer()));
    decoder.free();
    expect(audio.errors).toEqual([]);
    expect(audio.samplesDecoded).toBe(50 * 960 - 312);
    expect(Math.max(...(audio.channelData[0] ?? []))).toBeGreaterThan(0.1);
    server.verify();
  });

  it.each([
    ["no input", { input: "" }],
    ["too long an input", { input: "a".repeat(4_097) }],
    ["an unknown format", { response_format: "ogg" }],
    ["no voice", { voice: "" }],
  ])("refuses %s", async (_name, body) => {
    expect((await speech(body)).status).toBe(400);
  });
});

describe("the script", () => {
  it("fails on a call that nobody expected, and on one that never came", async () => {
    expect((await chat({})).status).toBe(500);
    expect(() => server.verify()).toThrow("unexpected chat completion");
    server.expectSpeech(speechReply());
    expect(() => server.verify()).toThrow("speech request that never came (audio)");
  });

  it("fails on a request that is not as expected", async () => {
    server.expectChat(textReply("Yes."), (body) => expect(body.stream).toBe(true));
    await chat({});
    expect(() => server.verify()).toThrow("not as expected");
  });

  it("records what it received, and lists models", async () => {
    server.expectChat(textReply("Yes."));
    await chat({});
    const models = await fetch(`${server.baseUrl}/models`, {
      headers: { authorization: `Bearer ${server.apiKey}` },
    });
    expect((await json(models)).data[0].id).toBe("gpt-4.1-mini");
    expect(server.requests.map((request) => request.path)).toEqual(["/v1/chat/completions", "/v1/models"]);
    expect(server.chats[0]?.messages).toEqual([user]);
    expect(await server.requests[0]?.over).toBe("answered");
    server.verify();
  });

  it("asks the responder when nothing is scripted", async () => {
    const free = await OpenAiServer.start({
      respond: { chat: ({ body }) => textReply(`${body.messages.length} message`) },
    });
    const response = await fetch(`${free.baseUrl}/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${free.apiKey}` },
      body: JSON.stringify({ model: "m", messages: [user] }),
    });
    expect((await json(response)).choices[0].message.content).toBe("1 message");
    free.verify();
    await free.close();
  });
});
