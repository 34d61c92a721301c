/** What goes wrong at the doors: clients that leave, sessions that are busy, models that break, a service that stops. */
import { once } from "node:events";
import { connect } from "node:net";
import { status } from "@grpc/grpc-js";
import { describe, expect, test } from "vitest";
import { MAILBOX_MAX } from "../../../src/chat/chat.js";
import { cutReply, errorReply, searchReply, textReply } from "../../support/openai-replies.js";
import { Drip } from "../script.js";
import { World, type WorldOptions } from "../world.js";
import { all, CANTEEN_SAYS, documents, eventsOf, grpc, ollama, openai, post, WHO } from "./ask.js";

const text = "Where is the canteen?";
const model = "readback";
const user = JSON.stringify(WHO);
const messages = [{ role: "user" as const, content: text }];

/** A service whose model has written one sentence and the beginning of the next, and waits for the test. */
async function midAnswer(options: WorldOptions = {}): Promise<{ world: World; pieces: Drip<string> }> {
  const world = await World.start({ documents, ...options });
  const pieces = new Drip<string>();
  world.server.expectChat(searchReply("canteen")).expectChat(textReply(pieces));
  pieces.put(`${CANTEEN_SAYS[0]} It `);
  return { world, pieces };
}

async function stopped(world: World, door: string): Promise<void> {
  expect(await world.server.requests.at(-1)?.over).toBe("aborted");
  expect((await world.happened("turn_finished")).result).toBe("cancelled");
  expect(await world.happened("door_request_finished")).toMatchObject({ door, result: "disconnected" });
  expect(world.eventsOf("service_fault")).toEqual([]);
}

describe("a client that leaves", () => {
  test("in the middle of a stream of events stops the answer", async () => {
    const { world } = await midAnswer();
    const leave = new AbortController();
    const init = { headers: { accept: "text/event-stream" }, signal: leave.signal };
    const told = eventsOf(await post(world, "/api/v1/answers", { ...WHO, text }, init));
    for (let name = ""; name !== "text"; ) name = (await told.next()).value?.name ?? "";
    leave.abort();
    await stopped(world, "answers");
  });

  test("while it waits for a whole answer stops it too", async () => {
    const { world } = await midAnswer();
    const leave = new AbortController();
    const asked = post(world, "/api/v1/answers", { ...WHO, text }, { signal: leave.signal });
    const failed = expect(asked).rejects.toThrow(/abort/);
    await world.server.received(2);
    leave.abort();
    await failed;
    await stopped(world, "answers");
  });

  test("stops it at OpenAI's and Ollama's doors", async () => {
    const first = await midAnswer();
    const completion = await openai(first.world).chat.completions.create({
      model,
      user,
      messages,
      stream: true,
    });
    const chunks = completion[Symbol.asyncIterator]();
    await chunks.next();
    await chunks.next();
    completion.controller.abort();
    await stopped(first.world, "openai");

    const second = await midAnswer();
    const chat = await ollama(second.world, { "x-readback-user": user }).chat({
      model,
      messages,
      stream: true,
    });
    await chat[Symbol.asyncIterator]().next();
    chat.abort();
    await stopped(second.world, "ollama");
  });

  test("before its request is whole gets nothing, and starts nothing", async () => {
    const { world } = await midAnswer();
    const socket = connect(world.ports.http, "127.0.0.1");
    socket.write(
      `POST /api/v1/answers HTTP/1.1\r\nHost: localhost:${world.ports.http}\r\nContent-Type: ` +
        "application/json\r\nContent-Length: 99\r\n\r\n{",
    );
    await once(socket, "connect");
    socket.destroy();
    expect(await world.happened("door_request_finished")).toMatchObject({ result: "disconnected" });
    expect(world.eventsOf("turn_accepted")).toEqual([]);
    expect(world.eventsOf("service_fault")).toEqual([]);
  });
});

