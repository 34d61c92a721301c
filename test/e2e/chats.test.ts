/** Chats: the mailbox, cancelling and closing, expiry, and users who do not disturb each other. */
import { describe, expect, test } from "vitest";
import { hangReply, searchReply, textReply } from "../support/openai-replies.js";
import { VirtualClock } from "../support/virtual-clock.js";
import { LOCKOUT } from "./documents.js";
import { pidsOf, type TestRelay, type TestUser } from "./relay.js";
import { Drip, drippedSpeech, lastContent, librarian, packets } from "./script.js";
import { World, type WorldOptions } from "./world.js";

const documents = { acme: { "lockout.md": LOCKOUT }, beta: { "lockout.md": LOCKOUT } };
const QUESTION = "How do I lock out press 4?";

interface Scene {
  readonly world: World;
  readonly relay: TestRelay;
  readonly ann: TestUser;
}

async function begin(options: WorldOptions = {}): Promise<Scene> {
  const world = await World.start({ documents, ...options });
  const relay = await world.relay();
  return { world, relay, ann: relay.user("acme", "ann") };
}

/** Ann's first question hangs in stage 1 until `answer` is called. */
async function busy(options: WorldOptions = {}): Promise<Scene & { answer(): void }> {
  const scene = await begin({ respond: librarian, ...options });
  const words = new Drip<string>();
  scene.world.server.expectChat(searchReply("press 4")).expectChat(textReply(words));
  scene.ann.ask("What do I do first?", { request_id: "r-0" });
  await scene.world.server.received(2);
  const answer = () => {
    words.put("The padlock is red.");
    words.close();
  };
  return { ...scene, answer };
}

describe("the mailbox", () => {
  test("holds ten; the eleventh is refused at once, the rest are answered in order", async () => {
    const { world, ann, answer } = await busy();
    for (let n = 1; n <= 11; n++) ann.ask(`${QUESTION} number ${n}`, { request_id: `r-${n}` });
    const refusal = await ann.answered("r-11");
    expect(refusal).toMatchObject({ command: "ai_message_error", code: "chat_busy" });
    expect(refusal.error).toMatch(/10/);
    expect(ann.frames).toHaveLength(1);
    answer();
    await ann.answered("r-10");
    expect(ann.frames.map(({ json }) => json?.request_id)).toEqual([
      "r-11",
      ...Array.from({ length: 11 }, (_, n) => `r-${n}`),
    ]);
    const asked = world.server.chats.filter((body) => body.tool_choice === "required");
    expect(asked.map((body) => lastContent(body, "user"))).toEqual([
      "What do I do first?",
      ...Array.from({ length: 10 }, (_, n) => `${QUESTION} number ${n + 1}`),
    ]);
    expect(await world.metric('readback_turns_total{result="chat_busy"}')).toBe(1);
    expect(await world.metric("ai_message_requests_total")).toBe(12);
  });

  test("gives up what waits longer than 60 s", async () => {
    const clock = new VirtualClock();
    const { world, relay, ann } = await begin({ clock });
    const speech = drippedSpeech(packets(4_000));
    world.server.expectChat(searchReply("press 4")).expectChat(textReply("The padlock is red."));
    world.server.expectSpeech(speech.reply);
    ann.askAloud(QUESTION, { request_id: "r-0" });
    speech.release(0, 4_000);
    await ann.packets(1);
    ann.ask("too late", { request_id: "r-1" });
    await relay.flushed();
    await clock.advance(59_900);
    await relay.flushed();
    expect(ann.summary.some((line) => line.includes("timeout"))).toBe(false);
    await clock.advance(200);
    expect(await ann.answered("r-1")).toMatchObject({ command: "ai_message_error", code: "timeout" });
    expect(world.server.chats).toHaveLength(2);
  });

  test("of one user does not hold up another, on one relay, in one network or of one name", async () => {
    const { relay, ann } = await busy();
    for (let n = 1; n <= 10; n++) ann.ask(QUESTION, { request_id: `r-${n}` });
    for (const user of [relay.user("acme", "bob"), relay.user("beta", "ann"), relay.user("acme", "ANN")]) {
      user.ask(QUESTION);
      expect((await user.answered()).text).toContain("LOCKOUT71");
    }
    expect(ann.frames).toEqual([]);
  });
});

