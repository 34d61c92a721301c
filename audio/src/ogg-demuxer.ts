// Incremental Ogg Opus demultiplexer: bytes in, Opus packets out, each at the byte that completes it (RFC 7845).
//
// This is the upper half: which logical stream a page belongs to, the order of pages, headers, granule
// positions. The lower half, bytes to pages and packets, is `OggFraming`. What is reported, and in which order,
// does not depend on how the input is cut into chunks.
import { AudioError } from "./errors.js";
import type { OggOpusEvent, StreamFaultReason, StreamTotals, TruncatedPart } from "./ogg-events.js";
import { type Fault, OggFraming, type PageConsumer, type PageVerdict } from "./ogg-framing.js";
import { FLAG_BEGIN, FLAG_CONTINUED, FLAG_END, type PageHeader } from "./ogg-page.js";
import { isOpusHead, type OpusHead, parseOpusHead, parseOpusTags } from "./opus-headers.js";
import { StreamClock } from "./stream-clock.js";
import { multistreamPacketSamples, opusPacketFault, opusPacketSamples } from "./toc.js";

/** What the demultiplexer holds at most, and how long it waits for a packet. */
export interface OggOpusLimits {
  /** Longest Opus packet in bytes. Default 61,296: the longest without padding (RFC 7845, section 6). */
  readonly packetBytesMax: number;
  /** Longest `OpusTags` in bytes. Default 1,048,576. */
  readonly tagsBytesMax: number;
  /** Pages in a row that complete no packet of ours. Default 8,192. */
  readonly idlePagesMax: number;
}

export const DEFAULT_OGG_OPUS_LIMITS: OggOpusLimits = {
  packetBytesMax: 61_296,
  tagsBytesMax: 1_048_576,
  idlePagesMax: 8192,
};

export interface OggOpusDemuxerOptions {
  /** Whether a page's CRC is checked at its end. Default true; costs about a third of the speed. */
  readonly checkCrc?: boolean;
  readonly limits?: Partial<OggOpusLimits>;
}

/**
 * Demultiplexes one Ogg bitstream with one Opus stream, or a chain of them.
 *
 * - A packet leaves at its last byte, before its page's CRC is known: a bad CRC is reported after the packets of
 *   that page and ends the input there. Headers leave only after their page's CRC.
 * - `data` of a packet may be a view of the chunk that was pushed: do not write to chunks afterwards.
 * - Logical streams that are not Opus are passed over, as is a second Opus stream beside the first.
 * - No input makes it throw; after `malformed` it ignores what is pushed.
 */
export class OggOpusDemuxer {
  private readonly reader: StreamReader;
  private readonly framing: OggFraming<StreamFaultReason>;
  private state: "reading" | "malformed" | "ended" = "reading";

  /** Throws `AudioError("bad_argument")` on a limit that is not a positive integer. */
  constructor(options: OggOpusDemuxerOptions = {}) {
    this.reader = new StreamReader(checkedLimits(options.limits));
    this.framing = new OggFraming(this.reader, options.checkCrc ?? true);
  }

  /** Bytes held back because something is incomplete; bounded by the limits. */
  get bufferedBytes(): number {
    return this.framing.bufferedBytes;
  }

  /** Reads a chunk of any size and returns what it completed, in order. */
  push(chunk: Uint8Array): OggOpusEvent[] {
    if (this.state === "ended") throw new AudioError("already_finished", "push() after end()");
    if (this.state === "malformed") return [];
    const fault = this.framing.push(chunk);
    const events = this.reader.takeEvents();
    if (fault !== undefined) {
      this.state = "malformed";
      events.push({ type: "malformed", ...fault, pageOffset: this.framing.pageOffset });
    }
    return events;
  }

  /** Says that the input is over: returns `truncated` unless it ended with a complete stream. */
  end(): OggOpusEvent[] {
    const { state } = this;
    this.state = "ended";
    if (state !== "reading") return [];
    this.reader.endInput(this.framing.atPageBoundary, this.framing.pendingBytes);
    return this.reader.takeEvents();
  }
}

/** The Opus stream being read. */
interface OpusStream {
  readonly serial: number;
  readonly head: OpusHead;
  readonly clock: StreamClock;
  stage: "tags" | "audio" | "ended";
  nextSequence: number;
  /** Until the first page that begins no stream, further streams may begin beside this one. */
  groupOpen: boolean;
}

/** What the page being read is to us: the first of some stream, one of our stream, or another's. */
type PageRole = "first" | "ours" | "foreign";

