/**
 * What a user may not read is never in a prompt as the model server receives it, never in an answer, a log line or a
 * metric; and asking for it sounds exactly like asking for what is not there.
 */
import { describe, expect, test } from "vitest";
import { searchReply, textReply } from "../support/openai-replies.js";
import { transcriptReply } from "../support/openai-transcriptions.js";
import { spokenPackets } from "../support/spoken.js";
import { BADGE, LOCKOUT, OPENING, PAYROLL, SEALED, SPILL } from "./documents.js";
import type { TestUser } from "./relay.js";
import { librarian } from "./script.js";
import { World, type WorldOptions } from "./world.js";

const library = {
  acme: {
    "lockout.md": LOCKOUT,
    "payroll.md": PAYROLL,
    "badge.md": BADGE,
    "sealed.md": SEALED,
    "opening.md": OPENING,
  },
  rival: { "spill.md": SPILL },
};

interface Scene {
  readonly world: World;
  user(network: string, username: string): TestUser;
}

async function begin(options: WorldOptions = {}): Promise<Scene> {
  const world = await World.start({ documents: library, respond: librarian, ...options });
  const relay = await world.relay();
  return { world, user: (network, username) => relay.user(network, username) };
}

/** Everything that left the service during the test: to the model, to relays, to the log and to the metrics. */
async function everythingSaid(world: World, user: TestUser): Promise<string> {
  const frames = user.relay.frames.map(({ text }) => text ?? "").join("\n");
  return [world.requestText, frames, world.log, await world.metrics()].join("\n");
}

const ASKS = {
  payroll: "payroll safe code first working day of the month",
  badge: "lost badge reset gate terminal master number",
  sealed: "sealed findings boiler audit valve cause",
  spill: "solvent spill absorbent shift lead",
  opening: "when does the shop open and close",
  lockout: "how is press 4 locked out with the red padlock",
} as const;

/** What marks each document's text, and its title where that tells something too. */
const MARKS = {
  payroll: /PAYROLL93|Payroll codes/,
  badge: /BADGE44|Badge reset/,
  sealed: /SEALED88|Sealed findings/,
  spill: /SPILL52|Chemical spill/,
  opening: /HOURS27|Opening hours/,
  lockout: /LOCKOUT71|Lockout of press 4/,
} as const;

type Subject = keyof typeof ASKS;

interface Case {
  readonly who: string;
  readonly subject: Subject;
  readonly network?: string;
  readonly username?: string;
  readonly parameters?: object;
}

const FORBIDDEN: readonly Case[] = [
  { who: "another network's document", subject: "spill" },
  {
    who: "another network's document, by a user of the same name",
    subject: "payroll",
    network: "rival",
    username: "bob",
  },
  { who: "a document for a group", subject: "payroll" },
  {
    who: "a document for a group, with another one's name",
    subject: "payroll",
    parameters: { groups: ["Managers", "manager"] },
  },
  { who: "a document for another user", subject: "badge" },
  { who: "a document for a user, by one whose name looks like it", subject: "badge", username: "Bob" },
  {
    who: "a document for a user, by one whose group has that name",
    subject: "badge",
    parameters: { groups: ["bob"] },
  },
  { who: "a document with an empty allowed_users", subject: "sealed" },
  {
    who: "a document with an empty allowed_users, with every group",
    subject: "sealed",
    parameters: { groups: ["managers", "shop", ""].filter(Boolean) },
  },
  { who: "a network's document from a kiosk", subject: "lockout", parameters: { f: "kiosk" } },
  {
    who: "a network's document from a kiosk, by a flag that contains the word",
    subject: "lockout",
    parameters: { f: "a,xkiosk-2" },
  },
  {
    who: "a network's document from a kiosk in onboarding",
    subject: "lockout",
    parameters: { f: "kiosk", mode: "ai_onboarding" },
  },
];

test.each(FORBIDDEN)("never: $who", async ({ subject, network = "acme", username = "ann", parameters }) => {
  const { world, user } = await begin();
  const asking = user(network, username);
  for (const responseType of ["text", "audio"]) {
    asking.ask(ASKS[subject], { ...parameters, response_type: responseType, request_id: responseType });
    await asking.answered(responseType);
  }
  expect(MARKS[subject].exec(await everythingSaid(world, asking))?.[0]).toBeUndefined();
  const found = world.eventsOf("passages_retrieved").flatMap(({ documentIds }) => documentIds);
  expect(found.filter((id) => id.startsWith(subject))).toEqual([]);
});

