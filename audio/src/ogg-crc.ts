// The checksum of an Ogg page: CRC-32 with polynomial 0x04c11db7, most significant bit first, initial value and
// final xor 0 (RFC 3533, section 6). Eight bytes at a step ("slicing by 8", Kounavis and Berry, 2005).

/**
 * Continues a checksum over `bytes[start, end)`; begin with 0.
 * The result is a signed 32-bit integer: use `>>> 0` to compare it with a page's field.
 */
export function updateOggCrc(crc: number, bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  const lastStep = end - 8;
  while (at <= lastStep) {
    const word = crc ^ ((bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!);
    crc =
      TABLES[0x700 + (word >>> 24)]! ^
      TABLES[0x600 + ((word >>> 16) & 0xff)]! ^
      TABLES[0x500 + ((word >>> 8) & 0xff)]! ^
      TABLES[0x400 + (word & 0xff)]! ^
      TABLES[0x300 + bytes[at + 4]!]! ^
      TABLES[0x200 + bytes[at + 5]!]! ^
      TABLES[0x100 + bytes[at + 6]!]! ^
      TABLES[bytes[at + 7]!]!;
    at += 8;
  }
  while (at < end) crc = (crc << 8) ^ TABLES[(crc >>> 24) ^ bytes[at++]!]!;
  return crc;
}

const POLYNOMIAL = 0x04c11db7;

/** Eight tables of 256, end to end: table k advances the remainder of one byte by k further zero bytes. */
const TABLES = buildTables();

function buildTables(): Int32Array {
  const tables = new Int32Array(8 * 256);
  for (let byte = 0; byte < 256; byte++) {
    let crc = byte << 24;
    for (let bit = 0; bit < 8; bit++) crc = crc < 0 ? (crc << 1) ^ POLYNOMIAL : crc << 1;
    tables[byte] = crc;
  }
  for (let i = 256; i < tables.length; i++) {
    const shorter = tables[i - 256]!;
    tables[i] = (shorter << 8) ^ tables[shorter >>> 24]!;
  }
  return tables;
}
