// A stream of Opus packets turned into packets of another duration, frame by frame and without decoding.
import { buildOpusPacket, readOpusFrames } from "./repacketize.js";
import { type OpusPacketFault, SAMPLES_PER_MS } from "./toc.js";

export type RegroupResult =
  | {
      readonly ok: true;
      /** What is whole now, in order; often nothing. */
      readonly packets: readonly Uint8Array[];
      /** How much of it, in milliseconds, are empty frames that were added to make a packet whole. */
      readonly fillMs: number;
    }
  | {
      readonly ok: false;
      readonly reason:
        | OpusPacketFault
        /** No whole number of the packet's frames lasts as long as the packets wanted. */
        | "unfit_frames";
    };

/**
 * Regroups the frames of packets into packets of `packetMs`. Frames of different configurations cannot share a packet
 * (RFC 6716, section 3.2): where the configuration changes, and at the end, a packet that is not full is filled with
 * empty frames, for which a decoder goes on with what came before. A packet that is as long as it should be, and
 * begins where one should, passes as it is.
 */
export class OpusRegrouper {
  private readonly packetSamples: number;
  private configuration = 0;
  private frameSamples = 0;
  /** Frames of the packet that is not full yet. */
  private waiting: Uint8Array[] = [];

  /** `packetMs`: at most 120. */
  constructor(packetMs: number) {
    this.packetSamples = packetMs * SAMPLES_PER_MS;
  }

  /** Takes the next packet, of which views are kept until its frames are given back. */
  push(packet: Uint8Array): RegroupResult {
    const read = readOpusFrames(packet);
    if (!read.ok) return read;
    const { configuration, frameSamples, frames } = read;
    if (this.packetSamples % frameSamples !== 0) return { ok: false, reason: "unfit_frames" };
    const isOther = this.waiting.length > 0 && configuration !== this.configuration;
    const { packets: before, fillMs } = isOther ? this.flush() : NOTHING;
    this.configuration = configuration;
    this.frameSamples = frameSamples;
    if (this.waiting.length === 0 && frames.length * frameSamples === this.packetSamples)
      return { ok: true, packets: [...before, packet], fillMs };
    this.waiting.push(...frames);
    return { ok: true, packets: [...before, ...this.takeFull()], fillMs };
  }

  /** The end of the stream, or of a part of it: what waits, filled up. */
  flush(): RegroupResult & { readonly ok: true } {
    if (this.waiting.length === 0) return NOTHING;
    const missing = this.packetSamples / this.frameSamples - this.waiting.length;
    for (let i = 0; i < missing; i++) this.waiting.push(NO_BYTES);
    const fillMs = (missing * this.frameSamples) / SAMPLES_PER_MS;
    return { ok: true, packets: this.takeFull(), fillMs };
  }

  private takeFull(): Uint8Array[] {
    const perPacket = this.packetSamples / this.frameSamples;
    const packets: Uint8Array[] = [];
    while (this.waiting.length >= perPacket) {
      packets.push(buildOpusPacket(this.configuration, this.waiting.splice(0, perPacket)));
    }
    return packets;
  }
}

const NO_BYTES = new Uint8Array(0);
const NOTHING = { ok: true, packets: [], fillMs: 0 } as const;
