/** What bad input gets: broken framing ends that connection and no other, a bad command gets a readable error. */
import { describe, expect, test } from "vitest";
import { searchReply, textReply } from "../support/openai-replies.js";
import { VirtualClock } from "../support/virtual-clock.js";
import { LOCKOUT } from "./documents.js";
import { frame, pidsOf, TestRelay } from "./relay.js";
import { drippedSpeech, librarian, packets, spoken } from "./script.js";
import { congest, World, type WorldOptions } from "./world.js";

const QUESTION = "How do I lock out press 4?";
const begin = (options: WorldOptions = {}) =>
  World.start({ documents: { acme: { "lockout.md": LOCKOUT } }, respond: librarian, ...options });

describe("garbage on one relay", () => {
  const JSON_FRAME = "LT\nct:json\ncl:2\n\n{}";
  const AUDIO = "LT\nct:a\ncl:1\nnw:acme\nun:ann\nmid:1\npid:0\n";
  test.each([
    { name: "another protocol", bytes: "GET / HTTP/1.1\r\nHost: x\r\n\r\n", reason: "bad_magic" },
    { name: "bytes of no protocol", bytes: Buffer.from([0xff, 0, 0xfe, 0x4c, 0x54]), reason: "bad_magic" },
    { name: "a TLS greeting", bytes: Buffer.from("16030100a5010000a10303", "hex"), reason: "bad_magic" },
    { name: "a bad magic after good frames", bytes: `${JSON_FRAME}${JSON_FRAME}XX\n`, reason: "bad_magic" },
    { name: "an oversized header", bytes: `LT\nx-a:${"y".repeat(5_000)}`, reason: "header_too_large" },
    { name: "a repeated key", bytes: "LT\nct:json\ncl:2\ncl:2\n\n{}", reason: "repeated_key" },
    { name: "a repeated unknown key", bytes: "LT\nct:json\nx:1\nx:1\ncl:2\n\n{}", reason: "repeated_key" },
    { name: "an absurd cl", bytes: "LT\nct:json\ncl:9999999999\n\n", reason: "payload_too_large" },
    { name: "a cl over the limit by one", bytes: "LT\nct:json\ncl:262145\n\n", reason: "payload_too_large" },
    {
      name: "audio over its limit",
      bytes: `${AUDIO.replace("cl:1", "cl:8193")}\n`,
      reason: "payload_too_large",
    },
    { name: "a negative cl", bytes: "LT\nct:json\ncl:-1\n\n", reason: "bad_number" },
    { name: "a cl of eleven digits", bytes: "LT\nct:json\ncl:00000000002\n\n{}", reason: "bad_number" },
    { name: "no cl", bytes: "LT\nct:json\n\n{}", reason: "missing_key" },
    { name: "no ct", bytes: "LT\ncl:2\n\n{}", reason: "missing_key" },
    { name: "an unknown ct", bytes: "LT\nct:xml\ncl:2\n\n{}", reason: "bad_content_type" },
    { name: "a line without a colon", bytes: "LT\nct:json\nhello\ncl:2\n\n{}", reason: "missing_colon" },
    { name: "CRLF", bytes: "LT\r\nct:json\r\ncl:2\r\n\r\n{}", reason: "bad_magic" },
    { name: "audio without a pid", bytes: `${AUDIO.replace("pid:0\n", "")}\nx`, reason: "missing_key" },
    {
      name: "a mid beyond 32 bits",
      bytes: `${AUDIO.replace("mid:1", "mid:4294967296")}\nx`,
      reason: "bad_number",
    },
    {
      name: "a name with a control character",
      bytes: "LT\nct:json\ncl:2\nun:a\tb\n\n{}",
      reason: "bad_name",
    },
    {
      name: "a name that is not UTF-8",
      bytes: Buffer.from("LT\nun:\xff\nct:json\ncl:2\n\n{}", "latin1"),
      reason: "invalid_utf8",
    },
  ])("ends it: $name", async ({ bytes, reason }) => {
    const world = await begin();
    const [bad, good] = [await world.relay(), await world.relay()];
    await good.flushed();
    bad.sendRaw(bytes);
    await bad.closed();
    expect(bad.frames.every(({ json }) => json?.command === "ai_message_error")).toBe(true);
    const ended = await world.happened("relay_disconnected");
    expect(ended).toMatchObject({ reason: "malformed", detail: expect.stringContaining(reason) });
    expect(world.log).toContain(`"detail":"${reason}`);
    expect(await world.metric('readback_relays_disconnected_total{reason="malformed"}')).toBe(1);
    expect(await world.metric("supernode_connections")).toBe(1);
    const ann = good.user("acme", "ann");
    ann.ask(QUESTION);
    expect((await ann.answered()).text).toContain("LOCKOUT71");
  });

  test("does not end the answer of another relay's user, nor does a flood of it", async () => {
    const world = await begin();
    const speech = drippedSpeech(packets(4));
    world.server.expectChat(searchReply("press 4")).expectChat(textReply("The padlock is red."));
    world.server.expectSpeech(speech.reply);
    const ann = (await world.relay()).user("acme", "ann");
    ann.askAloud(QUESTION, { request_id: "r-1" });
    speech.release(0, 2);
    await ann.packets(2);
    const flood = await Promise.all(Array.from({ length: 20 }, () => TestRelay.connect(world.ports.relay)));
    for (const relay of flood) relay.sendRaw("\u0000".repeat(100_000));
    await Promise.all(flood.map((relay) => relay.closed()));
    speech.release(2, 4);
    await ann.answered("r-1");
    expect(pidsOf(ann.frames)).toEqual([0, 1, 2, 3]);
    expect(await world.metric('readback_relays_disconnected_total{reason="malformed"}')).toBe(20);
  });

  test("an answer of a user whose relay breaks goes on at another one", async () => {
    const world = await begin();
    const speech = drippedSpeech(packets(4));
    world.server.expectChat(searchReply("press 4")).expectChat(textReply("The padlock is red."));
    world.server.expectSpeech(speech.reply);
    const [bad, good] = [await world.relay(), await world.relay()];
    bad.user("acme", "ann").askAloud(QUESTION, { request_id: "r-1" });
    speech.release(0, 2);
    await bad.user("acme", "ann").packets(2);
    bad.sendRaw("garbage\n");
    await bad.closed();
    speech.release(2, 4);
    const ann = good.user("acme", "ann");
    ann.send("get_chat");
    await ann.answered("r-1");
    expect(pidsOf(ann.frames)).toEqual([2, 3]);
  });
});

