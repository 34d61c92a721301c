// Counts the samples of one Ogg Opus stream and holds its granule positions against them (RFC 7845, section 4).
import type { StreamTotals } from "./ogg-events.js";
import type { Fault } from "./ogg-framing.js";
import type { PageHeader } from "./ogg-page.js";

export class StreamClock {
  private packets = 0;
  private totalSamples = 0;
  private endTrimSamples = 0;
  private granuleMismatches = 0;
  private pagePackets = 0;
  private pageSamples = 0;
  /** Granule position of the most recent page on which a packet ended. */
  private granule: number | undefined;

  constructor(private readonly preSkipSamples: number) {}

  /**
   * Counts a packet that ended on the current page, whose header says where the page ends and how many packets end on
   * it. Returns for how long nothing was sent before this packet, in samples: the position tells that for the page
   * as a whole, so that a gap inside it counts as one before its first packet, and the other packets on it are taken
   * to last as long as the first.
   */
  addPacket(durationSamples: number, page: Pick<PageHeader, "granule" | "packetEnds">): number {
    const isFirst = this.pagePackets === 0;
    this.pagePackets++;
    this.pageSamples += durationSamples;
    if (!isFirst || this.granule === undefined || !isPosition(page.granule)) return 0;
    return Math.max(0, page.granule - this.granule - page.packetEnds * durationSamples);
  }

  /** Closes the current page; `isLast` is its end-of-stream flag. */
  closePage(granule: number, isLast: boolean): Fault<"bad_granule"> | undefined {
    const fault = isLast ? this.closeLastPage(granule) : this.closeInnerPage(granule);
    this.packets += this.pagePackets;
    this.totalSamples += this.pageSamples;
    this.pagePackets = 0;
    this.pageSamples = 0;
    return fault;
  }

  /** The sums so far, packets of an unfinished page included. */
  totals(): StreamTotals {
    const totalSamples = this.totalSamples + this.pageSamples;
    return {
      packets: this.packets + this.pagePackets,
      totalSamples,
      preSkipSamples: this.preSkipSamples,
      endTrimSamples: this.endTrimSamples,
      playableSamples: Math.max(0, totalSamples - this.preSkipSamples - this.endTrimSamples),
      granuleMismatches: this.granuleMismatches,
    };
  }

  private closeInnerPage(granule: number): Fault<"bad_granule"> | undefined {
    if (this.pagePackets === 0) return undefined;
    if (!isPosition(granule)) return badGranule(granule, "on a page that completes packets");
    if (this.granule === undefined) {
      // A first position beyond the page's samples is a stream joined late; one below them must be rejected.
      if (granule < this.pageSamples) return badGranule(granule, `for ${this.pageSamples} samples`);
    } else if (granule !== this.granule + this.pageSamples) {
      this.granuleMismatches++;
    }
    this.granule = granule;
    return undefined;
  }

  private closeLastPage(granule: number): Fault<"bad_granule"> | undefined {
    if (!isPosition(granule)) {
      return this.pagePackets === 0 ? undefined : badGranule(granule, "on a page that completes packets");
    }
    if (this.granule === undefined && this.pagePackets > 0) {
      if (granule < this.preSkipSamples)
        return badGranule(granule, `below the pre-skip ${this.preSkipSamples}`);
      this.endTrimSamples = Math.max(0, this.pageSamples - granule);
      return undefined;
    }
    const available = this.totalSamples + this.pageSamples;
    const trim = (this.granule ?? 0) + this.pageSamples - granule;
    this.endTrimSamples = Math.min(Math.max(0, trim), available);
    if (this.endTrimSamples !== trim) this.granuleMismatches++;
    return undefined;
  }
}

/** Whether a granule field holds a position rather than "none", and one that a double counts exactly. */
function isPosition(granule: number): boolean {
  return granule >= 0 && granule <= Number.MAX_SAFE_INTEGER;
}

function badGranule(granule: number, where: string): Fault<"bad_granule"> {
  return { reason: "bad_granule", detail: `granule position ${granule} ${where}` };
}
