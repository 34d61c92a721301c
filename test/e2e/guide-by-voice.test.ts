/**
 * A guide goes by voice from its first question to its publication: its author is interviewed, a second person hears all of it
 * and approves it, its author publishes it. Without a model, and with one that breaks every rule of its prompt.
 */
import { expect, test } from "vitest";
import { sleep, systemClock } from "../../src/lib/clock.js";

import { textReply } from "../support/openai-replies.js";
import { transcriptReply } from "../support/openai-transcriptions.js";
import { patience } from "../support/patience.js";
import { spokenPackets } from "../support/spoken.js";
import { documents } from "./doors/ask.js";
import { Client, config as keys, ROOT } from "./doors/guide-client.js";
import type { TestUser } from "./relay.js";
import { World } from "./world.js";

const config = {
  ...keys,
  "transcription.provider": "openai",
  "speech.provider": "offline",
  "guides.author_users": ["ann"],
  "guides.review_users": ["bob"],
  "guides.plan": "paid",
};
/** What was due last has been heard then. */
const BREATH_MS = 400;
const BEGIN = "Let's write down how we reset the cold store.";
const REVIEW = "Review how we reset the cold store.";

/** Two people at their radios; after each word of one, the guide is one that keeps every rule. */
async function atRadios(more: object = {}) {
  const world = await World.start({ clock: systemClock, documents, config: { ...config, ...more } });
  const relay = await world.relay();
  const users = { ann: relay.user("acme", "ann"), bob: relay.user("acme", "bob") };
  const press = await spokenPackets("Yes.");
  const client = new Client(world);
  let pressed = 0;
  const begin = (user: TestUser, words: string, response_type: "text" | "audio") => {
    pressed += 1;
    world.server.expectTranscription(transcriptReply(words));
    user.say(pressed, press, { request_id: `v-${pressed}`, response_type });
    return `v-${pressed}`;
  };
  const isValid = async () => {
    const { guide_sessions } = (await client.get("ann", ROOT)) as unknown as {
      readonly guide_sessions: readonly { readonly id: string }[];
    };
    client.body = { ...client.body, id: guide_sessions[0]!.id };
    client.body = await client.get("ann");
    expect(client.body.findings, client.body.says).toEqual([]);
  };
  const heard = async (user: TestUser, id: string) => String((await user.answered(id)).text).trim();
  const say = async (who: keyof typeof users, words: string, as: "text" | "audio" = "text") => {
    const told = await heard(users[who], begin(users[who], words, as));
    await isValid();
    return told;
  };
  return { ...users, begin, client, heard, say, world };
}

type Radios = Awaited<ReturnType<typeof atRadios>>;

/** The guide is complete: it is approved by who has heard all of it, and published. */
async function published({ begin, bob, client, heard, say }: Radios): Promise<readonly string[]> {
  expect(await say("ann", "Publish it.")).toBe(
    "It has to be approved first. These may do that: bob. They say review how, and its name.",
  );
  const cut = begin(bob, REVIEW, "audio");
  await bob.packets(20);
  const early = begin(bob, "Yes.", "audio");
  expect(await heard(bob, cut)).not.toMatch(/Do you approve it/);
  const again = await heard(bob, early);
  expect(again).toMatch(/^An approval counts once all of it was heard\..* Do you approve it\?$/);
  expect(again).toMatch(/Keep your hand off the belt\. Start pump two\./i);
  expect(client.body.status).toBe("open");
  await sleep(systemClock, BREATH_MS, new AbortController().signal);
  expect(await say("bob", "Yes, I approve it.", "audio")).toBe(
    "Approved: Reset the cold store. ann can publish it now.",
  );
  expect(client.body.status).toBe("approved");
  expect(await say("ann", "Publish it.", "audio")).toBe("Published: Reset the cold store.");
  expect(client.body).toMatchObject({ status: "published", published: { version: 1 }, marked: [] });
  expect(await say("ann", "Walk me through resetting the cold store.")).toMatch(
    /^Beginning: Reset the cold store\./,
  );
  const trail = client.body.trail as readonly { by: string; what: string; about?: string }[];
  return trail.map(({ about = "", by, what }) => `${by} ${what} ${about}`.trim());
}

test("without a model", { timeout: patience(120_000) }, async () => {
  const radios = await atRadios({ "llm.provider": "offline" });
  const { client, say, world } = radios;
  expect(await say("ann", BEGIN, "audio")).toMatch(
    /^Writing down: Reset the cold store\. What is this guide/,
  );
  expect(await say("ann", "For the night shift.")).toMatch(/^What differs/);
  expect(await say("ann", "None.")).toMatch(/^What is done first/);
  expect(await say("ann", "Open the cabinet. Start pump two.")).toMatch(/^What is done next/);
  expect(await say("ann", "That's all.")).toMatch(/^Which of these steps is dangerous/);
  expect(await say("ann", "Step two: keep your hand off the belt.")).toMatch(/^How does one see/);
  expect(await say("ann", "None.")).toMatch(/^Is it right as it is/);
  expect(await say("ann", "Yes.")).toMatch(/^The guide is complete/);
  expect(client.body).toMatchObject({ phase: "generation", marked: [] });
  const trail = await published(radios);
  expect(trail.filter((line) => !/said|answered|changed/.test(line))).toEqual([
    ...["ann begun", "ann voice begins", "service phase discovery", "service phase enrichment"],
    ...["service phase review", "service phase generation", "ann voice ends"],
    ...["bob approved heard", "ann published reset-the-cold-store 1"],
  ]);
  world.server.verify();
});

