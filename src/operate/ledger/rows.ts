/** The rows of a ledger as they lie on disk, one a line, as canonical JSON; and whether they are what was written, and signed. */
import { createHash, type KeyObject } from "node:crypto";
import { createReadStream } from "node:fs";
import { canonicalJson } from "../../lib/canonical-json.js";
import { isRecord } from "../../lib/is-record.js";
import { isSignedBy, type LedgerFiles, readHead, signatureOf } from "./files.js";
import { type LedgerEntry, type LedgerRow, LedgerUnusable, type RowMark } from "./port.js";

/** An entry on disk has at most so many bytes, and a row with it. */
export const ENTRY_BYTES_MAX = 1_000_000;
const ROW_BYTES_MAX = ENTRY_BYTES_MAX + 1_000;

/** What comes before the first row. */
export const NO_ROW: RowMark = { seq: 0, hash: "0".repeat(64) };

/** The row that comes after `last`. `entry` is what `JSON.parse` gives. */
export function rowAfter(last: RowMark, atMs: number, entry: LedgerEntry, key: KeyObject): LedgerRow {
  const content = { seq: last.seq + 1, atMs, entry, previous: last.hash };
  const hash = hashOf(content);
  return { ...content, hash, signature: signatureOf(hash, key) };
}

/** With its line feed. */
export function lineOf(row: LedgerRow): string {
  return `${canonicalJson(row)}\n`;
}

/** What is wrong with a line as the row after `last`; or the row. Its signature is not looked at. */
function rowOf(line: string, last: RowMark): LedgerRow | string {
  const row = parsed(line);
  if (row === undefined) return "it is not a row as it was written";
  if (row.seq !== last.seq + 1) return `it has the number ${row.seq}, in place of ${last.seq + 1}`;
  if (row.previous !== last.hash) return "it does not follow on the row before it";
  if (row.hash !== hashOf(row)) return "its hash is not that of what it says";
  return row;
}

/** Undefined: it is no row, or not one that was written here. Of what a row has besides, its hash would tell nothing. */
function parsed(line: string): LedgerRow | undefined {
  try {
    const { atMs, entry, hash, previous, seq, signature } = JSON.parse(line) as LedgerRow;
    const row = { atMs, entry, hash, previous, seq, signature };
    const isRow = isRecord(entry) && typeof signature === "string";
    return isRow && canonicalJson(row) === line ? row : undefined;
  } catch {
    return undefined;
  }
}

function hashOf({ atMs, entry, previous, seq }: Omit<LedgerRow, "hash" | "signature">): string {
  return createHash("sha256").update(canonicalJson({ atMs, entry, previous, seq })).digest("hex");
}

/** The lines of a file, or of its first `bytes`: `bytes` counts the line feed. `isWhole`: there was one, or it is longer than any row. */
async function* linesOf(path: string, bytes = Number.POSITIVE_INFINITY) {
  if (bytes === 0) return;
  let rest = Buffer.alloc(0);
  try {
    for await (const chunk of createReadStream(path, { end: bytes - 1 })) {
      rest = Buffer.concat([rest, chunk as Buffer]);
      for (let end = rest.indexOf("\n"); end >= 0; end = rest.indexOf("\n")) {
        yield { text: rest.toString("utf8", 0, end), bytes: end + 1, isWhole: true };
        rest = rest.subarray(end + 1);
      }
      if (rest.length > ROW_BYTES_MAX) break;
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT")
      throw new LedgerUnusable(String(error), { cause: error });
  }
  if (rest.length > 0)
    yield { text: rest.toString(), bytes: rest.length, isWhole: rest.length > ROW_BYTES_MAX };
}

/** The rows among the first `bytes` of a file, oldest first. Throws `LedgerUnusable`. */
export async function* rowsIn(path: string, bytes?: number): AsyncGenerator<LedgerRow> {
  let at = 0;
  for await (const { isWhole, text } of linesOf(path, bytes)) {
    at += 1;
    if (!isWhole) return;
    const row = parsed(text);
    if (row === undefined)
      throw new LedgerUnusable(`line ${at} of ${path} is no row: see readback ledger verify`);
    yield row;
  }
}

export interface LedgerFlaw {
  /** Of the first line that is bad, from 1 on; absent: no line is, but some are not there. */
  readonly line?: number;
  readonly why: string;
}

/**
 * Reads all rows. The signature of the last one speaks for all, by the hashes; those of `all` tell where it went wrong.
 * `bytes`: what the good rows take on disk; `tornBytes`: behind them, of one that is being written, or was at the end.
 */
export async function verifyLedger(
  files: Pick<LedgerFiles, "head" | "rows">,
  key: KeyObject,
  signatures: "all" | "last",
) {
  // Before the rows: it is written after them.
  const head = await readHead(files.head, key);
  let last: RowMark | LedgerRow = NO_ROW;
  let [bytes, tornBytes] = [0, 0];
  const found = (flaw?: LedgerFlaw) => ({ last, bytes, tornBytes, ...(flaw && { flaw }) });
  for await (const line of linesOf(files.rows)) {
    if (!line.isWhole) {
      tornBytes = line.bytes;
      break;
    }
    const row = rowOf(line.text, last);
    const flawed = (why: string) => found({ line: last.seq + 1, why });
    if (typeof row === "string") return flawed(row);
    if (signatures === "all" && !isSignedBy(key, row.hash, row.signature)) return flawed(NOT_SIGNED);
    if (head !== "forged" && head?.seq === row.seq && head.hash !== row.hash)
      return flawed("the head tells of another row in its place");
    last = row;
    bytes += line.bytes;
  }
  const { seq } = last;
  if ("signature" in last && !isSignedBy(key, last.hash, last.signature))
    return found({ line: seq, why: NOT_SIGNED });
  if (head === "forged") return found({ why: "the head is not one that this key signed" });
  if (head === undefined && seq > 0)
    return found({ why: "the head that tells how many rows there are is missing" });
  if (head === undefined || head.seq <= seq) return found();
  return found({ why: `rows are missing at the end: there were ${head.seq}, there are ${seq}` });
}

const NOT_SIGNED = "it is not signed with this key";
