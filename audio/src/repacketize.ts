// Opus packets put together and taken apart without decoding them (RFC 6716, section 3.2): the frames of several
// packets of one configuration become one packet, or those of one packet become several. Not a byte of a frame
// changes, so a decoder hears the same.
//
// A packet is a TOC byte, what its code needs to tell the frames apart, and the frames:
//
//   code 0  one frame                      TOC | frame
//   code 1  two of one size                TOC | frame | frame
//   code 2  two of their own sizes         TOC | size of the first | frame | frame
//   code 3  any number, maybe padded       TOC | v p count | padding sizes | sizes but the last, if v | frames | padding
//
// A frame without a byte says that nothing is sent for it: discontinuous transmission (RFC 6716, section 2.1.9).
import { type OpusPacketFault, opusPacketFault, opusPacketSamples, SAMPLES_PER_MS } from "./toc.js";

/** The frames of one packet, in order, as views of it, and the part of its TOC byte that they share. */
export interface OpusFrames {
  /** Configuration and stereo flag: the TOC byte but for its two lowest bits. */
  readonly configuration: number;
  /** Duration of each frame in samples at 48 kHz. */
  readonly frameSamples: number;
  readonly frames: readonly Uint8Array[];
}

export type OpusFramesResult =
  | ({ readonly ok: true } & OpusFrames)
  | { readonly ok: false; readonly reason: OpusPacketFault };

export type RepacketizeFault =
  | OpusPacketFault
  /** Nothing to make a packet of. */
  | "no_frames"
  /** The packets differ in configuration or channels. */
  | "unlike_packets"
  /** More than 120 ms in one packet. */
  | "too_long";

export type MergeResult =
  | { readonly ok: true; readonly packet: Uint8Array }
  | { readonly ok: false; readonly reason: RepacketizeFault };

export type SplitResult =
  | { readonly ok: true; readonly packets: Uint8Array[] }
  | { readonly ok: false; readonly reason: RepacketizeFault };

/** One packet of all the frames of `packets`, without their padding: at most 120 ms, all of one configuration. */
export function mergeOpusPackets(packets: readonly Uint8Array[]): MergeResult {
  const frames: Uint8Array[] = [];
  let first: OpusFrames | undefined;
  for (const packet of packets) {
    const read = readOpusFrames(packet);
    if (!read.ok) return read;
    first ??= read;
    if (read.configuration !== first.configuration) return { ok: false, reason: "unlike_packets" };
    // What has become too long stays so; stopping here bounds the work.
    if ((frames.length + read.frames.length) * read.frameSamples > PACKET_SAMPLES_MAX)
      return { ok: false, reason: "too_long" };
    frames.push(...read.frames);
  }
  if (first === undefined) return { ok: false, reason: "no_frames" };
  return { ok: true, packet: buildOpusPacket(first.configuration, frames) };
}

/** The frames of `packet` in packets of `framesPerPacket` (a positive integer) each; the last may hold fewer. */
export function splitOpusPacket(packet: Uint8Array, framesPerPacket = 1): SplitResult {
  const read = readOpusFrames(packet);
  if (!read.ok) return read;
  if (!Number.isInteger(framesPerPacket) || framesPerPacket < 1) return { ok: false, reason: "no_frames" };
  const packets: Uint8Array[] = [];
  for (let at = 0; at < read.frames.length; at += framesPerPacket) {
    packets.push(buildOpusPacket(read.configuration, read.frames.slice(at, at + framesPerPacket)));
  }
  return { ok: true, packets };
}

/**
 * A packet as long as `packet` and of its configuration in which nothing is sent: a decoder fills it with comfort
 * noise, or with a fading echo of what came before.
 */
export function emptyOpusPacketLike(packet: Uint8Array): MergeResult {
  const read = readOpusFrames(packet);
  if (!read.ok) return read;
  const frames = read.frames.map(() => NO_BYTES);
  return { ok: true, packet: buildOpusPacket(read.configuration, frames) };
}