/** Each of so many users has a document of where their things are. */
const USERS = 60;
const placeOf = (thing: string) => `${thing.replace("the", "The")} is in locker ${/\d+/.exec(thing)![0]}.`;
const placesOf = (name: string) =>
  `---\nallowed_users: [${name}]\n---\n# Places\n\n${placeOf(`the key of ${name}`)} ${placeOf(`the badge of ${name}`)}\n`;
const networkOf = (n: number) => (n % 3 === 0 ? "acme" : "beta");
const placesIn = (network: string) =>
  Object.fromEntries(
    Array.from({ length: USERS }, (_, n) => n)
      .filter((n) => networkOf(n) === network)
      .map((n) => [`${n}.md`, placesOf(`user-${n}`)]),
  );

describe("many users at once", () => {
  test("each get their own answer, whole and in order", async () => {
    const { world, relay } = await begin({
      documents: { acme: placesIn("acme"), beta: placesIn("beta") },
      respond: {
        // The answer names who asked, so that a mix-up shows.
        chat: ({ body }) => {
          const whose = /Where do I find (the .*)\?/.exec(lastContent(body, "user"))![1]!;
          return body.tool_choice === "required" ? searchReply(whose) : textReply(placeOf(whose));
        },
        speech: librarian.speech,
      },
    });
    const second = await world.relay();
    const users = Array.from({ length: USERS }, (_, n) =>
      (n % 2 === 0 ? relay : second).user(networkOf(n), `user-${n}`),
    );
    users.forEach((user, n) => {
      user.ask(`Where do I find the key of ${user.username}?`, { request_id: `t-${n}` });
      user.askAloud(`Where do I find the badge of ${user.username}?`, { request_id: `v-${n}` });
    });
    await Promise.all(users.map((user, n) => user.answered(`v-${n}`)));
    const ids = users.map((user, n) => {
      const [text, message, ...rest] = user.frames;
      expect(text?.json).toMatchObject({
        text: placeOf(`the key of ${user.username}`),
        request_id: `t-${n}`,
      });
      expect(message?.json).toMatchObject({ command: "message", request_id: `v-${n}` });
      expect(rest.map(({ pid, json }) => pid ?? json?.command)).toEqual([
        0,
        1,
        "end_message",
        "transcription",
      ]);
      expect(rest.at(-1)?.json).toMatchObject({ text: placeOf(`the badge of ${user.username}`) });
      expect(rest.every(({ mid, json }) => (mid ?? json?.message_id) === message?.json?.message_id)).toBe(
        true,
      );
      return message?.json?.message_id;
    });
    expect(new Set(ids).size).toBe(users.length);
    expect(await world.metric("chats_size")).toBe(60);
    expect(await world.metric("networks_size")).toBe(2);
    expect(await world.metric("supernode_connections")).toBe(2);
  });

  test("beyond what the service runs at once, the one that has waited longest is given up", async () => {
    const { world, relay } = await begin({
      config: { "chat.turns_running_max": 1, "chat.turns_waiting_max": 1 },
    });
    const words = new Drip<string>();
    world.server.expectChat(searchReply("press 4")).expectChat(textReply(words));
    const [ann, bob, cid] = ["ann", "bob", "cid"].map((name) => relay.user("acme", name)) as [
      TestUser,
      TestUser,
      TestUser,
    ];
    ann.ask(QUESTION);
    await world.server.received(2);
    bob.ask(QUESTION);
    await relay.flushed();
    cid.ask(QUESTION);
    expect(await bob.answered()).toMatchObject({
      command: "ai_message_error",
      code: "assistant_unavailable",
    });
    world.server.expectChat(searchReply("press 4")).expectChat(textReply("The shift lead keeps it."));
    words.put("The padlock is red.");
    words.close();
    expect((await ann.answered()).text).toBe("The padlock is red.");
    expect((await cid.answered()).text).toBe("The shift lead keeps it.");
    expect(await world.metric('readback_turns_total{result="assistant_unavailable"}')).toBe(1);
  });
});

