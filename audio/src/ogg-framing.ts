// The lower half of the demultiplexer: bytes to pages and packets, whatever they carry (RFC 3533).
//
// It knows the capture pattern, lacing and the CRC. What a page belongs to, and whether it may come here, it
// asks of a `PageConsumer`. It holds at most one page header and one unfinished packet.
import { updateOggCrc } from "./ogg-crc.js";
import {
  CAPTURE_PATTERN,
  CRC_OFFSET,
  FULL_SEGMENT_BYTES,
  PAGE_HEADER_BYTES,
  PAGE_SEGMENTS_MAX,
  type PageHeader,
  readPageHeader,
  SEGMENT_COUNT_OFFSET,
  VERSION_OFFSET,
} from "./ogg-page.js";
import { PacketSlab } from "./packet-slab.js";

/** A breach of the format: `reason` for code, `detail` for people. */
export interface Fault<Reason extends string> {
  readonly reason: Reason;
  readonly detail: string;
}

export type FramingFaultReason =
  | "not_ogg" // the input does not begin with a page
  | "lost_capture" // a page is not followed by a page
  | "unsupported_version"
  | "packet_too_large"
  | "bad_crc";

/** What to do with a page: read on, read with no packet left open by an earlier page, or pass over it. */
export type PageVerdict = "take" | "take_fresh" | "skip";

/** Receives pages and packets in stream order. A fault that it returns ends the stream. */
export interface PageConsumer<Reason extends string> {
  /** Longest packet in bytes that may be collected now. */
  readonly packetBytesMax: number;
  /** The header of a page is complete. `pendingBytes` counts the packet that the last taken page left open. */
  openPage(page: PageHeader, pendingBytes: number): PageVerdict | Fault<Reason>;
  /** A packet of a taken page is complete. */
  packet(data: Uint8Array): Fault<Reason> | undefined;
  /** The last byte of a page has arrived, and its CRC is right or not checked. */
  closePage(page: PageHeader, pendingBytes: number): Fault<Reason> | undefined;
}

export class OggFraming<Reason extends string> {
  private readonly slab = new PacketSlab();
  private fault: Fault<Reason | FramingFaultReason> | undefined;
  /** Bytes of the input before the current chunk. */
  private inputBytes = 0;
  private pageStart = 0;

  // The header of the current page, and how much of it has arrived; kept while its body is read.
  private readonly header = new Uint8Array(PAGE_HEADER_BYTES + PAGE_SEGMENTS_MAX);
  private headerBytes = 0;

  // The page whose body is being read.
  private page: PageHeader | undefined;
  private verdict: PageVerdict = "skip";
  private crc = 0;
  /** Offset in `header` of the first lacing value not yet used. */
  private lacingAt = 0;

  // A run is what a page holds of one packet (or, on a page passed over, the whole body).
  private runOpen = false;
  /** Bytes of the run still to come. */
  private runBytes = 0;
  private runEndsPacket = false;

  constructor(
    private readonly consumer: PageConsumer<Reason>,
    private readonly checkCrc: boolean,
  ) {}

  /** Reads all of `chunk`, or up to the first fault, which it returns. Not to be called after a fault. */
  push(chunk: Uint8Array): Fault<Reason | FramingFaultReason> | undefined {
    let at = 0;
    while (at < chunk.length && this.fault === undefined) {
      if (this.page === undefined) at = this.readHeader(chunk, at);
      // Also with nothing left of the chunk: an empty body is complete as soon as its header is.
      if (this.page !== undefined) at = this.readBody(chunk, at);
    }
    this.inputBytes += chunk.length;
    return this.fault;
  }

  /** Bytes held back: an incomplete header, and the packet that is still arriving. */
  get bufferedBytes(): number {
    return (this.page === undefined ? this.headerBytes : 0) + this.slab.pendingBytes;
  }

  /** Bytes of the packet that is still arriving. */
  get pendingBytes(): number {
    return this.slab.pendingBytes;
  }

  /** Offset in the input, in bytes, of the page that is being read. */
  get pageOffset(): number {
    return this.pageStart;
  }

  /** Whether the input stands between two pages. */
  get atPageBoundary(): boolean {
    return this.headerBytes === 0;
  }

  private readHeader(chunk: Uint8Array, from: number): number {
    if (this.headerBytes === 0) this.pageStart = this.inputBytes + from;
    const wanted = this.headerBytes < PAGE_HEADER_BYTES ? PAGE_HEADER_BYTES : this.fullHeaderBytes();
    const to = Math.min(chunk.length, from + wanted - this.headerBytes);
    for (let at = from; at < to; at++) {
      this.header[this.headerBytes] = chunk[at]!;
      if (this.headerBytes <= VERSION_OFFSET) this.checkHeaderByte();
      if (this.fault !== undefined) return at;
      this.headerBytes++;
    }
    if (this.headerBytes >= PAGE_HEADER_BYTES && this.headerBytes === this.fullHeaderBytes()) this.openPage();
    return to;
  }

