/** The LoudTalks protocol: bytes ↔ envelopes ↔ commands. No I/O, no dependencies; README.md is the specification. */

export {
  type CodecHeader,
  encodeCodecHeader,
  isPacketDuration,
  type PacketDurationMs,
  parseCodecHeader,
} from "./audio-format.js";
export type { CommandRefusal } from "./command-payload.js";
export * from "./commands.js";
export { EnvelopeDecoder } from "./decoder.js";
export {
  type AudioEncoder,
  type AudioPacket,
  type AudioRoute,
  audioEncoder,
  encodeAudio,
  encodeEnvelope,
  encodeJson,
  encodeJsonText,
  type FrameBytes,
} from "./encoder.js";
export type {
  AudioEnvelope,
  DecodeResult,
  Envelope,
  JsonEnvelope,
  MalformedReason,
  Route,
  UserIdentity,
} from "./envelope.js";
export { EncodeError, type EncodeErrorCode, ERROR_CODES, type ErrorCode } from "./errors.js";
export * from "./limits.js";
export { encodeRelayCommand, type ParsedRelayCommand, parseRelayCommand } from "./relay-commands.js";
export { encodeServiceCommand, type ParsedServiceCommand, parseServiceCommand } from "./service-commands.js";
