// The header of an Ogg page (RFC 3533, section 6), read and written. Numbers are little-endian.
//
//   0  "OggS"        14  serial number u32       26  segment count n u8
//   4  version u8    18  sequence number u32     27  n lacing values u8
//   5  flags u8      22  CRC u32                 27 + n  the segments
//   6  granule position i64
//
// A packet is cut into segments of 255 bytes and one shorter one, which may be empty; a page that ends on a
// lacing value of 255 leaves its last packet to be continued on the next.
import { updateOggCrc } from "./ogg-crc.js";

/** Bytes of a page header before its lacing values. */
export const PAGE_HEADER_BYTES = 27;
export const PAGE_SEGMENTS_MAX = 255;
/** A lacing value of 255 says that the packet goes on. */
export const FULL_SEGMENT_BYTES = 255;
/** Granule position of a page on which no packet ends. */
export const NO_GRANULE = -1;

export const CAPTURE_PATTERN = Uint8Array.of(0x4f, 0x67, 0x67, 0x53);
export const VERSION_OFFSET = 4;
export const CRC_OFFSET = 22;
export const SEGMENT_COUNT_OFFSET = 26;

export const FLAG_CONTINUED = 0x01;
export const FLAG_BEGIN = 0x02;
export const FLAG_END = 0x04;

export interface PageHeader {
  readonly flags: number;
  /** Samples at 48 kHz up to the end of the last packet that ends here; {@link NO_GRANULE} if none does. */
  readonly granule: number;
  readonly serial: number;
  readonly sequence: number;
  readonly crc: number;
  /** Packets that end on this page. */
  readonly packetEnds: number;
}

/** Reads a whole header: the fixed fields and the lacing values. */
export function readPageHeader(header: Uint8Array): PageHeader {
  const view = new DataView(header.buffer, header.byteOffset, header.byteLength);
  return {
    flags: header[5]!,
    granule: view.getInt32(10, true) * 2 ** 32 + view.getUint32(6, true),
    serial: view.getUint32(14, true),
    sequence: view.getUint32(18, true),
    crc: view.getUint32(CRC_OFFSET, true),
    packetEnds: packetEnds(header),
  };
}

function packetEnds(header: Uint8Array): number {
  let count = 0;
  const end = PAGE_HEADER_BYTES + header[SEGMENT_COUNT_OFFSET]!;
  for (let at = PAGE_HEADER_BYTES; at < end; at++) if (header[at]! < FULL_SEGMENT_BYTES) count++;
  return count;
}

/** Lacing values that a packet takes, its terminator included. */
export function segmentCountOf(packetBytes: number): number {
  return Math.floor(packetBytes / FULL_SEGMENT_BYTES) + 1;
}

/** Builds one page that holds whole packets, at most {@link PAGE_SEGMENTS_MAX} segments of them, with its CRC. */
export function buildPage(
  fields: Omit<PageHeader, "crc" | "packetEnds">,
  packets: readonly Uint8Array[],
): Uint8Array {
  let segmentCount = 0;
  let bodyBytes = 0;
  for (const packet of packets) {
    segmentCount += segmentCountOf(packet.length);
    bodyBytes += packet.length;
  }
  const page = new Uint8Array(PAGE_HEADER_BYTES + segmentCount + bodyBytes);
  const view = new DataView(page.buffer);
  page.set(CAPTURE_PATTERN);
  page[5] = fields.flags;
  view.setUint32(6, fields.granule % 2 ** 32, true);
  view.setUint32(10, Math.floor(fields.granule / 2 ** 32), true);
  view.setUint32(14, fields.serial, true);
  view.setUint32(18, fields.sequence, true);
  page[SEGMENT_COUNT_OFFSET] = segmentCount;

  let lacingAt = PAGE_HEADER_BYTES;
  let bodyAt = PAGE_HEADER_BYTES + segmentCount;
  for (const packet of packets) {
    const last = lacingAt + segmentCountOf(packet.length) - 1;
    page.fill(FULL_SEGMENT_BYTES, lacingAt, last);
    page[last] = packet.length % FULL_SEGMENT_BYTES;
    lacingAt = last + 1;
    page.set(packet, bodyAt);
    bodyAt += packet.length;
  }
  view.setInt32(CRC_OFFSET, updateOggCrc(0, page, 0, page.length), true);
  return page;
}
