/** The door for Ollama's clients, asked with Ollama's own client. */
import { describe, expect, test } from "vitest";
import { rawRequest } from "../../attack/support/raw-http.js";
import { searchReply, textReply } from "../../support/openai-replies.js";
import { Drip, librarian } from "../script.js";
import { World } from "../world.js";
import { address, all, CANTEEN_SAYS, documents, offline, ollama, post, QUESTION, ROUTE, WHO } from "./ask.js";

const model = "readback";
const headers = { "x-readback-user": JSON.stringify({ ...WHO, query_type: ROUTE }) };

describe("/api/chat", () => {
  test("streams each sentence as soon as it is checked", async () => {
    const world = await World.start({ documents });
    const pieces = new Drip<string>();
    world.server.expectChat(searchReply("canteen")).expectChat(textReply(pieces));
    const [first, second, third] = CANTEEN_SAYS;
    pieces.put(`${first} ${second} Its `);
    const stream = await ollama(world, headers).chat({
      model,
      messages: [{ role: "user", content: "Where is the canteen?" }],
      stream: true,
    });
    const parts = stream[Symbol.asyncIterator]();
    // The model is still writing.
    expect((await parts.next()).value).toMatchObject({
      message: { role: "assistant", content: first },
      done: false,
    });
    pieces.put(third.replace("Its ", ""));
    pieces.close();
    const rest = await all({ [Symbol.asyncIterator]: () => parts });
    expect(rest.map(({ message }) => message.content)).toEqual([` ${second}`, ` ${third}`, ""]);
    expect(rest.at(-1)).toMatchObject({
      model,
      done: true,
      done_reason: "stop",
      prompt_eval_count: 200,
      eval_count: 40,
      total_duration: expect.any(Number),
    });
  });

  test("holds a conversation that the client keeps, and one that is kept here", async () => {
    const world = await World.start({ documents, respond: librarian });
    const client = ollama(world, headers);
    const question = { role: "user", content: "press 4 lockout FIRSTWORD" };
    const { message } = await client.chat({ model, messages: [question] });
    expect(message.content).toContain("LOCKOUT71");
    const sent = (from: number) =>
      world.server.requests
        .slice(from)
        .map(({ body }) => JSON.stringify(body))
        .join();
    const from = world.server.requests.length;
    const messages = [question, message, { role: "user", content: "press 4 lockout tag" }];
    await all(await client.chat({ model, messages, stream: true }));
    expect(sent(from)).toContain("FIRSTWORD");

    const note = encodeURIComponent(
      JSON.stringify({ ...WHO, username: "jürgen", session_id: "s-1", query_type: ROUTE }),
    );
    const kept = ollama(world, { "x-readback-user": note });
    await all(
      await kept.chat({ model, messages: [{ role: "user", content: "press 4 SECONDWORD" }], stream: true }),
    );
    const later = world.server.requests.length;
    await all(
      await kept.chat({ model, messages: [{ role: "user", content: "press 4 lockout" }], stream: true }),
    );
    expect(sent(later)).toContain("SECONDWORD");
    expect(world.eventsOf("turn_started").at(-1)?.user).toEqual({ network: "acme", username: "jürgen" });
  });

  test("takes the note about the user in the body as well", async () => {
    const world = await offline();
    const messages = [{ role: "user", content: QUESTION }];
    const response = await post(world, "/api/chat", { model, messages, stream: false, user: WHO });
    expect(await response.json()).toMatchObject({
      message: { content: expect.stringContaining("B12") },
      done: true,
    });
  });
});

