/** `readback ledger`: what was asked for, consented to, done and found, for a safety manager; and proof that it is whole. */
import type { KeyObject } from "node:crypto";
import { createReadStream, existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { Command } from "commander";
import { loadConfig } from "../config/load.js";
import type { OperationCall, Proposal } from "../domain/operation.js";
import type { Reading } from "../domain/reading.js";
import { writePrivateFile } from "../lib/private-files.js";
import { UsageProblem } from "../lib/usage-problem.js";
import { type LedgerFiles, ledgerFiles } from "../operate/ledger/files.js";
import { readPublicKey } from "../operate/ledger/key.js";
import type { LedgerEntry } from "../operate/ledger/port.js";
import { rowsIn } from "../operate/ledger/rows.js";
import { type VerifiedLedger, verifyLedger } from "../operate/ledger/verify.js";
import { complain, say } from "./output.js";

interface ListFlags {
  readonly network?: string;
  readonly operation?: string;
  readonly since?: string;
}

interface KeyFlag {
  readonly key?: string;
}

export function ledgerCommand(): Command {
  const withKey = (command: Command) =>
    command.option("--key <file>", "PEM of the public or private key; unless given, that of the settings");
  return new Command("ledger")
    .addCommand(
      new Command("list")
        .description("Tell in words what was asked for, consented to, done and found, oldest first")
        .option("--network <name>", "of this network only")
        .option("--operation <id>", "of this operation only")
        .option("--since <time>", "nothing older, such as 2026-11-23 or 2026-11-23T06:00:00Z")
        .action(list),
    )
    .addCommand(
      withKey(new Command("verify"))
        .description("Check that every row is there, unchanged and signed; exit code 1 where not")
        .action(verify),
    )
    .addCommand(
      withKey(new Command("export"))
        .description("Write the public key and all rows to a file that can be verified without Readback")
        .requiredOption("--out <file>", "the file, which must not exist")
        .action(exportTo),
    );
}

function filesHere(): LedgerFiles {
  const { config } = loadConfig();
  const files = ledgerFiles(config.dataDir);
  if (!existsSync(files.folder))
    throw new Error(`There is no ledger in ${config.dataDir}: nothing was operated yet.`);
  return files;
}

async function list({ since, ...filter }: ListFlags): Promise<void> {
  const sinceMs = since === undefined ? undefined : Date.parse(since);
  if (Number.isNaN(sinceMs))
    throw new UsageProblem(`--since ${since} is no time: write 2026-11-23T06:00:00Z`);
  for await (const { atMs, entry } of rowsIn(filesHere().rows, { ...filter, sinceMs }))
    say(`${timeOf(atMs)}  ${entry.network}  ${entry.operation}  ${inWords(entry)}`);
}

async function verify(flags: KeyFlag): Promise<void> {
  const { verified } = await verifiedHere(flags);
  const { flaw, last } = verified;
  if (flaw === undefined)
    return say(`${last.seq} rows, all there, unchanged and signed. The last has the hash ${last.hash}`);
  complain(`${flaw.line === undefined ? "The ledger" : `Row ${flaw.line}`} is bad: ${flaw.why}.`);
  process.exitCode = 1;
}

async function exportTo({ out, ...flags }: KeyFlag & { readonly out: string }): Promise<void> {
  if (existsSync(out)) throw new UsageProblem(`${out} exists already`);
  const { files, key, verified } = await verifiedHere(flags);
  const { bytes, flaw } = verified;
  if (flaw !== undefined) throw new Error(`it is damaged: see readback ledger verify`);
  const head = JSON.parse(await readFile(files.head, "utf8")) as unknown;
  await writePrivateFile(
    out,
    `${JSON.stringify({ public_key: key.export({ type: "spki", format: "pem" }), head })}\n`,
  );
  if (bytes > 0) await writeFile(out, createReadStream(files.rows, { end: bytes - 1 }), { flag: "a" });
  say(`${verified.last.seq} rows in ${out}`);
}

interface VerifiedHere {
  readonly files: LedgerFiles;
  readonly key: KeyObject;
  readonly verified: VerifiedLedger;
}

async function verifiedHere({ key: keyFile }: KeyFlag): Promise<VerifiedHere> {
  const files = filesHere();
  const key = await readPublicKey(keyFile ?? files.key);
  const verified = await verifyLedger(files, key, "all");
  if (verified.tornBytes > 0)
    complain("The last row is not whole: it is being written, or is cut off at the next start.");
  return { files, key, verified };
}

/** UTC, with milliseconds. */
function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}

/** What an entry tells, as a sentence for people. */
export function inWords(entry: LedgerEntry): string {
  const call = "call" in entry ? `call ${entry.call + 1}: ` : "";
  switch (entry.type) {
    case "proposed":
      return `${proposalInWords(entry.proposal)}; read back as "${entry.readback}"`;
    case "readback":
      return entry.heardAtMs === undefined
        ? `the readback to ${entry.to} was cut off`
        : `${entry.to} heard the readback to its end at ${timeOf(entry.heardAtMs)}`;
    case "reply": {
      const { by, via, words } = entry.reply;
      const counted =
        entry.refused === undefined ? entry.verdict : `${entry.verdict}, but did not count: ${entry.refused}`;
      return `${by.username} of ${by.network} said "${words}" by ${via}, pressed at ${timeOf(entry.pressedAtMs)}: ${counted}`;
    }
    case "executing":
      return `${call}about to call ${callInWords(entry.what)}, key ${entry.key}`;
    case "executed":
      return `${call}${entry.reply.type === "ok" ? "the tool replied ok" : `${entry.reply.type}: ${entry.reply.message}`}`;
    case "read":
      return `${call}${entry.reading === undefined ? "nothing could be read" : readingInWords(entry.reading)}`;
    case "outcome":
      return `${call}the result is ${entry.outcome}`;
    case "ended":
      return entry.reason === undefined ? "it is over" : `it is over, and was not done: ${entry.reason}`;
  }
}

function proposalInWords({ action, askedOf, calls, challenge, dryRun, level }: Proposal): string {
  const word = challenge === undefined ? "" : `, word ${challenge}`;
  const names = calls.map(({ name }) => name).join(", ");
  const what = calls.map(callInWords).join("; ");
  return `${askedOf.username} asked to ${action} ${names} (${what}); consent: ${level}${word}${dryRun ? "; dry run" : ""}`;
}

function callInWords({ args, before, target, tool }: OperationCall): string {
  const was = before === undefined ? "" : `, before: ${before.value}${before.unit ?? ""}`;
  return `${tool} ${JSON.stringify(args)} on ${target}${was}`;
}

function readingInWords({ signal, takenAtMs, tool, unit = "", value }: Reading): string {
  return `${tool} reads ${signal} ${value}${unit}, taken at ${timeOf(takenAtMs)}`;
}
