// Ogg Opus multiplexer: Opus packets in, pages out (RFC 7845), as they fill or all at once.
//
// A page leaves when the next packet shows that it is not the last: the last one must carry the end-of-stream
// flag and a granule position that may trim the end. Packets are never continued across pages.
import { AudioError } from "./errors.js";
import { buildPage, FLAG_BEGIN, FLAG_END, PAGE_SEGMENTS_MAX, segmentCountOf } from "./ogg-page.js";
import { buildOpusHead, buildOpusTags } from "./opus-headers.js";
import { opusPacketFault, opusPacketSamples, SAMPLES_PER_MS } from "./toc.js";

/** What libopus skips at the start at its usual settings: 6.5 ms, in samples at 48 kHz. */
export const DEFAULT_PRE_SKIP_SAMPLES = 312;

export interface OggOpusMuxerOptions {
  /** Default 1. */
  readonly channels?: 1 | 2;
  /** Samples at 48 kHz that a decoder drops at the start. Default 312. */
  readonly preSkipSamples?: number;
  /** Rate of the encoder's input in Hz, for information. Default 48,000. */
  readonly inputSampleRateHz?: number;
  /** Number of the logical stream, 32 bits; streams that are chained should differ. Default 1. */
  readonly serial?: number;
  /** Default `readback`. */
  readonly vendor?: string;
  /** `NAME=value` each. Default none. */
  readonly comments?: readonly string[];
  /** A page is full with this many packets. Default: no bound but the 255 segments of a page. */
  readonly packetsPerPageMax?: number;
  /** A page is full at this duration in milliseconds. Default 1,000. */
  readonly pageMsMax?: number;
}

/**
 * Writes one Ogg Opus stream incrementally: `header()`, then `push()` for each packet, then `finish()`; the bytes
 * that they return, end to end, are the file. Holds at most one page.
 */
export class OggOpusMuxer {
  private readonly options: Required<OggOpusMuxerOptions>;
  private state: "new" | "open" | "finished" = "new";
  private sequence = 0;
  private granule = 0;
  private page: Uint8Array[] = [];
  private pageSegments = 0;
  private pageSamples = 0;

  /** Throws `AudioError("bad_argument")` on an option out of range. */
  constructor(options: OggOpusMuxerOptions = {}) {
    this.options = checkedOptions(options);
  }

  /** The two header pages. Called first, once. */
  header(): Uint8Array {
    if (this.state !== "new") throw new AudioError("already_finished", "header() was called before");
    this.state = "open";
    const { vendor, comments } = this.options;
    const head = this.closePage([buildOpusHead(this.options)], FLAG_BEGIN);
    const tags = this.closePage([buildOpusTags({ vendor, comments })], 0);
    return concatBytes([head, tags]);
  }

  /**
   * Adds a packet; returns the page that it completes, or no bytes. Throws `AudioError("bad_packet")` if the
   * packet is not valid Opus or does not fit a page, `AudioError("already_finished")` before `header()` or
   * after `finish()`.
   */
  push(packet: Uint8Array): Uint8Array {
    this.assertOpen("push()");
    const samples = opusPacketSamples(packet);
    if (samples === undefined)
      throw new AudioError("bad_packet", `not an Opus packet: ${opusPacketFault(packet)}`);
    const segments = segmentCountOf(packet.length);
    if (segments > PAGE_SEGMENTS_MAX) {
      throw new AudioError("bad_packet", `a packet of ${packet.length} bytes does not fit a page`);
    }
    const done = this.pageHasRoom(segments, samples) ? NO_BYTES : this.flushPage();
    this.page.push(packet);
    this.pageSegments += segments;
    this.pageSamples += samples;
    return done;
  }

  /**
   * Returns the last page. `endTrimSamples`, at 48 kHz, is what a decoder drops at the end; it is less than the
   * last page's duration and leaves the pre-skip intact, or else `AudioError("bad_argument")` is thrown.
   */
  finish(endTrimSamples = 0): Uint8Array {
    this.assertOpen("finish()");
    const total = this.granule + this.pageSamples;
    const trimMax = Math.max(0, Math.min(this.pageSamples - 1, total - this.options.preSkipSamples));
    if (!isIntegerIn(endTrimSamples, 0, trimMax)) {
      throw new AudioError("bad_argument", `endTrimSamples must be 0 to ${trimMax}, not ${endTrimSamples}`);
    }
    this.state = "finished";
    this.granule = total - endTrimSamples;
    return this.closePage(this.page, FLAG_END);
  }

