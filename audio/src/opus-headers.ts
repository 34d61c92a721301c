// The two header packets of an Ogg Opus stream, parsed and built (RFC 7845, sections 5.1 and 5.2).
//
// OpusHead:  "OpusHead" | version u8 | channels u8 | pre-skip u16 | input rate u32 | output gain i16 | family u8
//            and, for families other than 0: streams u8 | coupled u8 | one index u8 per channel
// OpusTags:  "OpusTags" | vendor length u32 | vendor | count u32 | count x (length u32 | "NAME=value") | padding
// All numbers are little-endian.

/** The identification header. */
export interface OpusHead {
  /** Encapsulation version; only 0 to 15 are compatible. */
  readonly version: number;
  /** Output channels. */
  readonly channels: number;
  /** Samples at 48 kHz to decode and drop at the start. */
  readonly preSkipSamples: number;
  /** Rate of the encoder's input in Hz, for information; 0 is unspecified. Not a playback rate. */
  readonly inputSampleRateHz: number;
  /** Gain to apply on decoding, in dB. */
  readonly outputGainDb: number;
  readonly mappingFamily: number;
  /** Opus streams inside each packet; 1 for family 0. */
  readonly streamCount: number;
  /** How many of those streams are stereo. */
  readonly coupledCount: number;
  /** For each output channel the decoded channel it takes, 255 for silence. */
  readonly mapping: readonly number[];
}

/** The comment header. */
export interface OpusTags {
  readonly vendor: string;
  /** `NAME=value`, in stream order, unchecked. */
  readonly comments: readonly string[];
}

/** Why a header packet was refused. */
export type OpusHeadFault =
  | "head_too_short"
  | "head_version"
  | "head_channels"
  | "head_mapping_family"
  | "head_mapping";
export type OpusTagsFault = "tags_magic" | "tags_truncated";

export type OpusHeadResult = { ok: true; head: OpusHead } | { ok: false; reason: OpusHeadFault };
export type OpusTagsResult = { ok: true; tags: OpusTags } | { ok: false; reason: OpusTagsFault };

/** Whether a packet announces itself as an `OpusHead`. */
export function isOpusHead(packet: Uint8Array): boolean {
  return startsWith(packet, HEAD_MAGIC);
}

/** Parses a packet for which {@link isOpusHead} holds. Never throws. */
export function parseOpusHead(packet: Uint8Array): OpusHeadResult {
  if (packet.length < HEAD_BYTES) return { ok: false, reason: "head_too_short" };
  const view = viewOf(packet);
  const version = packet[8]!;
  if (version > COMPATIBLE_VERSION_MAX) return { ok: false, reason: "head_version" };
  const channels = packet[9]!;
  const mappingFamily = packet[18]!;
  const channelsMax = CHANNELS_MAX.get(mappingFamily);
  if (channelsMax === undefined) return { ok: false, reason: "head_mapping_family" };
  if (channels === 0 || channels > channelsMax) return { ok: false, reason: "head_channels" };
  const mapping = parseMapping(packet, channels, mappingFamily);
  if (!mapping.ok) return mapping;
  const head: OpusHead = {
    version,
    channels,
    preSkipSamples: view.getUint16(10, true),
    inputSampleRateHz: view.getUint32(12, true),
    outputGainDb: view.getInt16(16, true) / GAIN_UNITS_PER_DB,
    mappingFamily,
    streamCount: mapping.streamCount,
    coupledCount: mapping.coupledCount,
    mapping: mapping.indices,
  };
  return { ok: true, head };
}

/** Parses an `OpusTags` packet. Never throws; text that is not UTF-8 gets replacement characters. */
export function parseOpusTags(packet: Uint8Array): OpusTagsResult {
  if (!startsWith(packet, TAGS_MAGIC)) return { ok: false, reason: "tags_magic" };
  const view = viewOf(packet);
  const utf8 = new TextDecoder();
  let at = TAGS_MAGIC.length;
  const readUint32 = (): number | undefined => {
    if (at + 4 > packet.length) return undefined;
    at += 4;
    return view.getUint32(at - 4, true);
  };
  const readText = (): string | undefined => {
    const bytes = readUint32();
    if (bytes === undefined || bytes > packet.length - at) return undefined;
    at += bytes;
    return utf8.decode(packet.subarray(at - bytes, at));
  };

  const vendor = readText();
  const count = readUint32();
  if (vendor === undefined || count === undefined) return { ok: false, reason: "tags_truncated" };
  const comments: string[] = [];
  for (let i = 0; i < count; i++) {
    const comment = readText();
    if (comment === undefined) return { ok: false, reason: "tags_truncated" };
    comments.push(comment);
  }
  return { ok: true, tags: { vendor, comments } };
}

