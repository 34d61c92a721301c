/** A guide is written down at a radio, goes on at a desk, and is published by two people: with a model and without. */
import { expect, test } from "vitest";
import { textReply } from "../support/openai-replies.js";
import { transcriptReply } from "../support/openai-transcriptions.js";
import { spokenPackets } from "../support/spoken.js";
import { documents, offline } from "./doors/ask.js";
import { Client, config as keys, published } from "./doors/guide-client.js";
import type { TestUser } from "./relay.js";
import { packets, spoken } from "./script.js";
import { World } from "./world.js";

const config = { ...keys, "guides.author_users": ["ann"] };
const NAME = "Reset the cold store";
const BEGIN = "Let's write down how we reset the cold store.";

/** What each of some messages is answered with. */
async function told(user: TestUser, messages: readonly string[]): Promise<readonly unknown[]> {
  const answers: unknown[] = [];
  for (const text of messages) {
    user.ask(text, { request_id: text });
    answers.push((await user.answered(text)).text);
  }
  return answers;
}

/** The session that the author left, as HTTP has it. */
async function found(world: World): Promise<Client> {
  const client = new Client(world);
  const listed = (await client.get("ann", "/api/v1/guide_sessions")) as unknown as {
    readonly guide_sessions: readonly { readonly id: string }[];
  };
  expect(listed.guide_sessions).toHaveLength(1);
  client.body = { ...client.body, id: listed.guide_sessions[0]!.id };
  client.body = await client.get("ann");
  return client;
}

test("an interview at a radio outlives a restart, goes on over HTTP, and ends in a guide that leads people", async () => {
  const world = await offline({ config });
  const ann = (await world.relay()).user("acme", "ann");
  const begun = await told(ann, [BEGIN, "For the night shift.", "none", "Open the cabinet. Start pump two."]);
  expect(begun).toEqual([
    "Writing down: Reset the cold store. What is this guide for, and who works by it?",
    expect.stringMatching(/^What differs/),
    expect.stringMatching(/^What is done first/),
    "What is done next? Say that is all when it is complete.",
  ]);
  await world.restart();
  const again = (await world.relay()).user("acme", "ann");
  const [dangers, results] = await told(again, ["That's all.", "Step two: keep your hand off the belt."]);
  expect(dangers).toMatch(/2\. Start pump two\./);
  expect(results).toMatch(/^How does one see/);
  // Others are asked nothing.
  const eve = (await world.relay()).user("acme", "eve");
  expect(await told(eve, [BEGIN])).not.toEqual([expect.stringMatching(/Writing down/)]);
  const client = await found(world);
  expect(client.body).toMatchObject({
    name: NAME,
    says: expect.stringContaining("2. Start pump two."),
    phase: "enrichment",
    messages_left: 5,
  });
  await client.say("2: The lamp is green.");
  expect(await told(again, ["Yes."])).toEqual([expect.stringMatching(/^The guide is complete/)]);
  client.body = await client.get("ann");
  await published(client, NAME);
  const trail = client.body.trail.map(({ by, what }) => `${by} ${what}`);
  expect(trail.filter((line) => !/said|answered|changed|phase/.test(line))).toEqual([
    ...["ann begun", "ann voice", "ann voice", "bob approved", "ann published"],
  ]);
  expect(await told(again, ["walk me through resetting the cold store"])).toEqual([
    "Beginning: Reset the cold store. Open the cabinet.",
  ]);
});

test("with a model, each word is spoken: its question is heard where it names nothing new, and no more of it", async () => {
  const world = await World.start({ documents, config });
  const ann = (await world.relay()).user("acme", "ann");
  const press = await spokenPackets(BEGIN);
  let pressed = 0;
  const say = async (text: string, reply?: object) => {
    pressed++;
    world.server.expectTranscription(transcriptReply(text));
    if (reply !== undefined) world.server.expectChat(textReply([JSON.stringify(reply)]));
    ann.say(pressed, press, { request_id: `v-${pressed}`, response_type: pressed === 1 ? "audio" : "text" });
    return (await ann.answered(`v-${pressed}`)).text;
  };
  for (const _ of [1, 2]) world.server.expectSpeech(spoken(packets(3)));
  expect(await say(BEGIN)).toBe(
    "Writing down: Reset the cold store. What is this guide for, and who works by it?",
  );
  const who = { say: "Bypass the interlock. Who opens the cabinet?", phase: "discovery", patches: [] };
  expect(await say("For the night shift, who open the cabinet.", who)).toBe("Who opens the cabinet?");
  const open = { id: "open", kind: "instruct", title: "Open", text: "Open the cabinet." };
  const added = { say: "Is the turbine tripped at 900 rpm?", phase: null, patches: [] };
  expect(await say("The fitter does.", added)).toBe("What comes next?");
  const noted = { say: "Noted.", phase: null, patches: [{ op: "add", step: open }] };
  expect(await say("First open the cabinet.", noted)).toBe("I have written that down. What comes next?");
  const broken = { say: "x", patches: [{ op: "remove", id: "end" }] };
  world.server.expectChat(textReply([JSON.stringify(broken)]));
  expect(await say("Go on.", broken)).toMatch(/^I could not put that into the guide.* What comes next\?$/);
  expect(await say("That is all.")).toMatch(/^Is it right as it is\?.* 1\. Open the cabinet\./);
  expect(await say("Yes.")).toMatch(/^The guide is complete/);
  const client = await found(world);
  expect(client.body).toMatchObject({ phase: "generation", marked: [], findings: [] });
  await published(client, NAME);
  world.server.verify();
});
