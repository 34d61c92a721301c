import { createHash, createPublicKey, generateKeyPairSync, verify } from "node:crypto";
import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { ENTRIES } from "../../../test/support/ledger-entries.js";
import { VirtualClock } from "../../../test/support/virtual-clock.js";
import type { TelemetryEvent } from "../../telemetry/events.js";
import { FileLedger } from "./file-ledger.js";
import { type LedgerFiles, ledgerFiles, readPrivateKey, readPublicKey, writeHead } from "./files.js";
import { type LedgerEntry, type LedgerRow, LedgerUnusable } from "./port.js";
import { ENTRY_BYTES_MAX, lineOf, NO_ROW, rowAfter, rowsIn, verifyLedger } from "./rows.js";

let files: LedgerFiles;
let events: TelemetryEvent[];

beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), "readback-ledger-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  files = ledgerFiles(folder);
  events = [];
});

async function open(): Promise<FileLedger> {
  const clock = new VirtualClock();
  const ledger = await FileLedger.open(files, { clock, telemetry: { emit: (event) => events.push(event) } });
  onTestFinished(() => ledger.close());
  return ledger;
}

/** A ledger of one operation, closed. */
async function written(): Promise<readonly string[]> {
  const ledger = await open();
  for (const entry of ENTRIES) await ledger.append(entry);
  await ledger.close();
  return readFileSync(files.rows, "utf8").trimEnd().split("\n");
}

async function verified() {
  return verifyLedger(files, await readPublicKey(files.key), "all");
}

async function all(rows: AsyncIterable<LedgerRow>): Promise<readonly LedgerRow[]> {
  const found: LedgerRow[] = [];
  for await (const row of rows) found.push(row);
  return found;
}

describe("a ledger", () => {
  it("keeps rows in the order of calls, over restarts, and gives them back", async () => {
    const ledger = await open();
    const other: LedgerEntry = { operation: "op-2", network: "shop", type: "ended", reason: "denied" };
    const rows = await Promise.all([...ENTRIES, other].map((entry) => ledger.append(entry)));
    expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, at) => at + 1));
    expect(rows.map(({ entry }) => entry)).toEqual([...ENTRIES, other]);
    await ledger.close();
    const again = await open();
    expect(await all(again.rows())).toEqual(rows);
    expect(await all(rowsIn(files.rows))).toEqual(rows);
    expect((await again.append(other)).previous).toBe(rows.at(-1)!.hash);
    expect(await verified()).toMatchObject({ last: { seq: rows.length + 1 }, tornBytes: 0 });
  });

  it("writes what can be verified by nothing but its description", async () => {
    const rows = (await written()).map((line) => JSON.parse(line) as LedgerRow);
    const key = createPublicKey(readFileSync(files.key));
    let previous = "0".repeat(64);
    for (const { atMs, entry, hash, signature, ...row } of rows) {
      expect(row.previous).toBe(previous);
      // What the test writes has all names of a row in order but those of the row itself.
      const content = `{"atMs":${atMs},"entry":${sorted(entry)},"previous":"${previous}","seq":${row.seq}}`;
      expect(createHash("sha256").update(content).digest("hex")).toBe(hash);
      expect(verify(null, Buffer.from(hash), key, Buffer.from(signature, "base64"))).toBe(true);
      previous = hash;
    }
  });

  it("may be read by its owner alone", async () => {
    const before = process.umask(0);
    onTestFinished(() => void process.umask(before));
    await written();
    expect(statSync(files.folder).mode & 0o777).toBe(0o700);
    const modes = readdirSync(files.folder).map((name) => [
      name,
      statSync(join(files.folder, name)).mode & 0o777,
    ]);
    expect(Object.fromEntries(modes)).toEqual({ "rows.jsonl": 0o600, "head.json": 0o600, "key.pem": 0o600 });
  });

  it("is appended to by one process", async () => {
    const ledger = await open();
    await expect(open()).rejects.toThrow(LedgerUnusable);
    await ledger.close();
    await expect(ledger.append(ENTRIES[0]!)).rejects.toThrow("closed");
    await (await open()).close();
  });

  it("writes nothing more once somebody else has", async () => {
    const ledger = await open();
    await ledger.append(ENTRIES[0]!);
    appendFileSync(files.rows, "x\n");
    await expect(ledger.append(ENTRIES[1]!)).rejects.toThrow("another process");
    await expect(ledger.append(ENTRIES[1]!)).rejects.toThrow(LedgerUnusable);
    expect(readFileSync(files.rows, "utf8")).toMatch(/\nx\n$/);
  });

  it("refuses what is too large or cannot be written, tells of it, and goes on", async () => {
    const ledger = await open();
    const large = { ...ENTRIES[0]!, readback: "x".repeat(ENTRY_BYTES_MAX) } as LedgerEntry;
    await expect(ledger.append(large)).rejects.toThrow(LedgerUnusable);
    const circular: Record<string, unknown> = {};
    circular.self = circular;
    await expect(ledger.append(circular as LedgerEntry)).rejects.toThrow(LedgerUnusable);
    expect(ledger.state).toBe("unavailable");
    expect(events).toMatchObject([
      { type: "ledger_failed", error: expect.stringMatching(/^LedgerUnusable: .*larger than/) },
      { type: "ledger_failed", error: expect.stringContaining("circular") },
    ]);
    expect((await ledger.append(ENTRIES[0]!)).seq).toBe(1);
    expect(ledger.state).toBe("ready");
  });

  it("keeps what was given, whatever becomes of it later", async () => {
    const ledger = await open();
    const args: Record<string, unknown> = { __proto__: null, level: 1, 'a"b\n': "\ud800ż" };
    const entry = { ...ENTRIES[3]!, what: { args } } as unknown as LedgerEntry;
    const appended = ledger.append(entry);
    args.level = 2;
    expect((await appended).entry).toMatchObject({ what: { args: { level: 1 } } });
    expect((await verified()).flaw).toBeUndefined();
  });

  it("refuses more than can wait", async () => {
    const ledger = await open();
    const appends = await Promise.allSettled(Array.from({ length: 1_200 }, () => ledger.append(ENTRIES[7]!)));
    expect(appends.filter(({ status }) => status === "rejected")).toHaveLength(200);
    expect((await verified()).last.seq).toBe(1_000);
  });
});

