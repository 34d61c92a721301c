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
import { entryText } from "./ledger.js";

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
    telemetry: { emit: () => expect.unreachable() },
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

it("tells who asked, what was read back, who consented how and when, what was done, read and found", () => {
  const [proposed, ...later] = ENTRIES.map(entryText);
  expect(proposed).toMatch(
    /^proposed {2}.*"action":"restart".*"name":"pump two".*"level":"plain".*"username":"ann"/,
  );
  expect(proposed).toContain('"readback":"Restart pump two. Shall I?"');
  expect(later.map((text) => text.replace(/,"what":.*/, "…"))).toEqual([
    'readback  {"to":"ann","heardAtMs":"1970-01-01T00:00:01.000Z"}',
    'reply  {"verdict":"approved","pressedAtMs":"1970-01-01T00:00:02.000Z","reply":{"by":' +
      '{"network":"plant","username":"ann"},"words":"yes, do it","via":"voice","isRough":false,"isTrusted":true}}',
    'executing  {"call":0,"key":"k-1"…',
    'executed  {"call":0,"reply":{"type":"ok"}}',
    'read  {"call":0,"reading":{"target":"plant:pump/p2","signal":"status","value":"running",' +
      '"takenAtMs":"1970-01-01T00:00:03.000Z","tool":"plant.status"}}',
    'outcome  {"call":0,"outcome":"verified"}',
    "ended  {}",
    'told  {"to":"ann"}',
  ]);
});

describe("readback ledger", () => {
  it("lists what is wanted", async () => {
    await write();
    const { stdout } = await ledger("list");
    expect(stdout.trimEnd().split("\n")).toHaveLength(ENTRIES.length + 1);
    expect((await ledger("list", "--network", "shop")).stdout).toMatch(
      /^\S+Z {2}shop {2}op-2 {2}ended {2}\{"reason":"denied"\}\n$/,
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
      stdout: expect.stringMatching(/^10 rows, all there/),
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
    expect(verified()).toBe("10 rows are good\n");
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
