/** Somebody in danger: no mailbox, no line of turns, no model and no search delays what to do. On real sockets. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { EMERGENCY_SEARCH_MS_MAX } from "../../src/answer/emergency.js";
import { MAILBOX_MAX } from "../../src/chat/chat.js";
import { instruct, procedureOf } from "../../src/guide/schema/guides.test-util.js";
import { guideFile } from "../../src/guide/schema/read-guide.js";
import { systemClock } from "../../src/lib/clock.js";
import { emergencyReply, errorReply, hangReply, searchReply, textReply } from "../support/openai-replies.js";
import { transcriptReply } from "../support/openai-transcriptions.js";
import { spokenPackets } from "../support/spoken.js";
import { VirtualClock } from "../support/virtual-clock.js";
import { LOCKOUT } from "./documents.js";
import { all, grpc, ollama, openai, post, WHO } from "./doors/ask.js";
import { drippedSpeech, librarian, packets } from "./script.js";
import { World } from "./world.js";

const FIRE = readFileSync(new URL("../../examples/handbook/fire-evacuation.md", import.meta.url), "utf8");
const documents = { acme: { "lockout.md": LOCKOUT, "fire.md": FIRE } };
const PHRASE = "Call the emergency number now, and tell the people around you. I have not called anybody.";
const JAM = procedureOf([instruct("crew", { text: "Tell the crew." })], {
  ...{ id: "jam", name: "Clear a jam", status: "published" },
});
const PROCEDURE_AS_JSON = /press the nearest red alarm button/;
const PROCEDURE = /Shout "Fire" and press the nearest red alarm button/;

test("goes first past a full mailbox, and stops what is being spoken as a press would", async () => {
  const world = await World.start({ documents });
  const ann = (await world.relay()).user("acme", "ann");
  const speech = drippedSpeech(packets(6));
  world.server
    .expectChat(searchReply("padlock"))
    .expectChat(textReply("The padlock is red."))
    .expectSpeech(speech.reply);
  ann.askAloud("What is the colour of the padlock?", { request_id: "spoken" });
  speech.release(0, 2);
  await ann.packets(2);
  for (let n = 1; n <= MAILBOX_MAX; n++) ann.ask(`thanks ${n}`, { request_id: `r-${n}` });
  ann.ask("fire in bay two!", { request_id: "danger" });
  expect((await ann.answered("danger")).text).toMatch(PROCEDURE);
  expect(ann.summary.some((line) => /^end_message 1 \d+ ms interrupted/.test(line))).toBe(true);
  // The last of those that waited gave its place.
  expect(await ann.answered(`r-${MAILBOX_MAX}`)).toMatchObject({ code: "chat_busy" });
  const order = ann.frames.flatMap(({ json }) => (json?.command === "text_message" ? [json.request_id] : []));
  expect(order[0]).toBe("danger");
});

test("is told what to do with a model server that never answers", async () => {
  const world = await World.start({ documents, respond: { chat: () => hangReply } });
  const ann = (await world.relay()).user("acme", "ann");
  ann.ask("There's a fire in the packing hall, what do I do?", { request_id: "danger" });
  expect((await ann.answered("danger")).text).toMatch(PROCEDURE);
  ann.ask("There's a hand caught in the belt!", { request_id: "hand" });
  expect((await ann.answered("hand")).text).toBe(PHRASE);
  expect(world.server.chats).toEqual([]);
});

test("hears the phrase of its network, in its language, where there is no document", async () => {
  const config = {
    "locale.emergency_by_network": { mill: "Dial 2222.", quay: { de: "Wählen Sie die 2222." } },
  };
  const world = await World.start({ documents, config });
  const relay = await world.relay();
  const heard = async (network: string, text: string) => {
    const user = relay.user(network, "ann");
    user.ask(text, { request_id: text });
    return (await user.answered(text)).text;
  };
  expect(await heard("mill", "man down")).toBe("Dial 2222. I have not called anybody.");
  expect(await heard("quay", "Er atmet nicht!")).toBe("Wählen Sie die 2222. Ich habe niemanden gerufen.");
  expect(await heard("quay", "he's not breathing")).toBe(PHRASE);
});

test("hears the same in the middle of a guide, which tells colleagues and stays where it is", async () => {
  const dir = mkdtempSync(join(tmpdir(), "readback-guides-"));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  mkdirSync(join(dir, "guides", "acme"), { recursive: true });
  writeFileSync(join(dir, "guides", "acme", "jam.json"), JSON.stringify(guideFile(JAM)));
  // A member of the group that is to help, and nobody else.
  const groups = join(dir, "groups.json");
  writeFileSync(groups, JSON.stringify({ acme: { dora: ["first aid"], ann: ["first aid"], bob: [] } }));
  const config = {
    "guides.dir": join(dir, "guides"),
    "guides.help_groups": ["first aid"],
    "groups.file": groups,
  };
  const world = await World.start({ documents: {}, config });
  const relay = await world.relay();
  const ann = relay.user("acme", "ann");
  ann.ask("walk me through clearing a jam", { request_id: "begin" });
  const first = await ann.answered("begin");
  ann.ask("help", { request_id: "help" });
  expect((await ann.answered("help")).text).toBe(`${PHRASE} Only these colleagues are being told: dora.`);
  ann.ask("repeat", { request_id: "again" });
  expect(first.text).toContain((await ann.answered("again")).text);
});

test("waits for no place among the turns that run", async () => {
  const config = { "chat.turns_running_max": 1, "chat.turns_waiting_max": 1 };
  const world = await World.start({ documents, config, respond: { chat: () => hangReply } });
  const relay = await world.relay();
  relay.user("acme", "bob").ask("What is the colour of the padlock?", { request_id: "slow" });
  await world.happened("turn_started");
  const ann = relay.user("acme", "ann");
  ann.ask("fire in bay two", { request_id: "danger" });
  expect((await ann.answered("danger")).text).toMatch(PROCEDURE);
});

test("hears the phrase after a short time when the search hangs", async () => {
  const clock = new VirtualClock();
  const engine = await hangingEngine();
  const world = await World.start({ clock, config: { "elasticsearch.url": engine.url } });
  const ann = (await world.relay()).user("acme", "ann");
  engine.hang();
  ann.ask("fire in bay two", { request_id: "danger" });
  await engine.searched;
  const answer = ann.answered("danger");
  await clock.advance(EMERGENCY_SEARCH_MS_MAX);
  expect((await answer).text).toBe(PHRASE);
});

test("is told the same at every door", async () => {
  const world = await World.start({ documents });
  const question = "fire in bay two";
  const http = await post(world, "/api/v1/answers", { ...WHO, text: question });
  expect(await http.text()).toMatch(PROCEDURE_AS_JSON);
  const messages = [{ role: "user", content: question }] as const;
  const completion = await openai(world).chat.completions.create({
    model: "readback",
    messages: [...messages],
    user: JSON.stringify(WHO),
  });
  expect(completion.choices[0]?.message.content).toMatch(PROCEDURE);
  const chat = await ollama(world, { "x-readback-user": JSON.stringify(WHO) }).chat({
    model: "readback",
    messages: [...messages],
  });
  expect(chat.message.content).toMatch(PROCEDURE);
  const replies = await all(grpc(world).AskAgent({ query: question, ...WHO }));
  expect(replies.map(({ text }) => text).join("")).toMatch(PROCEDURE);
});

describe("an emergency that no list of words knows", () => {
  const UNHEARD = "Dave's nailed his foot to the pallet with the nail gun";
  const CAUTION = `If anyone is in danger: ${PHRASE}`;
  const NOT_FOUND = "I can't find that in your documents.";
  const OFFLINE = { "llm.base_url": undefined, "llm.api_key": undefined };

  test("ends with whom to call where the documents have nothing; a question ends without", async () => {
    const config = { ...OFFLINE, "locale.emergency_by_network": { quay: { de: "Wählen Sie die 2222." } } };
    const world = await World.start({ documents, config });
    const relay = await world.relay();
    const heard = async (network: string, text: string) => {
      const user = relay.user(network, "ann");
      user.ask(text, { request_id: text });
      return (await user.answered(text)).text;
    };
    expect(await heard("acme", UNHEARD)).toBe(`${NOT_FOUND} ${CAUTION}`);
    expect(await heard("acme", "Who won the chess tournament?")).toBe(NOT_FOUND);
    expect(await heard("quay", "der Dirk redet nur noch ganz wirr und erkennt mich nicht")).toMatch(
      /nicht\. Falls jemand in Gefahr ist: Wählen Sie die 2222\. Ich habe niemanden gerufen\.$/,
    );
  });

  test("is told so where the message is refused: too long, or too many wait", async () => {
    const world = await World.start({ documents, respond: { chat: () => hangReply } });
    const ann = (await world.relay()).user("acme", "ann");
    ann.ask(`${UNHEARD} ${"and he is screaming ".repeat(100)}`, { request_id: "long" });
    const long = await ann.answered("long");
    expect(long).toMatchObject({ code: "message_too_long" });
    expect(long.error).toContain(CAUTION);
    for (let n = 0; n <= MAILBOX_MAX; n++)
      ann.ask("What is the colour of the padlock?", { request_id: `r-${n}` });
    ann.ask("What is the colour?", { request_id: "question" });
    ann.ask(UNHEARD, { request_id: "report" });
    expect((await ann.answered("report")).error).toMatch(CAUTION);
    expect((await ann.answered("question")).error).not.toContain("danger");
  });

  test("is answered as one where the model says so, which is asked no more than this once", async () => {
    const world = await World.start({ documents });
    const ann = (await world.relay()).user("acme", "ann");
    world.server.expectChat(emergencyReply("nail through foot"));
    ann.ask(UNHEARD, { request_id: "foot" });
    expect((await ann.answered("foot")).text).toBe(PHRASE);
    world.server.expectChat(emergencyReply("fire discovered"));
    ann.ask("the whole baler is going up here, what do I do", { request_id: "fire" });
    expect((await ann.answered("fire")).text).toMatch(PROCEDURE);
    expect(world.server.chats).toHaveLength(2);
    world.server.verify();
  });

  test.each([
    ["gone", errorReply(500)],
    ["mute", textReply("")],
  ])("ends as without a model where that is %s", async (_what, reply) => {
    const world = await World.start({ documents, clock: systemClock, respond: { chat: () => reply } });
    const ann = (await world.relay()).user("acme", "ann");
    ann.ask(UNHEARD, { request_id: "foot" });
    const { text, error } = await ann.answered("foot");
    expect(text ?? error).toContain(CAUTION);
  });
});

describe("a spoken emergency", () => {
  const SPOKEN = "There's a hand caught in the belt!";
  const transcription = () => transcriptReply(SPOKEN);
  let shout: Uint8Array[];
  beforeAll(async () => {
    shout = await spokenPackets(SPOKEN);
  });

  test("stops the answer under way and goes before all that waits", async () => {
    const speech = drippedSpeech(packets(6));
    const world = await World.start({ documents, respond: { ...librarian, transcription } });
    const ann = (await world.relay()).user("acme", "ann");
    world.server
      .expectChat(searchReply("padlock"))
      .expectChat(textReply("The padlock is red."))
      .expectSpeech(speech.reply);
    ann.askAloud("What is the colour of the padlock?", { request_id: "spoken" });
    speech.release(0, 2);
    await ann.packets(2);
    for (let n = 1; n < MAILBOX_MAX; n++) ann.ask(`thanks ${n}`, { request_id: `r-${n}` });
    ann.say(7, shout, { request_id: "danger", response_type: "text" });
    expect((await ann.answered("danger")).text).toBe(PHRASE);
    for (let n = 1; n < MAILBOX_MAX; n++) await ann.answered(`r-${n}`);
    const order = ann.frames.flatMap(({ json }) =>
      json?.command === "text_message" ? [json.request_id] : [],
    );
    expect(order[0]).toBe("danger");
  });

  test("waits for no place among the turns that run", async () => {
    const config = { "chat.turns_running_max": 1, "chat.turns_waiting_max": 5 };
    const respond = { ...librarian, chat: () => hangReply, transcription };
    const world = await World.start({ documents, config, respond });
    const relay = await world.relay();
    relay.user("acme", "bob").ask("What is the colour of the padlock?", { request_id: "slow" });
    await world.happened("turn_started");
    const ann = relay.user("acme", "ann");
    ann.say(7, shout, { request_id: "danger" });
    const answer = await ann.answered("danger");
    expect(answer).toMatchObject({ command: "transcription", text: PHRASE });
    expect((await ann.packets(2)).length).toBeGreaterThan(0);
  });
});

/** Answers with nothing, until it is to hang; `searched` tells that it then was asked. */
async function hangingEngine() {
  let hangs = false;
  let found: () => void = () => {};
  const searched = new Promise<void>((resolve) => {
    found = resolve;
  });
  const server = createServer((request, response) => {
    request.resume();
    if (hangs) return found();
    response.setHeader("x-elastic-product", "Elasticsearch");
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ version: { number: "8.19.21" } }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const hang = () => {
    hangs = true;
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, searched, hang };
}
