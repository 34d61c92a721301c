/** The door for OpenAI's clients, asked with OpenAI's own client. */
import OpenAI from "openai";
import type { ChatCompletionCreateParamsNonStreaming } from "openai/resources/chat/completions";
import { describe, expect, test } from "vitest";
import { searchReply, textReply } from "../../support/openai-replies.js";
import { Drip, librarian } from "../script.js";
import { World } from "../world.js";
import { all, CANTEEN_SAYS, documents, offline, openai, post, QUESTION, ROUTE, WHO } from "./ask.js";

const model = "readback";
const user = JSON.stringify({ ...WHO, query_type: ROUTE });
const ask = (content: string) => [{ role: "user" as const, content }];

/** What the model server was asked since there were `from` requests. */
function askedSince(world: World, from: number): string {
  return world.server.requests
    .slice(from)
    .map(({ body }) => JSON.stringify(body))
    .join();
}

describe("a completion", () => {
  test("is the checked answer in OpenAI's shape, with what that has no room for beside it", async () => {
    const world = await World.start({ documents });
    world.server.expectChat(searchReply("canteen")).expectChat(textReply(CANTEEN_SAYS.join(" ")));
    const completion = await openai(world).chat.completions.create({
      model,
      user,
      messages: [
        { role: "system", content: "SYSTEMWORD: answer as a pirate." },
        {
          role: "user",
          content: [
            { type: "text", text: "Where is " },
            { type: "text", text: "the canteen?" },
          ],
        },
      ],
      temperature: 0.7,
      max_tokens: 5,
    });
    expect(completion).toMatchObject({
      id: expect.stringMatching(/^chatcmpl-/),
      object: "chat.completion",
      model,
      choices: [
        {
          index: 0,
          message: { role: "assistant", content: CANTEEN_SAYS.join(" "), refusal: null },
          finish_reason: "stop",
        },
      ],
      usage: { prompt_tokens: 200, completion_tokens: 40, total_tokens: 240 },
      readback: {
        outcome: "answered",
        confidence: expect.any(Number),
        sources: [{ title: "The canteen", source_file: "canteen.md" }],
      },
    });
    expect(world.requestText).toContain("Where is the canteen?");
    expect(world.requestText).not.toContain("SYSTEMWORD");
  });

  test("streams each sentence as soon as it is checked", async () => {
    const world = await World.start({ documents });
    const pieces = new Drip<string>();
    world.server.expectChat(searchReply("canteen")).expectChat(textReply(pieces));
    const [first, second, third] = CANTEEN_SAYS;
    pieces.put(`${first} ${second} Its `);
    const stream = await openai(world).chat.completions.create({
      model,
      user,
      messages: ask("Where is the canteen?"),
      stream: true,
      stream_options: { include_usage: true },
    });
    const chunks = stream[Symbol.asyncIterator]();
    const next = async () => (await chunks.next()).value as OpenAI.ChatCompletionChunk;
    expect((await next()).choices[0]?.delta).toMatchObject({ role: "assistant", content: "" });
    // The model is still writing.
    expect((await next()).choices[0]?.delta).toEqual({ content: first });
    pieces.put(third.replace("Its ", ""));
    pieces.close();
    const rest = await all({ [Symbol.asyncIterator]: () => chunks });
    expect(rest.map(({ choices }) => choices[0]?.delta)).toEqual([
      { content: ` ${second}` },
      { content: ` ${third}` },
      {},
      undefined,
    ]);
    expect(rest.map(({ choices }) => choices[0]?.finish_reason)).toEqual([null, null, "stop", undefined]);
    expect(rest.at(-1)?.usage).toEqual({ prompt_tokens: 200, completion_tokens: 40, total_tokens: 240 });
    expect(rest.at(-2)).toMatchObject({ readback: { outcome: "answered" } });
  });

  test("has no chunk for usage that nobody asked for, and ends with [DONE]", async () => {
    const world = await offline();
    const body = { model, user, messages: ask(QUESTION), stream: true };
    const text = await (await post(world, "/v1/chat/completions", body)).text();
    expect(text).toMatch(/\n\ndata: \[DONE\]\n\n$/);
    expect(text).not.toContain('"usage"');
  });
});

