// PCM to Opus packets of one duration, mono.
import { type CodecHeader, OPUS_SAMPLE_RATES_HZ, type OpusSampleRateHz } from "./codec-header.js";
import { AudioError } from "./errors.js";
import { loadOpusEngine, type OpusEngineName, type RawEncoder } from "./opus-engine.js";

export interface OpusPacketEncoderOptions {
  readonly sampleRateHz: OpusSampleRateHz;
  readonly packetMs: 20 | 40 | 60;
  /** 500 to 512,000. Default 24,000. */
  readonly bitrateBps?: number;
  /** What libopus optimizes for. Default `voip`. */
  readonly application?: "voip" | "audio";
  /**
   * Share of packets, 0 to 100, that may be lost behind us. Above 0 each packet also carries a coarse copy of the one
   * before where bits suffice (in-band FEC, RFC 6716, section 2.1.7). ffmpeg's own decoder garbles it in
   * packets of 40 and 60 ms, libopus does not. Default 0.
   */
  readonly expectedLossPercent?: number;
  /** 0 (fast) to 10 (best). Default: that of libopus, 9. */
  readonly complexity?: number;
  /** See `OpusEngineName`. Default `wasm`, which is safe in worker threads. */
  readonly engine?: OpusEngineName;
}

/** PCM samples: 16-bit integers, or floats from -1 to 1 (beyond is clipped). */
export type PcmSamples = Int16Array | Float32Array;

/**
 * Encodes mono PCM as it comes: `encode()` any number of samples, take the packets that they complete, and
 * `finish()`. A decoder that drops `preSkipSamples` at the start and `endTrimSamples` at the end gets as many
 * samples as were put in.
 */
export class OpusPacketEncoder {
  /** Samples at 48 kHz that precede the first input sample: goes into the Ogg header. */
  readonly preSkipSamples: number;
  /** What a voice message says of these packets. */
  readonly codecHeader: CodecHeader;

  private readonly encoder: RawEncoder;
  private readonly frame: Int16Array;
  /** Samples waiting in `frame`. */
  private frameFill = 0;
  private inputSamples = 0;
  private packets = 0;
  private finished = false;

  /** Throws `AudioError`: `bad_argument` on an option out of range, `engine_unavailable`. */
  constructor(options: OpusPacketEncoderOptions) {
    const { sampleRateHz, packetMs, application = "voip", engine = "wasm" } = checkedOptions(options);
    const { Encoder } = loadOpusEngine(engine);
    this.encoder = new Encoder({ channels: 1, sample_rate: sampleRateHz, application });
    this.encoder.ctl(SET_BITRATE, options.bitrateBps ?? DEFAULT_BITRATE_BPS);
    if (options.complexity !== undefined) this.encoder.ctl(SET_COMPLEXITY, options.complexity);
    if (options.expectedLossPercent !== undefined && options.expectedLossPercent > 0) {
      this.encoder.ctl(SET_INBAND_FEC, 1);
      this.encoder.ctl(SET_PACKET_LOSS_PERC, options.expectedLossPercent);
    }
    this.codecHeader = { sampleRateHz, framesPerPacket: 1, frameMs: packetMs };
    this.frame = new Int16Array((sampleRateHz / 1000) * packetMs);
    this.preSkipSamples = this.encoder.ctl(GET_LOOKAHEAD) * (RATE_48K / sampleRateHz);
  }

  /** Takes samples, returns the packets that are full. Throws `AudioError("codec_failed")`. */
  encode(pcm: PcmSamples): Uint8Array[] {
    if (this.finished) throw new AudioError("already_finished", "encode() after finish()");
    this.inputSamples += pcm.length;
    return this.fill(pcm.length, (start, count) =>
      copySamples(this.frame, this.frameFill, pcm, start, count),
    );
  }

  /**
   * Pads with silence until the last input sample is in a packet. `endTrimSamples`, at 48 kHz, is the padding
   * that a decoder drops; it is less than a packet. Without any input there are no packets.
   */
  finish(): { packets: Uint8Array[]; endTrimSamples: number } {
    if (this.finished) throw new AudioError("already_finished", "finish() was called before");
    this.finished = true;
    if (this.inputSamples === 0) return { packets: [], endTrimSamples: 0 };
    const scale = RATE_48K / this.codecHeader.sampleRateHz;
    const neededSamples = this.inputSamples + this.preSkipSamples / scale;
    const packetCount = Math.ceil(neededSamples / this.frame.length);
    const paddingSamples = packetCount * this.frame.length - this.inputSamples;
    const packets = this.fill(paddingSamples, (_, count) => {
      this.frame.fill(0, this.frameFill, this.frameFill + count);
    });
    return { packets, endTrimSamples: (packetCount * this.frame.length - neededSamples) * scale };
  }

  /** Puts `total` samples into frames by way of `write`, and encodes each frame that is full. */
  private fill(total: number, write: (start: number, count: number) => void): Uint8Array[] {
    const packets: Uint8Array[] = [];
    for (let done = 0; done < total; ) {
      const count = Math.min(total - done, this.frame.length - this.frameFill);
      write(done, count);
      done += count;
      this.frameFill += count;
      if (this.frameFill === this.frame.length) {
        this.frameFill = 0;
        packets.push(this.encodeFrame());
      }
    }
    return packets;
  }

  private encodeFrame(): Uint8Array {
    try {
      this.packets++;
      return this.encoder.encode(this.frame);
    } catch (cause) {
      throw new AudioError("codec_failed", `Opus refused packet ${this.packets}`, { cause });
    }
  }
}

const RATE_48K = 48_000;
const DEFAULT_BITRATE_BPS = 24_000;
const PACKET_SIZES_MS: readonly number[] = [20, 40, 60];

// From opus_defines.h.
const SET_BITRATE = 4002;
const SET_COMPLEXITY = 4010;
const SET_INBAND_FEC = 4012;
const SET_PACKET_LOSS_PERC = 4014;
const GET_LOOKAHEAD = 4027;

/** Writes samples as 16-bit integers; a float that is not a number becomes silence. */
function copySamples(target: Int16Array, at: number, pcm: PcmSamples, start: number, count: number): void {
  if (pcm instanceof Int16Array) {
    target.set(pcm.subarray(start, start + count), at);
    return;
  }
  for (let i = 0; i < count; i++) {
    const scaled = Math.round(pcm[start + i]! * 32_768);
    target[at + i] = Math.max(-32_768, Math.min(32_767, scaled));
  }
}

function checkedOptions(options: OpusPacketEncoderOptions): OpusPacketEncoderOptions {
  const { sampleRateHz, packetMs, bitrateBps, complexity, expectedLossPercent: loss } = options;
  assertOption(OPUS_SAMPLE_RATES_HZ.includes(sampleRateHz), "sampleRateHz", sampleRateHz);
  assertOption(PACKET_SIZES_MS.includes(packetMs), "packetMs", packetMs);
  assertOption(
    bitrateBps === undefined || (bitrateBps >= 500 && bitrateBps <= 512_000),
    "bitrateBps",
    bitrateBps,
  );
  assertOption(complexity === undefined || (complexity >= 0 && complexity <= 10), "complexity", complexity);
  assertOption(
    loss === undefined || (Number.isInteger(loss) && loss >= 0 && loss <= 100),
    "expectedLossPercent",
    loss,
  );
  return options;
}

function assertOption(holds: boolean, name: string, value: unknown): void {
  if (!holds) throw new AudioError("bad_argument", `${name} cannot be ${String(value)}`);
}