type StreamFault = Fault<StreamFaultReason>;

class StreamReader implements PageConsumer<StreamFaultReason> {
  private events: OggOpusEvent[] = [];
  private stream: OpusStream | undefined;
  private role: PageRole = "foreign";
  /** The page being read. */
  private page: PageHeader | undefined;
  /** Packets that ended on this page. */
  private pagePackets = 0;
  /** A header packet, kept until its page's CRC is known. */
  private headerPacket: Uint8Array | undefined;
  /** Whether the page that begins a stream cut a packet of the one before. */
  private cutsPacket = false;
  private idlePages = 0;

  constructor(private readonly limits: OggOpusLimits) {}

  get packetBytesMax(): number {
    const readsTags = this.role === "ours" && this.stream?.stage === "tags";
    return readsTags ? this.limits.tagsBytesMax : this.limits.packetBytesMax;
  }

  takeEvents(): OggOpusEvent[] {
    const { events } = this;
    this.events = [];
    return events;
  }

  openPage(page: PageHeader, pendingBytes: number): PageVerdict | StreamFault {
    this.page = page;
    this.pagePackets = 0;
    this.headerPacket = undefined;
    if (page.flags & FLAG_BEGIN) return this.openFirstPage(page, pendingBytes);
    const { stream } = this;
    if (stream === undefined)
      return { reason: "not_opus", detail: "no stream in this Ogg begins with OpusHead" };
    stream.groupOpen = false;
    if (page.serial !== stream.serial) {
      this.role = "foreign";
      return "skip";
    }
    this.role = "ours";
    return orderFault(page, stream, pendingBytes) ?? "take";
  }

  packet(data: Uint8Array): StreamFault | undefined {
    this.pagePackets++;
    const { stream } = this;
    if (this.role === "first" || stream?.stage !== "audio") return this.keepHeaderPacket(data);
    const single = stream.head.streamCount === 1;
    const durationSamples = single ? opusPacketSamples(data) : multistreamPacketSamples(data);
    if (durationSamples === undefined) {
      const rule = single ? opusPacketFault(data) : "bad_frame_count";
      return { reason: "bad_opus_packet", detail: `a packet of ${data.length} bytes: ${rule}` };
    }
    const gapSamples = stream.clock.addPacket(durationSamples, this.page!);
    if (gapSamples > 0) this.events.push({ type: "gap", durationSamples: gapSamples });
    this.events.push({ type: "packet", data, durationSamples });
    return undefined;
  }

  closePage(page: PageHeader, pendingBytes: number): StreamFault | undefined {
    const fault =
      this.role === "first" ? this.beginStream(page, pendingBytes) : this.closeOurPage(page, pendingBytes);
    this.headerPacket = undefined;
    return fault ?? this.progressFault();
  }

  endInput(atPageBoundary: boolean, pendingBytes: number): void {
    const { stream } = this;
    if (stream === undefined) {
      this.events.push({ type: "truncated", missing: "headers", totals: NO_TOTALS });
    } else if (stream.stage === "ended") {
      if (!atPageBoundary) this.events.push({ type: "truncated", missing: "page", totals: NO_TOTALS });
    } else {
      this.truncate(stream, atPageBoundary ? betweenPages(pendingBytes > 0) : "page");
    }
  }

  private openFirstPage(page: PageHeader, pendingBytes: number): PageVerdict | StreamFault {
    const { stream } = this;
    if (page.flags & FLAG_CONTINUED) {
      return { reason: "bad_continuation", detail: "the first page of a stream continues a packet" };
    }
    if (stream?.groupOpen) {
      if (page.serial === stream.serial) {
        return { reason: "sequence_gap", detail: `stream ${page.serial} begins twice` };
      }
      this.role = "foreign";
      return "skip";
    }
    this.role = "first";
    this.cutsPacket = pendingBytes > 0;
    return "take_fresh";
  }

  /** Header packets are judged at the end of their page, and nothing may share it with them. */
  private keepHeaderPacket(data: Uint8Array): StreamFault | undefined {
    if (this.pagePackets > 1) {
      return this.role === "first" ? badFirstPage("more than one packet") : badTagsPage();
    }
    this.headerPacket = data;
    return undefined;
  }

