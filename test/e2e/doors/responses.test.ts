/** `/v1/responses`, asked with OpenAI's own client. Conversations of two turns are in `clients.test.ts`. */
import OpenAI from "openai";
import { describe, expect, test } from "vitest";
import { searchReply, textReply } from "../../support/openai-replies.js";
import { Drip } from "../script.js";
import { World } from "../world.js";
import {
  all,
  CANTEEN_SAYS,
  documents,
  eventsIn,
  offline,
  openai,
  post,
  QUESTION,
  ROUTE,
  WHO,
} from "./ask.js";

const model = "readback";
const user = JSON.stringify({ ...WHO, query_type: ROUTE });
const plain = JSON.stringify(WHO);

describe("a response", () => {
  test("is the checked answer in OpenAI's shape", async () => {
    const world = await World.start({ documents });
    world.server.expectChat(searchReply("canteen")).expectChat(textReply(CANTEEN_SAYS.join(" ")));
    const response = await openai(world).responses.create({
      model,
      user,
      instructions: "SYSTEMWORD: answer as a pirate.",
      input: [
        { role: "developer", content: "SYSTEMWORD" },
        { role: "user", content: [{ type: "input_text", text: "Where is the canteen?" }] },
      ],
      tools: [{ type: "web_search" }],
      tool_choice: "auto",
      parallel_tool_calls: true,
      text: { format: { type: "text" }, verbosity: "low" },
      reasoning: { effort: "low" },
      include: ["reasoning.encrypted_content"],
      max_output_tokens: 16,
      metadata: { a: "b" },
    });
    expect(response).toMatchObject({
      id: expect.stringMatching(/^resp_/),
      object: "response",
      status: "completed",
      error: null,
      model,
      metadata: { a: "b" },
      output_text: CANTEEN_SAYS.join(" "),
      output: [
        { type: "message", id: expect.stringMatching(/^msg_/), role: "assistant", status: "completed" },
      ],
      usage: { input_tokens: 200, output_tokens: 40, total_tokens: 240 },
      readback: { outcome: "answered", sources: [{ title: "The canteen" }] },
    });
    expect(world.requestText).not.toContain("SYSTEMWORD");
  });

  test("streams each sentence as soon as it is checked, in the events that clients know", async () => {
    const world = await World.start({ documents });
    const pieces = new Drip<string>();
    world.server.expectChat(searchReply("canteen")).expectChat(textReply(pieces));
    const [first, second, third] = CANTEEN_SAYS;
    pieces.put(`${first} ${second} Its `);
    const stream = await openai(world).responses.create({
      model,
      user,
      input: "Where is the canteen?",
      stream: true,
    });
    const events = stream[Symbol.asyncIterator]();
    const next = async () => (await events.next()).value as OpenAI.Responses.ResponseStreamEvent;
    const opening = [await next(), await next(), await next(), await next()];
    // The model is still writing.
    expect(await next()).toMatchObject({ type: "response.output_text.delta", delta: first });
    pieces.put(third.replace("Its ", ""));
    pieces.close();
    const rest = await all({ [Symbol.asyncIterator]: () => events });
    expect(opening.map(({ type }) => type)).toEqual([
      "response.created",
      "response.in_progress",
      "response.output_item.added",
      "response.content_part.added",
    ]);
    expect(rest.map(({ type }) => type)).toEqual([
      "response.output_text.delta",
      "response.output_text.delta",
      "response.output_text.done",
      "response.content_part.done",
      "response.output_item.done",
      "response.completed",
    ]);
    expect(rest.map(({ sequence_number }) => sequence_number)).toEqual([5, 6, 7, 8, 9, 10]);
    expect(rest.at(-1)).toMatchObject({
      response: { status: "completed", usage: { total_tokens: 240 }, readback: { outcome: "answered" } },
    });
  });

  test("that fails has a status of its own before it begins, and an event after", async () => {
    const world = await World.start({ documents });
    const busy = { model, user, input: "word ".repeat(300), stream: true };
    expect((await post(world, "/v1/responses", busy)).status).toBe(413);
    const pieces = new Drip<string>();
    world.server.expectChat(searchReply("canteen")).expectChat(textReply(pieces));
    pieces.put(`${CANTEEN_SAYS[0]} It `);
    const reply = await post(world, "/v1/responses", {
      model,
      user,
      input: "Where is the canteen?",
      stream: true,
    });
    const told = reply.text();
    const stopped = world.stop();
    const [last] = eventsIn(await told).slice(-1);
    await stopped;
    expect(last).toMatchObject({
      name: "response.failed",
      data: { type: "response.failed", response: { status: "failed", error: { code: "shutting_down" } } },
    });
  });
});

