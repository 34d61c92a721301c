/**
 * Kills an ingest at fifty random instants of its life, from the first file that it reads to the end of its commit, in
 * which it also compacts the index. After each, what can be found is the old state or the new one, whole; and the next
 * ingest brings about exactly what an ingest does that nobody kills. `KILL_SEED=7` repeats the instants of a run.
 */
import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openFolderSource } from "../src/ingest/folder-source.js";
import { ingest } from "../src/ingest/ingest.js";
import type { IngestReport } from "../src/ingest/report.js";
import { systemClock } from "../src/lib/clock.js";
import { workerUrl } from "../src/lib/worker.js";
import { knowledgeDirectory } from "../src/retrieval/embedded/database.js";
import { EmbeddedEngine } from "../src/retrieval/embedded/embedded-engine.js";
import { retrievalOptions } from "../src/retrieval/options.js";
import { openDeadLetters } from "../src/store/embedded-dead-letters.js";
import { createTelemetry } from "../src/telemetry/events.js";
import { defaultsOf, ingestDefaults } from "./support/default-options.js";
import { ingestDeps } from "./support/ingest-deps.js";
import { patience } from "./support/patience.js";

const NO_ABORT = new AbortController().signal;
const CHILD = fileURLToPath(workerUrl(import.meta.url, "./support/ingest-child.js"));
const NETWORK = "plant";
/** As many as every run of all tests has time for: `READBACK_TEST_KILLS=50` takes two minutes. */
const KILLS = Number(process.env.READBACK_TEST_KILLS ?? 12);
/** Kills at once: the machine has more to do than to start processes. */
const LANES = 5;
const DOCUMENTS = 28;
/** After these, what is gone is so much that the next commit merges segments and numbers all chunks anew. */
const EDITIONS = 2;
const searchOptions = defaultsOf(retrievalOptions);
const options = ingestDefaults({ fileBytesMax: 1_000_000 });

/** Where a child dies: after it said its `line`th word, from 0, and then so much later. */
interface Kill {
  readonly line: number;
  readonly delayMs: number;
}

const base = realpathSync(mkdtempSync(join(tmpdir(), "readback-")));
const docs = join(base, "docs");
/** A data folder in which the next commit merges and renumbers. */
const template = join(base, "template");

beforeAll(async () => {
  mkdirSync(docs);
  for (let edition = 1; edition <= EDITIONS; edition++) {
    writeEdition(edition, 0);
    expect((await ingestInto(template)).added).toBe(edition === 1 ? DOCUMENTS : 0);
  }
  rmSync(docs, { recursive: true });
  mkdirSync(docs);
  writeEdition(EDITIONS + 1, DOCUMENTS / 4);
  writeFileSync(join(docs, "broken.md"), "---\nallowed_users: [bob\n---\nOil the chain.");
}, 60_000);
afterAll(() => rmSync(base, { recursive: true, force: true }));

/** Every document says which edition it is; the first `from` of them are not there. */
function writeEdition(edition: number, from: number): void {
  for (let i = from; i < from + DOCUMENTS; i++) {
    const text = `Edition ${edition} of d${i} is about the chain. ${"Oil it well. ".repeat(90)}`;
    writeFileSync(join(docs, `d${String(i).padStart(3, "0")}.md`), text);
  }
}

async function ingestInto(data: string): Promise<IngestReport> {
  const deadLetters = await openDeadLetters(data, systemClock);
  try {
    const request = { source: await openFolderSource(docs), network: NETWORK, options };
    const deps = ingestDeps(knowledgeDirectory(data), options, { deadLetters });
    return await ingest(request, deps, () => {}, NO_ABORT);
  } finally {
    await deadLetters.close();
  }
}