const ALLOWED: readonly Case[] = [
  { who: "a network's document", subject: "lockout" },
  {
    who: "a group's document, by a member",
    subject: "payroll",
    parameters: { groups: ["drivers", "managers"] },
  },
  { who: "a user's document, by that user", subject: "badge", username: "bob" },
  {
    who: "a granted document from a kiosk, by its user",
    subject: "opening",
    username: "kiosk-1",
    parameters: { f: "kiosk" },
  },
  {
    who: "a granted document from a kiosk, by its group",
    subject: "opening",
    parameters: { f: "kiosk", groups: ["shop"] },
  },
];

test.each(ALLOWED)(
  "may be read: $who",
  async ({ subject, network = "acme", username = "ann", parameters }) => {
    const { user } = await begin();
    const asking = user(network, username);
    asking.ask(ASKS[subject], parameters);
    expect((await asking.answered()).text).toMatch(/[A-Z]+\d\d/);
  },
);

describe("a forbidden document sounds exactly like one that is not there", () => {
  const cases = FORBIDDEN.filter(
    ({ subject }) => subject === "payroll" || subject === "sealed" || subject === "badge",
  );
  test.each(cases)("$who", async ({ subject, network = "acme", username = "ann", parameters }) => {
    const withIt = await begin();
    const without = await begin({
      documents: {
        acme: Object.fromEntries(Object.entries(library.acme).filter(([name]) => name !== `${subject}.md`)),
        rival: library.rival,
      },
    });
    const said = [];
    for (const { world, user } of [withIt, without]) {
      const asking = user(network, username);
      asking.ask(ASKS[subject], parameters);
      await asking.answered();
      asking.askAloud(`And again: ${ASKS[subject]}`, { ...parameters, request_id: "r-2" });
      await asking.answered("r-2");
      said.push({
        prompts: world.server.chats,
        // Sentences are asked for at once, and come in any order.
        speeches: world.server.speeches.map((speech) => JSON.stringify(speech)).sort(),
        frames: asking.frames.map(({ text, packet }) => text ?? packet),
        outcomes: world.eventsOf("turn_finished").map(({ result }) => result),
        found: world.eventsOf("passages_retrieved").map(({ characters }) => characters),
      });
    }
    expect(said[0]).toEqual(said[1]);
  });

  test("when the model is away too", async () => {
    const { world, user } = await begin({ respond: {}, config: { "llm.attempts_max": 1 } });
    const ann = user("acme", "ann");
    const answers = [];
    for (const [n, text] of [ASKS.payroll, "Where do I find a giraffe zeppelin?"].entries()) {
      ann.ask(text, { request_id: `r-${n}` });
      const { request_id: _, ...answer } = await ann.answered(`r-${n}`);
      answers.push(answer);
    }
    expect(answers[0]).toEqual(answers[1]);
    expect(MARKS.payroll.exec(await everythingSaid(world, ann))?.[0]).toBeUndefined();
  });
});