describe("/api/generate", () => {
  test("answers a prompt, streamed or not", async () => {
    const world = await offline();
    const client = ollama(world, headers);
    const whole = await client.generate({ model: "readback:latest", prompt: QUESTION });
    expect(whole).toMatchObject({ response: expect.stringContaining("breaker B12"), done: true });
    const parts = await all(await client.generate({ model, prompt: QUESTION, stream: true }));
    expect(parts.map(({ response }) => response).join("")).toBe(whole.response);
    expect(parts.map(({ done }) => done)).toEqual([...parts.slice(1).map(() => false), true]);
  });

  test("streams lines of JSON when nothing is said about it", async () => {
    const world = await offline();
    const response = await post(world, "/api/generate", { model, prompt: QUESTION, user: WHO });
    expect(response.headers.get("content-type")).toBe("application/x-ndjson");
    const lines = (await response.text()).trimEnd().split("\n");
    const done = lines.map((line) => (JSON.parse(line) as { done: boolean }).done);
    expect(done.length).toBeGreaterThan(1);
    expect(done).toEqual(lines.map((_, i) => i === lines.length - 1));
  });

  test("of nothing says that the model is there", async () => {
    const world = await offline();
    expect(await ollama(world).generate({ model, prompt: "" })).toMatchObject({
      done: true,
      done_reason: "load",
    });
    expect(world.eventsOf("turn_accepted")).toEqual([]);
  });
});

describe("a body that does not say that it is JSON", () => {
  const body = JSON.stringify({
    model,
    messages: [{ role: "user", content: QUESTION }],
    stream: false,
    user: WHO,
  });

  /** The status of a raw request: clients' libraries add headers of their own. */
  async function sent(world: World, headers: readonly string[], path = "/api/chat"): Promise<number> {
    const { http } = world.ports;
    const lines = [`Host: 127.0.0.1:${http}`, ...headers];
    return (await rawRequest(http, { method: "POST", path, headers: lines, body })).status;
  }

  test("is taken as JSON, as Ollama does, from what is no browser", async () => {
    const world = await offline();
    expect(await sent(world, [])).toBe(200);
    const curl = ["User-Agent: curl/8.5.0", "Accept: */*"];
    for (const type of [
      "application/x-www-form-urlencoded",
      "text/plain;charset=UTF-8",
      "application/octet-stream",
    ])
      expect([type, await sent(world, [...curl, `Content-Type: ${type}`])]).toEqual([type, 200]);
    // The other doors' own servers want the type to be told.
    expect(await sent(world, curl, "/v1/chat/completions")).toBe(415);
    expect(await sent(world, curl, "/api/v1/answers")).toBe(415);
  });

  test("is refused from a page that a browser shows, with and without a key", async () => {
    const key = "free-key-0123456789";
    const locked = await offline({ config: { "http.api_keys": [{ key }] } });
    const open = await offline();
    const firefox = "User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:60.0) Gecko/20100101 Firefox/60.0";
    const types = [
      "application/x-www-form-urlencoded",
      "text/plain",
      "multipart/form-data; boundary=x",
      undefined,
    ];
    for (const type of types) {
      for (const sign of [
        firefox,
        "Origin: https://evil.example",
        "Origin: null",
        "Referer: https://evil.example/",
      ]) {
        const headers = [sign, ...(type === undefined ? [] : [`Content-Type: ${type}`])];
        expect([headers, await sent(open, headers)]).toEqual([
          headers,
          sign.startsWith("Origin") ? 403 : 415,
        ]);
        expect([headers, await sent(locked, [...headers, `X-Api-Key: ${key}`])]).toEqual([headers, 415]);
      }
      const crossSite = [
        "Sec-Fetch-Site: cross-site",
        ...(type === undefined ? [] : [`Content-Type: ${type}`]),
      ];
      expect(await sent(open, crossSite)).toBe(403);
      expect(await sent(locked, [...crossSite, `X-Api-Key: ${key}`])).toBe(403);
    }
    for (const world of [open, locked]) expect(world.eventsOf("turn_accepted")).toEqual([]);
  });
});

