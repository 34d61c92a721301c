/** Files of an earlier release (data folder of commit 9b58872), opened by this one, and what becomes of layouts. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createClient } from "@libsql/client/sqlite3";
import { expect, it, onTestFinished } from "vitest";
import { patience } from "../../test/support/patience.js";
import { earlierDataFolder } from "../../test/support/release-files.js";
import type { Layouts } from "../lib/layouts.js";
import { createTelemetry } from "../telemetry/events.js";
import { Database } from "./database.js";
import { LAYOUTS, openDeadLetters } from "./embedded-dead-letters.js";
import { openEvaluationRuns } from "./embedded-evaluation-runs.js";
import { EmbeddingCache } from "./embedding-cache.js";
import { RouteLog } from "./route-log.js";
import { UnansweredLog } from "./unanswered-log.js";

const AT_MS = 1_700_000_000_000;
const deps = { clock: { now: () => AT_MS }, telemetry: createTelemetry([]) };

/** The layout after today's. */
const next = (...steps: readonly string[]): Layouts => ({ ...LAYOUTS, steps: [...LAYOUTS.steps, ...steps] });
const NOTED = "ALTER TABLE letters ADD COLUMN note TEXT NOT NULL DEFAULT 'none'";
/** Ends with the process. */
const ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n";

async function lettersOf(path: string, layouts: Layouts) {
  const database = await Database.open(path, layouts);
  try {
    const [{ user_version: layout }] = (await database.rows("PRAGMA user_version", [])) as [
      { user_version: number },
    ];
    return { layout, letters: await database.rows("SELECT * FROM letters", []) };
  } finally {
    await database.close();
  }
}

it("has every file of an earlier release read with nothing lost", async () => {
  const folder = earlierDataFolder();
  const letters = await openDeadLetters(folder, deps.clock);
  const runs = await openEvaluationRuns(folder, deps.clock);
  const routes = new RouteLog(folder, deps);
  const unanswered = new UnansweredLog(folder, deps);
  const embeddings = new EmbeddingCache(folder, deps.clock);
  onTestFinished(async () => {
    for (const store of [letters, runs, routes, unanswered, embeddings]) await store.close();
  });
  expect(await letters.list()).toMatchObject([{ network: "acme", path: "/docs/a.md", attempts: 1 }]);
  expect(await runs.runs({ order: "newest", limit: 5 })).toMatchObject([
    { id: "run-1", origin: "command", rows: { pending: 1 } },
  ]);
  expect(await runs.rows("run-1")).toMatchObject([{ id: "row-1", question: "Who keeps the padlock?" }]);
  expect(await runs.judgement("key")).toBe("yes");
  const route = { topic: "where", route: "documents", layer: "rules", confidence: 0.5 };
  expect(await routes.list()).toEqual([{ network: "acme", ...route, atMs: AT_MS }]);
  const question = { question: "Who won?", outcome: "not_in_documents" };
  expect(await unanswered.list()).toEqual([{ network: "acme", ...question, atMs: AT_MS }]);
  expect(await embeddings.read("model", ["hello"])).toEqual([Float32Array.of(1, 2)]);
});

it("brings a file up to date step by step, after which an earlier release refuses it", async () => {
  const path = join(earlierDataFolder(), "dead-letters.db");
  const before = await lettersOf(path, LAYOUTS);
  expect(before).toMatchObject({ layout: 1, letters: [{ path: "/docs/a.md" }] });
  const after = await lettersOf(path, next(NOTED, "UPDATE letters SET note = note || ', yet'"));
  expect(after).toEqual({
    layout: 3,
    letters: before.letters.map((letter) => ({ ...letter, note: "none, yet" })),
  });
  await expect(Database.open(path, LAYOUTS)).rejects.toThrow(
    /dead-letters\.db cannot be used: a later release wrote it, in layout 3, and this release reads up to layout 1\./,
  );
});

it("leaves a file as it was where a step fails", async () => {
  const path = join(earlierDataFolder(), "dead-letters.db");
  await expect(Database.open(path, next(NOTED, "UPDATE absent SET x = 1"))).rejects.toThrow(/no such table/);
  expect(await lettersOf(path, LAYOUTS)).toMatchObject({ layout: 1, letters: [{ path: "/docs/a.md" }] });
});

it("leaves a file as it was where its process is killed in the middle", async () => {
  const path = join(earlierDataFolder(), "dead-letters.db");
  const before = await lettersOf(path, LAYOUTS);
  const module = new URL("../../dist/src/store/database-file.js", import.meta.url).href;
  const script = `
    const { DatabaseFile } = await import(process.argv[1]);
    await DatabaseFile.open(process.argv[2], JSON.parse(process.argv[3]));`;
  const args = ["--input-type=module", "-e", script, module, path, JSON.stringify(next(NOTED, ENDLESS))];
  const child = spawn(process.execPath, args, { stdio: "inherit" });
  const exited = once(child, "exit");
  const other = createClient({ url: `file:${path}`, timeout: 0 });
  await expect.poll(() => lockHeld(other), { timeout: patience(10_000) }).toBe(true);
  child.kill("SIGKILL");
  expect(await exited).toEqual([null, "SIGKILL"]);
  other.close();
  expect(await lettersOf(path, LAYOUTS)).toEqual(before);
  expect(await lettersOf(path, next(NOTED))).toMatchObject({ layout: 2, letters: [{ note: "none" }] });
});

/** Whether somebody has a transaction open that writes. */
async function lockHeld(client: ReturnType<typeof createClient>): Promise<boolean> {
  try {
    (await client.transaction("write")).close();
    return false;
  } catch (error) {
    expect((error as { code: string }).code).toBe("SQLITE_BUSY");
    return true;
  }
}
