// Opus packets to PCM.
import { OPUS_SAMPLE_RATES_HZ, type OpusSampleRateHz } from "./codec-header.js";
import { AudioError } from "./errors.js";
import { loadOpusEngine, type OpusEngineName, type RawDecoder } from "./opus-engine.js";
import { opusPacketFault } from "./toc.js";

export interface OpusPacketDecoderOptions {
  /** Rate of the PCM. Default 48,000; any packet decodes at any of the five rates. */
  readonly sampleRateHz?: OpusSampleRateHz;
  /** Channels of the PCM, interleaved if 2. Default 1. */
  readonly channels?: 1 | 2;
  /** See `OpusEngineName`. Default `wasm`, which is safe in worker threads. */
  readonly engine?: OpusEngineName;
}

/** Decodes the packets of one stream in order. Pre-skip and end trim are the caller's to apply. */
export class OpusPacketDecoder {
  private readonly decoder: RawDecoder;

  /** Throws `AudioError`: `bad_argument` on an option out of range, `engine_unavailable`. */
  constructor(options: OpusPacketDecoderOptions = {}) {
    const { sampleRateHz = 48_000, channels = 1, engine = "wasm" } = options;
    if (!OPUS_SAMPLE_RATES_HZ.includes(sampleRateHz)) {
      throw new AudioError("bad_argument", `sampleRateHz cannot be ${sampleRateHz}`);
    }
    if (channels !== 1 && channels !== 2)
      throw new AudioError("bad_argument", `channels cannot be ${channels}`);
    const { Decoder } = loadOpusEngine(engine);
    this.decoder = new Decoder({ channels, sample_rate: sampleRateHz });
  }

  /**
   * Decodes one packet to as many samples as its TOC says. Throws `AudioError`: `bad_packet` if its framing is
   * broken or it is over 8,192 bytes, `codec_failed` if libopus refuses it.
   */
  decode(packet: Uint8Array): Int16Array {
    const fault = opusPacketFault(packet);
    if (fault !== undefined) throw new AudioError("bad_packet", `not an Opus packet: ${fault}`);
    if (packet.length > PACKET_BYTES_MAX) {
      throw new AudioError(
        "bad_packet",
        `a packet of ${packet.length} bytes, the limit is ${PACKET_BYTES_MAX}`,
      );
    }
    let pcm: Uint8Array;
    try {
      pcm = this.decoder.decode(packet);
    } catch (cause) {
      throw new AudioError("codec_failed", `Opus refused a packet of ${packet.length} bytes`, { cause });
    }
    return new Int16Array(pcm.buffer, pcm.byteOffset, pcm.byteLength / 2);
  }
}

/** What the codec's input buffer holds. */
const PACKET_BYTES_MAX = 8192;
