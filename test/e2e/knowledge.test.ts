/** What a worker hears of the company's knowledge: current revisions, groups from a directory, searches ahead. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { systemClock } from "../../src/lib/clock.js";
import { embeddingsReply, errorReply, searchReply, textReply } from "../support/openai-replies.js";
import type { ChatBody } from "../support/openai-requests.js";
import { patience } from "../support/patience.js";
import { LOCKOUT, PAYROLL } from "./documents.js";
import { lastContent, librarian } from "./script.js";
import { temporaryDirectory, World } from "./world.js";

const HANDBOOK = new URL("../../examples/handbook/", import.meta.url);
const handbook = (name: string) => readFileSync(new URL(name, HANDBOOK), "utf8");

const OFFLINE = { "llm.provider": "offline", "speech.provider": "offline" };

describe("two revisions of one document", () => {
  const documents = {
    acme: Object.fromEntries(readdirSync(HANDBOOK).map((name) => [name, handbook(name)])),
  };

  test("the current one answers", async () => {
    const world = await World.start({ documents, config: OFFLINE });
    const ann = (await world.relay()).user("acme", "ann");
    ann.ask("How long do the sealing bars stay hot?");
    const text = String((await ann.answered()).text);
    expect(text).toContain("40 minutes");
    expect(text).not.toContain("for a long time");
    const { documentIds } = world.eventsOf("passages_retrieved")[0]!;
    expect(documentIds.join()).toContain("lockout-tagout-2026-03");
    expect(documentIds.join()).not.toContain("lockout-tagout-2025-09");
  });

  test("the model can name the one that was replaced", async () => {
    const world = await World.start({ documents });
    world.server
      .expectChat(searchReply("lockout packing line"))
      .expectChat(textReply("The March 2026 revision replaces that of September 2025."));
    const ann = (await world.relay()).user("acme", "ann");
    ann.ask("Which revision did the lockout procedure replace?");
    await ann.answered();
    const shown = lastContent(world.server.chats.at(-1) as ChatBody, "tool");
    expect(shown).toContain("Revision: 2026-03\nReplaces revision: 2025-09\n");
    expect(shown).not.toContain("Revision: 2025-09\nReplaces");
  });

  test("one that the user may not read is neither current nor named", async () => {
    const draft = handbook("lockout-tagout-2026-03.md").replace(
      "visibility: network",
      "visibility: restricted\nallowed_users: [editor]",
    );
    const world = await World.start({
      documents: { acme: { ...documents.acme, "lockout-tagout-2026-03.md": draft } },
      respond: librarian,
    });
    const relay = await world.relay();
    const ann = relay.user("acme", "ann");
    ann.ask("lockout packing line");
    await ann.answered();
    expect(lastContent(world.server.chats.at(-1) as ChatBody, "tool")).toContain("Revision: 2025-09");
    expect(world.requestText).not.toContain("2026-03");
  });
});

describe("groups from a file", () => {
  test("count with those of the message, and stop counting within the known delay", async () => {
    const file = join(temporaryDirectory(), "groups.json");
    const groups = (value: object) => writeFileSync(file, JSON.stringify({ acme: { ann: value } }));
    groups(["managers"]);
    const world = await World.start({
      documents: { acme: { "payroll.md": PAYROLL } },
      config: { ...OFFLINE, "groups.file": file, "groups.refresh_ms": 100 },
      clock: systemClock,
    });
    const ann = (await world.relay()).user("acme", "ann");
    const asks = async (id: string) => {
      ann.ask("What opens the payroll safe?", { request_id: id });
      return String((await ann.answered(id)).text);
    };
    expect(await asks("before")).toContain("PAYROLL93");
    groups([]);
    // The time limit of the test ends a delay that does not end.
    for (let i = 0; (await asks(`after-${i}`)).includes("PAYROLL93"); i++);
    writeFileSync(file, "{");
    let answer: Readonly<Record<string, unknown>> = {};
    for (let i = 0; answer.error === undefined; i++) {
      ann.ask("What opens the payroll safe?", { request_id: `broken-${i}` });
      answer = await ann.answered(`broken-${i}`);
    }
    expect(answer.error).toContain("cannot be checked now");
    expect(world.log).toContain("groups_unknown");
  });
});

describe("with an embedder", () => {
  const config = {
    "llm.provider": "offline",
    "speech.provider": "offline",
    "embedding.provider": "openai",
    "embedding.dimensions": 8,
  };
  const LIFT = "---\ntitle: Hoist\n---\nThe hoist HOIST17 carries at most 500 kilograms.\n";
  const SECRET =
    "---\ntitle: Vault\nallowed_users: [boss]\n---\nThe elevator to the vault VAULT31 is behind door 9.\n";
  const library = { acme: { "hoist.md": LIFT, "vault.md": SECRET, "lockout.md": LOCKOUT } };
  /** Elevators and hoists point the same way; everything else another. */
  const vectorOf = (text: string) =>
    Array.from({ length: 8 }, (_, i) =>
      i === (/hoist|elevator/i.test(text) ? 0 : 1 + (text.length % 7)) ? 1 : 0,
    );
  const embeddings = () => embeddingsReply(vectorOf);

  test("what is meant is found without a word in common, and permissions hold in every leg", async () => {
    const world = await World.start({ documents: library, config, respond: { embeddings } });
    const found = async (username: string) => {
      const user = (await world.relay()).user("acme", username);
      user.ask("Which elevator?");
      await user.answered();
      return world.eventsOf("passages_retrieved").at(-1)!.documentIds.join();
    };
    expect(await found("ann")).toMatch(/^hoist-(?!.*vault)/);
    expect(await found("boss")).toMatch(/^vault-.*hoist-/);
  });

  test("words are enough when the embedder is down", async () => {
    let down = false;
    const respond = { embeddings: () => (down ? errorReply(503) : embeddings()) };
    const world = await World.start({ documents: library, config, respond, clock: systemClock });
    down = true;
    const ann = (await world.relay()).user("acme", "ann");
    ann.ask("How is press 4 locked out?");
    expect((await ann.answered()).text).toContain("red padlock");
    expect(world.eventsOf("leg_failed")).toMatchObject([{ leg: "vector" }]);
  });
});

