/** Copies of data folders: those of an earlier release, those that are written to, and what is no good copy. */
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeEach, describe, expect, it } from "vitest";
import { ENTRIES } from "../../test/support/ledger-entries.js";
import { earlierDataFolder } from "../../test/support/release-files.js";
import { VirtualClock } from "../../test/support/virtual-clock.js";
import { backUp, restore } from "../compose/backup.js";
import { claimDataDirectory } from "../compose/data-directory.js";
import { FileLedger } from "../operate/ledger/file-ledger.js";
import { ledgerFiles, readPublicKey } from "../operate/ledger/files.js";
import { verifyLedger } from "../operate/ledger/rows.js";
import { Database } from "../store/database.js";
import { LAYOUTS, openDeadLetters } from "../store/embedded-dead-letters.js";
import { openGuideRuns } from "../store/embedded-guide-runs.js";
import { openGuideSessions } from "../store/embedded-guide-sessions.js";

const BIN = fileURLToPath(new URL("../../bin/readback.js", import.meta.url));
const run = promisify(execFile);
const AT = new Date(0);
const NEVER = new AbortController().signal;

let folder: string;
let data: string;
let file: string;

/** A data folder of commit 9b58872. */
beforeEach(() => {
  data = earlierDataFolder();
  folder = join(data, "..");
  file = join(folder, "backup.tar.gz");
});

/** What `readback …` prints for a data folder, and its exit code. */
async function readback(dataDir: string, ...args: readonly string[]) {
  const done = run(process.execPath, [BIN, ...args], {
    env: { PATH: process.env.PATH, READBACK_DATA_DIR: dataDir },
  });
  return done.then(
    (out) => ({ code: 0, ...out }),
    (error) => error as { code: number; stdout: string; stderr: string },
  );
}

/** Regular files below a folder, with what is in them. */
function contents(directory: string): Record<string, string> {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(files.map((path) => [path, readFileSync(path, "base64")]));
}

async function letters(dataDir: string): Promise<readonly string[]> {
  const store = await openDeadLetters(dataDir, { now: () => 0 });
  try {
    return (await store.list()).map(({ path }) => path);
  } finally {
    await store.close();
  }
}

const take = (from = data) => backUp(from, file, AT, NEVER);
const putBack = (to: string) => restore(to, file, { at: AT, force: true }, NEVER);

async function tar(...args: readonly string[]): Promise<void> {
  await run("tar", [...args]);
}

describe("a backup", () => {
  it("of an earlier release's data is read by this one, whole, and by its user alone", async () => {
    expect(await readback(data, "backup", file)).toMatchObject({
      code: 0,
      stdout: `7 files of ${data} are in ${file}\n`,
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const empty = join(folder, "new", "data");
    expect(await readback(empty, "restore", file)).toMatchObject({ code: 0 });
    expect(readdirSync(empty).filter((name) => name.startsWith("."))).toEqual([]);
    expect(await letters(empty)).toEqual(["/docs/a.md"]);
    const listed = await readback(data, "documents", "list", "--network", "acme");
    expect(listed.code).toBe(0);
    expect(await readback(empty, "documents", "list", "--network", "acme")).toEqual(listed);
    for (const [name] of Object.entries(contents(empty))) expect(statSync(name).mode & 0o077).toBe(0);
  });

  it("has what was committed, beside a process that holds the database", async () => {
    const store = await openDeadLetters(data, { now: () => 0 });
    await store.record("acme", [{ path: "/docs/b.md", source: "s", reason: "unreadable", message: "m" }]);
    await take();
    await store.close();
    await putBack(join(folder, "new"));
    expect(await letters(join(folder, "new"))).toEqual(["/docs/a.md", "/docs/b.md"]);
  });

  it("of a ledger that grows meanwhile verifies", async () => {
    const ledger = await FileLedger.open(ledgerFiles(data), {
      clock: new VirtualClock(),
      telemetry: { emit: () => expect.unreachable() },
    });
    let isDone = false;
    const growing = (async () => {
      while (!isDone) for (const entry of ENTRIES) await ledger.append(entry);
    })();
    await take();
    isDone = true;
    await growing;
    await ledger.close();
    const copy = join(folder, "new");
    await putBack(copy);
    const files = ledgerFiles(copy);
    const { flaw, last } = await verifyLedger(files, await readPublicKey(files.key), "all");
    expect({ flaw, rows: last.seq > 0 }).toEqual({ flaw: undefined, rows: true });
  });

  it("has guides, their runs, and the sessions that build them", async () => {
    mkdirSync(join(data, "guides", "acme"), { recursive: true });
    writeFileSync(join(data, "guides", "acme", "swap.yaml"), "readback_guide: 1");
    const shared = { network: "acme", updatedAtMs: 2 };
    const guideRun = {
      ...shared,
      id: "r-1",
      user: "ann",
      guide: "swap",
      version: 1,
      startedAtMs: 1,
      run: "{}",
      text: "{}",
    };
    const session = { ...shared, id: "s-1", owner: "maria", status: "open", text: "{}" } as const;
    const [runs, sessions] = [await openGuideRuns(data), await openGuideSessions(data)];
    await runs.save({ ...guideRun, status: "paused" });
    await sessions.save(session);
    await take();
    await Promise.all([runs.close(), sessions.close()]);
    const copy = join(folder, "new");
    await putBack(copy);
    const [copiedRuns, copiedSessions] = [await openGuideRuns(copy), await openGuideSessions(copy)];
    expect(await copiedRuns.byId("acme", "r-1")).toEqual({ ...guideRun, status: "paused" });
    expect(await copiedSessions.byId("acme", "s-1")).toEqual(session);
    await Promise.all([copiedRuns.close(), copiedSessions.close()]);
    expect(readFileSync(join(copy, "guides/acme/swap.yaml"), "utf8")).toBe("readback_guide: 1");
  });

  it("says which parts are kept elsewhere, and only these", async () => {
    const config = join(folder, "settings.json");
    const said = async (guides: string) => {
      writeFileSync(config, JSON.stringify({ data_dir: data, guides: { dir: guides } }));
      const env = { PATH: process.env.PATH, READBACK_CONFIG: config };
      return (await run(process.execPath, [BIN, "backup", `${file}-${guides.length}`], { env })).stderr;
    };
    expect(await said(join(folder, "guides"))).toContain("The folder of guides is not in this file");
    expect(await said(join(data, "my-guides"))).toBe("");
  });

  it("is written to a new file outside of the data folder only", async () => {
    writeFileSync(file, "something else");
    expect(await readback(data, "backup", file)).toMatchObject({ code: 2 });
    expect(readFileSync(file, "utf8")).toBe("something else");
    await expect(backUp(data, join(data, "b.tar.gz"), AT, NEVER)).rejects.toThrow("name a file elsewhere");
    writeFileSync(join(data, "routes.db"), "no database at all");
    const { code, stderr } = await readback(data, "backup", join(folder, "c.tar.gz"));
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("routes.db cannot be"),
    });
    expect(readdirSync(folder).sort()).toEqual(["backup.tar.gz", "data"]);
  });
});

