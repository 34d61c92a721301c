// Reads the framing of an Opus packet: its TOC byte (RFC 6716, section 3.1) and the layout of its frames
// (section 3.2), checked against the seven requirements R1 to R7 of section 3.4. No audio is decoded.

/** Samples per millisecond at 48 kHz, the clock of all Opus durations (RFC 7845, section 4). */
export const SAMPLES_PER_MS = 48;

export type OpusMode = "silk" | "hybrid" | "celt";
export type OpusBandwidth = "narrowband" | "mediumband" | "wideband" | "superwideband" | "fullband";

/** What the framing of one Opus packet says. */
export interface OpusToc {
  /** 0 to 31: the index into the table of RFC 6716, section 3.1. */
  readonly config: number;
  readonly mode: OpusMode;
  readonly bandwidth: OpusBandwidth;
  /** Duration of each frame in milliseconds: 2.5, 5, 10, 20, 40 or 60. */
  readonly frameMs: number;
  readonly channels: 1 | 2;
  /** How the frames are packed: 0 one, 1 two equal, 2 two of their own sizes, 3 any number. */
  readonly code: 0 | 1 | 2 | 3;
  readonly frameCount: number;
  /** Duration of the whole packet in samples at 48 kHz. */
  readonly durationSamples: number;
  /** Duration of the whole packet in milliseconds: at most 120. */
  readonly durationMs: number;
}

/** Which requirement of RFC 6716, section 3.4, a packet breaks. */
export type OpusPacketFault =
  | "empty_packet" // R1
  | "frame_too_long" // R2, R6, R7: over 1,275 bytes
  | "uneven_frames" // R3, R6: equal frames, but the bytes do not divide
  | "bad_frame_length" // R4, R7: a length field that the packet cannot hold
  | "bad_frame_count" // R5: no frame, or over 120 ms
  | "bad_padding"; // R6, R7: padding that the packet cannot hold

export type OpusTocResult = { ok: true; toc: OpusToc } | { ok: false; reason: OpusPacketFault };

/**
 * Parses and checks the framing of one Opus packet (one stream, as in channel mapping family 0).
 * Never throws: a packet that breaks RFC 6716 gives `ok: false` with the rule.
 */
export function parseToc(packet: Uint8Array): OpusTocResult {
  const fault = opusPacketFault(packet);
  if (fault !== undefined) return { ok: false, reason: fault };
  const byte = packet[0]!;
  const config = byte >> 3;
  const frameCount = frameCountOf(packet);
  const durationSamples = frameCount * FRAME_SAMPLES[config]!;
  const { mode, bandwidth, frameMs } = CONFIGS[config]!;
  const toc: OpusToc = {
    config,
    mode,
    bandwidth,
    frameMs,
    channels: byte & STEREO_FLAG ? 2 : 1,
    code: (byte & CODE_MASK) as 0 | 1 | 2 | 3,
    frameCount,
    durationSamples,
    durationMs: durationSamples / SAMPLES_PER_MS,
  };
  return { ok: true, toc };
}

/** Duration of one Opus packet in milliseconds; `undefined` if the packet is malformed. */
export function opusPacketDuration(packet: Uint8Array): number | undefined {
  const samples = opusPacketSamples(packet);
  return samples === undefined ? undefined : samples / SAMPLES_PER_MS;
}

/** Duration of one Opus packet in samples at 48 kHz; `undefined` if the packet is malformed. */
export function opusPacketSamples(packet: Uint8Array): number | undefined {
  return opusPacketFault(packet) === undefined ? multistreamPacketSamples(packet) : undefined;
}

/**
 * Duration in samples at 48 kHz of an Ogg packet that may carry several Opus streams: they all last as long as
 * the first, whose self-delimited framing begins with the same two bytes (RFC 6716, appendix B). Only the
 * frame count is checked.
 */
export function multistreamPacketSamples(packet: Uint8Array): number | undefined {
  if (packet.length === 0) return undefined;
  const samples = frameCountOf(packet) * FRAME_SAMPLES[packet[0]! >> 3]!;
  return samples > 0 && samples <= PACKET_SAMPLES_MAX ? samples : undefined;
}

/** The rule that a packet breaks, or `undefined` for a well-formed one. */
export function opusPacketFault(packet: Uint8Array): OpusPacketFault | undefined {
  if (packet.length === 0) return "empty_packet";
  const payloadBytes = packet.length - 1;
  switch (packet[0]! & CODE_MASK) {
    case 0:
      return payloadBytes > FRAME_BYTES_MAX ? "frame_too_long" : undefined;
    case 1:
      return equalFramesFault(payloadBytes, 2);
    case 2:
      return sizedFramesFault(packet, 1, packet.length, 2);
    default:
      return codeThreeFault(packet);
  }
}

