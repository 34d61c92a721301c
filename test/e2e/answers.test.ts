/** An answer as a relay sees it: the order of its commands, every packet byte for byte, and whom each frame is for. */
import { describe, expect, test } from "vitest";
import { searchReply, textReply } from "../support/openai-replies.js";
import { VirtualClock } from "../support/virtual-clock.js";
import { LOCKOUT } from "./documents.js";
import { packetsOf, pidsOf } from "./relay.js";
import { drippedSpeech, librarian, packets, spoken } from "./script.js";
import { World } from "./world.js";

const documents = { acme: { "lockout.md": LOCKOUT } };

describe("a text answer", () => {
  test("is one text_message for the user who asked", async () => {
    const world = await World.start({ documents });
    world.server.expectChat(searchReply("press 4 lockout")).expectChat(textReply("The padlock is red."));
    const relay = await world.relay();
    const ann = relay.user("acme", "ann", "c-1");
    ann.ask("How do I lock out press 4?", { request_id: "r-1" });
    await ann.answered("r-1");
    await relay.flushed();
    expect(relay.frames).toEqual([
      {
        text: expect.any(String),
        nw: "acme",
        un: "ann",
        cid: "c-1",
        json: {
          command: "text_message",
          network: "acme",
          username: "ann",
          text: "The padlock is red.",
          request_id: "r-1",
        },
      },
    ]);
    world.server.verify();
  });

  test("leaves a trail of events that all carry its turn, the search's too", async () => {
    const world = await World.start({ documents, respond: librarian });
    const relay = await world.relay();
    const [ann, bob] = [relay.user("acme", "ann"), relay.user("acme", "bob")];
    ann.ask("press 4 lockout", { request_id: "r-1" });
    bob.ask("press 4 lockout", { request_id: "r-2" });
    await Promise.all([ann.answered("r-1"), bob.answered("r-2")]);
    await world.happened("turn_waterfall", 2);
    const turns = new Map(world.eventsOf("turn_accepted").map(({ turn, user }) => [user.username, turn]));
    expect(new Set(turns.values()).size).toBe(2);
    const notOfTurns = ["command_received", "chat_opened"];
    const trail = world.events.filter((event) => "user" in event && !notOfTurns.includes(event.type));
    for (const event of trail) {
      const { turn, type, user } = event as typeof event & { readonly user: { readonly username: string } };
      expect(turn, type).toBe(turns.get(user.username));
    }
    expect(trail.map(({ type }) => type)).toEqual(
      expect.arrayContaining(["search_finished", "stage_finished", "turn_routed", "turn_finished"]),
    );
  });

  test("names the user in header and payload when the question does so in the payload only", async () => {
    const world = await World.start({ documents, respond: librarian });
    const relay = await world.relay();
    relay.send({ command: "ai_message", network: "acme", username: "ann", text: "press 4 lockout" });
    const [frame] = await relay.until((frames) => frames.length === 1 && frames);
    expect(frame).toMatchObject({ nw: "acme", un: "ann", cid: undefined });
    expect(frame?.json).toMatchObject({ command: "text_message", network: "acme", username: "ann" });
    expect(frame?.json).not.toHaveProperty("request_id");
  });

  test("takes a question whose frame arrives byte by byte, and two in one piece", async () => {
    const world = await World.start({ documents, respond: librarian });
    const relay = await world.relay();
    const text = JSON.stringify({ command: "ai_message", text: "press 4 lockout", request_id: "r-1" });
    const bytes = `LT\nun:ann\ncl:${text.length}\nnw:acme\nct:json\nx-hop:7\n\n${text}`;
    for (const byte of Buffer.from(bytes)) relay.sendRaw(Buffer.from([byte]));
    const ann = relay.user("acme", "ann");
    await ann.answered("r-1");
    relay.sendRaw(bytes.replace("r-1", "r-2") + bytes.replace("r-1", "r-3"));
    await ann.answered("r-3");
    expect(ann.frames.map(({ json }) => json?.request_id)).toEqual(["r-1", "r-2", "r-3"]);
  });
});

