// Runs the demultiplexer over fixtures and chunks, with results that compare cheaply.
import { readFileSync } from "node:fs";
import { OggOpusDemuxer, type OggOpusDemuxerOptions } from "./ogg-demuxer.js";
import type { OggOpusEvent } from "./ogg-events.js";

/** The fixtures that hold one Opus stream and nothing wrong. */
export const GOOD_FIXTURES = [
  "speech-pages-1000ms.opus",
  "speech-60ms-pages-200ms.opus",
  "speech-page-per-packet.opus",
  "speech-2.5ms.opus",
  "stereo-510k-continued.opus",
  "surround-5.1.opus",
  "ffmpeg-40ms.opus",
  "multiplexed-vorbis-opus.ogg",
] as const;

export function readFixture(name: string): Uint8Array {
  return new Uint8Array(readFileSync(new URL(`../fixtures/${name}`, import.meta.url)));
}

export function demux(chunks: Iterable<Uint8Array>, options?: OggOpusDemuxerOptions): OggOpusEvent[] {
  const demuxer = new OggOpusDemuxer(options);
  const events: OggOpusEvent[] = [];
  for (const chunk of chunks) events.push(...demuxer.push(chunk));
  events.push(...demuxer.end());
  return events;
}

export function demuxAll(bytes: Uint8Array, options?: OggOpusDemuxerOptions): OggOpusEvent[] {
  return demux([bytes], options);
}

export function packetsOf(events: readonly OggOpusEvent[]): Uint8Array[] {
  return events.flatMap((event) => (event.type === "packet" ? [event.data] : []));
}

/** The events but for the packets. */
export function framesOf(events: readonly OggOpusEvent[]): Exclude<OggOpusEvent, { type: "packet" }>[] {
  return events.flatMap((event) => (event.type === "packet" ? [] : [event]));
}

/** Events as lines of text: equal exactly if the events are, and fast to compare. */
export function transcript(events: readonly OggOpusEvent[]): string {
  return events
    .map((event) =>
      event.type === "packet" ? `${event.durationSamples} ${hexOf(event.data)}` : JSON.stringify(event),
    )
    .join("\n");
}

export function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("hex");
}

/** Cuts `bytes` at the given offsets, in any order. */
export function cutAt(bytes: Uint8Array, offsets: Iterable<number>): Uint8Array[] {
  const sorted = [0, ...[...offsets].sort((a, b) => a - b), bytes.length];
  return sorted.slice(1).map((end, i) => bytes.subarray(sorted[i], end));
}

export function chunksOf(bytes: Uint8Array, chunkBytes: number): Uint8Array[] {
  const count = Math.ceil(bytes.length / chunkBytes);
  return Array.from({ length: count }, (_, i) => bytes.subarray(i * chunkBytes, (i + 1) * chunkBytes));
}
