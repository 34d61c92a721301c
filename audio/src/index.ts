// @readback/audio: Ogg and Opus, bytes to packets and back. No I/O, no timers.
export {
  type CodecHeader,
  type CodecHeaderFault,
  type CodecHeaderResult,
  encodeCodecHeader,
  OPUS_SAMPLE_RATES_HZ,
  type OpusSampleRateHz,
  parseCodecHeader,
} from "./codec-header.js";
export { AudioError, type AudioErrorCode } from "./errors.js";
export {
  DEFAULT_OGG_OPUS_LIMITS,
  OggOpusDemuxer,
  type OggOpusDemuxerOptions,
  type OggOpusLimits,
} from "./ogg-demuxer.js";
export type { MalformedReason, OggOpusEvent, StreamTotals, TruncatedPart } from "./ogg-events.js";
export { DEFAULT_PRE_SKIP_SAMPLES, muxOggOpus, OggOpusMuxer, type OggOpusMuxerOptions } from "./ogg-muxer.js";
export { OpusPacketDecoder, type OpusPacketDecoderOptions } from "./opus-decoder.js";
export { OpusPacketEncoder, type OpusPacketEncoderOptions, type PcmSamples } from "./opus-encoder.js";
export type { OpusEngineName } from "./opus-engine.js";
export type { OpusHead, OpusTags } from "./opus-headers.js";
export { OpusRegrouper, type RegroupResult } from "./regroup.js";
export {
  emptyOpusPacketLike,
  type MergeResult,
  mergeOpusPackets,
  type OpusFrames,
  type OpusFramesResult,
  type RepacketizeFault,
  readOpusFrames,
  type SplitResult,
  splitOpusPacket,
} from "./repacketize.js";
export {
  type OpusBandwidth,
  type OpusMode,
  type OpusPacketFault,
  type OpusToc,
  type OpusTocResult,
  opusPacketDuration,
  opusPacketSamples,
  parseToc,
  SAMPLES_PER_MS,
} from "./toc.js";
