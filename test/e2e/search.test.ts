/** Nothing found and not able to search are two things, in the prompt, in the answer and in the metrics. */
import { rmSync, truncateSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { databasePath, knowledgeDirectory } from "../../src/retrieval/embedded/database.js";
import { recordPath } from "../../src/retrieval/embedded/index-record.js";
import { errorReply, searchReply, textReply } from "../support/openai-replies.js";
import { LOCKOUT, SPILL } from "./documents.js";
import { contents, lastContent, librarian } from "./script.js";
import { World } from "./world.js";

const NOT_FOUND = "I can't find that in your documents.";
const UNAVAILABLE =
  "I can't search the documents right now, so I don't know if the answer is in them. Please ask again in a minute.";

describe("a search that finds nothing", () => {
  test.each([
    { name: "in the network's documents", documents: { acme: { "lockout.md": LOCKOUT } } },
    { name: "because the network has none", documents: {} },
  ])("$name still goes through stage 2", async ({ documents }) => {
    const world = await World.start({ documents, respond: librarian });
    const ann = (await world.relay()).user("acme", "ann");
    ann.ask("Where do I find a giraffe zeppelin?");
    expect((await ann.answered()).text).toBe(NOT_FOUND);
    const [plan, compose] = world.server.chats;
    expect(plan?.tool_choice).toBe("required");
    expect(compose?.tool_choice).toBe("none");
    expect(contents(compose!, "tool")).toEqual(["The search worked and found no passage that fits."]);
    expect(await world.metric('readback_turns_total{result="not_in_documents"}')).toBe(1);
    expect(await world.metric("readback_searches_failed_total")).toBe(0);
  });

  test.each([
    {
      name: "kiosk",
      parameters: { f: "kiosk" },
      says: "I don't know that one, please ask a colleague in the shop.",
    },
    {
      name: "onboarding",
      parameters: { mode: "ai_onboarding" },
      says: "I can't find that in the demonstration documents; support can help you further.",
    },
  ])("is said in the words of the persona: $name", async ({ parameters, says }) => {
    const world = await World.start({ respond: librarian });
    const ann = (await world.relay()).user("acme", "ann");
    ann.ask("Where do I find a giraffe zeppelin?", parameters);
    expect((await ann.answered()).text).toBe(says);
    expect(await world.metric('readback_turns_total{result="not_in_documents"}')).toBe(1);
  });

  test("in one of two queries leaves the other's passages", async () => {
    const world = await World.start({ documents: { acme: { "lockout.md": LOCKOUT, "spill.md": SPILL } } });
    world.server.expectChat(searchReply("giraffe", "solvent spill")).expectChat(textReply("Cover it."));
    const ann = (await world.relay()).user("acme", "ann");
    ann.ask("What about giraffes and a spill?");
    await ann.answered();
    const [nothing, something] = contents(world.server.chats[1]!, "tool");
    expect(nothing).toContain("found no passage");
    expect(something).toContain("SPILL52");
    expect(await world.metric('readback_turns_total{result="answered"}')).toBe(1);
  });
});

describe("a search that fails", () => {
  /** An index that cannot be read: its file holds something else. */
  async function withDamagedIndex(damage: (path: string) => void): Promise<World> {
    const world = await World.start({
      documents: { acme: { "lockout.md": LOCKOUT }, other: { "spill.md": SPILL } },
      respond: librarian,
    });
    damage(databasePath(knowledgeDirectory(world.dataDir), "acme"));
    return world;
  }

  test.each([
    { name: "of garbage", damage: (path: string) => writeFileSync(path, "this is no database ".repeat(500)) },
    { name: "that was cut", damage: (path: string) => truncateSync(path, 5_000) },
  ])("over a file $name is said as such, after stage 2", async ({ damage }) => {
    const world = await withDamagedIndex(damage);
    const relay = await world.relay();
    const ann = relay.user("acme", "ann");
    ann.ask("How do I lock out press 4?");
    expect((await ann.answered()).text).toBe(UNAVAILABLE);
    expect(lastContent(world.server.chats[1]!, "tool")).toContain("could not be carried out");
    expect(world.server.chats[1]?.tool_choice).toBe("none");
    expect(await world.metric('readback_turns_total{result="search_unavailable"}')).toBe(1);
    expect(await world.metric("readback_searches_failed_total")).toBeGreaterThanOrEqual(1);
    expect(world.log).toContain('"event":"search_failed"');

    // Nobody else's knowledge is touched.
    const bob = relay.user("other", "bob");
    bob.ask("solvent spill");
    expect((await bob.answered()).text).toContain("SPILL52");
  });

  test("with the model away too leaves nothing to read aloud", async () => {
    const world = await withDamagedIndex((path) => writeFileSync(path, "no database".repeat(500)));
    world.server.expectChat(errorReply(401));
    const ann = (await world.relay()).user("acme", "ann");
    ann.ask("How do I lock out press 4?");
    expect(await ann.answered()).toMatchObject({
      command: "ai_message_error",
      code: "assistant_unavailable",
    });
  });

  test("is over when its files are gone and the documents are ingested again", async () => {
    const world = await withDamagedIndex((path) => writeFileSync(path, "no database".repeat(500)));
    const ann = (await world.relay()).user("acme", "ann");
    ann.ask("How do I lock out press 4?", { request_id: "r-1" });
    await ann.answered("r-1");
    expect((await world.happened("search_failed")).error).toMatch(/readback index rebuild/);
    for (const pathOf of [databasePath, recordPath])
      rmSync(pathOf(knowledgeDirectory(world.dataDir), "acme"));
    await world.ingest("acme", { "lockout.md": LOCKOUT });
    ann.ask("How do I lock out press 4?", { request_id: "r-2" });
    expect((await ann.answered("r-2")).text).toContain("LOCKOUT71");
  });
});