describe("what was said before", () => {
  /** Asks and gives back what stage 1 was told. */
  async function prompted(
    world: World,
    ann: TestUser,
    text: string,
    groups: readonly string[],
    id: string,
  ): Promise<string> {
    const before = world.server.chats.length;
    ann.ask(text, { groups, request_id: id });
    await ann.answered(id);
    return JSON.stringify(world.server.chats[before]?.messages);
  }

  test("is narrowed to what this turn may read, by way of earlier answers too, and comes back with the access", async () => {
    const { world, user } = await begin();
    const ann = user("acme", "ann");
    await prompted(world, ann, ASKS.payroll, ["managers"], "r-1");
    // This answer was given with the first one in the prompt, so it may repeat it.
    const second = await prompted(world, ann, ASKS.lockout, ["managers"], "r-2");
    expect(second).toContain("PAYROLL93");
    const third = await prompted(world, ann, "And where do I find the tag?", [], "r-3");
    expect(third).not.toMatch(/PAYROLL93|payroll|padlock/);
    const fourth = await prompted(world, ann, "And where do I get it?", ["managers"], "r-4");
    expect(fourth).toContain("PAYROLL93");
    expect(fourth).toContain("And where do I find the tag?");
    const kiosk = world.server.chats.length;
    ann.ask("And where do I find it?", { f: "kiosk", request_id: "r-5" });
    await ann.answered("r-5");
    for (const body of world.server.chats.slice(kiosk))
      expect(JSON.stringify(body)).not.toMatch(/PAYROLL93|LOCKOUT71/);
  });

  test("nor does a query of an earlier turn that may not be known bring anything in when the model is away", async () => {
    const { world, user } = await begin({ config: { "llm.attempts_max": 1 } });
    const ann = user("acme", "ann");
    await prompted(world, ann, ASKS.payroll, ["managers"], "r-1");
    world.server.expectChat({ type: "cut" });
    ann.ask("red padlock of press 4", { request_id: "r-2" });
    expect((await ann.answered("r-2")).text).toContain("LOCKOUT71");
    expect(world.eventsOf("passages_retrieved").at(-1)?.queries).toEqual(["red padlock of press 4"]);
  });

  test("an answer that was refused for another user is not remembered by this one", async () => {
    const { world, user } = await begin();
    await prompted(world, user("acme", "bob"), ASKS.badge, [], "r-1");
    const ann = await prompted(world, user("acme", "ann"), "And where do I do that?", [], "r-2");
    expect(ann).not.toMatch(MARKS.badge);
  });
});

describe("a permission that is revoked", () => {
  test("counts from the next question on, for passages and for history", async () => {
    const { world, user } = await begin();
    const ann = user("acme", "ann");
    ann.ask(ASKS.lockout, { request_id: "r-1" });
    expect((await ann.answered("r-1")).text).toContain("LOCKOUT71");
    await world.ingest("acme", {
      ...library.acme,
      "lockout.md": LOCKOUT.replace("---\n", "---\nvisibility: restricted\n"),
    });
    const before = world.server.chats.length;
    ann.ask(ASKS.lockout, { request_id: "r-2" });
    expect((await ann.answered("r-2")).text).toBe("I can't find that in your documents.");
    expect(JSON.stringify(world.server.chats.slice(before))).not.toContain("LOCKOUT71");
  });

  test("counts for a title, too, that a recogniser may have from us rather than from the speaker", async () => {
    const { world, user } = await begin();
    const ann = user("acme", "ann");
    const transcript = "Lockout of press 4, when does the shop open?";
    world.server.expectTranscription(transcriptReply(transcript), ({ prompt }) =>
      expect(prompt).toContain("Lockout of press 4"),
    );
    world.server.expectChat(searchReply("shop opening hours"));
    ann.say(7, await spokenPackets("When does the shop open?"), { request_id: "v-1", response_type: "text" });
    await ann.answered("v-1");
    await world.ingest("acme", {
      ...library.acme,
      "lockout.md": LOCKOUT.replace("---\n", "---\nvisibility: restricted\n"),
    });
    const before = world.server.chats.length;
    ann.ask("And when does it close?", { request_id: "r-2" });
    await ann.answered("r-2");
    expect(world.server.chats.length).toBeGreaterThan(before);
    expect(JSON.stringify(world.server.chats.slice(before))).not.toMatch(MARKS.lockout);
  });

  test("and a document that is deleted is gone, and back when it is granted again", async () => {
    const { world, user } = await begin();
    const ann = user("acme", "ann");
    const { "lockout.md": _, ...rest } = library.acme;
    await world.ingest("acme", rest);
    ann.ask(ASKS.lockout, { request_id: "r-1" });
    expect((await ann.answered("r-1")).text).toBe("I can't find that in your documents.");
    await world.ingest("acme", library.acme);
    ann.ask(ASKS.lockout, { request_id: "r-2" });
    expect((await ann.answered("r-2")).text).toContain("LOCKOUT71");
  });

  test("between the stages of an answer is in time for it", async () => {
    // Where nothing is found any more, the model may be asked for another query.
    const chat: typeof librarian.chat = ({ body }) =>
      body.tool_choice === "required" ? searchReply("press 4 lockout") : textReply("Ask the shift lead.");
    const { world, user } = await begin({ respond: { chat } });
    const ann = user("acme", "ann");
    const { "lockout.md": _, ...rest } = library.acme;
    await world.ingest("acme", rest);
    ann.ask("How do I lock out press 4?");
    await ann.answered();
    expect(world.requestText).not.toContain("LOCKOUT71");
  });
});
