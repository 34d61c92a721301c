/** Guides built over HTTP, against a whole service: from the first question to publication, offline and with a model. */
import { expect, test } from "vitest";
import { errorReply, searchReply, textReply } from "../../support/openai-replies.js";
import { World } from "../world.js";
import { documents, offline, post } from "./ask.js";
import { Client, config, KEYS, published, ROOT } from "./guide-client.js";

test("an interview without a model goes from the first question to publication", async () => {
  const client = new Client(await offline({ config }));
  await client.begin({ name: "Reset the cold store" });
  expect(client.status).toBe(201);
  expect(client.body).toMatchObject({ phase: "scoping", status: "open", messages_left: 10, findings: [] });
  expect(client.body.says).toBe("What is this guide for, and who works by it?");
  await client.say("For the night shift, after an alarm.");
  await client.say("line");
  await client.say("Open the cabinet. Press the reset button.");
  expect(await client.say("Close the cabinet. That is all.")).toMatch(/2\. Press the reset button\./);
  await client.say("2: Keep your hand off the belt.");
  await client.say("2: The lamp is green.");
  expect(await client.say("yes")).toMatch(/Somebody else has to approve/);
  expect(client.body).toMatchObject({ phase: "generation", marked: [], messages_left: 3 });
  await published(client, "Reset the cold store");
  const told = client.body.trail.map(({ by, what }) => `${by} ${what}`);
  expect(told.filter((line) => !/said|answered|changed|phase/.test(line))).toEqual([
    ...["ann begun", "bob approved", "ann published"],
  ]);
  await client.send("ann", "withdraw");
  expect(client.body.status).toBe("withdrawn");
  expect(await client.get("asks", "/api/v1/guides")).toEqual({ guides: [] });
  expect(await client.get("ann", "/api/v1/guides/reset-the-cold-store/versions")).toMatchObject({
    versions: [{ status: "withdrawn", version: 1 }],
  });
});

const OPEN = { id: "open", kind: "instruct", title: "Open", text: "Open the cabinet." };
const END = { id: "end", kind: "end", title: "Done" };

test("an interview with a model goes there too, whatever else the model writes", async () => {
  const world = await World.start({ documents, config: { ...config, "llm.drafting.light_model": "small" } });
  const client = new Client(world);
  const reply = (value: unknown) => textReply([typeof value === "string" ? value : JSON.stringify(value)]);
  await client.begin({ name: "Reset the cold store" });
  world.server.expectChat(reply({ say: "Who does it? When?", phase: "discovery", patches: [] }), (body) => {
    expect(body).toMatchObject({ max_completion_tokens: 8_000, response_format: { type: "json_schema" } });
  });
  expect(await client.say("After an alarm.")).toBe("Who does it?");
  world.server.expectChat(reply({ say: "Noted.", phase: null, patches: [{ op: "add", step: OPEN }] }));
  expect(await client.say("The night shift: first open the cabinet.")).toBe("Noted. What comes next?");
  expect(client.body.marked).toEqual(["open"]);
  const before = client.body.guide;
  for (const broken of [
    '{"say": 1',
    "[STEPS_UPDATE]{}[/STEPS_UPDATE]",
    { say: "x", patches: [{ op: "remove", id: "end" }] },
  ]) {
    world.server.expectChat(reply(broken)).expectChat(reply(broken), ({ messages }) => {
      expect(messages.at(-1)?.content).toMatch(/^Nothing of that was used:/);
    });
    await client.say("Go on.");
    expect(client.body.errors).not.toEqual([]);
    expect(client.body.guide).toEqual(before);
  }
  // Ghost steps: a model of the other tier, and a person says what becomes of them.
  const press = { ...OPEN, id: "press", title: "Press", text: "Press the reset button." };
  world.server.expectChat(
    reply({ say: "Like so.", patches: [{ op: "modify", id: "end", step: { title: "Over" } }] }),
    (body) => expect(body.model).toBe("small"),
  );
  await client.say("Another title", { action_type: "modify_node", focal_step_id: "end" });
  const delta = {
    action: "add",
    target_node_id: "open",
    nodes: [{ id: "press", type: "procedure_step", title: "Press", description: press.text }],
  };
  world.server.expectChat(reply(`Then press it. [DELTA]${JSON.stringify(delta)}[/DELTA]`));
  expect(await client.say("And then?", { action_type: "add_steps", focal_step_id: "open" })).toBe(
    "Then press it.",
  );
  await client.send("ann", "suggestions/s1", { resolution: "dismissed" });
  await client.send("ann", "suggestions/s2", { resolution: "accepted" });
  expect(client.body.guide.steps.map(({ id }) => id)).toEqual(["open", "press", "end"]);
  expect(client.body).toMatchObject({
    marked: ["open"],
    suggestions: [{ status: "dismissed" }, { status: "accepted", by: "ann" }],
  });
  await client.send("ann", "undo");
  expect(client.body.guide.steps).toHaveLength(2);
  await client.send("ann", "review");
  expect((await client.send("bob", "approve")).error.message).toMatch(
    /step open: neither a person nor a passage/,
  );
  await client.send("ann", "patches", {
    patches: [
      { op: "confirm", id: "open" },
      { op: "add", step: press },
    ],
  });
  world.server.expectChat(errorReply(503));
  expect((await client.send("ann", "messages", { text: "Hello" })).error.message).toMatch(/was not counted/);
  expect(client.status).toBe(503);
  client.body = await client.get("ann");
  expect(client.body).toMatchObject({ messages_left: 3, usage: { input_tokens: 1_000, output_tokens: 200 } });
  await published(client, "Reset the cold store");
  world.server.verify();
});