describe("a name", () => {
  test("of any script, with colons and blanks, 256 bytes long: comes back as it was", async () => {
    const network = `größe: 1 ${"x".repeat(200)}`;
    const world = await World.start({
      documents: { [network]: { "lockout.md": LOCKOUT } },
      respond: librarian,
    });
    const username = `${"ann 🛠 o'neil:".padEnd(236, "y")}`;
    expect(Buffer.byteLength(username) <= 256).toBe(true);
    const ann = (await world.relay()).user(network, username, "c: 1 🛠");
    ann.askAloud("lockout of press 4");
    expect((await ann.answered()).text).toContain("LOCKOUT71");
    expect(ann.frames.every(({ cid }) => cid === "c: 1 🛠")).toBe(true);
    expect(pidsOf(ann.frames)).toEqual([0, 1, 2, 3]);
  });
});

describe("a spoken answer", () => {
  test("is one message over several speech requests, byte for byte what the provider sent", async () => {
    const [first, second, third] = [packets(2), packets(3, 10), packets(2, 20)];
    // Sentences are asked for at once, and come in any order.
    const voices: Readonly<Record<string, readonly Uint8Array[]>> = {
      "The padlock is red.": first,
      "It is at breaker B twelve.": second,
      "The shift lead keeps it.": third,
    };
    const speech = ({ body }: { readonly body: { readonly input: string } }) =>
      spoken(voices[body.input] ?? []);
    const world = await World.start({ documents, respond: { speech } });
    world.server
      .expectChat(searchReply("press 4 lockout"))
      .expectChat(textReply("The padlock is red. It is at breaker B12. The shift lead keeps it."));
    const relay = await world.relay();
    const ann = relay.user("acme", "ann", "c-1");
    ann.askAloud("How do I lock out press 4?", { request_id: "r-1" });
    await ann.answered("r-1");
    await relay.flushed();
    expect(ann.summary).toEqual([
      "message 1",
      ...[0, 1, 2, 3, 4, 5, 6].map((pid) => `audio 1/${pid}`),
      "end_message 1 140 ms",
      'transcription 1 "The padlock is red. It is at breaker B12. The shift lead keeps it."',
    ]);
    expect(packetsOf(ann.frames)).toEqual(
      [...first, ...second, ...third].map((packet) => Buffer.from(packet)),
    );
    expect(relay.frames.every(({ nw, un, cid }) => nw === "acme" && un === "ann" && cid === "c-1")).toBe(
      true,
    );
    expect(world.server.speeches.map(({ input }) => input).sort()).toEqual(Object.keys(voices).sort());
    const commands = ann.frames.flatMap(({ json }) => json ?? []);
    const same = { network: "acme", username: "ann", request_id: "r-1", message_id: 1 };
    for (const command of commands) expect(command).toMatchObject(same);
    expect(commands[0]).toEqual({
      ...same,
      command: "message",
      kind: "answer",
      codec: "opus",
      codec_header: "gLsBFA==",
      duration: 20,
    });
    expect(commands[1]).toEqual({ ...same, command: "end_message", duration_ms: 140 });
    expect(commands[2]).toMatchObject({ command: "transcription", role: "answer" });
    world.server.verify();
    for (const { model, voice, response_format: format } of world.server.speeches)
      expect({ model, voice, format }).toEqual({ model: "tts-1", voice: "shimmer", format: "opus" });
  });

  test("says the shape of its packets", async () => {
    const world = await World.start({ documents });
    world.server.expectChat(searchReply("press 4")).expectChat(textReply("The padlock is red."));
    world.server.expectSpeech(spoken(packets(2, 0, 60), { packetMs: 60 }));
    const ann = (await world.relay()).user("acme", "ann");
    ann.askAloud("How do I lock out press 4?");
    await ann.answered();
    expect(ann.frames[0]?.json).toMatchObject({ command: "message", codec_header: "gLsBPA==", duration: 60 });
    expect(await ann.received("end_message")).toMatchObject({ duration_ms: 120 });
  });

  test("has a message_id of its own each time", async () => {
    const world = await World.start({ documents, respond: librarian });
    const relay = await world.relay();
    const [ann, bob] = [relay.user("acme", "ann"), relay.user("acme", "bob")];
    ann.askAloud("lockout of press 4", { request_id: "a" });
    bob.askAloud("lockout of press 4", { request_id: "b" });
    ann.askAloud("lockout of press 4", { request_id: "c" });
    await Promise.all([ann.answered("c"), bob.answered("b")]);
    const ids = relay.frames.flatMap(({ json }) => (json?.command === "message" ? [json.message_id] : []));
    expect(new Set(ids).size).toBe(3);
  });

  test("goes by the last cid that was seen", async () => {
    const world = await World.start({ documents });
    const speech = drippedSpeech(packets(4));
    world.server.expectChat(searchReply("press 4")).expectChat(textReply("The padlock is red."));
    world.server.expectSpeech(speech.reply);
    const relay = await world.relay();
    const ann = relay.user("acme", "ann", "c-1");
    ann.askAloud("How do I lock out press 4?");
    speech.release(0, 2);
    await ann.packets(2);
    relay.user("acme", "ann", "c-2").send("get_chat");
    await ann.received("chat");
    relay.send({ command: "get_chat", network: "acme", username: "ann" });
    await ann.received("chat", 2);
    speech.release(2, 4);
    await ann.answered();
    const sound = ann.frames.filter(({ pid, json }) => pid !== undefined || json?.message_id !== undefined);
    expect(sound.map(({ cid }) => cid)).toEqual(["c-1", "c-1", "c-1", "c-2", "c-2", "c-2", "c-2"]);
  });

  test("keeps the pace of speech, with a cushion of 120 ms", async () => {
    const clock = new VirtualClock();
    const world = await World.start({ documents, clock });
    world.server.expectChat(searchReply("press 4")).expectChat(textReply("The padlock is red."));
    world.server.expectSpeech(spoken(packets(30)));
    const relay = await world.relay();
    const ann = relay.user("acme", "ann");
    ann.askAloud("How do I lock out press 4?");
    await ann.packets(7); // 0 … 6: the cushion
    for (let sent = 7; sent < 30; sent += 3) {
      await clock.advance(59);
      await relay.flushed();
      expect(pidsOf(ann.frames)).toHaveLength(sent);
      await clock.advance(1);
      await ann.packets(Math.min(sent + 3, 30)); // short packets leave three at a time
    }
    await ann.answered();
    expect(pidsOf(ann.frames)).toEqual(Array.from({ length: 30 }, (_, pid) => pid));
  });

  test("that is read as a stream is spoken page by page", async () => {
    const world = await World.start({ documents });
    const speech = drippedSpeech(packets(3));
    world.server.expectChat(searchReply("press 4")).expectChat(textReply("The padlock is red."));
    world.server.expectSpeech(speech.reply);
    const ann = (await world.relay()).user("acme", "ann");
    ann.askAloud("How do I lock out press 4?");
    for (const pid of [0, 1, 2]) {
      speech.release(pid, pid + 1);
      await ann.packets(pid + 1);
    }
    await ann.answered();
    expect(ann.summary.slice(0, 5)).toEqual([
      "message 1",
      "audio 1/0",
      "audio 1/1",
      "audio 1/2",
      "end_message 1 60 ms",
    ]);
  });
});

describe("hello", () => {
  test("of a relay that cannot take the provider's packets turns the answer into text", async () => {
    const world = await World.start({ documents, respond: librarian });
    const relay = await world.relay();
    relay.send({ command: "hello", audio: [{ sample_rate: 16_000, frame_ms: 30 }] });
    const ann = relay.user("acme", "ann");
    ann.askAloud("lockout of press 4");
    await ann.answered();
    expect(ann.frames.map(({ json }) => json?.command)).toEqual(["text_message"]);
    relay.send({ command: "hello", audio: [{ sample_rate: 48_000, frame_ms: 20 }] });
    ann.askAloud("lockout of press 4", { request_id: "r-2" });
    await ann.answered("r-2");
    expect(packetsOf(ann.frames).length).toBeGreaterThan(0);
  });
});