/** The frames of a packet. Never throws: a packet that breaks RFC 6716, section 3.4, is refused with the rule. */
export function readOpusFrames(packet: Uint8Array): OpusFramesResult {
  const fault = opusPacketFault(packet);
  if (fault !== undefined) return { ok: false, reason: fault };
  const frames = framesOf(packet);
  return {
    ok: true,
    configuration: packet[0]! & CONFIGURATION_MASK,
    frameSamples: opusPacketSamples(packet)! / frames.length,
    frames,
  };
}

/**
 * The shortest packet of `frames`, of which there is at least one and which last 120 ms together at the most, each of
 * at most 1,275 bytes: what `readOpusFrames` reads.
 */
export function buildOpusPacket(configuration: number, frames: readonly Uint8Array[]): Uint8Array {
  const [first, second] = frames;
  const isEven = frames.every((frame) => frame.length === first!.length);
  if (second === undefined) return joined([configuration], frames);
  if (frames.length === 2) {
    return isEven
      ? joined([configuration | 1], frames)
      : joined([configuration | 2, ...lengthBytes(first!.length)], frames);
  }
  if (isEven) return joined([configuration | 3, frames.length], frames);
  const sizes = frames.slice(0, -1).flatMap((frame) => lengthBytes(frame.length));
  return joined([configuration | 3, VBR_FLAG | frames.length, ...sizes], frames);
}

/** Longest packet: 120 ms, which is 48 frames of 2.5 ms (RFC 6716, requirement R5). */
const PACKET_SAMPLES_MAX = 120 * SAMPLES_PER_MS;
const NO_BYTES = new Uint8Array(0);

const CONFIGURATION_MASK = 0xfc;
const CODE_MASK = 0x03;
const VBR_FLAG = 0x80;
const PADDING_FLAG = 0x40;
const FRAME_COUNT_MASK = 0x3f;
/** A length below this is one byte, any other two (RFC 6716, section 3.2.1). */
const TWO_BYTE_LENGTH = 252;

/** The frames of a packet that is known to be sound. */
function framesOf(packet: Uint8Array): Uint8Array[] {
  switch (packet[0]! & CODE_MASK) {
    case 0:
      return [packet.subarray(1)];
    case 1:
      return evenFrames(packet.subarray(1), 2);
    case 2:
      return sizedFrames(packet.subarray(1), 2);
    default:
      return codeThreeFrames(packet);
  }
}

function codeThreeFrames(packet: Uint8Array): Uint8Array[] {
  const layout = packet[1]!;
  let start = 2;
  let paddingBytes = 0;
  if (layout & PADDING_FLAG) {
    let value: number;
    do {
      value = packet[start++]!;
      paddingBytes += value === 255 ? 254 : value;
    } while (value === 255);
  }
  const body = packet.subarray(start, packet.length - paddingBytes);
  const count = layout & FRAME_COUNT_MASK;
  return layout & VBR_FLAG ? sizedFrames(body, count) : evenFrames(body, count);
}

function evenFrames(body: Uint8Array, count: number): Uint8Array[] {
  const frameBytes = body.length / count;
  return Array.from({ length: count }, (_, i) => body.subarray(i * frameBytes, (i + 1) * frameBytes));
}

/** Lengths of all frames but the last, then the frames. */
function sizedFrames(body: Uint8Array, count: number): Uint8Array[] {
  const sizes: number[] = [];
  let at = 0;
  while (sizes.length < count - 1) {
    const first = body[at++]!;
    sizes.push(first < TWO_BYTE_LENGTH ? first : first + 4 * body[at++]!);
  }
  const frames = sizes.map((size) => {
    at += size;
    return body.subarray(at - size, at);
  });
  return [...frames, body.subarray(at)];
}

function lengthBytes(length: number): number[] {
  if (length < TWO_BYTE_LENGTH) return [length];
  const first = TWO_BYTE_LENGTH + (length & 3);
  return [first, (length - first) / 4];
}

function joined(start: readonly number[], frames: readonly Uint8Array[]): Uint8Array {
  const packet = new Uint8Array(frames.reduce((sum, frame) => sum + frame.length, start.length));
  packet.set(start);
  let at = start.length;
  for (const frame of frames) {
    packet.set(frame, at);
    at += frame.length;
  }
  return packet;
}
