/** A process that appends to a ledger is killed at random instants, and runs out of room: what it was told is there. */
import { spawn, spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { systemClock } from "../src/lib/clock.js";
import { workerUrl } from "../src/lib/worker.js";
import { FileLedger } from "../src/operate/ledger/file-ledger.js";
import { ledgerFiles, readPublicKey } from "../src/operate/ledger/files.js";
import { verifyLedger } from "../src/operate/ledger/rows.js";
import { ENTRIES } from "./support/ledger-entries.js";
import { patience } from "./support/patience.js";

const CHILD = fileURLToPath(workerUrl(import.meta.url, "./support/ledger-child.js"));
const KILLS = 20;
/** How long after its first row a child may live, in milliseconds. */
const LIFE_MS_MAX = 80;
/** Blocks of 512 bytes, or of 1024 where the shell counts so. */
const ROOM_BLOCKS = 40;

function dataFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "readback-ledger-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** The number of the last row that the child was told is on disk, before it was killed. */
async function killedWhileAppending(folder: string): Promise<number> {
  const child = spawn(process.execPath, [CHILD, folder], { stdio: ["ignore", "pipe", "inherit"] });
  const told: number[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    if (told.length === 0 && /^\d/.test(line))
      systemClock.after(randomInt(LIFE_MS_MAX), () => child.kill("SIGKILL"));
    if (/^\d/.test(line)) told.push(Number(line));
    else expect(line).toMatch(/^cut$/);
  }
  return told.at(-1)!;
}

it(
  `loses no row that was acknowledged, killed ${KILLS} times`,
  async () => {
    const folder = dataFolder();
    const files = ledgerFiles(folder);
    let rows = 0;
    for (let kill = 0; kill < KILLS; kill += 1) {
      const acknowledged = await killedWhileAppending(folder);
      expect(acknowledged).toBeGreaterThan(rows);
      const ledger = await FileLedger.open(files, { clock: systemClock, telemetry: { emit: () => {} } });
      rows = (await ledger.append(ENTRIES[0]!)).seq;
      expect(rows).toBeGreaterThan(acknowledged);
      await ledger.close();
      const found = await verifyLedger(files, await readPublicKey(files.key), "all");
      expect(found).toMatchObject({ last: { seq: rows }, tornBytes: 0 });
      expect(found.flaw).toBeUndefined();
    }
  },
  patience(60_000),
);

it("keeps all rows from before the disk was full, and goes on once there is room", async () => {
  const folder = dataFolder();
  const files = ledgerFiles(folder);
  const limited = `ulimit -f ${ROOM_BLOCKS} && exec "$0" "$1" "$2"`;
  const { status, stdout } = spawnSync("/bin/sh", ["-c", limited, process.execPath, CHILD, folder], {
    encoding: "utf8",
    timeout: patience(30_000),
  });
  const lines = stdout.trim().split("\n");
  const acknowledged = lines.filter((line) => /^\d/.test(line)).map(Number);
  expect(lines.some((line) => /^failed LedgerUnusable .*EFBIG/.test(line))).toBe(true);
  expect(status).toBe(0);
  const found = await verifyLedger(files, await readPublicKey(files.key), "all");
  expect(found.flaw).toBeUndefined();
  expect(found.tornBytes).toBe(0);
  expect(found.last.seq).toBeGreaterThanOrEqual(Math.max(...acknowledged));
  const telemetry = { emit: () => expect.unreachable() };
  const ledger = await FileLedger.open(files, { clock: systemClock, telemetry });
  expect((await ledger.append(ENTRIES[0]!)).seq).toBe(found.last.seq + 1);
  await ledger.close();
});