describe("a conversation", () => {
  test("in a session is remembered here: each request needs the new message only", async () => {
    const world = await World.start({ documents, respond: librarian });
    const client = openai(world);
    const note = (session_id: string) => JSON.stringify({ ...WHO, session_id, query_type: ROUTE });
    const say = async (
      content: string,
      session: string,
      history: { role: "user"; content: string }[] = [],
    ) => {
      const from = world.server.requests.length;
      const messages = [...history, ...ask(content)];
      const stream = await client.chat.completions.create({
        model,
        user: note(session),
        messages,
        stream: true,
      });
      await all(stream);
      return askedSince(world, from);
    };
    await say("press 4 lockout FIRSTWORD", "s-1");
    const second = await say("press 4 lockout tag", "s-1", [{ role: "user", content: "INVENTED" }]);
    expect(second).toContain("FIRSTWORD");
    expect(second).toContain("LOCKOUT71 is the tag");
    // What the client says was said does not count where the service remembers.
    expect(second).not.toContain("INVENTED");
    expect(await say("press 4 lockout tag", "s-2")).not.toContain("FIRSTWORD");
  });

  test("that the client keeps comes with each request, and nothing is kept here", async () => {
    const world = await World.start({ documents, respond: librarian });
    const messages: OpenAI.ChatCompletionMessageParam[] = ask("press 4 lockout FIRSTWORD");
    const client = openai(world);
    const first = await client.chat.completions.create({ model, user, messages });
    messages.push(first.choices[0]!.message, ...ask("press 4 lockout tag"));
    const from = world.server.requests.length;
    await all(await client.chat.completions.create({ model, user, messages, stream: true }));
    expect(askedSince(world, from)).toContain("FIRSTWORD");
    const again = world.server.requests.length;
    await client.chat.completions.create({ model, user, messages: ask("press 4 lockout") });
    expect(askedSince(world, again)).not.toContain("FIRSTWORD");
    await world.happened("chat_closed", 3);
  });

  test("speaks for the user whom `user` names, by JSON or by name alone", async () => {
    const world = await offline({ config: { "http.default_network": "acme" } });
    const client = openai(world);
    const code = "What code opens the payroll safe?";
    const say = async (who: string | undefined) => {
      const named = who === undefined ? {} : { user: who };
      const { choices } = await client.chat.completions.create({ model, messages: ask(code), ...named });
      return choices[0]?.message.content;
    };
    expect(await say(JSON.stringify({ ...WHO, groups: ["managers"] }))).toContain("PAYROLL93");
    expect(await say("ann")).not.toContain("PAYROLL93");
    expect(await say(undefined)).not.toContain("PAYROLL93");
    const users = world.eventsOf("turn_started").map((event) => event.user);
    expect(users).toEqual([WHO, WHO, { network: "acme", username: "you" }]);
  });
});

describe("what stock clients send beside the question", () => {
  const HARMLESS = {
    n: 1,
    tools: [
      { type: "function", function: { name: "look_up", parameters: { type: "object", properties: {} } } },
    ],
    tool_choice: "auto",
    parallel_tool_calls: true,
    response_format: { type: "text" },
    logprobs: false,
    top_logprobs: 0,
    modalities: ["text"],
    stop: null,
    seed: 7,
    store: false,
    metadata: { a: "b" },
    temperature: 0,
    max_completion_tokens: 5,
    reasoning_effort: "low",
    service_tier: "auto",
  } as const;

  test("has no effect where it asks for nothing else", async () => {
    const world = await offline();
    const client = openai(world);
    const plain = await client.chat.completions.create({ model, user, messages: ask(QUESTION) });
    const more = { ...HARMLESS, tools: [...HARMLESS.tools], modalities: [...HARMLESS.modalities] };
    const completion = await client.chat.completions.create({
      model,
      user,
      messages: ask(QUESTION),
      ...more,
    });
    expect(completion.choices).toEqual(plain.choices);
    expect(completion.choices[0]?.message.tool_calls).toBeUndefined();
    const functions = [{ name: "f", parameters: {} }];
    const old = { model, user, messages: ask(QUESTION), functions, function_call: "auto" } as const;
    expect((await client.chat.completions.create(old)).choices).toEqual(plain.choices);
    const streamed = await all(
      await client.chat.completions.create({
        ...more,
        model,
        user,
        messages: ask(QUESTION),
        stream: true,
        stream_options: { include_usage: false, include_obfuscation: false },
      }),
    );
    const told = streamed.map(({ choices }) => choices[0]?.delta.content ?? "").join("");
    expect(told).toBe(plain.choices[0]?.message.content);
  });

  test("may be the traffic of tools of its own, and what it refused", async () => {
    const world = await offline();
    const call = { id: "1", type: "function", function: { name: "clock", arguments: "{}" } } as const;
    const messages: OpenAI.ChatCompletionMessageParam[] = [
      ...ask("What time is it?"),
      { role: "assistant", content: null, tool_calls: [call] },
      { role: "tool", tool_call_id: "1", content: [{ type: "text", text: "TOOLWORD 12:00" }] },
      { role: "assistant", content: [{ type: "refusal", refusal: "I can't say." }] },
      { role: "user", content: [{ type: "text", text: QUESTION }] },
      { role: "assistant", content: null, tool_calls: [{ ...call, id: "2" }] },
      { role: "tool", tool_call_id: "2", content: "12:00" },
    ];
    const { choices } = await openai(world).chat.completions.create({ model, user, messages });
    expect(choices[0]).toMatchObject({
      finish_reason: "stop",
      message: { content: expect.stringMatching(/B12/) },
    });
  });

  test("may be where to stop: whole or streamed, in the middle of a piece or across two", async () => {
    const world = await World.start({ documents, config: { "llm.answer_cache": false } });
    const client = openai(world);
    const [first, second] = CANTEEN_SAYS;
    const messages = ask("Where is the canteen?");
    for (const [stop, expected] of [
      ["120", `${first} It seats `],
      [["nowhere", ". It"], first.slice(0, -1)],
      [[" Its kitchen"], `${first} ${second}`],
      ["nowhere", CANTEEN_SAYS.join(" ")],
    ] as const) {
      const params = { model, user, messages, stop: typeof stop === "string" ? stop : [...stop] };
      for (const _ of Array(2))
        world.server.expectChat(searchReply("canteen")).expectChat(textReply(CANTEEN_SAYS.join(" ")));
      const { choices } = await client.chat.completions.create(params);
      expect(choices[0]).toMatchObject({ finish_reason: "stop", message: { content: expected } });
      const chunks = await all(await client.chat.completions.create({ ...params, stream: true }));
      expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? "").join("")).toBe(expected);
    }
    // What was cut is known when it comes back.
    const talk = [
      ...messages,
      { role: "assistant" as const, content: `${first} It seats ` },
      ...ask("What is your source?"),
    ];
    const { choices } = await client.chat.completions.create({
      model,
      user: JSON.stringify(WHO),
      messages: talk,
    });
    expect(choices[0]?.message.content).toContain("The canteen");
  });
});

