import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { ENTRIES } from "../../test/support/ledger-entries.js";
import { VirtualClock } from "../../test/support/virtual-clock.js";
import { FileLedger } from "../operate/ledger/file-ledger.js";
import { type LedgerFiles, ledgerFiles } from "../operate/ledger/files.js";
import type { LedgerEntry } from "../operate/ledger/port.js";
import { inWords } from "./ledger.js";

const BIN = fileURLToPath(new URL("../../bin/readback.js", import.meta.url));
const PAGE = fileURLToPath(new URL("../../docs/ledger.md", import.meta.url));
const run = promisify(execFile);

let folder: string;
let files: LedgerFiles;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "readback-ledger-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  files = ledgerFiles(folder);
});

async function write(): Promise<void> {
  const ledger = await FileLedger.open(files, {
    clock: new VirtualClock(),
    onCut: () => expect.unreachable(),
  });
  for (const entry of ENTRIES) await ledger.append(entry);
  await ledger.append({ operation: "op-2", network: "shop", type: "ended", reason: "denied" });
  await ledger.close();
}

/** What `readback ledger …` prints, and its exit code. */
async function ledger(...args: readonly string[]) {
  const env = { PATH: process.env.PATH, READBACK_DATA_DIR: folder };
  const done = run(process.execPath, [BIN, "ledger", ...args], { env });
  return done.then(
    (out) => ({ code: 0, ...out }),
    (error) => error as { code: number; stdout: string; stderr: string },
  );
}

it("tells in words who asked, what was read back, who consented how and when, what was done, read and found", () => {
  expect(ENTRIES.map(inWords)).toEqual([
    'ann asked to restart pump two (plant.restart {"pump":"p2"} on plant:pump/p2, before: stopped); consent: plain; ' +
      'read back as "Restart pump two. Shall I?"',
    "ann heard the readback to its end at 1970-01-01T00:00:01.000Z",
    'ann of plant said "yes, do it" by voice, pressed at 1970-01-01T00:00:02.000Z: approved',
    'call 1: about to call plant.restart {"pump":"p2"} on plant:pump/p2, before: stopped, key k-1',
    "call 1: the tool replied ok",
    "call 1: plant.status reads status running, taken at 1970-01-01T00:00:03.000Z",
    "call 1: the result is verified",
    "it is over",
  ]);
  const of = { operation: "op-1", network: "plant" } as const;
  const others: readonly LedgerEntry[] = [
    { ...of, type: "readback", to: "ann" },
    { ...of, type: "executed", call: 1, reply: { type: "lost", message: "no reply within 5 s" } },
    { ...of, type: "read", call: 1 },
    { ...of, type: "ended", reason: "expired" },
    { ...(ENTRIES[2] as LedgerEntry & { type: "reply" }), refused: "pressed_too_early" },
  ];
  expect(others.map(inWords)).toEqual([
    "the readback to ann was cut off",
    "call 2: lost: no reply within 5 s",
    "call 2: nothing could be read",
    "it is over, and was not done: expired",
    'ann of plant said "yes, do it" by voice, pressed at 1970-01-01T00:00:02.000Z: ' +
      "approved, but did not count: pressed_too_early",
  ]);
});

describe("readback ledger", () => {
  it("lists what is wanted", async () => {
    await write();
    const { stdout } = await ledger("list");
    expect(stdout.trimEnd().split("\n")).toHaveLength(ENTRIES.length + 1);
    expect((await ledger("list", "--network", "shop")).stdout).toMatch(
      /^\S+Z {2}shop {2}op-2 {2}it is over.*denied\n$/,
    );
    expect((await ledger("list", "--operation", "op-9")).stdout).toBe("");
    expect((await ledger("list", "--since", "2100-01-01")).stdout).toBe("");
    expect(await ledger("list", "--since", "soon")).toMatchObject({ code: 2 });
  });

  it("says that there is none", async () => {
    expect(await ledger("list")).toMatchObject({ code: 1, stderr: expect.stringContaining("no ledger") });
  });

  it("verifies, and tells the first bad row", async () => {
    await write();
    expect(await ledger("verify")).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^9 rows, all there/),
    });
    writeFileSync(files.rows, readFileSync(files.rows, "utf8").replace("yes, do it", "yes, do so"));
    const { code, stderr } = await ledger("verify");
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: "Row 3 is bad: its hash is not that of what it says.\n",
    });
    expect(await ledger("export", "--out", join(folder, "out.jsonl"))).toMatchObject({ code: 1 });
  });

  it("exports what the recipes of the handbook verify, with a public key that was kept elsewhere", async () => {
    await write();
    const out = join(folder, "ledger.jsonl");
    expect((await ledger("export", "--out", out)).code).toBe(0);
    expect(statSync(out).mode & 0o777).toBe(0o600);
    expect(await ledger("export", "--out", out)).toMatchObject({ code: 2 });
    const recipe = /```js\n(.*?)```/s.exec(readFileSync(PAGE, "utf8"))![1]!;
    const script = join(folder, "verify.mjs");
    writeFileSync(script, recipe);
    const verified = () => execFileSync(process.execPath, [script, out], { encoding: "utf8", stdio: "pipe" });
    expect(verified()).toBe("9 rows are good\n");
    const text = readFileSync(out, "utf8");
    writeFileSync(out, text.replace("yes, do it", "yes, do so"));
    expect(verified).toThrow("row 3 is bad");
    writeFileSync(out, text.trimEnd().slice(0, text.trimEnd().lastIndexOf("\n")));
    expect(verified).toThrow("rows are missing");
    const pem = join(folder, "public.pem");
    writeFileSync(pem, JSON.parse(text.split("\n")[0]!).public_key);
    rmSync(files.key);
    expect(await ledger("verify", "--key", pem)).toMatchObject({ code: 0 });
    expect(await ledger("verify")).toMatchObject({ code: 1, stderr: expect.stringContaining("key.pem") });
  });
});
