// Everything that the demultiplexer can say.
import type { FramingFaultReason } from "./ogg-framing.js";
import type { OpusHead, OpusHeadFault, OpusTags, OpusTagsFault } from "./opus-headers.js";

export type OggOpusEvent =
  /** A logical stream begins. The first of a chain, or the next. */
  | { readonly type: "head"; readonly serial: number; readonly head: OpusHead }
  /** Its comments; packets follow. */
  | { readonly type: "tags"; readonly serial: number; readonly tags: OpusTags }
  /** One Opus packet, byte for byte, pre-skip and end trim not applied; duration in samples at 48 kHz. */
  | { readonly type: "packet"; readonly data: Uint8Array; readonly durationSamples: number }
  /**
   * Nothing was sent for so long before the next packet, in samples at 48 kHz: the granule position of its page runs
   * ahead of the packets on it, as where a sender leaves silence out. Where in its page a gap lies is not known; it is
   * told before the first packet that ends there. How large a jump is still a gap, and no damage, the reader decides.
   */
  | { readonly type: "gap"; readonly durationSamples: number }
  /** The logical stream is complete. `totals.packets` is 0 for a stream of headers only. */
  | { readonly type: "end"; readonly totals: StreamTotals }
  /** The logical stream stopped short of its last page; its packets so far are sound. */
  | { readonly type: "truncated"; readonly missing: TruncatedPart; readonly totals: StreamTotals }
  /** The input breaks the format. Nothing follows, and packets of the same page may be damaged. */
  | {
      readonly type: "malformed";
      readonly reason: MalformedReason;
      readonly detail: string;
      /** Where the page at fault begins, in bytes from the start of the input. */
      readonly pageOffset: number;
    };

/** What a logical stream amounted to. All lengths in samples at 48 kHz. */
export interface StreamTotals {
  readonly packets: number;
  /** Sum of the packets' durations. */
  readonly totalSamples: number;
  /** To be dropped at the start, as announced by the head. */
  readonly preSkipSamples: number;
  /** To be dropped at the end, as told by the last page's granule position. */
  readonly endTrimSamples: number;
  /** What is left to be heard. */
  readonly playableSamples: number;
  /** Pages whose granule position disagrees with their packets' durations; such streams still play. */
  readonly granuleMismatches: number;
}

/** What a truncated stream lacks. */
export type TruncatedPart =
  | "headers" // it ended before the end of `OpusTags`
  | "page" // in the middle of a page
  | "packet" // between two pages, with a packet unfinished
  | "end_of_stream"; // after a whole page, which was not marked as the last

export type MalformedReason = FramingFaultReason | StreamFaultReason;

export type StreamFaultReason =
  | "not_opus" // Ogg, but no logical stream of it is Opus
  | "bad_first_page" // the first page of a logical stream holds more or less than one packet
  | OpusHeadFault
  | OpusTagsFault
  | "bad_tags_page" // something follows `OpusTags` on its page
  | "sequence_gap" // a page is missing, repeated or out of order
  | "bad_continuation" // a packet continues that never began, or the reverse
  | "page_after_end"
  | "bad_granule" // a granule position that RFC 7845, section 4.5, forbids
  | "bad_opus_packet" // a packet that breaks RFC 6716, section 3.4
  | "no_progress"; // too many pages in a row that complete no packet
