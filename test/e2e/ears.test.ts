/** What the recogniser was unsure of, over a real socket: asked back, chosen, answered; and names put right by sound. */
import { beforeAll, describe, expect, test } from "vitest";
import { systemClock } from "../../src/lib/clock.js";
import { exampleSite } from "../support/example-site.js";
import { transcriptReply } from "../support/openai-transcriptions.js";
import { spokenPackets } from "../support/spoken.js";
import type { TestUser } from "./relay.js";
import { temporaryDirectory, World } from "./world.js";

const page = (title: string, text: string, more = "") =>
  `---\ntitle: ${title}\n${more}---\n# ${title}\n\n${text}\n`;

const documents = {
  acme: {
    "two.md": page("Starting pump 2", "1. Open the blue valve of pump 2.\n2. Press the green button."),
    "ten.md": page("Starting pump 10", "1. Unlock the cage of pump 10.\n2. Turn the key to on."),
    "washer.md": page(
      "Parts washer",
      "The parts washer runs at 60 degrees. Close the lid of the parts washer before it starts.",
    ),
    "secret.md": page(
      "Starting pump 12",
      "1. Break the seal of pump 12. The guillotine stays shut. The guillotine is locked.",
      "visibility: restricted\n",
    ),
  },
};

let packets: Uint8Array[];
beforeAll(async () => {
  packets = await spokenPackets("How do I start pump two?");
});

async function begin() {
  const world = await World.start({
    documents,
    config: {
      "llm.provider": "offline",
      "transcription.provider": "openai",
      "transcription.model": "gpt-4o-transcribe",
    },
  });
  return { world, ann: (await world.relay()).user("acme", "ann") };
}

/** A reply of which each token is sure but for one. */
function reply(text: string, unsure?: string) {
  const tokens = text.match(/\s*[^\s?]+|\?/g) ?? [];
  const logprobs = tokens.map((token) => ({ token, logprob: token.trim() === unsure ? -0.8 : -0.001 }));
  return transcriptReply(text, { logprobs });
}

let count = 0;

/** Says it, and gives what was understood and what was answered. */
async function said(user: TestUser) {
  count += 1;
  const id = `e-${count}`;
  user.say(count, packets, { request_id: id, response_type: "text" });
  const answer = await user.answered(id);
  const heard = user.frames.findLast(({ json }) => json?.role === "question")?.json;
  return { text: String(answer.text).trim(), heard };
}

describe("a number that the recogniser was unsure of", () => {
  test("is asked back, and the reply answers the first question", async () => {
    const { world, ann } = await begin();
    world.server.expectTranscription(reply("How do I start pump two?", "two"), ({ logprobs, prompt }) => {
      expect(logprobs).toBe(true);
      expect(prompt).toMatch(/parts washer/i);
      expect(prompt).not.toMatch(/guillotine/i);
    });
    expect((await said(ann)).text).toBe("Pump 2 or pump 10?");
    expect(world.eventsOf("search_finished")).toEqual([]);
    world.server.expectTranscription(reply("ten"));
    expect((await said(ann)).text).toMatch(/Unlock the cage/);
  });

  test.each([
    ["the second one", /Unlock the cage/],
    ["pump two", /blue valve/],
    ["How do I start pump two?", /blue valve/],
  ])("%s chooses, and the same is not asked twice", async (words, expected) => {
    const { world, ann } = await begin();
    world.server.expectTranscription(reply("How do I start pump two?", "two"));
    expect((await said(ann)).text).toBe("Pump 2 or pump 10?");
    world.server.expectTranscription(reply(words, "two"));
    expect((await said(ann)).text).toMatch(expected);
  });

  test("is not asked back where it was heard for sure, or the server does not tell", async () => {
    const { world, ann } = await begin();
    world.server.expectTranscription(reply("How do I start pump two?"));
    expect((await said(ann)).text).toMatch(/blue valve/);
    world.server.expectTranscription(transcriptReply("How do I start pump ten?"));
    expect((await said(ann)).text).toMatch(/Unlock the cage/);
  });
});

describe("a name that no document has", () => {
  test("becomes the one that sounds like it, and what was heard is shown", async () => {
    const { world, ann } = await begin();
    world.server.expectTranscription(transcriptReply("How hot does the parks washer run?"));
    const { heard, text } = await said(ann);
    expect(heard).toMatchObject({
      text: expect.stringMatching(/^How hot does the parts washer run\?$/i),
      heard: "How hot does the parks washer run?",
    });
    expect(text).toMatch(/60 degrees/);
  });

  test("becomes none of a document that the user may not read", async () => {
    const { world, ann } = await begin();
    world.server.expectTranscription(transcriptReply("Is the gillotine shut now?"));
    const { heard } = await said(ann);
    expect(heard).toMatchObject({ text: "Is the gillotine shut now?" });
    expect(heard).not.toHaveProperty("heard");
  });
});

test("the recogniser is told what the site has that the user may know of, and mends by it", async () => {
  const config = {
    "llm.provider": "offline",
    "transcription.provider": "openai",
    sites: [exampleSite(temporaryDirectory())],
  };
  const world = await World.start({ documents, clock: systemClock, config });
  const ann = (await world.relay()).user("acme", "ann");
  world.server.expectTranscription(transcriptReply("Is kestral running?"), ({ prompt }) => {
    expect(prompt).toMatch(/kestrel/);
    expect(prompt).toMatch(/parts washer/i);
    expect(prompt).not.toMatch(/historian|prototype|solvent/i);
  });
  const { heard, text } = await said(ann);
  expect(heard).toMatchObject({ text: expect.stringMatching(/^Is kestrel running\?$/i) });
  expect(text).toMatch(/kestrel is /i);
});