describe("a session", () => {
  test("answers one question at a time, in order, each to whom it belongs", async () => {
    const { world, pieces } = await midAnswer();
    world.server.expectChat(searchReply("canteen seats")).expectChat(textReply(CANTEEN_SAYS[1]));
    const body = { ...WHO, session_id: "s-1" };
    const first = post(world, "/api/v1/answers", { ...body, text });
    await world.server.received(2);
    const second = post(world, "/api/v1/answers", {
      ...body,
      text: "How many people does the canteen seat?",
    });
    await world.happened("turn_accepted", 2);
    pieces.put("seats 120 people.");
    pieces.close();
    expect(await (await first).json()).toMatchObject({ answer: CANTEEN_SAYS.slice(0, 2).join(" ") });
    expect(await (await second).json()).toMatchObject({ answer: CANTEEN_SAYS[1] });
    world.server.verify();
  });

  test("with too much waiting refuses the newest with 429, and the others are answered", async () => {
    const { world, pieces } = await midAnswer({
      respond: {
        chat: ({ body }) =>
          body.tool_choice === "required" ? searchReply("canteen") : textReply(CANTEEN_SAYS[0]),
      },
    });
    const ask = () => post(world, "/api/v1/answers", { ...WHO, text, session_id: "s-1" });
    const asked = [];
    for (let n = 1; n <= MAILBOX_MAX + 1; n++) {
      asked.push(ask());
      await world.happened("turn_accepted", n);
    }
    const refused = await ask();
    expect(refused.status).toBe(429);
    expect(refused.headers.get("retry-after")).toBe("1");
    expect(await refused.json()).toMatchObject({ error: { code: "chat_busy" } });
    const client = openai(world);
    const note = JSON.stringify({ ...WHO, session_id: "s-1" });
    await expect(
      client.chat.completions.create({ model, user: note, messages, stream: true }),
    ).rejects.toMatchObject({
      status: 429,
      type: "rate_limit_error",
      code: "chat_busy",
    });
    pieces.close();
    for (const response of await Promise.all(asked)) expect(response.status).toBe(200);
  });
});

describe("a model that breaks off", () => {
  test("after the first words are streamed: they stay, and the user is told that the rest is lost", async () => {
    const { world, pieces } = await midAnswer({ config: { "llm.attempts_max": 1 } });
    world.server.expectChat(errorReply(500));
    const stream = await openai(world).chat.completions.create({ model, user, messages, stream: true });
    const chunks = stream[Symbol.asyncIterator]();
    await chunks.next();
    expect((await chunks.next()).value?.choices[0]?.delta.content).toBe(CANTEEN_SAYS[0]);
    pieces.fail(new Error("cut"));
    const rest = await all({ [Symbol.asyncIterator]: () => chunks });
    const said = rest.map(({ choices }) => choices[0]?.delta.content ?? "").join("");
    expect(said).toMatch(/rest/);
    expect(said).not.toContain(CANTEEN_SAYS[0]);
    expect(rest.at(-1)).toMatchObject({ readback: { outcome: "partial" } });
    expect(world.eventsOf("answer_rewound")).toEqual([]);
  });

  test("before any word falls back to the best passage, and says that the answer is degraded", async () => {
    const world = await World.start({ documents, config: { "llm.attempts_max": 1 } });
    world.server.expectChat(cutReply);
    const answer = await (await post(world, "/api/v1/answers", { ...WHO, text })).json();
    expect(answer).toMatchObject({ degraded: true, answer: expect.stringContaining("second floor") });
  });
});

describe("a service that stops", () => {
  test("tells who waits for a whole answer, in each protocol's own words", async () => {
    const { world } = await midAnswer({
      respond: { chat: () => ({ type: "hang" }) },
    });
    const plain = post(world, "/api/v1/answers", { ...WHO, text });
    await world.server.received(2);
    const streamed = openai(world).chat.completions.create({ model, user, messages, stream: true });
    const failed = expect(streamed).rejects.toMatchObject({
      status: 503,
      code: "shutting_down",
      type: "server_error",
    });
    const called = expect(all(grpc(world).AskAgent({ query: text, ...WHO }))).rejects.toMatchObject({
      code: status.UNAVAILABLE,
    });
    await world.server.received(4);
    await world.stop();
    const response = await plain;
    expect([response.status, await response.json()]).toEqual([
      503,
      { error: { code: "shutting_down", message: expect.any(String) } },
    ]);
    await failed;
    await called;
  });

  test("tells it in the stream to those who have heard the beginning", async () => {
    const { world } = await midAnswer();
    const stream = await openai(world).chat.completions.create({ model, user, messages, stream: true });
    const chunks = stream[Symbol.asyncIterator]();
    await chunks.next();
    await chunks.next();
    const failed = expect(chunks.next()).rejects.toMatchObject({ code: "shutting_down" });
    await world.stop();
    await failed;
  });
});
