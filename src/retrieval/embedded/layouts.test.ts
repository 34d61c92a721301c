/** The index of an earlier release (data folder of commit 9b58872), searched, checked, migrated and written by this one. */
import { expect, it, onTestFinished } from "vitest";
import { openEmbeddedKnowledge } from "../../../test/support/embedded-knowledge.js";
import { earlierDataFolder } from "../../../test/support/release-files.js";
import { systemClock } from "../../lib/clock.js";
import { databasePath, knowledgeDirectory, LAYOUTS, openForReading } from "./database.js";
import { openEmbeddedWriter } from "./embedded-writer.js";
import { checkInProcess } from "./index-check.js";

const signal = new AbortController().signal;

it("is searched, is sound, and is written to with nothing lost", async () => {
  const directory = knowledgeDirectory(earlierDataFolder());
  const verdict = await checkInProcess({ clock: systemClock, directory, network: "acme" }, signal);
  expect(verdict).toEqual({ type: "sound", documents: 2, chunks: 2 });
  const knowledge = openEmbeddedKnowledge(directory);
  onTestFinished(() => knowledge.close());
  const access = { network: "acme", username: "ann", groups: [], kiosk: false };
  const passages = await knowledge.search({ query: "padlock", access, limit: 5 }, signal);
  expect(passages).toMatchObject([
    { sourceFile: expect.stringContaining("lockout.md"), text: expect.stringContaining("red") },
  ]);
  const writer = await openEmbeddedWriter(directory, "acme");
  onTestFinished(() => writer.close());
  expect(await writer.documents()).toHaveLength(2);
});

it("is brought up to date by whoever opens it, with nothing lost", async () => {
  const directory = knowledgeDirectory(earlierDataFolder());
  const path = databasePath(directory, "acme");
  const later = { ...LAYOUTS, steps: [...LAYOUTS.steps, "ALTER TABLE chunks ADD COLUMN spoken TEXT"] };
  for (const layouts of [later, later]) {
    const client = await openForReading(path, "acme", 1_000, layouts);
    const chunks = await client.execute("SELECT text, spoken FROM chunks ORDER BY row");
    expect(chunks.rows.map(({ spoken }) => spoken)).toEqual([null, null]);
    expect(chunks.rows.map(({ text }) => text).join()).toContain("padlock");
    expect((await client.execute("PRAGMA user_version")).rows[0]?.[0]).toBe(4);
    client.close();
  }
});
