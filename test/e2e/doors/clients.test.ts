/**
 * Stock clients that keep the conversation themselves and send all of it each time, without a session: each asks a
 * question of the documents, then for its source, then twice for the answer again.
 */
import { createOpenAI } from "@ai-sdk/openai";
import { generateText, type LanguageModel, type ModelMessage, streamText } from "ai";
import type OpenAI from "openai";
import { describe, expect, test } from "vitest";
import { searchReply, textReply } from "../../support/openai-replies.js";
import { World } from "../world.js";
import { address, all, CANTEEN_SAYS, documents, offline, ollama, openai, QUESTION } from "./ask.js";

const model = "readback";
const SOURCE = "What is your source?";
const AGAIN = "Repeat that.";

/** Says the next thing in a conversation that the client keeps, and gives back what it was answered. */
type Say = (text: string) => Promise<string>;

/** The clients, each as its documentation tells to keep a conversation; `user` says who it speaks for. */
const CLIENTS: Readonly<Record<string, (world: World, user: string) => Say>> = {
  "openai, completions": (world, user) => {
    const messages: OpenAI.ChatCompletionMessageParam[] = [];
    return async (content) => {
      messages.push({ role: "user", content });
      const { choices } = await openai(world).chat.completions.create({ model, user, messages });
      messages.push(choices[0]!.message);
      return choices[0]!.message.content ?? "";
    };
  },
  "openai, completions, streamed": (world, user) => {
    const messages: OpenAI.ChatCompletionMessageParam[] = [];
    return async (content) => {
      messages.push({ role: "user", content });
      const runner = openai(world).chat.completions.stream({ model, user, messages });
      const message = (await runner.finalChatCompletion()).choices[0]!.message;
      messages.push(message);
      return message.content ?? "";
    };
  },
  "openai, responses, all of the items": (world, user) => {
    const input: OpenAI.Responses.ResponseInputItem[] = [];
    return async (content) => {
      input.push({ role: "user", content });
      const response = await openai(world).responses.create({ model, user, input });
      input.push(...(response.output as OpenAI.Responses.ResponseInputItem[]));
      return response.output_text;
    };
  },
  "openai, responses, by the id of the last one": (world, user) => {
    let previous: string | undefined;
    return async (input) => {
      const response = await openai(world).responses.create({
        model,
        user,
        input,
        ...(previous === undefined ? {} : { previous_response_id: previous }),
      });
      previous = response.id;
      return response.output_text;
    };
  },
  "openai, responses, streamed": (world, user) => {
    const input: OpenAI.Responses.ResponseInputItem[] = [];
    return async (content) => {
      input.push({ role: "user", content });
      const stream = openai(world).responses.stream({ model, user, input });
      let told = "";
      for await (const event of stream) if (event.type === "response.output_text.delta") told += event.delta;
      const response = await stream.finalResponse();
      expect(response.output_text).toBe(told);
      input.push({ role: "assistant", content: ` ${told}\n` });
      return told;
    };
  },
  ollama: (world, user) => {
    const messages: { role: string; content: string }[] = [];
    return async (content) => {
      messages.push({ role: "user", content });
      const client = ollama(world, { "x-readback-user": user });
      const { message } = await client.chat({ model, messages });
      messages.push(message);
      return message.content;
    };
  },
  "ollama, streamed": (world, user) => {
    const messages: { role: string; content: string }[] = [];
    return async (content) => {
      messages.push({ role: "user", content });
      const client = ollama(world, { "x-readback-user": user });
      const parts = await all(await client.chat({ model, messages, stream: true }));
      const told = parts.map(({ message }) => message.content).join("");
      // As a client sends it that trims each piece.
      messages.push({
        role: "assistant",
        content: parts.map(({ message }) => message.content.trim()).join(""),
      });
      return told;
    };
  },
  "ai, the provider's default": (world, user) => generating(provider(world)(model), { user }),
  "ai, the provider's default, nothing stored": (world, user) =>
    generating(provider(world)(model), { user, store: false }),
  "ai, the provider's completions": (world, user) => generating(provider(world).chat(model), { user }),
  "ai, streamed": (world, user) => {
    const messages: ModelMessage[] = [];
    return async (content) => {
      messages.push({ role: "user", content });
      const stream = streamText({
        model: provider(world)(model),
        messages,
        maxRetries: 0,
        providerOptions: { openai: { user } },
      });
      const told = await stream.text;
      messages.push(...(await stream.response).messages);
      return told;
    };
  },
};

function provider(world: World) {
  return createOpenAI({ baseURL: address(world, "/v1"), apiKey: "unused-here" });
}

function generating(languageModel: LanguageModel, options: { user: string; store?: boolean }): Say {
  const messages: ModelMessage[] = [];
  return async (content) => {
    messages.push({ role: "user", content });
    const { response, text } = await generateText({
      model: languageModel,
      messages,
      maxRetries: 0,
      providerOptions: { openai: options },
    });
    messages.push(...response.messages);
    return text;
  };
}

/** A conversation with each client. What went to one user is nobody else's answer. */
async function each(world: World, converse: (say: Say, client: string) => Promise<void>): Promise<void> {
  for (const [client, open] of Object.entries(CLIENTS))
    await converse(open(world, JSON.stringify({ network: "acme", username: client })), client);
}

describe("a client that keeps the conversation", () => {
  test("learns the source of an answer that it sends back, and hears it again as it was", async () => {
    const world = await offline();
    await each(world, async (say, client) => {
      expect(await say(QUESTION), client).toContain("B12");
      const source = await say(SOURCE);
      expect(source, client).toContain("Lockout of press 4");
      expect(await say(AGAIN), client).toBe(source);
      expect(await say(AGAIN), client).toBe(source);
    });
    expect(world.eventsOf("service_fault")).toEqual([]);
  });

  test("learns the source of what a model wrote", async () => {
    const world = await World.start({ documents, config: { "llm.answer_cache": false } });
    await each(world, async (say, client) => {
      world.server.expectChat(searchReply("canteen")).expectChat(textReply(CANTEEN_SAYS.join(" ")));
      expect(await say("Where is the canteen?"), client).toBe(CANTEEN_SAYS.join(" "));
      expect(await say(SOURCE), client).toContain("The canteen");
    });
  });
});