/** Longest frame in bytes (R2). */
const FRAME_BYTES_MAX = 1275;
/** Longest packet: 120 ms (R5). */
const PACKET_SAMPLES_MAX = 120 * SAMPLES_PER_MS;

const STEREO_FLAG = 0x04;
const CODE_MASK = 0x03;

// The second byte of a code 3 packet: |v|p|     M     | (RFC 6716, figure 5).
const VBR_FLAG = 0x80;
const PADDING_FLAG = 0x40;
const FRAME_COUNT_MASK = 0x3f;

/** Table 2 of RFC 6716, a row for each run of configurations that differ in frame size only. */
const CONFIG_ROWS: readonly [OpusMode, OpusBandwidth, readonly number[]][] = [
  ["silk", "narrowband", [10, 20, 40, 60]],
  ["silk", "mediumband", [10, 20, 40, 60]],
  ["silk", "wideband", [10, 20, 40, 60]],
  ["hybrid", "superwideband", [10, 20]],
  ["hybrid", "fullband", [10, 20]],
  ["celt", "narrowband", [2.5, 5, 10, 20]],
  ["celt", "wideband", [2.5, 5, 10, 20]],
  ["celt", "superwideband", [2.5, 5, 10, 20]],
  ["celt", "fullband", [2.5, 5, 10, 20]],
];

const CONFIGS = CONFIG_ROWS.flatMap(([mode, bandwidth, sizes]) =>
  sizes.map((frameMs) => ({ mode, bandwidth, frameMs })),
);
const FRAME_SAMPLES = Uint16Array.from(CONFIGS, ({ frameMs }) => frameMs * SAMPLES_PER_MS);

/** Frames in a packet that has at least its TOC byte; 0 where a code 3 packet lacks its count. */
function frameCountOf(packet: Uint8Array): number {
  const code = packet[0]! & CODE_MASK;
  if (code === 0) return 1;
  return code === 3 ? (packet[1] ?? 0) & FRAME_COUNT_MASK : 2;
}

/** R5 to R7: a frame count byte, optional padding, then frames of one size or each with its own. */
function codeThreeFault(packet: Uint8Array): OpusPacketFault | undefined {
  const layout = packet[1];
  const frameCount = frameCountOf(packet);
  const samples = frameCount * FRAME_SAMPLES[packet[0]! >> 3]!;
  if (layout === undefined || frameCount === 0 || samples > PACKET_SAMPLES_MAX) return "bad_frame_count";

  let start = 2;
  let paddingBytes = 0;
  if (layout & PADDING_FLAG) {
    // Each 255 means 254 bytes of padding and another length byte; any other value is that many bytes.
    let value: number | undefined;
    do {
      value = packet[start++];
      if (value === undefined) return "bad_padding";
      paddingBytes += value === 255 ? 254 : value;
    } while (value === 255);
  }
  const end = packet.length - paddingBytes;
  if (end < start) return "bad_padding";
  return layout & VBR_FLAG
    ? sizedFramesFault(packet, start, end, frameCount)
    : equalFramesFault(end - start, frameCount);
}

function equalFramesFault(totalBytes: number, frameCount: number): OpusPacketFault | undefined {
  if (totalBytes % frameCount !== 0) return "uneven_frames";
  return totalBytes / frameCount > FRAME_BYTES_MAX ? "frame_too_long" : undefined;
}

/**
 * Frames of which all but the last carry a length: one byte 0 to 251, or two for 252 to 1,275
 * (RFC 6716, section 3.2.1). The lengths come first, then the frames.
 */
function sizedFramesFault(
  packet: Uint8Array,
  start: number,
  end: number,
  frameCount: number,
): OpusPacketFault | undefined {
  let at = start;
  let sizedBytes = 0;
  for (let frame = 1; frame < frameCount; frame++) {
    if (at >= end) return "bad_frame_length";
    const first = packet[at++]!;
    if (first < 252) {
      sizedBytes += first;
    } else {
      if (at >= end) return "bad_frame_length";
      sizedBytes += first + 4 * packet[at++]!;
    }
  }
  const lastFrameBytes = end - at - sizedBytes;
  if (lastFrameBytes < 0) return "bad_frame_length";
  return lastFrameBytes > FRAME_BYTES_MAX ? "frame_too_long" : undefined;
}