describe("what clients ask for first", () => {
  test("is whether anybody is there, as the official Go client asks before all else", async () => {
    const world = await offline();
    const head = await fetch(address(world, "/"), { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
    const get = await fetch(address(world, "/"));
    expect([get.status, get.headers.get("content-type"), await get.text()]).toEqual([
      200,
      "text/plain; charset=utf-8",
      "Ollama is running",
    ]);
    for (const path of ["/api/version", "/api/tags", "/api/ps"])
      expect([path, (await fetch(address(world, path), { method: "HEAD" })).status]).toEqual([path, 200]);
    expect((await post(world, "/", {})).status).toBe(405);
  });

  test("is what is loaded: the assistant, always", async () => {
    const world = await offline();
    const { models } = await ollama(world).ps();
    const [listed] = (await ollama(world).list()).models;
    expect(models).toMatchObject([{ name: listed!.name, digest: listed!.digest, size_vram: 0 }]);
    expect(new Date(models[0]!.expires_at).getTime()).toBeGreaterThan(
      new Date(listed!.modified_at).getTime(),
    );
  });

  test("is answered: the list of models, a description, the version", async () => {
    const world = await offline();
    const client = ollama(world);
    const { models } = await client.list();
    expect(models).toMatchObject([{ name: "readback:latest", details: { family: "readback" } }]);
    expect(await client.show({ model })).toMatchObject({ capabilities: ["completion"] });
    const version = await (await fetch(address(world, "/api/version"))).json();
    expect(version).toEqual({ version: expect.stringMatching(/^\d+\.\d+\.\d+$/) });
  });
});

describe("what stock clients send beside the question", () => {
  test("are tools, which are never called, and their traffic", async () => {
    const world = await offline();
    const call = { function: { name: "clock", arguments: {} } };
    const messages = [
      { role: "user", content: "What time is it?" },
      { role: "assistant", content: "", tool_calls: [call] },
      { role: "tool", content: "TOOLWORD 12:00", tool_name: "clock" },
      { role: "user", content: QUESTION },
    ];
    const tools = [
      { type: "function", function: { name: "clock", parameters: { type: "object", properties: {} } } },
    ];
    const reply = await ollama(world, headers).chat({ model, messages, tools });
    expect(reply.message.content).toContain("B12");
    expect(reply.message.tool_calls).toBeUndefined();
  });

  test("is where to stop", async () => {
    const world = await offline();
    const client = ollama(world, headers);
    const request = { model, prompt: QUESTION, options: { stop: ["red"] } };
    const { response } = await client.generate(request);
    expect(response).toMatch(/locked out with a $/);
    const parts = await all(await client.generate({ ...request, stream: true }));
    expect(parts.map((part) => part.response).join("")).toBe(response);
  });
});

describe("what is not supported", () => {
  const messages = [{ role: "user", content: "x" }];
  const CASES: readonly [what: string, path: string, body: object, status: number, error: RegExp][] = [
    ["another model", "/api/chat", { model: "llama3", messages }, 404, /model 'llama3' not found/],
    ["an image", "/api/chat", { model, messages: [{ ...messages[0], images: ["AA=="] }] }, 400, /images/],
    ["a format", "/api/generate", { model, prompt: "x", format: "json" }, 400, /format/],
    ["thinking", "/api/chat", { model, messages, think: true }, 400, /think/],
    ["no model", "/api/generate", { prompt: "x" }, 400, /"model" is missing/],
    [
      "an odd role",
      "/api/chat",
      { model, messages: [{ role: "robot", content: "x" }, ...messages] },
      400,
      /role/,
    ],
    [
      "a long question",
      "/api/chat",
      { model, messages: [{ role: "user", content: "word ".repeat(300) }] },
      413,
      /250/,
    ],
    ["an unknown model to describe", "/api/show", { model: "llama3" }, 404, /not found/],
  ];

  test("is refused in Ollama's shape", async () => {
    const world = await offline();
    for (const [what, path, body, status, error] of CASES) {
      const response = await post(world, path, body);
      expect(response.status, what).toBe(status);
      expect(await response.json(), what).toEqual({ error: expect.stringMatching(error) });
    }
    const client = ollama(world);
    await expect(client.chat({ model: "llama3", messages, stream: true })).rejects.toThrow(/not found/);
  });
});
