/**
 * Opus packets as WebM, piece by piece: the one container of Opus that browsers' MediaSource takes while it grows.
 * Elements and their numbers: https://www.matroska.org/technical/elements.html; Opus in them:
 * https://wiki.xiph.org/MatroskaOpus. One mono track, times in milliseconds, a cluster for each packet.
 */
import { buildOpusHead } from "/kiosk/assets/audio/opus-headers.js";

export const WEBM_OPUS = 'audio/webm; codecs="opus"';

const SAMPLE_RATE_HZ = 48_000;
/** A time in nanoseconds counts as one millisecond. */
const TIMECODE_SCALE = 1_000_000;
/** What a decoder has to hear before it is right again: 80 ms (RFC 7845, section 4.6). */
const SEEK_PRE_ROLL_NS = 80_000_000;
const UNKNOWN_SIZE = [0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff];
const AUDIO_TRACK = 2;

/** What comes first: everything but the sound. */
export function webmHeader(): Uint8Array<ArrayBuffer> {
  const head = buildOpusHead({ channels: 1, preSkipSamples: 0, inputSampleRateHz: SAMPLE_RATE_HZ });
  const format = element(
    [0x1a, 0x45, 0xdf, 0xa3],
    [...element([0x42, 0x82], ascii("webm")), ...element([0x42, 0x87], [4]), ...element([0x42, 0x85], [2])],
  );
  const info = element(
    [0x15, 0x49, 0xa9, 0x66],
    [
      ...element([0x2a, 0xd7, 0xb1], uint(TIMECODE_SCALE)),
      ...element([0x4d, 0x80], ascii("readback")),
      ...element([0x57, 0x41], ascii("readback")),
    ],
  );
  const audio = element([0xe1], [...element([0xb5], float32(SAMPLE_RATE_HZ)), ...element([0x9f], [1])]);
  const track = element(
    [0xae],
    [
      ...element([0xd7], [1]),
      ...element([0x73, 0xc5], [1]),
      ...element([0x83], [AUDIO_TRACK]),
      ...element([0x86], ascii("A_OPUS")),
      ...element([0x56, 0xaa], [0]),
      ...element([0x56, 0xbb], uint(SEEK_PRE_ROLL_NS)),
      ...element([0x63, 0xa2], [...head]),
      ...audio,
    ],
  );
  const tracks = element([0x16, 0x54, 0xae, 0x6b], track);
  return Uint8Array.from([...format, 0x18, 0x53, 0x80, 0x67, ...UNKNOWN_SIZE, ...info, ...tracks]);
}

/** One packet that sounds `startMs` after the beginning. */
export function webmCluster(packet: Uint8Array, startMs: number): Uint8Array<ArrayBuffer> {
  const block = element([0xa3], [0x81, 0, 0, 0x80, ...packet]);
  return Uint8Array.from(element([0x1f, 0x43, 0xb6, 0x75], [...element([0xe7], uint(startMs)), ...block]));
}

function element(id: readonly number[], content: readonly number[]): number[] {
  return [...id, ...sizeOf(content.length), ...content];
}

/** A length in four bytes, marked by the bit that says so. */
function sizeOf(length: number): number[] {
  return [0x10 | (length >>> 24), (length >>> 16) & 0xff, (length >>> 8) & 0xff, length & 0xff];
}

function uint(value: number): number[] {
  return [(value >>> 24) & 0xff, (value >>> 16) & 0xff, (value >>> 8) & 0xff, value & 0xff];
}

function float32(value: number): number[] {
  const view = new DataView(new ArrayBuffer(4));
  view.setFloat32(0, value);
  return [...new Uint8Array(view.buffer)];
}

function ascii(text: string): number[] {
  return [...text].map((char) => char.charCodeAt(0));
}