/** Builds a version 1, mapping family 0 `OpusHead` packet (19 bytes). */
export function buildOpusHead(head: {
  channels: 1 | 2;
  preSkipSamples: number;
  inputSampleRateHz: number;
}): Uint8Array {
  const packet = new Uint8Array(HEAD_BYTES);
  const view = viewOf(packet);
  packet.set(HEAD_MAGIC);
  packet[8] = 1;
  packet[9] = head.channels;
  view.setUint16(10, head.preSkipSamples, true);
  view.setUint32(12, head.inputSampleRateHz, true);
  return packet;
}

/** Builds an `OpusTags` packet. */
export function buildOpusTags(tags: OpusTags): Uint8Array {
  const utf8 = new TextEncoder();
  const vendor = utf8.encode(tags.vendor);
  const comments = tags.comments.map((comment) => utf8.encode(comment));
  const textBytes = comments.reduce((sum, comment) => sum + 4 + comment.length, vendor.length);
  const packet = new Uint8Array(TAGS_MAGIC.length + 8 + textBytes);
  const view = viewOf(packet);
  let at = 0;
  const write = (bytes: Uint8Array) => {
    packet.set(bytes, at);
    at += bytes.length;
  };
  const writeUint32 = (value: number) => {
    view.setUint32(at, value, true);
    at += 4;
  };

  write(TAGS_MAGIC);
  writeUint32(vendor.length);
  write(vendor);
  writeUint32(comments.length);
  for (const comment of comments) {
    writeUint32(comment.length);
    write(comment);
  }
  return packet;
}

const HEAD_MAGIC = new TextEncoder().encode("OpusHead");
const TAGS_MAGIC = new TextEncoder().encode("OpusTags");
/** Bytes of an `OpusHead` without a channel mapping table. */
const HEAD_BYTES = 19;
/** Versions whose upper four bits are 0 are compatible (RFC 7845, section 5.1). */
const COMPATIBLE_VERSION_MAX = 15;
/** Output gain is Q7.8. */
const GAIN_UNITS_PER_DB = 256;
/** Channels allowed by each mapping family that has the plain table (RFC 7845, 5.1.1; RFC 8486, 3.1). */
const CHANNELS_MAX: ReadonlyMap<number, number> = new Map([
  [0, 2],
  [1, 8],
  [2, 227],
  [255, 255],
]);
const SILENCE_INDEX = 255;

type MappingResult =
  | { ok: true; streamCount: number; coupledCount: number; indices: number[] }
  | { ok: false; reason: OpusHeadFault };

function parseMapping(packet: Uint8Array, channels: number, family: number): MappingResult {
  if (family === 0) {
    return { ok: true, streamCount: 1, coupledCount: channels - 1, indices: channels === 2 ? [0, 1] : [0] };
  }
  if (packet.length < HEAD_BYTES + 2 + channels) return { ok: false, reason: "head_too_short" };
  const streamCount = packet[HEAD_BYTES]!;
  const coupledCount = packet[HEAD_BYTES + 1]!;
  const decodedChannels = streamCount + coupledCount;
  const indices = Array.from(packet.subarray(HEAD_BYTES + 2, HEAD_BYTES + 2 + channels));
  const valid =
    streamCount > 0 &&
    coupledCount <= streamCount &&
    decodedChannels <= 255 &&
    indices.every((index) => index < decodedChannels || index === SILENCE_INDEX);
  return valid ? { ok: true, streamCount, coupledCount, indices } : { ok: false, reason: "head_mapping" };
}

function startsWith(packet: Uint8Array, magic: Uint8Array): boolean {
  return packet.length >= magic.length && magic.every((byte, i) => packet[i] === byte);
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
