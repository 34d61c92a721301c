/**
 * No secret and no passage in what the service tells of itself: its log, its metrics, its health, its printed
 * settings, and the errors that users get.
 */
import { describe, expect, test } from "vitest";
import { errorReply, rawReply, searchReply, textReply } from "../support/openai-replies.js";
import { Child } from "./child.js";
import { LOCKOUT, PAYROLL } from "./documents.js";
import { librarian } from "./script.js";
import { World } from "./world.js";

const documents = { acme: { "lockout.md": LOCKOUT, "payroll.md": PAYROLL }, lab: { "lockout.md": LOCKOUT } };
const QUESTION = "how is press 4 locked out with the red padlock";

/** Everything that operators see, and what this relay's users got. */
async function told(world: World, received: readonly { readonly text?: string }[]): Promise<string> {
  const health = await Promise.all(
    ["healthz", "readyz"].map(async (path) =>
      (await fetch(`http://127.0.0.1:${world.ports.http}/${path}`)).text(),
    ),
  );
  const frames = received.map(({ text }) => text ?? "");
  return [world.log, await world.metrics(), ...health, ...frames].join("\n");
}

/** A key that looks like one, and keys that do not. */
const KEYS = ["sk-proj-0123456789abcdefABCDEF", "correct horse battery staple", "p+q/r=?&s.t"];

describe("a key", () => {
  test.each(KEYS)("is in no error that echoes it: %s", async (key) => {
    const world = await World.start({
      documents,
      environment: { OPENAI_API_KEY: key },
      config: {
        "llm.api_key": key,
        "speech.api_key": `${key}-tts`,
        "llm.attempts_max": 1,
        "log.level": "debug",
      },
      respond: librarian,
      apiKey: key,
    });
    const relay = await world.relay();
    const ann = relay.user("acme", "ann");
    const echo = `Incorrect API key provided: ${key}. Header: Bearer ${key}`;
    const script = [
      () => world.server.expectChat(errorReply(401, { message: echo, code: "invalid_api_key" })),
      () => world.server.expectChat(errorReply(500, { message: echo, code: key })),
      () => world.server.expectChat(rawReply("application/json", JSON.stringify({ echo }))),
      () => world.server.expectChat(rawReply("text/html", echo, 502)),
      () => world.server.expectChat(searchReply("press 4")).expectChat(errorReply(400, { message: echo })),
    ];
    for (const [n, play] of script.entries()) {
      play();
      ann.ask(n % 2 === 0 ? QUESTION : "giraffe zeppelin", { request_id: `r-${n}` });
      await ann.answered(`r-${n}`);
    }
    world.server.verify();
    await world.stop();
    expect(world.eventsOf("model_failed")).toHaveLength(script.length);
    expect(world.log + JSON.stringify(relay.frames.map(({ text }) => text))).not.toContain(key);
  });

  test("of another shape than the configured one, which a server lets slip, is not logged either", async () => {
    const world = await World.start({ documents, config: { "llm.attempts_max": 1, "log.level": "debug" } });
    const ann = (await world.relay()).user("acme", "ann");
    world.server.expectChat(errorReply(401, { message: "bad", code: "sk-live-abcdefgh12345678" }));
    ann.ask(QUESTION);
    await ann.answered();
    expect((await told(world, ann.frames)).includes("sk-live-abcdefgh12345678")).toBe(false);
  });
});

describe("a user and a password in the server's address", () => {
  test("are refused when the settings are read, and told to nobody", async () => {
    const start = World.start({
      config: { "llm.base_url": "http://plant:hunter2%20%26%20co@127.0.0.1:1/v1" },
    });
    const error = await start.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(String(error)).toMatch(/llm\.base_url .*take them out, and set api_key/s);
    for (const secret of ["hunter2", "plant:"]) expect(String(error)).not.toContain(secret);
  });
});

