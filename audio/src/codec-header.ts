// The `codec_header` of a voice message: base64 of four bytes that tell a receiver how the packets are shaped.
//
//   bytes 0-1  sample rate in Hz, unsigned, little-endian
//   byte  2    frames per packet
//   byte  3    frame size in milliseconds
import { AudioError } from "./errors.js";

/** Sample rates at which Opus encodes and decodes, in Hz. */
export const OPUS_SAMPLE_RATES_HZ = [8000, 12_000, 16_000, 24_000, 48_000] as const;
export type OpusSampleRateHz = (typeof OPUS_SAMPLE_RATES_HZ)[number];

export interface CodecHeader {
  readonly sampleRateHz: OpusSampleRateHz;
  /** Opus frames in each packet, at least 1. */
  readonly framesPerPacket: number;
  /** Duration of one frame in milliseconds: 5, 10, 20, 40 or 60; a packet is at most 120 ms. */
  readonly frameMs: number;
}

export type CodecHeaderFault =
  | "not_base64"
  | "wrong_length"
  | "bad_sample_rate"
  | "bad_frame_size"
  | "bad_frame_count";
export type CodecHeaderResult = { ok: true; header: CodecHeader } | { ok: false; reason: CodecHeaderFault };

/** Encodes a codec header: 16 kHz/1/60 ms is `gD4BPA==`. Throws `AudioError("bad_argument")` on a bad shape. */
export function encodeCodecHeader(header: CodecHeader): string {
  const fault = shapeFault(header.sampleRateHz, header.framesPerPacket, header.frameMs);
  if (fault !== undefined) {
    const { sampleRateHz, framesPerPacket, frameMs } = header;
    throw new AudioError(
      "bad_argument",
      `no codec header for ${sampleRateHz} Hz, ${framesPerPacket} x ${frameMs} ms: ${fault}`,
    );
  }
  const bytes = new Uint8Array(HEADER_BYTES);
  new DataView(bytes.buffer).setUint16(0, header.sampleRateHz, true);
  bytes[2] = header.framesPerPacket;
  bytes[3] = header.frameMs;
  return btoa(String.fromCharCode(...bytes));
}

/** Parses and validates a codec header. Never throws. Only canonical, padded base64 is accepted. */
export function parseCodecHeader(text: string): CodecHeaderResult {
  if (text.length !== ENCODED_CHARS) return { ok: false, reason: "wrong_length" };
  if (!CANONICAL_BASE64.test(text)) return { ok: false, reason: "not_base64" };
  const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  const sampleRateHz = new DataView(bytes.buffer).getUint16(0, true);
  const framesPerPacket = bytes[2]!;
  const frameMs = bytes[3]!;
  const fault = shapeFault(sampleRateHz, framesPerPacket, frameMs);
  if (fault !== undefined) return { ok: false, reason: fault };
  return { ok: true, header: { sampleRateHz: sampleRateHz as OpusSampleRateHz, framesPerPacket, frameMs } };
}

const HEADER_BYTES = 4;
const ENCODED_CHARS = 8;
/** Four bytes: six characters, the last of which carries two bits only, and two of padding (RFC 4648, 3.5). */
const CANONICAL_BASE64 = /^[A-Za-z0-9+/]{5}[AQgw]==$/;
/** Frame sizes of RFC 6716 that are whole milliseconds. */
const FRAME_SIZES_MS: readonly number[] = [5, 10, 20, 40, 60];
/** Longest Opus packet (RFC 6716, R5). */
const PACKET_MS_MAX = 120;

function shapeFault(
  sampleRateHz: number,
  framesPerPacket: number,
  frameMs: number,
): CodecHeaderFault | undefined {
  if (!(OPUS_SAMPLE_RATES_HZ as readonly number[]).includes(sampleRateHz)) return "bad_sample_rate";
  if (!FRAME_SIZES_MS.includes(frameMs)) return "bad_frame_size";
  const whole = Number.isInteger(framesPerPacket) && framesPerPacket >= 1;
  return whole && framesPerPacket * frameMs <= PACKET_MS_MAX ? undefined : "bad_frame_count";
}