describe("cancel", () => {
  test("before the first packet: the question ends with cancelled, the waiting ones go on", async () => {
    const { world, relay, ann } = await busy();
    ann.ask(QUESTION, { request_id: "r-1" });
    await relay.flushed();
    ann.send("cancel", { request_id: "c-1" });
    expect(await ann.answered("r-0")).toMatchObject({ command: "ai_message_error", code: "cancelled" });
    expect((await ann.answered("r-1")).text).toContain("LOCKOUT71");
    expect(await world.server.requests[1]?.over).toBe("aborted");
    expect(ann.frames).toHaveLength(2);
  });

  test("in mid-speech: end_message interrupted, then the words that were heard, and only those are remembered", async () => {
    const clock = new VirtualClock();
    const { world, relay, ann } = await begin({ clock, respond: librarian });
    const second = new Drip<Uint8Array>();
    world.server
      .expectChat(searchReply("press 4"))
      .expectChat(textReply("The padlock is red. The shift lead keeps it."));
    const first = drippedSpeech(packets(3));
    world.server.expectSpeech(first.reply);
    world.server.expectSpeech({
      type: "audio",
      contentType: "audio/opus",
      chunks: second,
      intervalMs: 0,
      ending: "complete",
    });
    ann.askAloud("What do I do first?", { request_id: "r-1" });
    first.release(0, 3);
    await ann.packets(3);
    await world.server.received(4);
    ann.send("cancel");
    expect((await ann.answered("r-1")).text).toBe("The padlock is red.");
    expect(ann.summary).toEqual([
      "message 1",
      "audio 1/0",
      "audio 1/1",
      "audio 1/2",
      "end_message 1 60 ms interrupted",
      'transcription 1 "The padlock is red."',
    ]);
    expect(await world.server.requests[3]?.over).toBe("aborted");
    ann.ask("And the tag?", { request_id: "r-2" });
    await ann.answered("r-2");
    const remembered = world.server.chats[2]?.messages.map(({ content }) => content);
    expect(remembered?.slice(1)).toEqual(["What do I do first?", "The padlock is red.", "And the tag?"]);
    await relay.flushed();
    expect(await world.metric("readback_answers_interrupted_total")).toBe(1);
  });

  test("with nothing to stop: not_found, with a chat or without", async () => {
    const { ann } = await begin({ respond: librarian });
    ann.send("cancel", { request_id: "c-1" });
    expect(await ann.answered("c-1")).toMatchObject({ command: "ai_message_error", code: "not_found" });
    ann.ask(QUESTION, { request_id: "r-1" });
    await ann.answered("r-1");
    ann.send("cancel", { request_id: "c-2" });
    expect(await ann.answered("c-2")).toMatchObject({ code: "not_found" });
  });
});

