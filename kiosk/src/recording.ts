/** One recording: frames of sound in, an Ogg Opus file out. */
import { OggOpusMuxer } from "/kiosk/assets/audio/ogg-muxer.js";
import { FRAME_MS, type Frame, SAMPLE_RATE_HZ } from "./microphone.js";

/** Plenty for speech. */
const BITRATE_BPS = 32_000;
const US_PER_MS = 1_000;
/** Where `OpusHead` has what a decoder skips at the start, 16 bits (RFC 7845, section 5.1). */
const PRE_SKIP_AT = 10;

export class Recording {
  readonly #packets: Uint8Array[] = [];
  readonly #encoder: AudioEncoder;
  #preSkipSamples = 0;
  #fault: unknown;
  #frames = 0;

  constructor() {
    this.#encoder = new AudioEncoder({
      output: (chunk, metadata) => this.#keep(chunk, metadata),
      error: (error) => {
        this.#fault = error;
      },
    });
    this.#encoder.configure({
      codec: "opus",
      sampleRate: SAMPLE_RATE_HZ,
      numberOfChannels: 1,
      bitrate: BITRATE_BPS,
      opus: { frameDuration: FRAME_MS * US_PER_MS },
    });
  }

  /** How much was recorded. */
  get lengthMs(): number {
    return this.#frames * FRAME_MS;
  }

  add(frame: Frame): void {
    if (this.#encoder.state !== "configured") return;
    const data = new AudioData({
      format: "f32-planar",
      sampleRate: SAMPLE_RATE_HZ,
      numberOfChannels: 1,
      numberOfFrames: frame.length,
      timestamp: this.lengthMs * US_PER_MS,
      data: frame,
    });
    this.#frames++;
    this.#encoder.encode(data);
    data.close();
  }

  /** The file. Rejects when the browser could not encode. */
  async finish(): Promise<Blob> {
    if (this.#fault !== undefined) throw this.#fault;
    await this.#encoder.flush();
    this.#encoder.close();
    const muxer = new OggOpusMuxer({ preSkipSamples: this.#preSkipSamples });
    const pages = [muxer.header(), ...this.#packets.map((packet) => muxer.push(packet)), muxer.finish()];
    return new Blob(
      pages.map((page) => new Uint8Array(page)),
      { type: "audio/ogg" },
    );
  }

  discard(): void {
    if (this.#encoder.state !== "closed") this.#encoder.close();
  }

  #keep(chunk: EncodedAudioChunk, metadata: EncodedAudioChunkMetadata | undefined): void {
    const packet = new Uint8Array(chunk.byteLength);
    chunk.copyTo(packet);
    this.#packets.push(packet);
    const head = metadata?.decoderConfig?.description;
    if (head === undefined) return;
    const bytes = ArrayBuffer.isView(head) ? new DataView(head.buffer, head.byteOffset) : new DataView(head);
    this.#preSkipSamples = bytes.getUint16(PRE_SKIP_AT, true);
  }
}

/** How loud a frame is, 0 (silent) to 1: for the eye, so by decibels. */
export function loudness(frame: Frame): number {
  const power = frame.reduce((sum, sample) => sum + sample * sample, 0) / frame.length;
  const decibels = 10 * Math.log10(power + 1e-9);
  return Math.min(1, Math.max(0, (decibels - QUIET_DB) / (LOUD_DB - QUIET_DB)));
}

const QUIET_DB = -55;
const LOUD_DB = -15;