/** Canonical JSON, written another way than the ledger's. */
function sorted(value: unknown): string {
  const inOrder = (_: string, one: unknown) =>
    typeof one === "object" && one !== null && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : one;
  return JSON.stringify(value, inOrder);
}

describe("a damaged ledger", () => {
  const put = (lines: readonly string[]) => writeFileSync(files.rows, `${lines.join("\n")}\n`);

  const damages: Readonly<
    Record<string, readonly [(rows: readonly string[]) => readonly string[], number | undefined]>
  > = {
    "a changed byte": [(rows) => rows.with(2, rows[2]!.replace("yes", "yez")), 3],
    "a changed time": [(rows) => rows.with(3, rows[3]!.replace(/"atMs":\d+/, '"atMs":7')), 4],
    "a blank more": [(rows) => rows.with(1, rows[1]!.replace(":", ": ")), 2],
    "a field more": [(rows) => rows.with(2, rows[2]!.replace(/,"hash":/, ',"granted":true$&')), 3],
    "a signature written otherwise": [(rows) => rows.with(-1, rows.at(-1)!.replace(/=="}$/, '= ="}')), 9],
    "a removed row": [(rows) => rows.toSpliced(3, 1), 4],
    "a removed first row": [(rows) => rows.slice(1), 1],
    "swapped rows": [([a, b, c, ...rows]) => [a!, c!, b!, ...rows], 2],
    "a doubled row": [(rows) => rows.toSpliced(2, 0, rows[1]!), 3],
    "no row": [(rows) => rows.with(5, "null"), 6],
    "an empty line": [(rows) => rows.toSpliced(5, 0, ""), 6],
    "a truncated end": [(rows) => rows.slice(0, -1), undefined],
    "nothing left": [() => [], undefined],
  };

  it.each(Object.keys(damages))("is found: %s", async (name) => {
    const [damage, line] = damages[name]!;
    const rows = damage(await written());
    if (rows.length > 0) put(rows);
    else writeFileSync(files.rows, "");
    const { flaw } = await verified();
    expect(flaw).toBeDefined();
    expect(flaw?.line).toBe(line);
    await expect(open()).rejects.toThrow(/is damaged: .*keep .*readback ledger verify/);
  });

  it("is not listed where a row has nothing to tell", async () => {
    const rows = await written();
    put(rows.with(1, rows[1]!.replace(/"entry":\{.*\},"hash"/, '"entry":null,"hash"')));
    await expect(all(rowsIn(files.rows))).rejects.toThrow(LedgerUnusable);
  });

  it("is found where another key signed it, whole or from some row on", async () => {
    const rows = await written();
    const { privateKey } = generateKeyPairSync("ed25519");
    const pem = privateKey.export({ type: "pkcs8", format: "pem" });
    let last = NO_ROW as LedgerRow;
    const forged = ENTRIES.map((entry, at) => {
      const { atMs } = JSON.parse(rows[at]!) as LedgerRow;
      last = rowAfter(last, atMs, entry, privateKey);
      return lineOf(last).trimEnd();
    });
    put([...rows.slice(0, 5), ...forged.slice(5)]);
    expect((await verified()).flaw).toEqual({ line: 6, why: expect.stringContaining("not signed") });
    await expect(open()).rejects.toThrow("not signed");
    put(forged);
    await writeHead(files.head, last, privateKey);
    expect((await verified()).flaw).toEqual({ line: 1, why: expect.stringContaining("not signed") });
    const true_ = readFileSync(files.key);
    writeFileSync(files.key, pem);
    expect((await verified()).flaw).toBeUndefined();
    writeFileSync(files.key, true_);
    await expect(open()).rejects.toThrow("not signed");
  });

  it("is found where a signature was changed: before the last row, by a full look alone", async () => {
    const rows = await written();
    const without = (row: string) => row.replace(/"signature":"(.)/, '"signature":"x$1');
    put(rows.with(4, without(rows[4]!)));
    expect((await verified()).flaw).toEqual({ line: 5, why: expect.stringContaining("not signed") });
    await (await open()).close();
    put(rows.with(-1, without(rows.at(-1)!)));
    await expect(open()).rejects.toThrow("not signed");
  });

  it("is none that was cut off while it was begun", async () => {
    await (await open()).close();
    const [key, head] = [readFileSync(files.key), readFileSync(files.head)];
    for (const there of [[], ["key"], ["key", "head"]]) {
      for (const name of readdirSync(files.folder)) rmSync(join(files.folder, name));
      if (there.includes("key")) writeFileSync(files.key, key);
      if (there.includes("head")) writeFileSync(files.head, head);
      const ledger = await open();
      expect((await ledger.append(ENTRIES[0]!)).seq).toBe(1);
      await ledger.close();
    }
  });

  it("is found by its head", async () => {
    const rows = await written();
    const head = readFileSync(files.head);
    rmSync(files.head);
    expect((await verified()).flaw?.why).toContain("missing");
    writeFileSync(files.head, "{");
    expect((await verified()).flaw?.why).toContain("not one that this key signed");
    writeFileSync(files.head, head.toString().replace(/"seq":\d+/, '"seq":2'));
    expect((await verified()).flaw?.why).toContain("not one that this key signed");
    // Rows that this key signed in another life.
    const key = await readPrivateKey(files.key);
    put([lineOf(rowAfter(NO_ROW, 5, ENTRIES[7]!, key)).trimEnd()]);
    await writeHead(files.head, { ...JSON.parse(rows[0]!), seq: 1 }, key);
    expect((await verified()).flaw).toEqual({ line: 1, why: "the head tells of another row in its place" });
  });

  it("gets no new key in place of a lost one", async () => {
    await written();
    rmSync(files.key);
    await expect(open()).rejects.toThrow(/Restore the key/);
    writeFileSync(
      files.key,
      generateKeyPairSync("rsa", { modulusLength: 1024 }).privateKey.export({ type: "pkcs8", format: "pem" }),
    );
    await expect(open()).rejects.toThrow("rsa");
  });

  it("makes no key where the settings name one", async () => {
    files = ledgerFiles(files.folder, join(files.folder, "elsewhere.pem"));
    await expect(open()).rejects.toThrow("elsewhere.pem");
  });

  it("loses a torn row that nobody was told of, and nothing else", async () => {
    const rows = await written();
    const key = await readPrivateKey(files.key);
    const next = lineOf(rowAfter(JSON.parse(rows.at(-1)!), 5, ENTRIES[0]!, key));
    for (const length of [1, 40, next.length - 1]) {
      appendFileSync(files.rows, next.slice(0, length));
      expect(await verified()).toMatchObject({ last: { seq: rows.length }, tornBytes: length });
      await (await open()).close();
      const error = `${files.rows}: cut off ${length} bytes of no row`;
      expect(events.at(-1)).toEqual({ type: "service_fault", where: "ledger", error });
      expect(readFileSync(files.rows, "utf8").trimEnd().split("\n")).toEqual(rows);
    }
    // One that was acknowledged is not torn.
    writeFileSync(files.rows, readFileSync(files.rows).subarray(0, -1));
    await expect(open()).rejects.toThrow("rows are missing at the end");
  });
});