describe("close_chat", () => {
  test("stops the answer, cancels what waits, then says chat_closed", async () => {
    const { world, relay, ann } = await busy();
    for (const n of [1, 2]) ann.ask(QUESTION, { request_id: `r-${n}` });
    await relay.flushed();
    ann.send("close_chat", { request_id: "x-1" });
    await ann.received("chat_closed");
    expect(
      ann.frames.map(({ json }) => [json?.command, json?.request_id, json?.code ?? json?.reason]),
    ).toEqual([
      ["ai_message_error", "r-0", "cancelled"],
      ["ai_message_error", "r-1", "cancelled"],
      ["ai_message_error", "r-2", "cancelled"],
      ["chat_closed", "x-1", "closed"],
    ]);
    expect(await world.metric("chats_size")).toBe(0);
  });

  test("in mid-speech", async () => {
    const { world, ann } = await begin();
    const speech = drippedSpeech(packets(4));
    world.server.expectChat(searchReply("press 4")).expectChat(textReply("The padlock is red."));
    world.server.expectSpeech(speech.reply);
    ann.askAloud(QUESTION, { request_id: "r-1" });
    speech.release(0, 2);
    await ann.packets(2);
    ann.ask("waiting", { request_id: "r-2" });
    ann.send("close_chat");
    await ann.received("chat_closed");
    expect(ann.summary.slice(3)).toEqual([
      "end_message 1 40 ms interrupted",
      expect.stringMatching(/^transcription 1 "(The padlock.*)?"$/),
      "ai_message_error cancelled",
      "chat_closed closed",
    ]);
  });

  test("forgets the history; without a chat it is not_found", async () => {
    const { world, ann } = await begin({ respond: librarian });
    ann.ask(QUESTION, { request_id: "r-1" });
    await ann.answered("r-1");
    ann.send("close_chat");
    await ann.received("chat_closed");
    ann.send("close_chat", { request_id: "x-2" });
    expect(await ann.answered("x-2")).toMatchObject({ code: "not_found" });
    ann.send("get_chat", { request_id: "g-1" });
    expect(await ann.answered("g-1")).toMatchObject({ code: "not_found" });
    ann.ask(QUESTION, { request_id: "r-2" });
    await ann.answered("r-2");
    expect(world.server.chats[2]?.messages).toHaveLength(2);
  });
});

describe("get_chat", () => {
  test("tells the chat's state at any time", async () => {
    const clock = new VirtualClock(Date.UTC(2026, 0, 24, 12));
    const { world, ann } = await begin({ clock, respond: librarian });
    ann.send("get_chat", { request_id: "g-0" });
    expect(await ann.answered("g-0")).toMatchObject({ command: "ai_message_error", code: "not_found" });
    const speech = drippedSpeech(packets(2));
    world.server.expectChat(searchReply("press 4")).expectChat(textReply("The padlock is red."));
    world.server.expectSpeech(speech.reply);
    ann.askAloud(QUESTION, { request_id: "r-1", mode: "ai_onboarding" });
    speech.release(0, 1);
    await ann.packets(1);
    ann.send("get_chat", { request_id: "g-1" });
    const during = await ann.received("chat");
    expect(during).toEqual({
      command: "chat",
      network: "acme",
      username: "ann",
      request_id: "g-1",
      chat_id: expect.any(String),
      message_count: 0,
      last_update: "2026-01-24T12:00:00.000Z",
      expires_at: "2026-01-24T12:10:00.000Z",
      mode: "ai_onboarding",
      speaking: true,
    });
    await clock.advance(1_500);
    speech.release(1, 2);
    await ann.answered("r-1");
    ann.ask(QUESTION, { request_id: "r-2" });
    await ann.answered("r-2");
    ann.send("get_chat", { request_id: "g-2" });
    expect(await ann.received("chat", 2)).toMatchObject({
      chat_id: during.chat_id,
      message_count: 4,
      last_update: "2026-01-24T12:00:01.500Z",
      expires_at: "2026-01-24T12:10:01.500Z",
      speaking: false,
    });
  });
});

describe("the history", () => {
  test("holds the last 20 messages", async () => {
    const { world, ann } = await begin({ respond: librarian });
    for (let n = 1; n <= 12; n++) {
      ann.ask(`${QUESTION} question-${n}-`, { request_id: `r-${n}` });
      await ann.answered(`r-${n}`);
    }
    ann.send("get_chat");
    expect(await ann.received("chat")).toMatchObject({ message_count: 20 });
    const last = JSON.stringify(world.server.chats.at(-1)?.messages);
    expect(last).toContain("question-2-");
    expect(last).not.toContain("question-1-");
  });
});