describe("a restore", () => {
  it("takes the place of what is there only with --force, and keeps that", async () => {
    await take();
    writeFileSync(join(data, "operate.off"), "");
    writeFileSync(join(data, "routes.db-wal"), "of a process that was killed");
    const before = contents(data);
    expect(await readback(data, "restore", file)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("holds data already"),
    });
    expect(contents(data)).toEqual(before);
    const { code, stdout } = await readback(data, "restore", file, "--force");
    expect(code).toBe(0);
    const [, aside] = /What was there is in (\S+):/.exec(stdout)!;
    for (const name of ["operate.off", "routes.db-wal"]) {
      expect(existsSync(join(data, name))).toBe(false);
      expect(existsSync(join(aside!, name))).toBe(true);
    }
    expect(await letters(data)).toEqual(["/docs/a.md"]);
  });

  it("waits for no service: it refuses to start beside one", async () => {
    await take();
    const claim = await claimDataDirectory(data);
    await expect(putBack(data)).rejects.toThrow("one service, or one restore, at a time");
    claim.release();
  });

  it.each<[string, (archive: string) => Promise<void> | void, RegExp]>([
    [
      "is cut off",
      (it) => writeFileSync(it, readFileSync(it).subarray(0, 2_000)),
      /it is damaged, or no backup/,
    ],
    ["lacks a file", (it) => repacked(it, "rm data/routes.db"), /routes\.db is missing/],
    ["has a changed file", (it) => repacked(it, "echo x >> data/routes.db"), /routes\.db is not what it was/],
    ["has a file more", (it) => repacked(it, "echo x > data/more"), /does not tell of more/],
    ["has a link", (it) => repacked(it, "ln -sf /etc/passwd data/routes.db"), /routes\.db is missing/],
    ["is of something else", (it) => repacked(it, "rm manifest.json"), /no backup that this release reads/],
    [
      "is of a later form",
      (it) => repacked(it, 'sed -i s/.format.:.1/\\"format\\":2/ manifest.json'),
      /format/,
    ],
  ])("leaves everything as it was where the archive %s", async (_what, harm, why) => {
    await take();
    await harm(file);
    const before = contents(data);
    await expect(putBack(data)).rejects.toThrow(why);
    expect(contents(data)).toEqual(before);
  });

  it("refuses data of a later release, and names it", async () => {
    const later = { ...LAYOUTS, steps: [...LAYOUTS.steps, "ALTER TABLE letters ADD COLUMN note TEXT"] };
    await (await Database.open(join(data, "dead-letters.db"), later)).close();
    await take();
    await expect(putBack(join(folder, "new"))).rejects.toThrow(
      /release \S+ made it, with dead-letters\.db in layout 2, .* up to layout 1\./,
    );
    expect(readdirSync(join(folder, "new"))).toEqual([]);
  });

  it("that was cut off keeps the service from starting, until it is made again", async () => {
    await take();
    mkdirSync(join(data, ".swapping"));
    await expect(claimDataDirectory(data)).rejects.toThrow(
      /A restore was cut off in .*: npx readback restore/,
    );
    await putBack(data);
    (await claimDataDirectory(data)).release();
  });
});

/** The archive after a command ran among its files. */
async function repacked(archive: string, command: string): Promise<void> {
  const inside = join(folder, "inside");
  mkdirSync(inside);
  await tar("-xzf", archive, "-C", inside);
  await run("sh", ["-c", command], { cwd: inside });
  await tar("-czf", archive, "-C", inside, ".");
}
