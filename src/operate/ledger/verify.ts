/** Whether a ledger is what was written: every row there, in its place, unchanged and signed. */
import type { KeyObject } from "node:crypto";
import { isSignedBy, type LedgerFiles, readHead } from "./files.js";
import type { LedgerRow, RowMark } from "./port.js";
import { linesOf, NO_ROW, rowOf } from "./rows.js";

export interface LedgerFlaw {
  /** Of the first line that is bad, from 1 on; absent: no line is, but some are not there. */
  readonly line?: number;
  readonly why: string;
}

/**
 * Reads all rows. `signatures`: of which the signature is looked at; as each row has the hash of the one before, the
 * signature of the last one speaks for all, and those of all only tell where it went wrong. Tells the `last` row that is
 * good, the `bytes` that the good ones take on disk, and `tornBytes` behind them: of one that was being written when the
 * process ended, or is just now.
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
    if (signatures === "all" && !isSigned(row, key)) return flawed(NOT_SIGNED);
    if (head !== "forged" && head?.seq === row.seq && head.hash !== row.hash)
      return flawed("the head tells of another row in its place");
    last = row;
    bytes += line.bytes;
  }
  const { seq } = last;
  if ("signature" in last && !isSigned(last, key)) return found({ line: seq, why: NOT_SIGNED });
  if (head === "forged") return found({ why: "the head is not one that this key signed" });
  if (head === undefined && seq > 0)
    return found({ why: "the head that tells how many rows there are is missing" });
  if (head === undefined || head.seq <= seq) return found();
  return found({ why: `rows are missing at the end: there were ${head.seq}, there are ${seq}` });
}

const NOT_SIGNED = "it is not signed with this key";

function isSigned({ hash, signature }: LedgerRow, key: KeyObject): boolean {
  return isSignedBy(key, hash, signature);
}
