import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ingestDefaults } from "../../test/support/default-options.js";
import { InProcessReader } from "../../test/support/in-process-reader.js";
import { patience } from "../../test/support/patience.js";
import { systemClock } from "../lib/clock.js";
import { workerUrl } from "../lib/worker.js";
import type { IngestOptions } from "./options.js";
import { DEATHS_IN_A_ROW_MAX, FILES_WAITING_MAX, ReadPool } from "./read-pool.js";
import { ReadersUnusable, type ReadJob, type ReadResult } from "./reader.js";

const misbehaving = workerUrl(import.meta.url, "../../test/support/misbehaving-reader.js");
const never = () => new AbortController().signal;
let directory: string;
const pools: ReadPool[] = [];
/** For tests that start dozens of processes, on a machine that has other things to do. */
const MANY_PROCESSES_MS_MAX = patience(90_000);

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "read-pool-"));
});
afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()));
  rmSync(directory, { recursive: true });
});

function poolOf(options: Partial<IngestOptions> = {}, url: URL = misbehaving): ReadPool {
  const pool = new ReadPool(ingestDefaults({ readConcurrency: 1, ...options }), systemClock, url);
  pools.push(pool);
  return pool;
}

const job = (name: string, content = "Oil the chain."): ReadJob => ({
  path: join(directory, name),
  name,
  bytes: new TextEncoder().encode(content),
  described: undefined,
});
const problem = (kind: string, message: RegExp) => ({
  type: "problem",
  kind,
  message: expect.stringMatching(message),
});
/** The process that read it. */
const pidOf = (result: ReadResult) => (result.type === "document" ? result.warnings[0] : result.message);
/** Resolves with the process id that a job left in its file, once it has begun. */
const begun = (name: string) =>
  expect
    .poll(() => existsSync(join(directory, name)) && Number(readFileSync(join(directory, name), "utf8")), {
      timeout: patience(15_000),
    })
    .toBeGreaterThan(0)
    .then(() => Number(readFileSync(join(directory, name), "utf8")));
const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe("a pool", () => {
  it("reads what a reader in this process reads", async () => {
    const options = ingestDefaults();
    const pool = new ReadPool(options, systemClock);
    pools.push(pool);
    const here = new InProcessReader(options);
    const jobs = [
      job("a.md", "---\ntitle: Chains\nallowed_users: [ann]\nowner: x\n---\n# Chains\n\n1. Oil.\n2. Wipe."),
      job("b.txt", "Grease.\n\n- a\n- b"),
      job("empty.md", ""),
      job("wrong.md", "---\ntitle: [\n---\nx"),
      { ...job("c.md", "Oil."), described: { title: "C", allowedGroups: ["x"] } },
    ];
    for (const one of jobs) {
      expect(await pool.read(one, never())).toEqual(await here.read(one));
      expect(pool.contentHash(one)).toBe(here.contentHash(one));
    }
  });

  it("uses one process for many files, and no more than it may", async () => {
    const pool = poolOf({ readConcurrency: 2 });
    const results = await Promise.all(
      Array.from({ length: 12 }, (_, i) => pool.read(job(`${i}.txt`), never())),
    );
    expect(results.every(({ type }) => type === "document")).toBe(true);
    expect(new Set(results.map(pidOf)).size).toBeLessThanOrEqual(2);
  });

  it("gives its processes nothing of this environment", async () => {
    process.env.READ_POOL_SECRET = "hush";
    const result = await poolOf().read(job("environment.txt"), never());
    delete process.env.READ_POOL_SECRET;
    expect(result).toMatchObject({ type: "document", warnings: [expect.stringMatching(/^pid/)] });
  });

  it("lets a bounded number of files wait", async () => {
    const pool = poolOf();
    const reads = Array.from({ length: FILES_WAITING_MAX + 3 }, (_, i) =>
      pool.read(job(`${i}.txt`), never()),
    );
    const refused = (await Promise.all(reads)).filter(({ type }) => type === "problem");
    expect(refused).toEqual([
      problem("unavailable", /too many files wait/),
      problem("unavailable", /too many files wait/),
    ]);
  });
});