describe("expiry", () => {
  test("after 600 s without a message, checked every 60 s", async () => {
    const clock = new VirtualClock();
    const { world, relay, ann } = await begin({ clock, respond: librarian });
    ann.ask(QUESTION, { request_id: "r-1" });
    await ann.answered("r-1");
    const pass = async (ms: number) => {
      for (let left = ms; left > 0; left -= 50_000) {
        await relay.flushed(); // a sign of life
        await clock.advance(Math.min(left, 50_000));
      }
      await relay.flushed();
    };
    await pass(590_000);
    ann.send("get_chat"); // no message, so it does not count
    await ann.received("chat");
    expect(ann.summary).not.toContain("chat_closed expired");
    await pass(70_000);
    expect(ann.summary.at(-1)).toBe("chat_closed expired");
    expect(await world.metric("chats_size")).toBe(0);
    ann.ask(QUESTION, { request_id: "r-2" });
    await ann.answered("r-2");
    expect(world.server.chats.at(-1)?.messages.filter(({ role }) => role === "user")).toHaveLength(1);
  });
});

describe("keep_alive", () => {
  test("comes back byte for byte at once, whatever else is going on, and opens no chat", async () => {
    const { world, relay } = await busy();
    const text = '{"command":"keep_alive", "n":1.50,"n":[true]}';
    relay.send(text, ["nw:acme", "un:zoe", "cid:z-1"]);
    const echo = await relay.until((frames) => frames.find(({ un }) => un === "zoe"));
    expect(echo).toMatchObject({ nw: "acme", cid: "z-1", text });
    expect(await world.metric("chats_size")).toBe(1);
  });

  test("is sent by the service after 60 s of silence; a relay that is silent for 120 s is disconnected", async () => {
    const clock = new VirtualClock();
    const { world, relay } = await begin({ clock });
    const talking = await world.relay();
    await Promise.all([relay.flushed(), talking.flushed()]);
    await clock.advance(61_000);
    await relay.until((frames) => frames.length === 1);
    expect(relay.frames[0]).toMatchObject({ nw: undefined, un: undefined, json: { command: "keep_alive" } });
    relay.sendRaw("LT\nct:json\n"); // no complete frame
    await talking.flushed();
    await clock.advance(61_000);
    await relay.closed();
    await talking.flushed();
    expect(world.eventsOf("relay_disconnected").map(({ reason }) => reason)).toEqual(["idle"]);
  });
});

describe("voice in", () => {
  test("that cannot be understood here is turned down and its audio dropped, but the press stops the answer under way", async () => {
    const { world, relay, ann } = await begin({ config: { "transcription.provider": "none" } });
    const speech = drippedSpeech(packets(2));
    world.server.expectChat(searchReply("press 4")).expectChat(textReply("The padlock is red."));
    world.server.expectSpeech(speech.reply);
    ann.askAloud(QUESTION, { request_id: "r-1" });
    speech.release(0, 1);
    await ann.packets(1);
    ann.send("message", {
      message_id: 7,
      codec: "opus",
      codec_header: "gD4BPA==",
      duration: 60,
      request_id: "v-1",
    });
    for (const pid of [0, 1]) relay.sendAudio([...ann.lines, "mid:7", `pid:${pid}`], packets(1)[0]!);
    ann.send("end_message", { message_id: 7 });
    expect(await ann.answered("v-1")).toMatchObject({ code: "transcription_unavailable" });
    await ann.answered("r-1");
    expect(ann.summary).toContain("end_message 1 20 ms interrupted");
    expect(pidsOf(ann.frames)).toEqual([0]);
    expect(await world.metric("readback_audio_packets_dropped_total")).toBe(2);
  });
});

/** Kept apart so that a hanging model shows in the type of the script. */
test("a chat whose answer hangs does not expire under it", async () => {
  const clock = new VirtualClock();
  const { world, ann } = await begin({
    clock,
    config: { "chat.inactivity_ms_max": 1_000, "llm.attempts_max": 1 },
  });
  world.server.expectChat(hangReply);
  await ann.relay.flushed();
  await clock.advance(55_000);
  ann.ask(QUESTION, { request_id: "r-1" });
  // The search ahead of the model is real work, for which the clock stands still.
  await Promise.all([world.server.received(1), world.happened("search_finished")]);
  await clock.advance(10_000);
  expect(world.eventsOf("chat_closed")).toHaveLength(0);
  await clock.advance(5_000);
  expect((await ann.answered("r-1")).text).toContain("LOCKOUT71");
});
