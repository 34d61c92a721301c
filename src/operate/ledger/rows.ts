/** The rows of a ledger as they lie on disk: one a line, as canonical JSON, each with the hash of the one before. */
import { createHash, type KeyObject } from "node:crypto";
import { createReadStream } from "node:fs";
import { canonicalJson } from "../../lib/canonical-json.js";
import { isRecord } from "../../lib/is-record.js";
import { signatureOf } from "./files.js";
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
export function rowOf(line: string, last: RowMark): LedgerRow | string {
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

/**
 * The lines of the first `bytes` of a file, of all of it unless given, each as its `text` without its line feed and its
 * `bytes` with it; none where there is no file. `isWhole`: it had one, or is longer than any row.
 */
export async function* linesOf(path: string, bytes = Number.POSITIVE_INFINITY) {
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

/** Which rows are wanted. */
export interface LedgerFilter {
  readonly network?: string | undefined;
  readonly operation?: string | undefined;
  /** Unix milliseconds: none that is older. */
  readonly sinceMs?: number | undefined;
}

/** The rows among the first `bytes` of a file that a filter lets through, oldest first. Throws `LedgerUnusable`. */
export async function* rowsIn(path: string, filter: LedgerFilter, bytes?: number): AsyncGenerator<LedgerRow> {
  let at = 0;
  for await (const { isWhole, text } of linesOf(path, bytes)) {
    at += 1;
    if (!isWhole) return;
    const row = parsed(text);
    if (row === undefined)
      throw new LedgerUnusable(`line ${at} of ${path} is no row: see readback ledger verify`);
    const { network = row.entry.network, operation = row.entry.operation, sinceMs = row.atMs } = filter;
    if (row.entry.network === network && row.entry.operation === operation && row.atMs >= sinceMs) yield row;
  }
}