describe("a service that keeps a folder in sync by itself", () => {
  test("answers from what is put there, changed and taken away", { timeout: patience(60_000) }, async () => {
    const folder = temporaryDirectory();
    const write = (breaker: string) =>
      writeFileSync(join(folder, "lockout.md"), LOCKOUT.replace("B12", breaker));
    write("B11");
    const sync = { "sync.enabled": true, "sync.network": "acme", "sync.folder": folder };
    const world = await World.start({ config: { ...OFFLINE, ...sync }, clock: systemClock });
    const ann = (await world.relay()).user("acme", "ann");
    let count = 0;
    /** Asks until the answer is as wanted; the time limit of the test ends the waiting. */
    const hears = async (wanted: RegExp) => {
      for (;;) {
        const id = `q-${++count}`;
        ann.ask("How is press 4 locked out?", { request_id: id });
        if (wanted.test(String((await ann.answered(id)).text))) return;
      }
    };
    await hears(/breaker B11/);
    write("B22");
    await hears(/breaker B22/);
    rmSync(join(folder, "lockout.md"));
    await hears(/can't find that/);
    expect(await world.metric("documents_sync_total")).toBeGreaterThanOrEqual(2);
    expect(await world.metric("documents_pending")).toBe(0);
  });

  test("says which setting is missing", async () => {
    const start = World.start({ config: { ...OFFLINE, "sync.enabled": true, "sync.network": "acme" } });
    await expect(start).rejects.toThrow("Set one of sync.folder and sync.s3_bucket");
  });
});

describe("a search ahead of the model's query", () => {
  test("saves the second search when they ask for the same", async () => {
    const world = await World.start({ documents: { acme: { "lockout.md": LOCKOUT } } });
    world.server.expectChat(searchReply("lock out press 4")).expectChat(textReply("The padlock is red."));
    const ann = (await world.relay()).user("acme", "ann");
    ann.ask("How do I lock out press 4?");
    await ann.answered();
    expect(lastContent(world.server.chats.at(-1) as ChatBody, "tool")).toContain("LOCKOUT71");
    expect(await world.metric('readback_speculative_searches_total{result="saved"}')).toBe(1);
  });
});