  private beginStream(page: PageHeader, pendingBytes: number): StreamFault | undefined {
    const packet = this.headerPacket;
    if (packet === undefined || pendingBytes > 0)
      return badFirstPage("no whole packet, or a part of a second");
    const previous = this.stream;
    if (!isOpusHead(packet)) {
      if (previous !== undefined) this.truncate(previous, betweenPages(this.cutsPacket));
      return undefined;
    }
    const parsed = parseOpusHead(packet);
    if (!parsed.ok) return { reason: parsed.reason, detail: "OpusHead cannot be used" };
    if (previous !== undefined) this.truncate(previous, betweenPages(this.cutsPacket));
    const { head } = parsed;
    const { serial, sequence } = page;
    this.stream = {
      serial,
      head,
      clock: new StreamClock(head.preSkipSamples),
      stage: "tags",
      nextSequence: following(sequence),
      groupOpen: true,
    };
    this.events.push({ type: "head", serial, head });
    if (page.flags & FLAG_END) this.truncate(this.stream, "headers");
    return undefined;
  }

  private closeOurPage(page: PageHeader, pendingBytes: number): StreamFault | undefined {
    const { stream } = this;
    if (this.role !== "ours" || stream === undefined) return undefined;
    const isLast = (page.flags & FLAG_END) !== 0;
    const fault =
      stream.stage === "tags"
        ? this.closeTagsPage(stream, pendingBytes)
        : stream.clock.closePage(page.granule, isLast);
    if (fault !== undefined || !isLast) return fault;
    if (stream.stage === "audio" && pendingBytes === 0) {
      stream.stage = "ended";
      this.events.push({ type: "end", totals: stream.clock.totals() });
    } else {
      this.truncate(stream, "packet");
    }
    return undefined;
  }

  private closeTagsPage(stream: OpusStream, pendingBytes: number): StreamFault | undefined {
    if (this.headerPacket === undefined) return undefined;
    if (pendingBytes > 0) return badTagsPage();
    const parsed = parseOpusTags(this.headerPacket);
    if (!parsed.ok) return { reason: parsed.reason, detail: "OpusTags cannot be read" };
    stream.stage = "audio";
    this.events.push({ type: "tags", serial: stream.serial, tags: parsed.tags });
    return undefined;
  }

  /** Ends a stream that has not reached its last page. */
  private truncate(stream: OpusStream, missing: TruncatedPart): void {
    if (stream.stage === "ended") return;
    const totals = stream.clock.totals();
    this.events.push({ type: "truncated", missing: stream.stage === "tags" ? "headers" : missing, totals });
    stream.stage = "ended";
    stream.groupOpen = false;
  }

  private progressFault(): StreamFault | undefined {
    this.idlePages = this.pagePackets > 0 ? 0 : this.idlePages + 1;
    if (this.idlePages <= this.limits.idlePagesMax) return undefined;
    return { reason: "no_progress", detail: `${this.idlePages} pages without the end of a packet` };
  }
}

const NO_TOTALS: StreamTotals = new StreamClock(0).totals();

/** Pages of a stream are numbered without gaps, and agree on which packets go on. */
function orderFault(page: PageHeader, stream: OpusStream, pendingBytes: number): StreamFault | undefined {
  if (stream.stage === "ended") {
    return { reason: "page_after_end", detail: `page ${page.sequence} follows the last page of its stream` };
  }
  if (page.sequence !== stream.nextSequence) {
    return { reason: "sequence_gap", detail: `expected page ${stream.nextSequence}, got ${page.sequence}` };
  }
  stream.nextSequence = following(page.sequence);
  const continues = (page.flags & FLAG_CONTINUED) !== 0;
  if (continues === pendingBytes > 0) return undefined;
  const detail = continues ? "continues a packet that never began" : "does not continue the packet left open";
  return { reason: "bad_continuation", detail: `page ${page.sequence} ${detail}` };
}

function following(sequence: number): number {
  return (sequence + 1) >>> 0;
}

function betweenPages(packetIsOpen: boolean): TruncatedPart {
  return packetIsOpen ? "packet" : "end_of_stream";
}

function badFirstPage(what: string): StreamFault {
  return { reason: "bad_first_page", detail: `the first page of a stream holds ${what}` };
}

function badTagsPage(): StreamFault {
  return { reason: "bad_tags_page", detail: "something follows OpusTags on its page" };
}

function checkedLimits(limits: Partial<OggOpusLimits> = {}): OggOpusLimits {
  const checked = { ...DEFAULT_OGG_OPUS_LIMITS, ...limits };
  for (const [name, value] of Object.entries(checked)) {
    if (!Number.isSafeInteger(value) || value < 1) {
      throw new AudioError("bad_argument", `${name} must be a positive integer, not ${value}`);
    }
  }
  return checked;
}