describe("what is not supported", () => {
  const image = { type: "image_url", image_url: { url: "data:," } };
  const named = { type: "function", function: { name: "f" } };
  const CASES: readonly [what: string, body: object, status: number, param: string | null][] = [
    ["a call of some tool", { tool_choice: "required" }, 400, "tool_choice"],
    ["a call of one tool", { tool_choice: named }, 400, "tool_choice"],
    ["a call of one old function", { function_call: { name: "f" } }, 400, "function_call"],
    ["several answers", { n: 2 }, 400, "n"],
    ["log probabilities", { logprobs: true }, 400, "logprobs"],
    ["JSON", { response_format: { type: "json_object" } }, 400, "response_format"],
    [
      "a schema",
      { response_format: { type: "json_schema", json_schema: { name: "s" } } },
      400,
      "response_format",
    ],
    ["an odd stop word", { stop: [1] }, 400, "stop[0]"],
    ["too many stop words", { stop: Array(17).fill("x") }, 400, "stop"],
    ["sound", { modalities: ["text", "audio"], audio: { voice: "x", format: "wav" } }, 400, "audio"],
    ["an image", { messages: [{ role: "user", content: [image] }] }, 400, "messages[0].content[0].type"],
    [
      "only a tool's result",
      { messages: [{ role: "tool", content: "x", tool_call_id: "1" }] },
      400,
      "messages",
    ],
    ["an odd role", { messages: [{ role: "robot", content: "x" }] }, 400, "messages[0].role"],
    ["no messages", { messages: [] }, 400, "messages"],
    ["no question", { messages: [{ role: "assistant", content: "x" }] }, 400, "messages"],
    ["an empty question", { messages: [{ role: "user", content: "" }] }, 400, "messages[0].content"],
    ["no content", { messages: [{ role: "user" }] }, 400, "messages[0].content"],
    ["messages that are none", { messages: "x" }, 400, "messages"],
    ["broken JSON in `user`", { user: "{" }, 400, "user"],
    ["a bad name in `user`", { user: '{"network":""}' }, 400, "user.network"],
    ["another model", { model: "gpt-4o" }, 404, "model"],
    ["a long question", { messages: ask("word ".repeat(300)) }, 413, null],
  ];

  test("is refused by name in OpenAI's shape, streamed or not", async () => {
    const world = await offline();
    const client = openai(world);
    for (const [what, body, status, param] of CASES) {
      for (const stream of [false, true]) {
        const params = { model, user, messages: ask("x"), ...body, stream };
        const failure = await client.chat.completions
          .create(params as unknown as ChatCompletionCreateParamsNonStreaming)
          .then(
            () => undefined,
            (error: unknown) => error,
          );
        expect(failure, what).toBeInstanceOf(OpenAI.APIError);
        expect(failure, what).toMatchObject({ status, param, type: "invalid_request_error" });
      }
    }
    expect(world.eventsOf("service_fault")).toEqual([]);
  });

  test("neither are other addresses", async () => {
    const world = await offline();
    await expect(openai(world).embeddings.create({ model, input: "x" })).rejects.toMatchObject({
      status: 404,
      code: "not_found",
      type: "invalid_request_error",
    });
  });
});

describe("models", () => {
  test("are those of the settings", async () => {
    const world = await offline({ config: { "http.model_names": ["brunix", "site/assistant:v1"] } });
    const client = openai(world);
    expect((await all(await client.models.list())).map(({ id }) => id)).toEqual([
      "brunix",
      "site/assistant:v1",
    ]);
    expect(await client.models.retrieve("site/assistant:v1")).toMatchObject({ object: "model" });
    await expect(client.models.retrieve("readback")).rejects.toMatchObject({
      status: 404,
      code: "model_not_found",
    });
    const { model: name } = await client.chat.completions.create({
      model: "brunix",
      user,
      messages: ask("x"),
    });
    expect(name).toBe("brunix");
  });
});