describe("what is named", () => {
  test("is known to its caller alone, and only what was to be stored", async () => {
    const world = await offline();
    const client = openai(world);
    const source = "What is your source?";
    const { id, output } = await client.responses.create({ model, user, input: QUESTION });
    const next = (who: string, previous: string) =>
      client.responses.create({ model, user: who, input: source, previous_response_id: previous });
    expect((await next(plain, id)).output_text).toContain("Lockout of press 4");
    const bob = JSON.stringify({ ...WHO, username: "bob" });
    const failures = [next(bob, id), next(plain, "resp_0123456789abcdef")];
    for (const failure of failures)
      await expect(failure).rejects.toMatchObject({ status: 404, param: "previous_response_id" });
    const unstored = await client.responses.create({ model, user, input: QUESTION, store: false });
    await expect(next(plain, unstored.id)).rejects.toMatchObject({ status: 404 });
    const items = (id: string) => [
      { role: "user" as const, content: QUESTION },
      { type: "item_reference" as const, id },
      { role: "user" as const, content: source },
    ];
    const named = await client.responses.create({ model, user: plain, input: items(output[0]!.id!) });
    expect(named.output_text).toContain("Lockout of press 4");
    const unknown = client.responses.create({ model, user: plain, input: items("msg_0123456789abcdef") });
    await expect(unknown).rejects.toMatchObject({ status: 404, param: "input[1].id" });
  });

  test("may be an older one: the conversation goes on from there", async () => {
    const world = await offline();
    const client = openai(world);
    const ask = (input: string, previous_response_id?: string) =>
      client.responses.create({
        model,
        user: plain,
        input,
        ...(previous_response_id && { previous_response_id }),
      });
    const first = await ask(QUESTION);
    await ask("Where is the canteen?", first.id);
    const third = await ask("What is your source?", first.id);
    expect(third.output_text).toContain("Lockout of press 4");
    const fourth = await ask("Repeat that.", third.id);
    expect(fourth.output_text).toBe(third.output_text);
  });

  test("does not count in a session, which the service remembers by itself", async () => {
    const world = await offline();
    const client = openai(world);
    const session = JSON.stringify({ ...WHO, session_id: "s-1" });
    const { id } = await client.responses.create({ model, user: session, input: QUESTION });
    const next = { model, user: session, input: "What is your source?", previous_response_id: id };
    expect((await client.responses.create(next)).output_text).toContain("Lockout of press 4");
  });
});

test("what would change the answer is refused by name, and other items are passed over", async () => {
  const world = await offline();
  const client = openai(world);
  const image = { type: "input_image", image_url: "data:,", detail: "auto" };
  const CASES: readonly [what: string, body: object, status: number, param: string | null][] = [
    ["JSON", { text: { format: { type: "json_object" } } }, 400, "text"],
    ["a call of some tool", { tool_choice: "required" }, 400, "tool_choice"],
    ["work in the background", { background: true }, 400, "background"],
    ["a conversation", { conversation: "conv_1" }, 400, "conversation"],
    ["a prompt", { prompt: { id: "p" } }, 400, "prompt"],
    ["log probabilities", { top_logprobs: 3 }, 400, "top_logprobs"],
    ["an image", { input: [{ role: "user", content: [image] }] }, 400, "input[0].content[0].type"],
    ["no question", { input: [{ role: "assistant", content: "x" }] }, 400, "input"],
    ["an empty question", { input: [{ role: "user", content: " " }] }, 400, "input[0].content"],
    ["no input", { input: null }, 400, "input"],
    ["an item that is nothing", { input: [{}] }, 400, "input[0]"],
    ["another model", { model: "gpt-4o" }, 404, "model"],
  ];
  for (const [what, body, status, param] of CASES) {
    const params = { model, user, input: "x", ...body } as OpenAI.Responses.ResponseCreateParamsNonStreaming;
    const failure = await client.responses.create(params).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(failure, what).toBeInstanceOf(OpenAI.APIError);
    expect(failure, what).toMatchObject({ status, param, type: "invalid_request_error" });
  }
  const { output_text } = await client.responses.create({
    model,
    user,
    input: [
      { type: "reasoning", id: "rs_1", summary: [] },
      { type: "function_call", call_id: "1", name: "clock", arguments: "{}" },
      { type: "function_call_output", call_id: "1", output: "TOOLWORD" },
      { type: "message", role: "user", content: QUESTION },
    ],
  });
  expect(output_text).toContain("B12");
  expect(world.eventsOf("service_fault")).toEqual([]);
});