  /** What is not a page is refused at its first wrong byte, without waiting for a whole header. */
  private checkHeaderByte(): void {
    const byte = this.header[this.headerBytes]!;
    if (this.headerBytes === VERSION_OFFSET) {
      if (byte !== 0) this.fault = { reason: "unsupported_version", detail: `Ogg version ${byte}` };
    } else if (byte !== CAPTURE_PATTERN[this.headerBytes]) {
      this.fault =
        this.pageStart === 0
          ? {
              reason: "not_ogg",
              detail: `the input does not begin with "OggS": ${looksLike(this.header[0]!)}`,
            }
          : { reason: "lost_capture", detail: 'expected another page, but "OggS" is not there' };
    }
  }

  private fullHeaderBytes(): number {
    return PAGE_HEADER_BYTES + this.header[SEGMENT_COUNT_OFFSET]!;
  }

  private openPage(): void {
    const page = readPageHeader(this.header);
    if (this.checkCrc) {
      this.header.fill(0, CRC_OFFSET, CRC_OFFSET + 4);
      this.crc = updateOggCrc(0, this.header, 0, this.headerBytes);
    }
    const verdict = this.consumer.openPage(page, this.slab.pendingBytes);
    if (typeof verdict !== "string") {
      this.fault = verdict;
      return;
    }
    this.page = page;
    this.verdict = verdict;
    this.lacingAt = PAGE_HEADER_BYTES;
    if (verdict === "take_fresh") this.slab.discard();
    if (verdict === "skip") this.openRunOverBody();
    else this.openNextRun();
  }

  private openRunOverBody(): void {
    this.runOpen = true;
    this.runEndsPacket = false;
    this.runBytes = 0;
    while (this.lacingAt < this.headerBytes) this.runBytes += this.header[this.lacingAt++]!;
  }

  private openNextRun(): void {
    this.runOpen = this.lacingAt < this.headerBytes;
    if (!this.runOpen) return;
    let lacing: number;
    let runBytes = 0;
    do {
      lacing = this.header[this.lacingAt++]!;
      runBytes += lacing;
    } while (lacing === FULL_SEGMENT_BYTES && this.lacingAt < this.headerBytes);
    this.runBytes = runBytes;
    this.runEndsPacket = lacing < FULL_SEGMENT_BYTES;
    const packetBytes = this.slab.pendingBytes + runBytes;
    if (packetBytes > this.consumer.packetBytesMax) {
      const detail = `a packet of at least ${packetBytes} bytes, the limit is ${this.consumer.packetBytesMax}`;
      this.fault = { reason: "packet_too_large", detail };
    }
  }

  private readBody(chunk: Uint8Array, from: number): number {
    const to = this.verdict === "skip" ? this.skipRun(chunk, from) : this.readRuns(chunk, from);
    if (this.checkCrc) this.crc = updateOggCrc(this.crc, chunk, from, to);
    if (!this.runOpen && this.fault === undefined) this.closePage();
    return to;
  }

  private skipRun(chunk: Uint8Array, from: number): number {
    const to = Math.min(chunk.length, from + this.runBytes);
    this.runBytes -= to - from;
    this.runOpen = this.runBytes > 0;
    return to;
  }

  /** Hands out every packet that `chunk` completes, as a view of it where it lies there whole. */
  private readRuns(chunk: Uint8Array, from: number): number {
    let at = from;
    let plain: Uint8Array | undefined;
    while (this.runOpen && this.fault === undefined) {
      const runEnd = at + this.runBytes;
      if (runEnd > chunk.length) {
        this.slab.append(chunk, at, chunk.length);
        this.runBytes = runEnd - chunk.length;
        return chunk.length;
      }
      if (!this.runEndsPacket) {
        this.slab.append(chunk, at, runEnd);
      } else if (this.slab.pendingBytes === 0) {
        plain ??= withoutSubclass(chunk);
        this.fault = this.consumer.packet(plain.subarray(at, runEnd));
      } else {
        this.slab.append(chunk, at, runEnd);
        this.fault = this.consumer.packet(this.slab.take());
      }
      at = runEnd;
      if (this.fault === undefined) this.openNextRun();
    }
    return at;
  }

  private closePage(): void {
    const page = this.page!;
    this.page = undefined;
    this.headerBytes = 0;
    if (this.checkCrc && this.crc >>> 0 !== page.crc) {
      this.fault = { reason: "bad_crc", detail: `page ${page.sequence} does not match its checksum` };
      return;
    }
    this.fault = this.consumer.closePage(page, this.slab.pendingBytes);
  }
}

/** The same bytes, not as a `Buffer`: its `subarray` is slower and hands out more Buffers. */
function withoutSubclass(chunk: Uint8Array): Uint8Array {
  if (chunk.constructor === Uint8Array) return chunk;
  return new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.length);
}

/** What a body that is not Ogg probably is, by its first byte: enough for a readable error. */
function looksLike(firstByte: number): string {
  return FIRST_BYTES.get(firstByte) ?? "unknown data";
}

const FIRST_BYTES: ReadonlyMap<number, string> = new Map([
  [0x7b, "looks like JSON"],
  [0x5b, "looks like JSON"],
  [0x3c, "looks like HTML or XML"],
  [0x49, "looks like MP3 (ID3)"],
  [0xff, "looks like MP3 or AAC"],
  [0x52, "looks like WAV (RIFF)"],
  [0x66, "looks like FLAC"],
  [0x1a, "looks like WebM"],
]);