const instruct = (id: string, text: string, more: object = {}) => {
  return { id, kind: "instruct", title: id, text, ...more };
};
const add = (step: object) => ({ op: "add", step });

/** Replies of a model that keeps no rule of its prompt: of none of them anything is taken into the guide. */
const BROKEN: readonly (readonly [string, unknown])[] = [
  ["JSON that ends nowhere", '{"say": "I add it.", "patches": [{"op": "add"'],
  ["markers that are cut off", 'Done. [STEPS_UPDATE]{"steps": [{"id": "a"'],
  [
    "a phase that does not follow",
    { say: "Done.", phase: "generation", patches: [add(instruct("x", "Do it."))] },
  ],
  ["a step that is not there", { say: "x", patches: [{ op: "modify", id: "gone", step: { title: "x" } }] }],
  ["a patch that there is not", { say: "x", patches: [{ op: "confirm", id: "open" }] }],
  [
    "a passage that it claims",
    { say: "x", patches: [add(instruct("x", "Do it.", { source: { document: "lockout.md" } }))] },
  ],
  ["the end taken out", { say: "x", patches: [{ op: "remove", id: "end" }] }],
  [
    "a step that is too long to say",
    { say: "x", patches: [add(instruct("x", "Look at the lamp. ".repeat(5_000)))] },
  ],
  [
    "more patches than are read",
    { say: "x", patches: Array.from({ length: 400 }, (_, n) => add(instruct(`s${n}`, "Wait."))) },
  ],
  [
    "a step that leads nowhere",
    { say: "x", patches: [{ op: "modify", id: "open", step: { next: "nowhere" } }] },
  ],
];

test("with a model that breaks every rule", { timeout: patience(180_000) }, async () => {
  const radios = await atRadios();
  const { client, say, world } = radios;
  const replies = (...all: readonly unknown[]) => {
    for (const one of all)
      world.server.expectChat(textReply([typeof one === "string" ? one : JSON.stringify(one)]));
  };
  await say("ann", BEGIN);
  replies({ say: "Bypass the interlock. Who opens the cabinet? And when?", phase: "discovery", patches: [] });
  // One question a turn, and nothing else of what it says.
  expect(await say("ann", "For the night shift, who open the cabinet.")).toBe("Who opens the cabinet?");
  replies({ say: "x".repeat(50_000), phase: null, patches: [add(instruct("open", "Open the cabinet."))] });
  expect(await say("ann", "First open the cabinet.")).toBe("I have written that down. What comes next?");
  const before = client.body.guide;
  replies("Sure! I have added the step for you.");
  expect(await say("ann", "Go on.")).toBe("What comes next?");
  for (const [what, reply] of BROKEN) {
    replies(reply, reply);
    expect(await say("ann", "Go on."), what).toMatch(/^I could not put that into the guide/);
    expect(client.body.guide, what).toEqual(before);
  }
  // What it asks about waits as a suggestion; what it invents stays marked until a person has heard it and says yes.
  const start = instruct("start", "Start pump two.", { warning: "Keep your hand off the belt." });
  replies({ say: "Shall I go on?", phase: null, patches: [add(instruct("ghost", "Run away."))] });
  expect(await say("ann", "Then start pump two.")).toMatch(/^I suggest a change\. It waits in the editor\./);
  replies({ say: "Done.", phase: null, patches: [add(start)] });
  expect(await say("ann", "Then start pump two, hands off the belt.")).toMatch(/^I have written that down/);
  expect(client.body.marked).toEqual(["open", "start"]);
  expect(await say("ann", "Publish it.")).toMatch(/^It is not complete yet\./);
  expect(await say("ann", "That is all.")).toMatch(/^Is it right as it is\?.* 2\. Start pump two\./);
  expect(await say("bob", REVIEW)).toMatch(/^Something in it has to be put right first/);
  expect(await say("ann", "Yes.")).toMatch(/^The guide is complete/);
  expect(client.body.guide.steps.map(({ id }) => id)).toEqual(["open", "start", "end"]);
  const trail = await published(radios);
  expect(trail.filter((line) => !/said|answered/.test(line))).toEqual([
    ...["ann begun", "ann voice begins", "model phase discovery", "model changed add open"],
    ...[
      "model suggested s1: add ghost",
      "model changed add start",
      "ann phase enrichment",
      "ann phase review",
    ],
    ...["ann changed confirm open, confirm start", "service phase generation", "ann voice ends"],
    ...["bob approved heard", "ann published reset-the-cold-store 1"],
  ]);
  world.server.verify();
});
