// Test bytes from a builder of their own: it shares no code with the multiplexer or the demultiplexer, follows
// RFC 3533 in the most plain-spoken way, and can build what a sane multiplexer never would.

export interface NaivePage {
  flags?: number;
  granule?: bigint;
  serial?: number;
  sequence?: number;
  lacing: number[];
  body: Uint8Array;
}

/** One page, with its CRC computed bit by bit. */
export function naivePage(page: NaivePage): Uint8Array {
  const header = Buffer.alloc(27);
  header.write("OggS", 0, "latin1");
  header[5] = page.flags ?? 0;
  header.writeBigInt64LE(page.granule ?? 0n, 6);
  header.writeUInt32LE(page.serial ?? 7, 14);
  header.writeUInt32LE(page.sequence ?? 0, 18);
  header[26] = page.lacing.length;
  const bytes = Buffer.concat([header, Uint8Array.from(page.lacing), page.body]);
  bytes.writeUInt32LE(naiveCrc(bytes), 22);
  return new Uint8Array(bytes);
}

export function naiveCrc(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 24;
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x80000000 ? (crc << 1) ^ 0x04c11db7 : crc << 1;
  }
  return crc >>> 0;
}

export interface NaiveStream {
  serial?: number;
  preSkip?: number;
  /** Lacing values a page at most: small ones force packets to continue. */
  segmentsPerPage?: number;
  endTrim?: number;
  /** Leave the end-of-stream flag off. */
  open?: boolean;
  /** Added to every granule position. */
  granuleOffset?: number;
  channels?: number;
  tags?: Uint8Array;
}

/** A whole stream; `packets` come with their durations in samples at 48 kHz. */
export function naiveOggOpus(packets: [Uint8Array, number][], options: NaiveStream = {}): Uint8Array {
  const { serial = 7, segmentsPerPage = 255 } = options;
  const head = naivePage({ flags: 2, serial, sequence: 0, ...laced(naiveHead(options)) });
  const pages = [head];
  const tagSegments = segmentsOf([[options.tags ?? naiveTags("naive", []), 0]]);
  const audioSegments = segmentsOf(packets);
  let sequence = 1;
  let granule = BigInt(options.granuleOffset ?? 0);
  for (const segments of [tagSegments, audioSegments]) {
    let continued = false;
    for (let at = 0; at < segments.length; at += segmentsPerPage) {
      const onPage = segments.slice(at, at + segmentsPerPage);
      const isLast = segments === audioSegments && at + segmentsPerPage >= segments.length;
      for (const segment of onPage) granule += BigInt(segment.endsAfter ?? 0);
      const ended = onPage.some((segment) => segment.endsAfter !== undefined);
      const trim = isLast ? BigInt(options.endTrim ?? 0) : 0n;
      pages.push(
        naivePage({
          flags: (continued ? 1 : 0) | (isLast && !options.open ? 4 : 0),
          granule: ended ? granule - trim : -1n,
          serial,
          sequence: sequence++,
          lacing: onPage.map((segment) => segment.bytes.length),
          body: Buffer.concat(onPage.map((segment) => segment.bytes)),
        }),
      );
      continued = onPage.at(-1)!.endsAfter === undefined;
    }
  }
  return Buffer.concat(pages);
}

export function naiveHead({ preSkip = 0, channels = 1 }: NaiveStream = {}): Uint8Array {
  const head = Buffer.alloc(19);
  head.write("OpusHead", 0, "latin1");
  head[8] = 1;
  head[9] = channels;
  head.writeUInt16LE(preSkip, 10);
  head.writeUInt32LE(48_000, 12);
  return new Uint8Array(head);
}

export function naiveTags(vendor: string, comments: string[]): Uint8Array {
  const field = (text: string) => {
    const bytes = Buffer.from(text, "utf8");
    return Buffer.concat([uint32(bytes.length), bytes]);
  };
  const parts = [Buffer.from("OpusTags"), field(vendor), uint32(comments.length), ...comments.map(field)];
  return new Uint8Array(Buffer.concat(parts));
}

/** A valid Opus packet of exactly `bytes` bytes: 2.5 ms CELT frames, code 3 with padding where it is large. */
export function opusPacketOf(bytes: number, fill = 0): [Uint8Array, number] {
  const packet = new Uint8Array(bytes).fill(fill);
  if (bytes <= 1276) {
    packet[0] = 28 << 3;
    return [packet, 120];
  }
  const frames = Math.min(48, Math.ceil((bytes - 2) / 1275));
  const frameBytes = Math.min(1275, Math.floor((bytes - 2) / frames));
  const padding = bytes - 2 - frames * frameBytes;
  packet[0] = (28 << 3) | 3;
  packet[1] = frames | (padding > 0 ? 0x40 : 0);
  if (padding > 0) {
    // `lengthBytes` of them say how many bytes of padding follow besides themselves.
    const lengthBytes = Math.floor((padding + 254) / 255);
    packet.fill(255, 2, 2 + lengthBytes - 1);
    packet[2 + lengthBytes - 1] = padding + 254 - 255 * lengthBytes;
  }
  return [packet, frames * 120];
}

/** Offset just after the last byte of each packet of an Ogg file, header packets included. */
export function packetEndOffsets(file: Uint8Array): number[] {
  const ends: number[] = [];
  let at = 0;
  while (at < file.length) {
    const count = file[at + 26]!;
    let bodyAt = at + 27 + count;
    for (const lacing of file.subarray(at + 27, at + 27 + count)) {
      bodyAt += lacing;
      if (lacing < 255) ends.push(bodyAt);
    }
    at = bodyAt;
  }
  return ends;
}

/** Where each page of an Ogg file begins. */
export function pageOffsets(file: Uint8Array): number[] {
  const offsets: number[] = [];
  for (let at = 0; at < file.length; ) {
    offsets.push(at);
    const count = file[at + 26]!;
    at += 27 + count + file.subarray(at + 27, at + 27 + count).reduce((sum, lacing) => sum + lacing, 0);
  }
  return offsets;
}

/** A packet's lacing and body, for a page of its own. */
export function laced(packet: Uint8Array): { lacing: number[]; body: Uint8Array } {
  return { lacing: segmentsOf([[packet, 0]]).map((segment) => segment.bytes.length), body: packet };
}

function segmentsOf(packets: [Uint8Array, number][]): { bytes: Uint8Array; endsAfter?: number }[] {
  return packets.flatMap(([packet, samples]) => {
    const segments: { bytes: Uint8Array; endsAfter?: number }[] = [];
    let at = 0;
    for (; at + 255 <= packet.length; at += 255) segments.push({ bytes: packet.subarray(at, at + 255) });
    segments.push({ bytes: packet.subarray(at), endsAfter: samples });
    return segments;
  });
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
