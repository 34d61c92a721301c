/** `readback ledger`: what was asked for, consented to, done and found, for a safety manager; and proof that it is whole. */
import { createReadStream, existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { Command } from "commander";
import { loadConfig } from "../config/load.js";
import { writePrivateFile } from "../lib/private-files.js";
import { UsageProblem } from "../lib/usage-problem.js";
import { type LedgerFiles, ledgerFiles, readPublicKey } from "../operate/ledger/files.js";
import type { LedgerEntry } from "../operate/ledger/port.js";
import { rowsIn, verifyLedger } from "../operate/ledger/rows.js";
import { complain, say } from "./output.js";

type ListFlags = Readonly<Partial<Record<"network" | "operation" | "since", string>>>;

interface KeyFlag {
  readonly key?: string;
}

export function ledgerCommand(): Command {
  const ledger = new Command("ledger");
  ledger
    .command("list")
    .description("Tell what was asked for, consented to, done and found, oldest first")
    .option("--network <name>", "of this network only")
    .option("--operation <id>", "of this operation only")
    .option("--since <time>", "nothing older, such as 2026-11-23 or 2026-11-23T06:00:00Z")
    .action(list);
  const withKey = (name: string) =>
    ledger
      .command(name)
      .option("--key <file>", "PEM of the public or private key; unless given, that of the settings");
  withKey("verify")
    .description("Check that every row is there, unchanged and signed; exit code 1 where not")
    .action(verify);
  withKey("export")
    .description("Write the public key and all rows to a file that can be verified without Readback")
    .requiredOption("--out <file>", "the file, which must not exist")
    .action(exportTo);
  return ledger;
}

function filesHere(): LedgerFiles {
  const { config } = loadConfig();
  const files = ledgerFiles(config.dataDir, config.operate.ledgerKeyFile);
  if (!existsSync(files.folder))
    throw new Error(`There is no ledger in ${config.dataDir}: nothing was operated yet.`);
  return files;
}

async function list({ network, operation, since }: ListFlags): Promise<void> {
  const sinceMs = since === undefined ? 0 : Date.parse(since);
  if (Number.isNaN(sinceMs))
    throw new UsageProblem(`--since ${since} is no time: write 2026-11-23T06:00:00Z`);
  for await (const { atMs, entry } of rowsIn(filesHere().rows)) {
    const isWanted =
      (network ?? entry.network) === entry.network && (operation ?? entry.operation) === entry.operation;
    if (isWanted && atMs >= sinceMs)
      say(`${timeOf(atMs)}  ${entry.network}  ${entry.operation}  ${entryText(entry)}`);
  }
}

async function verify(flags: KeyFlag): Promise<void> {
  const { flaw, last } = await verifiedHere(flags);
  if (flaw === undefined)
    return say(`${last.seq} rows, all there, unchanged and signed. The last has the hash ${last.hash}`);
  complain(`${flaw.line === undefined ? "The ledger" : `Row ${flaw.line}`} is bad: ${flaw.why}.`);
  process.exitCode = 1;
}

async function exportTo({ out, ...flags }: KeyFlag & { readonly out: string }): Promise<void> {
  if (existsSync(out)) throw new UsageProblem(`${out} exists already`);
  const { bytes, files, flaw, key, last } = await verifiedHere(flags);
  if (flaw !== undefined) throw new Error(`it is damaged: see readback ledger verify`);
  const head = JSON.parse(await readFile(files.head, "utf8")) as unknown;
  const first = { public_key: key.export({ type: "spki", format: "pem" }), head };
  await writePrivateFile(out, `${JSON.stringify(first)}\n`);
  if (bytes > 0) await writeFile(out, createReadStream(files.rows, { end: bytes - 1 }), { flag: "a" });
  say(`${last.seq} rows in ${out}`);
}

async function verifiedHere({ key: keyFile }: KeyFlag) {
  const files = filesHere();
  const key = await readPublicKey(keyFile ?? files.key);
  const verified = await verifyLedger(files, key, "all");
  if (verified.tornBytes > 0)
    complain("The last row is not whole: it is being written, or is cut off at the next start.");
  return { files, key, ...verified };
}

/** What an entry tells: its type, and its fields as JSON with times in UTC. */
export function entryText({ network: _, operation: _id, type, ...fields }: LedgerEntry): string {
  const readable = (name: string, value: unknown) => (name.endsWith("AtMs") ? timeOf(Number(value)) : value);
  return `${type}  ${JSON.stringify(fields, readable)}`;
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}
