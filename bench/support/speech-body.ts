/** Ogg Opus bodies as a speech server sends them: real packets of a voice-like sound at 24 kbit/s, pages of a second. */
import { muxOggOpus, OpusPacketEncoder } from "@readback/audio";

export type PacketMs = 20 | 60;

export interface SpeechBody {
  readonly bytes: Uint8Array;
  readonly durationMs: number;
  /** Bytes up to and with the last one of the first audio packet. */
  readonly firstPacketEnd: number;
}

const SAMPLE_RATE_HZ = 48_000;
const BITRATE_BPS = 24_000;
const PAGE_MS = 1_000;
const PAGE_HEADER_BYTES = 27;
const PCM_BYTES_PER_MS = 48;
/** What counts as a packet where there are none. */
const PCM_PACKET_MS = 20;

/** A body of `durationMs`, a multiple of the packets' duration. */
export function speechBody(packetMs: PacketMs, durationMs: number): SpeechBody {
  const packets = opusPackets(packetMs, durationMs);
  const bytes = muxOggOpus(packets, { pageMsMax: PAGE_MS });
  return { bytes, durationMs, firstPacketEnd: firstAudioAt(bytes) + packets[0]!.length };
}

/** A body as the speech API sends it for `response_format: pcm`: 24 kHz, 16 bits, mono; silence, since nobody listens. */
export function pcmBody(durationMs: number): SpeechBody {
  const bytes = new Uint8Array(PCM_BYTES_PER_MS * durationMs);
  return { bytes, durationMs, firstPacketEnd: PCM_BYTES_PER_MS * PCM_PACKET_MS };
}

export function opusPackets(packetMs: PacketMs, durationMs: number): Uint8Array[] {
  const encoder = new OpusPacketEncoder({ sampleRateHz: SAMPLE_RATE_HZ, packetMs, bitrateBps: BITRATE_BPS });
  const pcm = Float32Array.from({ length: (SAMPLE_RATE_HZ / 1_000) * durationMs }, (_, i) => {
    const t = i / SAMPLE_RATE_HZ;
    const pitch = 2 * Math.PI * (120 * t + 2 * Math.sin(2 * Math.PI * 0.7 * t));
    const voice = [1, 2, 3, 5, 8].reduce((sum, k) => sum + Math.sin(k * pitch) / k, 0);
    return 0.2 * voice * Math.max(0, Math.sin(2 * Math.PI * 2.5 * t));
  });
  return encoder.encode(pcm);
}

/** Where the first audio packet begins: its page comes after the two pages of the headers. */
function firstAudioAt(bytes: Uint8Array): number {
  let at = 0;
  for (let page = 0; page < 2; page++) at = bodyAt(bytes, at) + bodyLength(bytes, at);
  return bodyAt(bytes, at);
}

function bodyAt(bytes: Uint8Array, page: number): number {
  return page + PAGE_HEADER_BYTES + bytes[page + 26]!;
}

function bodyLength(bytes: Uint8Array, page: number): number {
  return bytes
    .subarray(page + PAGE_HEADER_BYTES, bodyAt(bytes, page))
    .reduce((sum, lacing) => sum + lacing, 0);
}