/** Ingests into `data` in a process of its own, which is killed if it lives that long; resolves with what it said. */
function runChild(data: string, kill: Kill | undefined): Promise<readonly string[]> {
  const child = spawn(process.execPath, [CHILD, docs, NETWORK, data, "never"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => {
    // A random instant of its life: nothing waits for this.
    if (lines.length === kill?.line) systemClock.after(kill.delayMs, () => child.kill("SIGKILL"));
    lines.push(line);
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", () => resolve(lines));
  });
}

/** Runs `work` with a search service on a data folder, which stays open throughout. */
async function withService<T>(data: string, work: (service: EmbeddedEngine) => Promise<T>): Promise<T> {
  const directory = knowledgeDirectory(data);
  const service = new EmbeddedEngine({
    clock: systemClock,
    telemetry: createTelemetry([]),
    directory,
    options: searchOptions,
  });
  try {
    return await work(service);
  } finally {
    await service.close();
  }
}

/** Everything that can be found, in an order that does not depend on how it came about. */
async function passagesOf(service: EmbeddedEngine): Promise<readonly string[]> {
  const access = { network: NETWORK, username: "ann", groups: [], kiosk: false };
  const found = await service.search(
    { leg: "lexical", query: "chain oil", access, limit: 1_000 } as const,
    NO_ABORT,
  );
  return found.map(({ score: _, ...passage }) => JSON.stringify(passage)).sort();
}

async function lettersOf(data: string): Promise<readonly string[]> {
  const deadLetters = await openDeadLetters(data, systemClock);
  try {
    const letters = await deadLetters.list();
    return letters.map(({ path, reason, message }) => JSON.stringify([path, reason, message]));
  } finally {
    await deadLetters.close();
  }
}

describe("an ingest that is killed at any instant", () => {
  it(`converges to what one does that lives, ${KILLS} times`, { timeout: patience(180_000) }, async () => {
    const before = await withService(template, passagesOf);
    const reference = join(base, "reference");
    cpSync(template, reference, { recursive: true });
    const lines = await runChild(reference, undefined);
    const after = await withService(reference, passagesOf);
    const letters = await lettersOf(reference);
    expect(letters).toEqual([expect.stringContaining("broken.md")]);
    expect(new Set(after).size).toBe(after.length);
    expect(after).not.toEqual(before);

    const seed = Number(process.env.KILL_SEED ?? randomInt(2 ** 31));
    const commitAt = lines.indexOf("before-commit");
    const kills = killsOf(seed, lines.length, commitAt);
    const ends = { reading: 0, committing: 0, done: 0 };
    let next = 0;
    const lane = async () => {
      for (let index = next++; index < kills.length; index = next++) {
        const what = `seed ${seed}, kill ${index}: ${JSON.stringify(kills[index])}`;
        const data = join(base, `kill-${index}`);
        cpSync(template, data, { recursive: true });
        const said = await runChild(data, kills[index]);
        ends[
          said.includes("after-commit") ? "done" : said.includes("before-commit") ? "committing" : "reading"
        ]++;
        await withService(data, async (service) => {
          const found = await passagesOf(service);
          expect([before, after], what).toContainEqual(found);
          const { failed } = await ingestInto(data);
          expect(
            failed.map(({ file }) => file),
            what,
          ).toEqual(["broken.md"]);
          expect(await passagesOf(service), what).toEqual(after);
          expect(await lettersOf(data), what).toEqual(letters);
        });
        rmSync(data, { recursive: true });
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    console.log(`killed with seed ${seed}: ${JSON.stringify(ends)}`);
    expect(Object.values(ends).reduce((sum, count) => sum + count)).toBe(KILLS);
  });
});

/** Half of them anywhere, a third within the commit, the rest after it. */
function killsOf(seed: number, lineCount: number, commitAt: number): readonly Kill[] {
  const anywhere = fc.record({ line: fc.nat(lineCount - 1), delayMs: fc.nat(5) });
  const committing = fc.record({ line: fc.constant(commitAt), delayMs: fc.nat(40) });
  const arbitrary = fc.oneof({ arbitrary: anywhere, weight: 1 }, { arbitrary: committing, weight: 1 });
  return fc.sample(arbitrary, { seed, numRuns: KILLS });
}