test("one prompt makes a draft, the editor's flow comes with a message, and whoever is late is told", async () => {
  const world = await World.start({ documents, config: { ...config, "guides.plan": "paid" } });
  const client = new Client(world);
  const draft = { say: "Here.", phase: null, patches: [{ op: "replace", steps: [OPEN, END] }] };
  world.server.expectChat(textReply([JSON.stringify(draft)]), ({ messages }) => {
    expect(JSON.parse(String(messages.at(-1)?.content))).toMatchObject({ action: "generate_full" });
  });
  await client.begin({ prompt: "Reset the cold store. Open the cabinet." });
  expect(client.body).toMatchObject({
    name: "Reset the cold store",
    marked: ["open", "end"],
    messages_left: 24,
  });
  const first = client.body;
  const live = { ...first.guide, steps: [{ ...OPEN, text: "Open the grey cabinet." }, END], owner: "eve" };
  world.server.expectChat(textReply([JSON.stringify({ say: "Good.", patches: [] })]));
  await client.say("Is that right", { guide: live });
  expect(client.body.guide).toMatchObject({ owner: "ann", steps: [{ text: "Open the grey cabinet." }, {}] });
  expect(client.body.marked).toEqual(["end"]);
  const late = { version: first.version, patches: [{ op: "remove", id: "open" }] };
  expect((await client.send("ann", "patches", late)).error.message).toMatch(
    /is at version \d, and you saw \d/,
  );
  expect(client.status).toBe(409);
  for (const [who, path, status] of [
    ["eve", "", 403],
    ["asks", "", 403],
    ["ann", `${ROOT}/none`, 404],
  ] as const) {
    await client.get(who, path);
    expect([who, client.status]).toEqual([who, status]);
  }
  for (const [path, fields, says] of [
    ["messages", { text: "" }, /"text".*expected the words/],
    ["messages", { text: "x", action_type: "dance" }, /"action_type".*generate_branch/],
    ["messages", { text: "x", action_type: "modify_node" }, /is about a step: name it/],
    ["messages", { text: "x", guide: { steps: [{ id: "a", type: "task" }] } }, /write procedure_step/],
    ["patches", { patches: [{ op: "explode" }] }, /write one of add, modify/],
    ["patches", { patches: [{ op: "modify", id: "gone", fields: {} }] }, /there is no step gone/],
    ["patches", { version: undefined, patches: [] }, /"version" is missing/],
  ] as const) {
    expect((await client.send("ann", path, fields)).error.message).toMatch(says);
    expect(client.status).toBe(400);
  }
  expect(await client.get("ann")).toMatchObject({ version: client.body.version });
  world.server.verify();
});

