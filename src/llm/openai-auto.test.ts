/** Requests whose tools the model may call or not: what servers are asked, and what is taken of their answers. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { textReply, toolReply } from "../../test/support/openai-replies.js";
import { OpenAiServer } from "../../test/support/openai-server.js";
import { VirtualClock } from "../../test/support/virtual-clock.js";
import { OpenAiModel } from "./openai.js";
import { type DialectName, dialectOf } from "./openai-dialect.js";
import type { ModelReply, ModelRequest } from "./port.js";

const auto: ModelRequest = {
  messages: [{ role: "user", content: "Is pump two running?" }],
  tools: [{ name: "status", description: "Reads.", parameters: { type: "object", properties: {} } }],
  toolChoice: "auto",
  outputTokensMax: 300,
};

let server: OpenAiServer;

beforeEach(async () => {
  server = await OpenAiServer.start();
});
afterEach(async () => {
  server.verify();
  await server.close();
});

function replyOf(name: DialectName): Promise<ModelReply> {
  const limits = { firstByteTimeoutMs: 15_000, idleTimeoutMs: 3_000, temperature: 0 };
  const { apiKey, baseUrl } = server;
  const options = { ...limits, model: "m", baseUrl, apiKey, dialect: dialectOf(name, undefined) };
  return new OpenAiModel(new VirtualClock(), options).complete(auto, new AbortController().signal);
}

it("takes several calls as they were written, sound or not", async () => {
  const calls = [
    { id: "a", name: "unknown", arguments: "{" },
    { id: "b", name: "status", arguments: "{}" },
  ];
  server.expectChat(toolReply(calls), (body) => {
    expect(body).toMatchObject({ tool_choice: "auto", tools: [{}] });
    expect(body).not.toHaveProperty("parallel_tool_calls");
  });
  expect((await replyOf("openai")).calls).toEqual(calls);
});

it("tells a server that heeds no choice of the tools alone", async () => {
  server.expectChat(textReply("It is warm."), (body) => {
    expect(body).toMatchObject({ tools: [{}] });
    expect(body).not.toHaveProperty("tool_choice");
  });
  expect(await replyOf("ollama")).toMatchObject({ text: "It is warm.", calls: [] });
});

it("cuts a call off that the model leaks into its text", async () => {
  server.expectChat(textReply('It is warm. status({"pump": 2})'));
  expect((await replyOf("openai")).text).toBe("It is warm.");
});