  private assertOpen(method: string): void {
    if (this.state === "new") throw new AudioError("bad_argument", `${method} before header()`);
    if (this.state === "finished") throw new AudioError("already_finished", `${method} after finish()`);
  }

  private pageHasRoom(segments: number, samples: number): boolean {
    if (this.page.length === 0) return true;
    return (
      this.page.length < this.options.packetsPerPageMax &&
      this.pageSegments + segments <= PAGE_SEGMENTS_MAX &&
      this.pageSamples + samples <= this.options.pageMsMax * SAMPLES_PER_MS
    );
  }

  private flushPage(): Uint8Array {
    this.granule += this.pageSamples;
    const bytes = this.closePage(this.page, 0);
    this.page = [];
    this.pageSegments = 0;
    this.pageSamples = 0;
    return bytes;
  }

  private closePage(packets: readonly Uint8Array[], flags: number): Uint8Array {
    const { serial } = this.options;
    return buildPage({ flags, granule: this.granule, serial, sequence: this.sequence++ }, packets);
  }
}

/** Makes a whole Ogg Opus file of `packets`. Throws as {@link OggOpusMuxer} does. */
export function muxOggOpus(
  packets: Iterable<Uint8Array>,
  options: OggOpusMuxerOptions & { readonly endTrimSamples?: number } = {},
): Uint8Array {
  const muxer = new OggOpusMuxer(options);
  const pages = [muxer.header()];
  for (const packet of packets) pages.push(muxer.push(packet));
  pages.push(muxer.finish(options.endTrimSamples));
  return concatBytes(pages);
}

const NO_BYTES = new Uint8Array(0);
const UINT16_MAX = 0xffff;
const UINT32_MAX = 0xffffffff;
/** Longest `OpusTags` packet: it is written to one page. */
const TAGS_BYTES_MAX = PAGE_SEGMENTS_MAX * 255 - 1;

function checkedOptions(options: OggOpusMuxerOptions): Required<OggOpusMuxerOptions> {
  const checked = {
    channels: options.channels ?? 1,
    preSkipSamples: options.preSkipSamples ?? DEFAULT_PRE_SKIP_SAMPLES,
    inputSampleRateHz: options.inputSampleRateHz ?? 48_000,
    serial: options.serial ?? 1,
    vendor: options.vendor ?? "readback",
    comments: options.comments ?? [],
    packetsPerPageMax: options.packetsPerPageMax ?? PAGE_SEGMENTS_MAX,
    pageMsMax: options.pageMsMax ?? 1000,
  };
  assertInteger("channels", checked.channels, 1, 2);
  assertInteger("preSkipSamples", checked.preSkipSamples, 0, UINT16_MAX);
  assertInteger("inputSampleRateHz", checked.inputSampleRateHz, 0, UINT32_MAX);
  assertInteger("serial", checked.serial, 0, UINT32_MAX);
  assertInteger("packetsPerPageMax", checked.packetsPerPageMax, 1, PAGE_SEGMENTS_MAX);
  assertInteger("pageMsMax", checked.pageMsMax, 1, UINT32_MAX);
  const tagsBytes = buildOpusTags(checked).length;
  if (tagsBytes > TAGS_BYTES_MAX) {
    throw new AudioError("bad_argument", `tags of ${tagsBytes} bytes do not fit a page of ${TAGS_BYTES_MAX}`);
  }
  return checked;
}

function assertInteger(name: string, value: number, min: number, max: number): void {
  if (!isIntegerIn(value, min, max)) {
    throw new AudioError("bad_argument", `${name} must be an integer from ${min} to ${max}, not ${value}`);
  }
}

function isIntegerIn(value: number, min: number, max: number): boolean {
  return Number.isInteger(value) && value >= min && value <= max;
}

function concatBytes(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