test("a message is answered as a stream where that is wanted: what is said, what is said instead, and why nothing is", async () => {
  const world = await World.start({ documents, config });
  const client = new Client(world);
  const { id, version } = await client.begin({ name: "Reset the cold store" });
  const stream = async (fields: object) => {
    const headers = { "x-api-key": KEYS.ann.key, accept: "text/event-stream" };
    const response = await post(
      world,
      `${ROOT}/${id}/messages`,
      { text: "After an alarm.", ...fields },
      { headers },
    );
    return [response.status, await response.text()] as const;
  };
  const late = await stream({ version: version + 7 });
  expect(late).toEqual([409, expect.stringMatching(/^\{"error":\{"code":"conflict"/)]);
  const wrong = { say: "I add it.", patches: [{ op: "remove", id: "end" }] };
  world.server
    .expectChat(textReply(['{"say": "I add', ...[JSON.stringify(wrong).slice(13)]]))
    .expectChat(textReply([JSON.stringify({ say: "Who does it?", patches: [] })]));
  const [status, text] = await stream({ version });
  expect(status).toBe(200);
  const events = text
    .split("\n\n")
    .flatMap((block) => /^event: (\w+)\ndata: (.*)$/.exec(block)?.slice(1, 3) ?? []);
  expect(events.slice(0, -1)).toEqual([
    ...["text", '{"text":"I add"}', "text", '{"text":" it."}'],
    ...["rewound", "{}", "text", '{"text":"Who does it?"}', "finished"],
  ]);
  expect(JSON.parse(events.at(-1)!)).toMatchObject({ says: "Who does it?", errors: [], messages_left: 9 });
  const draft = { say: "Here.", patches: [{ op: "replace", steps: [OPEN, END] }] };
  world.server.expectChat(textReply([JSON.stringify(draft)]));
  const headers = { "x-api-key": KEYS.ann.key, accept: "text/event-stream" };
  const prompted = await (await post(world, ROOT, { prompt: "Reset it. Open it." }, { headers })).text();
  expect(prompted).toMatch(
    /^event: text\ndata: \{"text":"Here\."\}\n\nevent: finished\ndata: .*"name":"Reset it"/,
  );
  world.server.verify();
});

const PURGE = `---
title: Purging the line
revision: "2"
---
# Purging the line

**Warning: The line stays hot for 40 minutes.**

1. Close the inlet valve.
2. Open the drain valve.
3. Hang your tag on the drain valve.
`;
const ASKED = "How do I purge the line?";

test("a finished chat is a draft: what documents said is bound to its passages, and only what one may still read", async () => {
  const acme = { ...documents.acme, "purge.md": PURGE };
  const world = await offline({ documents: { acme }, config });
  const client = new Client(world);
  const ask = async (text: string) => {
    const headers = { "x-api-key": KEYS.ann.key };
    const response = await post(world, "/api/v1/answers", { text, session_id: "shift" }, { headers });
    return ((await response.json()) as { readonly answer: string }).answer;
  };
  expect(await ask(ASKED)).toMatch(/Close the inlet valve\..*Hang your tag on the drain valve\./s);
  await client.begin({ name: "Purge", chat: "shift" });
  const source = (place: string) => ({ document: "purge.md", revision: "2", place });
  expect(client.body).toMatchObject({ marked: [], findings: [], phase: "scoping" });
  expect(client.body.guide.steps).toMatchObject([
    { content_type: "warning", source: source("Purging the line") },
    { text: "Close the inlet valve.", source: source("Purging the line, step 1") },
    { text: "Open the drain valve.", source: source("Purging the line, step 2") },
    { text: "Hang your tag on the drain valve.", source: source("Purging the line, step 3") },
    { id: "end", kind: "end" },
  ]);
  expect(client.body.trail).toMatchObject([{ by: "ann", what: "begun", about: "chat" }]);
  const { id } = client.body;
  // A tree has no use for steps; nobody has the chat of another, and what was there is gone with its document.
  await client.begin({ name: "Purge it", chat: "shift", flow_type: "troubleshooting" });
  expect(client.body.guide.steps).toHaveLength(2);
  const refused = async (fields: object) => {
    const { error } = (await client.begin({ name: "Purge", ...fields })) as never as {
      readonly error: { readonly code: string };
    };
    return [client.status, error.code];
  };
  expect(await refused({ chat: "other" })).toEqual([404, "not_found"]);
  expect(await refused({ chat: true })).toEqual([404, "not_found"]);
  expect(await refused({ chat: 7 })).toEqual([400, "bad_parameter"]);
  const restricted = PURGE.replace("revision:", "visibility: restricted\nallowed_users: [bob]\nrevision:");
  await world.ingest("acme", { ...acme, "purge.md": restricted });
  expect(await refused({ chat: "shift" })).toEqual([404, "not_found"]);
  await client.get("ann", `${ROOT}/${id}`);
  expect(client.status).toBe(404);
});

test("with a model a chat at the radio becomes a draft, in which passages stand behind their steps alone", async () => {
  const world = await World.start({ documents: { acme: { "purge.md": PURGE } }, config });
  const ann = (await world.relay()).user("acme", "ann");
  world.server
    .expectChat(searchReply(ASKED))
    .expectChat(textReply(["Close the inlet valve. Open the drain valve."]));
  ann.ask(ASKED, { request_id: "a" });
  expect((await ann.answered("a")).text).toMatch(/Close the inlet valve\. Open the drain valve\./);
  const client = new Client(world);
  const steps = [
    {
      id: "purging-the-line-1",
      kind: "instruct",
      title: "Purging the line, step 1",
      text: "Close the inlet valve.",
    },
    {
      id: "purging-the-line-2",
      kind: "instruct",
      title: "Purging the line, step 2",
      text: "Open the drain slowly.",
    },
    { id: "call", kind: "instruct", title: "Call", text: "Call the shift lead." },
    END,
  ];
  const draft = { say: "Here.", phase: null, patches: [{ op: "replace", steps }] };
  world.server.expectChat(textReply([JSON.stringify(draft)]), ({ messages }) => {
    const told = JSON.parse(String(messages.at(-1)?.content));
    expect(told).toMatchObject({ action: "generate_full", message: ASKED });
    expect(told.guide.steps).toMatchObject([{}, { text: "Close the inlet valve." }, {}, { id: "end" }]);
  });
  await client.begin({ name: "Purge", chat: true });
  expect(client.body.guide.steps).toMatchObject([
    { source: { place: "Purging the line, step 1" } },
    { text: "Open the drain slowly." },
    { id: "call" },
    END,
  ]);
  expect(client.body.marked).toEqual(["purging-the-line-2", "call", "end"]);
  world.server.verify();
});