describe("the log of a whole session", () => {
  test("holds queries and document ids, and no passage and no answer", async () => {
    const world = await World.start({ documents, respond: librarian, config: { "log.level": "debug" } });
    const relay = await world.relay();
    const ann = relay.user("acme", "ann");
    ann.ask("how is press 4 locked out", { request_id: "r-1" });
    await ann.answered("r-1");
    world.server.expectChat(searchReply("tag of press 4")).expectChat(textReply("It is zzanswer."));
    ann.askAloud("and its tag?", { request_id: "r-2" });
    await ann.answered("r-2");
    ann.ask("payroll safe code", { groups: ["managers"], request_id: "r-3" });
    await ann.answered("r-3");
    world.server.expectChat(errorReply(401));
    ann.ask(QUESTION, { request_id: "r-4" });
    await ann.answered("r-4");
    ann.send("close_chat");
    await ann.received("chat_closed");
    relay.sendRaw("garbage");
    await relay.closed();
    const all = await told(world, []);
    await world.stop();
    for (const text of [all, world.log])
      expect(/LOCKOUT71|PAYROLL93|breaker B12|padlock at|zzanswer/.exec(text)?.[0]).toBeUndefined();
    const found = world.log.split("\n").filter((line) => line.includes('"event":"passages_retrieved"'));
    expect(found[1]).toContain('"queries":["tag of press 4"]');
    expect(found[1]).toMatch(/"documentIds":\["lockout-/);
    for (const line of world.log
      .trim()
      .split("\n")
      .map((text) => JSON.parse(text)))
      if (String(line.event).startsWith("turn_"))
        expect(line).toMatchObject({ network: "acme", username: "ann" });
  });

  test("holds them for a debug network, and for no other", async () => {
    const world = await World.start({
      documents,
      respond: librarian,
      config: { "log.debug_networks": ["lab"] },
    });
    const relay = await world.relay();
    for (const network of ["lab", "acme"]) {
      relay.user(network, "ann").ask(QUESTION);
      await relay.user(network, "ann").answered();
    }
    await world.stop();
    const lines = world.log.split("\n").filter((line) => line.includes("LOCKOUT71"));
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) expect(line).toContain('"network":"lab"');
  });
});

describe("readback config", () => {
  test("masks every secret: keys from the environment and passwords in addresses", async () => {
    const secret = "hunter2-hunter2";
    const child = Child.run(["config"], {
      OPENAI_API_KEY: secret,
      READBACK_SPEECH_API_KEY: `${secret}-tts`,
      OPENAI_BASE_URL: `https://user:${secret}@models.example/v1`,
      READBACK_SPEECH_BASE_URL: `https://:${secret}@speech.example/v1`,
    });
    await child.exited;
    expect(child.stdout + child.stderr).not.toContain(secret);
    expect(child.stdout + child.stderr).toContain("models.example");
  });

  test("prints no secret in what is wrong with it either", async () => {
    const secret = "hunter2-hunter2";
    const child = Child.run(["config"], {
      OPENAI_BASE_URL: `ftp://user:${secret}@models.example/v1`,
      READBACK_SPEECH_BASE_URL: `https://user:${secret}@[bad/v1`,
    });
    expect((await child.exited).code).toBe(2);
    expect(child.stderr).toContain("llm.base_url");
    expect(child.stderr).not.toContain(secret);
  });
});

describe("/metrics", () => {
  test("has the reference's names, and Node's own", async () => {
    const world = await World.start({ documents, respond: librarian });
    const ann = (await world.relay()).user("acme", "ann");
    ann.askAloud(QUESTION, { request_id: "r-1" });
    await ann.answered("r-1");
    ann.ask(QUESTION, { request_id: "r-2" });
    await ann.answered("r-2");
    const response = await fetch(`http://127.0.0.1:${world.ports.metrics}/metrics`);
    expect(response.headers.get("content-type")).toContain("text/plain");
    const page = await response.text();
    for (const gauge of ["chats_size 1", "networks_size 1", "supernode_connections 1"])
      expect(page).toContain(gauge);
    expect(page).toContain("ai_message_requests_total 2");
    expect(page).toContain("ai_message_error_responses_total 0");
    const histograms: readonly (readonly [string, number, number, number])[] = [
      ["ai_message_audio_request_times_seconds", 0.05, 30, 1],
      ["ai_message_text_request_times_seconds", 0.05, 20, 1],
      ["ai_message_audio_first_packet_times_seconds", 0.05, 30, 1],
      ["initial_query_request_times_seconds", 0.05, 20, 2],
      ["document_search_request_times_seconds", 0.05, 20, 2],
      ["text_to_speech_request_times_seconds", 0.05, 30, 2],
      ["text_to_speech_first_packet_times_seconds", 0.05, 30, 2],
      ["opus_packet_creation_times_seconds", 0.01, 15, 2],
      ["audio_length_times_seconds", 0.5, 300, 1],
      ["response_character_counts", 10, 5_000, 2],
    ];
    for (const [name, first, last, count] of histograms) {
      const bounds = [...page.matchAll(new RegExp(`^${name}_bucket\\{le="([\\d.]+)"\\}`, "gm"))].map(
        ([, le]) => Number(le),
      );
      expect([bounds[0], bounds.at(-1)], name).toEqual([first, last]);
      expect(page, name).toMatch(new RegExp(`^${name}_count ${count}$`, "m"));
    }
    for (const type of [
      "first_no_tool_request_input_tokens",
      "first_no_tool_request_output_tokens",
      "second_with_rag_request_input_tokens",
      "second_with_rag_request_output_tokens",
      "rag_character_count",
    ])
      expect(page).toMatch(new RegExp(`^token_usage_total\\{type="${type}"\\} [1-9]`, "m"));
    expect(page).toMatch(/^process_resident_memory_bytes \d/m);
    expect(page).toMatch(/^nodejs_eventloop_lag_seconds \d/m);
  });
});