describe("a file that is bad for its reader", () => {
  it.each([
    ["kills it", "killed.txt", /crashed the reader \(SIGKILL\)/],
    ["makes it exit", "exits.txt", /crashed the reader \(exit code 7\)/],
    ["throws behind its back", "throws-later.txt", /crashed the reader \(exit code 1\)/],
  ])("because it %s is reported, and the next one is read", async (_what, name, expected) => {
    const pool = poolOf();
    const [bad, good] = await Promise.all([
      pool.read(job(name), never()),
      pool.read(job("good.txt"), never()),
    ]);
    expect(bad).toEqual(problem("crashed", expected));
    expect(good.type).toBe("document");
  });

  it.each([
    ["never ends", "endless.txt", problem("time", /more time than allowed: 1000 ms \(file_timeout_ms\)/)],
    ["never answers", "never.txt", problem("time", /more time than allowed/)],
  ])("because it %s is reported, and the next one is read", async (_what, name, expected) => {
    const pool = poolOf({ fileTimeoutMs: 1_000 });
    const [bad, good] = await Promise.all([
      pool.read(job(name), never()),
      pool.read(job("good.txt"), never()),
    ]);
    expect(bad).toEqual(expected);
    expect(good.type).toBe("document");
  });

  it.each([["hog.txt"], ["heap.txt"]])("because it eats memory (%s) is reported", async (name) => {
    const pool = poolOf({ readerMemoryBytesMax: 150 * 1_048_576 });
    expect(await pool.read(job(name), never())).toEqual(
      problem("memory", /more memory than allowed: 150 MiB \(reader_memory_bytes_max\)/),
    );
    expect((await pool.read(job("good.txt"), never())).type).toBe("document");
  });

  it("costs its process when memory stays with it", async () => {
    const pool = poolOf({ readerMemoryBytesMax: 250 * 1_048_576 });
    const [first, second] = [
      await pool.read(job("keeps.txt"), never()),
      await pool.read(job("good.txt"), never()),
    ];
    expect([first.type, second.type]).toEqual(["document", "document"]);
    expect(pidOf(first)).not.toBe(pidOf(second));
  });

  it("is told from readers that cannot start", async () => {
    const missing = new URL("./missing.js", misbehaving);
    expect(await poolOf({}, missing).read(job("a.txt"), never())).toEqual(
      problem("unavailable", /no process to read the file could be had: Error: Cannot find module/),
    );
  });
});

describe("readers that are bad for every file", () => {
  const missing = new URL("./missing.js", misbehaving);
  const crashing = workerUrl(import.meta.url, "../../test/support/crashing-reader.js");

  it.each([
    ["cannot start", missing, "unavailable", /no file can be read: .*Cannot find module/],
    ["die of all", crashing, "crashed", /no file can be read: .*exit code 7/],
  ])(
    "because they %s are told as that after a number of files",
    async (_what, url, kind, told) => {
      const pool = poolOf({ readConcurrency: 2 }, url);
      const file = () => pool.read(job("a.txt"), never());
      for (let i = 1; i < DEATHS_IN_A_ROW_MAX; i++) expect(await file()).toMatchObject({ kind });
      const [last] = await Promise.allSettled([file()]);
      expect(last).toMatchObject({ status: "rejected", reason: expect.any(ReadersUnusable) });
      expect(String((last as PromiseRejectedResult).reason)).toMatch(told);
      // It may be better by now.
      expect(await file()).toMatchObject({ kind });
    },
    MANY_PROCESSES_MS_MAX,
  );

  it(
    "are told from many bad files in a row",
    async () => {
      const pool = poolOf({ readConcurrency: 2 });
      const bad = Array.from({ length: DEATHS_IN_A_ROW_MAX + 1 }, () => pool.read(job("exits.txt"), never()));
      for (const result of await Promise.all(bad)) expect(result).toMatchObject({ kind: "crashed" });
      expect((await pool.read(job("good.txt"), never())).type).toBe("document");
    },
    MANY_PROCESSES_MS_MAX,
  );
});

describe("a caller that gives up", () => {
  it("gets its reason, and the reader of its file is gone", async () => {
    const pool = poolOf();
    const given = new AbortController();
    const reading = pool.read(job("endless.txt"), given.signal);
    const waiting = pool.read(job("waits.txt"), given.signal);
    const rejected = Promise.all([reading, waiting].map((read) => expect(read).rejects.toThrow("enough")));
    const other = pool.read(job("good.txt"), never());
    const pid = await begun("endless.txt");
    given.abort(new Error("enough"));
    await rejected;
    expect((await other).type).toBe("document");
    expect(isAlive(pid)).toBe(false);
  });

  it("may have given up before", async () => {
    await expect(poolOf().read(job("a.txt"), AbortSignal.abort(new Error("early")))).rejects.toThrow("early");
  });
});

describe("the end", () => {
  it("of the pool ends its processes, and answers whoever waits", async () => {
    const pool = poolOf();
    const reading = pool.read(job("endless.txt"), never());
    const waiting = pool.read(job("a.txt"), never());
    const pid = await begun("endless.txt");
    await pool.close();
    expect(isAlive(pid)).toBe(false);
    expect(await reading).toEqual(problem("unavailable", /closed/));
    expect(await waiting).toEqual(problem("unavailable", /has ended/));
    expect(await pool.read(job("a.txt"), never())).toEqual(problem("unavailable", /has ended/));
    await pool.close();
  });

  const parent = (name: string) =>
    spawn(process.execPath, [
      fileURLToPath(workerUrl(import.meta.url, "../../test/support/read-pool-parent.js")),
      fileURLToPath(misbehaving),
      name,
      join(directory, name),
    ]);

  it.each([["endless.txt"], ["never.txt"]])("of the parent ends its readers (%s)", async (name) => {
    const process = parent(name);
    const pid = await begun(name);
    expect(isAlive(pid)).toBe(true);
    process.kill("SIGKILL");
    await expect.poll(() => isAlive(pid), { timeout: patience(15_000) }).toBe(false);
  });

  it("of the parent is not held up by idle readers", async () => {
    const process = parent("good.txt");
    expect(JSON.parse(await text(process.stdout))).toMatchObject({ type: "document" });
  });
});
