/** Suggested questions and summaries over the real socket and over HTTP: what they say, to whom, and how often. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { AT_ONCE_PER_USER_MAX } from "../../src/turn/bounded-work.js";
import { errorReply, hangReply, textReply, toolReply } from "../support/openai-replies.js";
import { VirtualClock } from "../support/virtual-clock.js";
import { BADGE, LOCKOUT, OPENING, PAYROLL, SEALED, SPILL } from "./documents.js";
import type { TestUser } from "./relay.js";
import { World, type WorldOptions } from "./world.js";

const library = {
  "lockout.md": LOCKOUT,
  "payroll.md": PAYROLL,
  "badge.md": BADGE,
  "sealed.md": SEALED,
  "opening.md": OPENING,
};
const documents = { acme: library, rival: { "spill.md": SPILL } };
const OFFLINE = { "llm.base_url": undefined, "llm.api_key": undefined };
const FORBIDDEN = /PAYROLL93|Payroll|BADGE44|Badge|SEALED88|Sealed|SPILL52|Chemical/i;

async function begin(options: WorldOptions = {}): Promise<{ world: World; ann: TestUser }> {
  const world = await World.start({ documents, config: OFFLINE, ...options });
  return { world, ann: (await world.relay()).user("acme", "ann") };
}

async function suggested(user: TestUser, count = 1, parameters: object = {}): Promise<readonly string[]> {
  user.send("suggested_questions", { request_id: `s-${count}`, ...parameters });
  const { questions, request_id } = await user.received("suggested_questions", count);
  expect(request_id).toBe(`s-${count}`);
  return questions as string[];
}

async function summary(user: TestUser, parameters: object, count = 1): Promise<string> {
  user.send("summarize", parameters);
  return String((await user.received("summary", count)).text);
}

async function refused(user: TestUser, parameters: object, count = 1): Promise<string> {
  user.send("summarize", parameters);
  const { code, error } = await user.received("ai_message_error", count);
  return `${String(code)}: ${String(error)}`;
}

describe("suggested questions", () => {
  test("are each answered when they are asked, out of several documents", async () => {
    const handbook = new URL("../../examples/handbook/", import.meta.url);
    const files = readdirSync(handbook).map((name) => [name, readFileSync(new URL(name, handbook), "utf8")]);
    const { world, ann } = await begin({ documents: { acme: Object.fromEntries(files) } });
    const questions = await suggested(ann);
    expect(new Set(questions).size).toBe(4);
    const sources = new Set<string>();
    for (const [at, text] of questions.entries()) {
      expect(text.length).toBeLessThanOrEqual(60);
      const fresh = ann.relay.user("acme", `asker-${at}`);
      fresh.ask(text, { request_id: "r" });
      await fresh.answered("r");
      const finished = world.eventsOf("turn_finished").at(-1)!;
      expect([text, finished.result]).toEqual([text, "answered"]);
      const retrieved = world.eventsOf("passages_retrieved").at(-1)!;
      sources.add(retrieved.documentIds[0]!);
    }
    expect(sources.size).toBeGreaterThan(2);
  });

  test("name no document that the user may not read, and follow the groups that come with the command", async () => {
    const { world, ann } = await begin();
    const open = await suggested(ann);
    expect(open.join()).toMatch(/lockout/i);
    expect(open.join()).not.toMatch(FORBIDDEN);
    expect((await suggested(ann, 2, { groups: ["managers"] })).join()).toMatch(/payroll/i);
    expect((await suggested(ann, 3)).join()).not.toMatch(FORBIDDEN);
    expect(world.log).not.toMatch(/Payroll codes/);
  });

  test("change with the index, and lose at once what may not be read any more", async () => {
    const { world, ann } = await begin();
    expect((await suggested(ann)).join()).toMatch(/lockout/i);
    const closed = LOCKOUT.replace('revision: "3"', "visibility: restricted\nallowed_users: [bob]");
    await world.ingest("acme", { ...library, "lockout.md": closed, "spill.md": SPILL });
    const after = (await suggested(ann, 2)).join();
    expect(after).not.toMatch(/lockout/i);
    expect(after).toMatch(/chemical spill/i);
  });

  test("are a model's where there is one, less those that the documents do not answer", async () => {
    const { world, ann } = await begin({ config: { "llm.attempts_max": 1 } });
    const questions = [
      { question: "Who keeps the padlock of press 4?", search_query: "who keeps the padlock of press 4" },
      { question: "Who won the chess tournament?", search_query: "chess tournament winner" },
      { question: "What code opens the payroll safe?", search_query: "payroll safe code" },
    ];
    world.server.expectChat(
      toolReply([{ name: "suggest_questions", arguments: JSON.stringify({ questions }) }]),
    );
    const told = await suggested(ann);
    expect(told[0]).toBe("Who keeps the padlock of press 4?");
    expect(told.join()).not.toMatch(/chess|payroll/i);
    expect(world.requestText).not.toMatch(FORBIDDEN);
    expect(await suggested(ann, 2)).toEqual(told);
    expect(world.server.requests).toHaveLength(1);
  });

  test("of one user do not take the places of the others', however many are asked for", async () => {
    const { world, ann } = await begin({
      config: {},
      clock: new VirtualClock(),
      respond: { chat: () => hangReply },
    });
    for (let n = 0; n < 70; n++) ann.send("suggested_questions", { request_id: `s-${n}` });
    await ann.relay.flushed();
    const errors = ann.frames.map(({ json }) => json).filter((json) => json?.command === "ai_message_error");
    expect(errors).toHaveLength(70 - AT_ONCE_PER_USER_MAX);
    expect(new Set(errors.map((json) => json?.code))).toEqual(new Set(["rate_limited"]));
    const bob = ann.relay.user("acme", "bob");
    bob.send("suggested_questions", { request_id: "b" });
    await world.server.received(AT_ONCE_PER_USER_MAX + 1);
    expect(bob.frames).toEqual([]);
  });

  test("are made from templates when the model is down", async () => {
    const { world, ann } = await begin({ config: { "llm.attempts_max": 1 } });
    world.server.expectChat(errorReply(500));
    expect((await suggested(ann)).join()).toMatch(/lockout/i);
    expect(world.eventsOf("model_failed")).toMatchObject([{ stage: "suggest" }]);
  });
});

describe("a summary", () => {
  test("of a document says what it is and the document's own sentences", async () => {
    const { ann } = await begin();
    const text = await summary(ann, { document: "the lockout of press 4", request_id: "r-1" });
    expect(text).toMatch(/^Lockout of press 4, in short: /);
    expect(text).toContain("Press 4 is locked out with a red padlock at breaker B12");
  });

  test("sounds the same for a document that is not there and for one that may not be read", async () => {
    const { world, ann } = await begin();
    const none = await refused(ann, { document: "Chess openings" });
    expect(none).toBe("not_found: There is no such document.");
    const names = ["Payroll codes", "payroll", "Badge reset", "Sealed findings", "Chemical spill"];
    for (const [at, document] of names.entries()) expect(await refused(ann, { document }, at + 2)).toBe(none);
    const allowed = await summary(ann, { document: "payroll", groups: ["managers"] });
    expect(allowed).toContain("PAYROLL93");
    expect(world.log).not.toContain("PAYROLL93");
  });

  test("of the chat leaves out what may not be read now", async () => {
    const { ann } = await begin();
    expect(await refused(ann, {})).toMatch(/^not_found: /);
    ann.ask("How is press 4 locked out?", { request_id: "r-1" });
    await ann.answered("r-1");
    ann.ask("What code opens the payroll safe?", { request_id: "r-2", groups: ["managers"] });
    expect((await ann.answered("r-2")).text).toContain("PAYROLL93");
    const text = await summary(ann, {});
    expect(text).toContain("red padlock");
    expect(text).not.toContain("PAYROLL93");
    expect(await summary(ann, { groups: ["managers"] }, 2)).toContain("PAYROLL93");
  });

  test("tells warnings first, and no steps", async () => {
    const { ann } = await begin();
    const text =
      "The mixer has two blades. It runs on 400 volts.\n\n1. Switch it off.\n2. Open the lid.\n\n" +
      "Warning: the blades go on turning for 20 seconds.\n";
    const told = await summary(ann, { text });
    expect(told).toMatch(/^In short: Warning: the blades go on turning for 20 seconds\. /);
    expect(told).toContain("The mixer has two blades.");
    expect(told).not.toContain("Open the lid");
    expect(told).toContain("Steps are not part of a summary.");
  });

  test("of a model says only what the document bears out", async () => {
    const { world, ann } = await begin({ config: { "llm.attempts_max": 1 } });
    world.server.expectChat(
      textReply("Press 4 is locked out with a red padlock at breaker B12. The padlock is kept for 90 days."),
    );
    const told = await summary(ann, { document: "lockout" });
    expect(told).toContain("red padlock at breaker B12");
    expect(told).not.toContain("90 days");
    world.server.expectChat(errorReply(500));
    expect(await summary(ann, { document: "lockout" }, 2)).toContain("LOCKOUT71");
  });

  test("is told ten times an hour to each user, over all doors", async () => {
    const clock = new VirtualClock();
    const { world, ann } = await begin({ clock });
    for (let count = 1; count <= 10; count++) {
      await summary(ann, { document: "lockout" }, count);
      if (count === 1) await clock.advance(60_000);
    }
    expect(await refused(ann, { document: "lockout" })).toMatch(/^rate_limited: .*Try again in 59 min\.$/);
    const response = await fetch(`http://127.0.0.1:${world.ports.http}/api/v1/summaries`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ network: "acme", username: "ann", document: "lockout" }),
    });
    expect(response.status).toBe(429);
    await summary(ann.relay.user("acme", "bob"), { document: "lockout" });
    // The relay is silent for too long, and hung up on.
    await clock.advance(59 * 60_000);
    const again = (await world.relay()).user("acme", "ann");
    expect(await summary(again, { document: "lockout" })).toContain("red padlock");
  });
});

describe("over HTTP", () => {
  test("questions and summaries are the same, and bad requests say what to send", async () => {
    const { world } = await begin();
    const base = `http://127.0.0.1:${world.ports.http}/api/v1`;
    const asked = await fetch(`${base}/suggested_questions?network=acme&username=ann&count=1`);
    expect(await asked.json()).toEqual({ questions: [expect.stringMatching(/lockout/i)] });
    expect((await fetch(`${base}/suggested_questions?network=acme&username=ann&count=33`)).status).toBe(400);
    const post = async (body: object) => {
      const headers = { "content-type": "application/json" };
      const response = await fetch(`${base}/summaries`, {
        method: "POST",
        headers,
        body: JSON.stringify(body),
      });
      return [response.status, await response.json()] as const;
    };
    const ann = { network: "acme", username: "ann" };
    expect(await post({ ...ann, text: "The hall is closed on Monday." })).toEqual([
      200,
      { summary: "In short: The hall is closed on Monday." },
    ]);
    expect(await post({ ...ann, document: "payroll" })).toMatchObject([
      404,
      { error: { code: "not_found" } },
    ]);
    expect(await post(ann)).toMatchObject([400, { error: { code: "bad_parameter" } }]);
  });
});
