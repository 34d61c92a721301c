/** What was proposed, consented to, done and found: rows chained by hashes and signed, on disk before it happens. Append only. */
import type {
  CallOutcome,
  CallReply,
  GivenUp,
  OperationCall,
  Proposal,
  Reply,
  ReplyVerdict,
  VoidReason,
} from "../../domain/operation.js";
import type { Reading } from "../../domain/reading.js";
import type { AskedAs } from "../../domain/turn.js";

/** What one row tells. `call` counts the calls of its proposal from 0. */
export type LedgerEntry = { readonly operation: string; readonly network: string } & (
  | {
      readonly type: "proposed";
      readonly proposal: Proposal;
      readonly readback: string;
      /** Absent: an older version wrote the row. */
      readonly askedAs?: AskedAs | undefined;
    }
  /** `heardAtMs`: Unix milliseconds; absent: it was cut off. */
  | { readonly type: "readback"; readonly to: string; readonly heardAtMs?: number | undefined }
  | {
      readonly type: "reply";
      readonly reply: Omit<Reply, "pressedMs">;
      readonly verdict: ReplyVerdict;
      /** Why it did not count, where it did not. */
      readonly refused?: string | undefined;
      /** Unix milliseconds. */
      readonly pressedAtMs: number;
    }
  /** On disk before the tool is called. */
  | { readonly type: "executing"; readonly call: number; readonly key: string; readonly what: OperationCall }
  | { readonly type: "executed"; readonly call: number; readonly reply: CallReply }
  | { readonly type: "read"; readonly call: number; readonly reading?: Reading | undefined }
  | { readonly type: "outcome"; readonly call: number; readonly outcome: CallOutcome }
  | { readonly type: "ended"; readonly reason?: VoidReason | undefined }
  /** A run of a guide that is over, or a part of one: who was led, by which version, and what was said, read and done, by line. */
  | { readonly type: "guide_run"; readonly run: object }
  /** Who asked for it has heard what came of it; or why they are not told. */
  | { readonly type: "told"; readonly to: string; readonly givenUp?: GivenUp | undefined }
);

export interface LedgerRow {
  /** From 1 on, without a gap. */
  readonly seq: number;
  /** Unix milliseconds. */
  readonly atMs: number;
  readonly entry: LedgerEntry;
  /** SHA-256 of the row before, in hexadecimal digits; of the first row zeros. */
  readonly previous: string;
  /** SHA-256 of `seq`, `atMs`, `entry` and `previous` as canonical JSON, in hexadecimal digits. */
  readonly hash: string;
  /** Ed25519 over `hash`, base64. */
  readonly signature: string;
}

/** Which row of a chain is meant, and all that is before it. */
export type RowMark = Pick<LedgerRow, "seq" | "hash">;

export interface Ledger {
  /** Resolves when the row is on disk. Rejects with `LedgerUnusable`: then nothing may be executed. Rows keep the order of calls. */
  append(entry: LedgerEntry): Promise<LedgerRow>;
  /** Oldest first, in pieces, so that no length of it fills the memory. */
  rows(): AsyncIterable<LedgerRow>;
  close(): Promise<void>;
}

export class LedgerUnusable extends Error {
  override readonly name = "LedgerUnusable";
}