describe("a bad command in a good frame", () => {
  const cases = [
    { name: "no JSON", payload: "{", code: "bad_json" },
    { name: "JSON but no object", payload: "[1]", code: "bad_json" },
    { name: "nothing", payload: "", code: "bad_json" },
    { name: "no command", payload: { text: "x" }, code: "missing_parameter" },
    { name: "a command of no string", payload: { command: 7 }, code: "bad_parameter" },
    { name: "an unknown command", payload: { command: "self_destruct" }, code: "unknown_command" },
    {
      name: "a summary of two things",
      payload: { command: "summarize", text: "a", document: "b" },
      code: "bad_parameter",
    },
    { name: "no text", payload: { command: "ai_message" }, code: "missing_parameter" },
    { name: "a blank text", payload: { command: "ai_message", text: " \n" }, code: "bad_parameter" },
    { name: "a text of no string", payload: { command: "ai_message", text: 5 }, code: "bad_parameter" },
    {
      name: "an unknown response_type",
      payload: { command: "ai_message", text: "x", response_type: "fax" },
      code: "bad_parameter",
    },
    {
      name: "groups of no list",
      payload: { command: "ai_message", text: "x", groups: "managers" },
      code: "bad_parameter",
    },
    {
      name: "a group of no string",
      payload: { command: "ai_message", text: "x", groups: [1] },
      code: "bad_parameter",
    },
    {
      name: "a request_id that is too long",
      payload: { command: "get_chat", request_id: "x".repeat(65) },
      code: "bad_parameter",
    },
    {
      name: "voice in of another codec",
      payload: { command: "message", message_id: 1, codec: "speex", codec_header: "gD4BPA==", duration: 60 },
      code: "unsupported_audio",
    },
    {
      name: "another user in the payload",
      payload: { command: "get_chat", username: "bob" },
      code: "identity_mismatch",
    },
    {
      name: "another network in the payload",
      payload: { command: "get_chat", network: "rival" },
      code: "identity_mismatch",
    },
  ];
  test("gets an error with its code, addressed to the header's user; the connection lives on", async () => {
    const world = await begin();
    const relay = await world.relay();
    const ann = relay.user("acme", "ann", "c-1");
    for (const [n, { name, payload, code }] of cases.entries()) {
      relay.send(payload, ann.lines);
      const [error] = await relay.until((frames) => frames.length > n && frames.slice(n), name);
      expect(error, name).toMatchObject({ nw: "acme", un: "ann", cid: "c-1" });
      expect(error?.json, name).toMatchObject({
        command: "ai_message_error",
        code,
        network: "acme",
        username: "ann",
      });
      expect(String(error?.json?.error).length, name).toBeGreaterThan(10);
      expect(error?.json?.request_id, name).toBeUndefined();
    }
    expect(world.eventsOf("command_refused").map((event) => event.code)).toEqual(
      cases.map(({ code }) => code),
    );
    expect(await world.metric('readback_commands_refused_total{code="bad_json"}')).toBe(3);
    expect(await world.metric("ai_message_error_responses_total")).toBe(cases.length);
    expect(await world.metric("chats_size")).toBe(0);
    ann.ask(QUESTION, { request_id: "r-1" });
    expect((await ann.answered("r-1")).text).toContain("LOCKOUT71");
  });

  test("without a user gets an error without one; a good request_id comes back", async () => {
    const world = await begin();
    const relay = await world.relay();
    relay.send({ command: "ai_message", text: "x", request_id: "r-1" });
    relay.send({ command: "ai_message", text: "x", network: "acme", request_id: "r-2" }, ["cid:c-9"]);
    await relay.flushed();
    expect(relay.frames.map(({ nw, un, cid, json }) => [nw, un, cid, json?.code, json?.request_id])).toEqual([
      [undefined, undefined, undefined, "missing_parameter", "r-1"],
      [undefined, undefined, "c-9", "missing_parameter", "r-2"],
    ]);
  });
});

