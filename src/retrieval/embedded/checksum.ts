/**
 * Checksums of what an index stores: CRC-32, which finds every change of up to 32 bits in a row. Each row has one, written
 * with it and compared whenever the row is read, so that a damaged byte is an error and never an answer.
 */
import { crc32 } from "node:zlib";
import { IndexDamaged } from "./index-damaged.js";

/** Of columns that are numbers, texts and nulls. */
export function checksumOf(columns: readonly (string | number | null)[]): number {
  return crc32(JSON.stringify(columns));
}

/** Of columns and a blob. */
export function checksumWith(columns: readonly (string | number | null)[], blob: Uint8Array): number {
  return crc32(blob, checksumOf(columns));
}

/** Throws `IndexDamaged` when what was read is not what was written; `what` says what it is. */
export function verify(what: string, stored: unknown, computed: number): void {
  if (Number(stored) !== computed) throw new IndexDamaged(`the checksum of ${what} does not match`);
}
