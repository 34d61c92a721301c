/** `POST /api/v1/answers`: everything that is known of an answer, whole or as it happens, and what bad input gets. */
import { createHash } from "node:crypto";
import { OggOpusDemuxer } from "@readback/audio";
import { describe, expect, test } from "vitest";
import { searchReply, textReply } from "../../support/openai-replies.js";
import { Drip, librarian } from "../script.js";
import { World } from "../world.js";
import {
  CANTEEN_SAYS,
  documents,
  eventsIn,
  eventsOf,
  offline,
  post,
  QUESTION,
  ROUTE,
  type Told,
  WHO,
} from "./ask.js";

const ANSWER = "Press 4 is locked out with a red padlock at breaker B12 before anybody reaches into it.";
const PATH = "/api/v1/answers";

async function rejected(response: Response): Promise<unknown> {
  const { error } = (await response.json()) as { error: unknown };
  return { status: response.status, ...(error as object) };
}

describe("an answer", () => {
  test("comes with its route, queries, passages, claims with evidence, times and tokens", async () => {
    const world = await World.start({ documents });
    world.server.expectChat(searchReply("lockout press 4")).expectChat(textReply(ANSWER));
    const response = await post(world, PATH, { ...WHO, text: QUESTION, route: ROUTE });
    expect(response.status).toBe(200);
    const body = (await response.json()) as Record<string, unknown>;
    expect(body).toMatchObject({
      outcome: "answered",
      route: { route: ROUTE, layer: "declared", confidence: expect.any(Number) },
      answer: ANSWER,
      spoken: expect.stringContaining("red padlock"),
      search_queries: ["lockout press 4"],
      claims: [{ text: ANSWER, verdict: "supported", said: true, reasons: [] }],
      uncertainties: [],
      confidence: expect.any(Number),
      degraded: false,
      usage: { input_tokens: 200, output_tokens: 40 },
      timings_ms: { total: expect.any(Number) },
      waterfall: {
        // The document holds a procedure.
        held: true,
        marks_ms: {
          started: expect.any(Number),
          plan: expect.any(Number),
          search: expect.any(Number),
          first_token: expect.any(Number),
          first_clause: expect.any(Number),
          first_sentence: expect.any(Number),
          text_sent: expect.any(Number),
        },
      },
    });
    const [passage] = body.passages as Record<string, unknown>[];
    expect(passage).toMatchObject({ title: "Lockout of press 4", revision: "3", source_file: "lockout.md" });
    const [claim] = body.claims as { evidence: { type: string; source: string; value: string }[] }[];
    expect(claim?.evidence[0]).toMatchObject({ type: "passage", source: passage?.chunk_id });
    expect(String(passage?.text)).toContain(claim?.evidence[0]?.value);
    expect(JSON.stringify(body)).not.toMatch(/allowed|managers/);
    expect(body).not.toHaveProperty("audio");
    world.server.verify();
  });

  test("holds nothing that the user may not read, in any of its parts", async () => {
    const world = await offline();
    const text = "What code opens the payroll safe?";
    const outside = await (await post(world, PATH, { ...WHO, text })).json();
    expect(outside).toMatchObject({ outcome: "not_in_documents", claims: [] });
    expect(JSON.stringify(outside)).not.toMatch(/payroll\.md|PAYROLL93|"Payroll/);
    const inside = await post(world, PATH, { ...WHO, text, groups: ["managers"] });
    expect(await inside.json()).toMatchObject({ answer: expect.stringContaining("PAYROLL93") });
  });

  test("as audio is a playable file beside the text", async () => {
    const world = await World.start({ documents, respond: librarian });
    const response = await post(world, PATH, { ...WHO, text: "press 4 lockout", response_type: "audio" });
    const { answer, audio } = (await response.json()) as {
      answer: string;
      audio: { content_type: string; duration_ms: number; data: string };
    };
    expect(answer).toContain("LOCKOUT71");
    expect(audio.content_type).toBe("audio/ogg; codecs=opus");
    const demuxer = new OggOpusDemuxer();
    const events = [...demuxer.push(Buffer.from(audio.data, "base64")), ...demuxer.end()];
    const packets = events.filter(({ type }) => type === "packet");
    expect(packets).toHaveLength(4);
    expect(audio.duration_ms).toBe(4 * 20);
  });

  test("reads the history that is sent, and remembers nothing of a question without a session", async () => {
    const world = await World.start({ documents, respond: librarian });
    const history = [
      { role: "user", text: "Tell me about the PRESSWORD." },
      { role: "assistant", text: "It is locked out." },
    ];
    await post(world, PATH, { ...WHO, text: "press 4 lockout", history });
    expect(world.requestText).toContain("PRESSWORD");
    await world.happened("chat_closed");
    const before = world.server.requests.length;
    await post(world, PATH, { ...WHO, text: "press 4 lockout" });
    const later = world.server.requests.slice(before).map(({ body }) => JSON.stringify(body));
    expect(later.join()).not.toContain("PRESSWORD");
    expect(world.eventsOf("chat_opened")).toHaveLength(2);
  });

  test("in a session continues it: for its user only", async () => {
    const world = await World.start({ documents, respond: librarian });
    const ask = async (username: string, text: string) => {
      const from = world.server.requests.length;
      await (await post(world, PATH, { ...WHO, username, text, session_id: "s-1", route: ROUTE })).text();
      return world.server.requests
        .slice(from)
        .map(({ body }) => JSON.stringify(body))
        .join();
    };
    await ask("ann", "press 4 lockout FIRSTWORD");
    expect(await ask("ann", "press 4 lockout tag")).toContain("FIRSTWORD");
    expect(await ask("bob", "press 4 lockout tag")).not.toContain("FIRSTWORD");
  });
});

describe("with Accept: text/event-stream", () => {
  const headers = { accept: "text/event-stream" };

  test("the turn is told as it happens, and ends with all that the whole answer has", async () => {
    const world = await World.start({ documents });
    const pieces = new Drip<string>();
    world.server.expectChat(searchReply("canteen")).expectChat(textReply(pieces));
    const [first, second, third] = CANTEEN_SAYS;
    pieces.put(`${first} ${second} Its `);
    const response = await post(world, PATH, { ...WHO, text: "Where is the canteen?" }, { headers });
    expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    const told = eventsOf(response);
    const next = async () => ((await told.next()).value as Told | undefined) ?? "end";
    const begun = [await next(), await next(), await next(), await next()] as Told[];
    // The model is still writing.
    expect(begun.map(({ name }) => name)).toEqual(["routed", "queries", "passages", "text"]);
    expect(begun[3]?.data).toEqual({ text: `${first} ` });
    pieces.put(third.replace("Its ", ""));
    pieces.close();
    const rest = [await next(), await next(), await next()] as Told[];
    expect(rest.map(({ name }) => name)).toEqual(["text", "text", "finished"]);
    expect(rest[2]?.data).toMatchObject({
      outcome: "answered",
      answer: CANTEEN_SAYS.join(" "),
      passages: expect.arrayContaining([expect.objectContaining({ title: "The canteen" })]),
      timings_ms: { total: expect.any(Number) },
    });
    expect(await next()).toBe("end");
  });

  test("a voice is told packet by packet, as it is in the file at the end", async () => {
    const world = await World.start({ documents, respond: librarian });
    const body = { ...WHO, text: "press 4 lockout", response_type: "audio" };
    const events = eventsIn(await (await post(world, PATH, body, { headers })).text());
    const packets = events.filter(({ name }) => name === "packet").map(({ data }) => data);
    expect(packets.map(({ pid }) => pid)).toEqual([0, 1, 2, 3]);
    expect(events.find(({ name }) => name === "voice")?.data).toEqual({
      sample_rate_hz: 48_000,
      packet_ms: 20,
    });
    const { audio } = events.at(-1)!.data as { audio: { data: string } };
    const demuxer = new OggOpusDemuxer();
    const file = [...demuxer.push(Buffer.from(audio.data, "base64")), ...demuxer.end()].flatMap((event) =>
      event.type === "packet" ? [digest(event.data)] : [],
    );
    expect(file).toEqual(packets.map(({ data }) => digest(Buffer.from(String(data), "base64"))));
  });

  test("what fails before anything is told has a status of its own", async () => {
    const world = await offline();
    const text = "word ".repeat(300);
    const response = await post(world, PATH, { ...WHO, text }, { headers });
    expect(await rejected(response)).toMatchObject({ status: 413, code: "message_too_long" });
  });
});

describe("bad input", () => {
  const CASES: readonly [what: string, body: unknown, expected: object][] = [
    ["no JSON", "{", { status: 400, code: "bad_json" }],
    ["nothing", "", { status: 400 }],
    ["a list", [], { status: 400, code: "bad_parameter", field: "" }],
    ["null", "null", { status: 400, code: "bad_parameter" }],
    ["no text", { ...WHO }, { status: 400, code: "missing_parameter", field: "text" }],
    ["blanks for a text", { ...WHO, text: " \n" }, { status: 400, code: "bad_parameter", field: "text" }],
    ["a number for a text", { ...WHO, text: 7 }, { status: 400, code: "bad_parameter", field: "text" }],
    ["half a surrogate pair", { ...WHO, text: "x\ud800" }, { status: 400, field: "text" }],
    ["no network", { username: "ann", text: "x" }, { code: "missing_parameter", field: "network" }],
    ["no user", { network: "acme", text: "x" }, { code: "missing_parameter", field: "username" }],
    ["an empty name", { ...WHO, username: "", text: "x" }, { code: "bad_parameter", field: "username" }],
    ["a line feed in a name", { ...WHO, network: "a\nb", text: "x" }, { field: "network" }],
    ["a long name", { ...WHO, network: "ü".repeat(129), text: "x" }, { field: "network" }],
    ["groups that are no list", { ...WHO, text: "x", groups: { a: 1 } }, { field: "groups" }],
    ["a group that is no name", { ...WHO, text: "x", groups: ["a", 7] }, { field: "groups[1]" }],
    ["a feature too long", { ...WHO, text: "x", features: `a,${"b".repeat(65)}` }, { field: "features[1]" }],
    ["an odd response type", { ...WHO, text: "x", response_type: "video" }, { field: "response_type" }],
    ["an odd language", { ...WHO, text: "x", language: "english please" }, { field: "language" }],
    [
      "an odd role",
      { ...WHO, text: "x", history: [{ role: "god", text: "y" }] },
      { field: "history[0].role" },
    ],
    ["a line without text", { ...WHO, text: "x", history: [{ role: "user" }] }, { field: "history[0].text" }],
    ["an odd attachment", { ...WHO, text: "x", context: { file: "y" } }, { field: "context.file" }],
    [
      "an age that is none",
      { ...WHO, text: "x", context: { extra_context_age_s: -1 } },
      { field: "context.extra_context_age_s" },
    ],
    ["user info in depth", { ...WHO, text: "x", context: { user_info: 7 } }, { field: "context.user_info" }],
    [
      "a misspelt field",
      { ...WHO, text: "x", feature: "kiosk" },
      { code: "bad_parameter", field: "feature" },
    ],
  ];

  test("gets 400 with the field, and loses nothing", async () => {
    const world = await offline();
    for (const [what, body, expected] of CASES) {
      expect(await rejected(await post(world, PATH, body)), what).toMatchObject({ status: 400, ...expected });
    }
    expect((await post(world, PATH, { ...WHO, text: QUESTION, groups: "a, b", mode: null })).status).toBe(
      200,
    );
    expect(world.eventsOf("service_fault")).toEqual([]);
    expect(world.eventsOf("turn_accepted")).toHaveLength(1);
  });

  test("of another kind than JSON gets 415, of another method 405, and too much of it 413", async () => {
    const world = await offline();
    const form = await post(world, PATH, "text=x", {
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
    expect(await rejected(form)).toMatchObject({ status: 415, code: "unsupported_media_type" });
    const get = await fetch(form.url);
    expect(await rejected(get)).toMatchObject({ status: 405, code: "method_not_allowed" });
    expect(get.headers.get("allow")).toBe("POST");
    const huge = await post(world, PATH, { ...WHO, text: "x".repeat(2_000_000) });
    expect(await rejected(huge)).toMatchObject({ status: 413, code: "payload_too_large" });
    const bomb = await fetch(form.url, {
      method: "POST",
      headers: { "content-type": "application/json", "content-encoding": "gzip", connection: "close" },
      body: "no gzip",
    });
    expect(await rejected(bomb)).toMatchObject({ status: 400, code: "bad_json" });
    expect(world.eventsOf("service_fault")).toEqual([]);
  });
});

function digest(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