describe("a relay that stops reading", () => {
  test("does not hold up the users of others; its oldest answers are given up whole, then it is closed", async () => {
    const clock = new VirtualClock();
    const world = await begin({ clock });
    const [deaf, good] = [await world.relay(), await world.relay()];
    await congest(world, deaf);
    const zoe = deaf.user("acme", "zoe");
    world.server.expectChat(searchReply("press 4")).expectChat(textReply("The padlock is red."));
    world.server.expectSpeech(spoken(packets(5)));
    zoe.askAloud(QUESTION, { request_id: "z-1" });
    await world.happened("turn_finished");

    const ann = good.user("acme", "ann");
    for (const n of [1, 2, 3]) {
      ann.askAloud(QUESTION, { request_id: `r-${n}` });
      await ann.answered(`r-${n}`);
      await clock.advance(2_000);
    }
    await world.happened("answer_given_up");
    expect(world.eventsOf("relay_disconnected")).toHaveLength(0);

    deaf.resume();
    await zoe.answered("z-1");
    const mid = zoe.frames[0]?.json?.message_id;
    expect(zoe.summary).toEqual([
      `message ${mid}`,
      `end_message ${mid} 0 ms`,
      `transcription ${mid} "The padlock is red."`,
    ]);
    expect(await world.metric("readback_answers_given_up_total")).toBe(1);
    expect(pidsOf(ann.frames)).toEqual([0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3]);
  });

  test("is closed when it takes nothing for 10 s", async () => {
    const clock = new VirtualClock();
    const world = await begin({ clock });
    const [deaf, good] = [await world.relay(), await world.relay()];
    await congest(world, deaf);
    for (let second = 0; second < 17; second++) {
      await good.flushed();
      await clock.advance(1_000);
    }
    expect(await world.happened("relay_disconnected")).toMatchObject({ reason: "slow" });
    const ann = good.user("acme", "ann");
    ann.ask(QUESTION);
    await ann.answered();
    expect(await world.metric("supernode_connections")).toBe(1);
    expect(await world.metric("readback_outbox_bytes")).toBe(0);
  });

  test("only because much comes at once gets all of it", async () => {
    const world = await begin();
    const relay = await world.relay();
    const payload = Buffer.from(JSON.stringify({ command: "keep_alive", padding: "x".repeat(50_000) }));
    relay.sendRaw(Buffer.concat(Array.from({ length: 40 }, () => frame(["ct:json"], payload))));
    await relay.until((frames) => frames.length === 40, "every keep_alive");
  });
});

test("more relays than allowed are turned away, and counted; the others stay", async () => {
  const world = await begin({ config: { "relay.connections_max": 2 } });
  const [first, second] = [await world.relay(), await world.relay()];
  await Promise.all([first.flushed(), second.flushed()]);
  const third = await world.relay();
  await third.closed();
  expect(await world.metric('readback_relays_refused_total{reason="connections_max"}')).toBe(1);
  await Promise.all([first.flushed(), second.flushed()]);
  first.close();
  await world.happened("relay_disconnected");
  await (await world.relay()).flushed();
});
