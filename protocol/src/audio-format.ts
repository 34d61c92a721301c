/** The shape of a message's audio, and `codec_header`, its four bytes in base64 ([LT-60], [LT-61]). */
import { EncodeError } from "./errors.js";
import { FRAME_MS_MAX, PACKET_DURATIONS_MS, SAMPLE_RATE_HZ_MAX } from "./limits.js";

/**
 * What a `codec_header` says. Byte layout: sample rate in Hz (unsigned 16-bit little-endian), frames per packet
 * (8-bit), frame size in ms (8-bit).
 */
export interface CodecHeader {
  readonly sampleRateHz: number;
  readonly framesPerPacket: number;
  readonly frameMs: number;
}

/** A packet duration that the protocol carries, in ms. */
export type PacketDurationMs = (typeof PACKET_DURATIONS_MS)[number];

const CODEC_HEADER_BASE64 = /^[A-Za-z0-9+/]{6}==$/;
const BYTE_MAX = 0xff;

/** `codec_header` text to its meaning; `undefined` where it is not four bytes in base64 or says zero anywhere. */
export function parseCodecHeader(text: string): CodecHeader | undefined {
  if (!CODEC_HEADER_BASE64.test(text)) return undefined;
  const bytes = atob(text);
  const header = {
    sampleRateHz: bytes.charCodeAt(0) | (bytes.charCodeAt(1) << 8),
    framesPerPacket: bytes.charCodeAt(2),
    frameMs: bytes.charCodeAt(3),
  };
  return header.sampleRateHz > 0 && header.framesPerPacket > 0 && header.frameMs > 0 ? header : undefined;
}

/** The base64 text of a codec header. Throws EncodeError for a figure that its bytes cannot hold. */
export function encodeCodecHeader(header: CodecHeader): string {
  const { sampleRateHz, framesPerPacket, frameMs } = header;
  checkRange("sampleRateHz", sampleRateHz, SAMPLE_RATE_HZ_MAX);
  checkRange("framesPerPacket", framesPerPacket, BYTE_MAX);
  checkRange("frameMs", frameMs, FRAME_MS_MAX);
  return btoa(String.fromCharCode(sampleRateHz & BYTE_MAX, sampleRateHz >> 8, framesPerPacket, frameMs));
}

/** Whether packets of this duration may be sent at all. */
export function isPacketDuration(durationMs: number): durationMs is PacketDurationMs {
  return (PACKET_DURATIONS_MS as readonly number[]).includes(durationMs);
}

function checkRange(field: string, value: number, max: number): void {
  if (!Number.isInteger(value) || value < 1 || value > max) {
    throw new EncodeError("out_of_range", `${field} is ${value}; expected an integer from 1 to ${max}`);
  }
}
