/**
 * Every bound of the LoudTalks protocol, with its unit in its name ([LT-20] to [LT-22]).
 * The relations between them are checked when the module loads, so that a changed figure cannot break another.
 */

/** The version of this protocol. A change that a relay of this version cannot ignore raises it. */
export const PROTOCOL_VERSION = 1;
/** Whole header, from the magic line to the blank line that ends it. */
export const HEADER_BYTES_MAX = 4_096;
/** Payload of a `ct:json` frame. */
export const JSON_PAYLOAD_BYTES_MAX = 262_144;
/** Payload of a `ct:a` frame. */
export const AUDIO_PAYLOAD_BYTES_MAX = 8_192;
/** Network name, user name, and one entry of `groups`, in UTF-8. */
export const NAME_BYTES_MAX = 256;
/** Connection id (`cid`), in UTF-8. */
export const CONNECTION_ID_BYTES_MAX = 256;
/** `request_id`, in UTF-8. */
export const REQUEST_ID_BYTES_MAX = 64;
/** Largest `mid`, and `message_id` in JSON: unsigned 32-bit. */
export const MID_MAX = 0xffff_ffff;
/** Largest `pid`: unsigned 32-bit. */
export const PID_MAX = 0xffff_ffff;
/** Digits in a decimal header value, leading zeros included. */
export const DECIMAL_DIGITS_MAX = 10;
/** Entries in `groups`. */
export const GROUPS_MAX = 256;
/** Flags in `f`. */
export const FEATURES_MAX = 32;
/** One flag in `f`, in UTF-8. */
export const FEATURE_BYTES_MAX = 64;
/** `mode`, in UTF-8. */
export const MODE_BYTES_MAX = 64;
/** `language`: the length that RFC 5646 section 4.4.1 asks implementations to hold. */
export const LANGUAGE_BYTES_MAX = 35;
/** `document` of `summarize`, in UTF-8. */
export const DOCUMENT_BYTES_MAX = 1_024;
/** Entries in the `audio` list of `hello`. */
export const HELLO_AUDIO_MAX = 16;
/** `token` of `hello`, in UTF-8. */
export const HELLO_TOKEN_BYTES_MAX = 1_024;
/** Entries of `on` in the service's `hello`. */
export const HELLO_ON_MAX = 64;
/** Entries in `evidence` of `step`. */
export const STEP_EVIDENCE_MAX = 32;
/** Entries in `questions` of `suggested_questions`. */
export const SUGGESTED_QUESTIONS_MAX = 32;
/** Largest sample rate that `codec_header` can hold (16 bits), in Hz. */
export const SAMPLE_RATE_HZ_MAX = 0xffff;
/** Largest frame size that `codec_header` can hold (8 bits), in ms. */
export const FRAME_MS_MAX = 0xff;
/** Sample rates that Opus knows (RFC 6716 section 2), in Hz. */
export const SAMPLE_RATES_HZ = [8_000, 12_000, 16_000, 24_000, 48_000] as const;
/** Packet durations that the protocol carries, in ms. */
export const PACKET_DURATIONS_MS = [20, 40, 60] as const;
/** What a decoder may hold of an unfinished frame: its header, or its payload, never both. */
export const DECODER_BUFFERED_BYTES_MAX = JSON_PAYLOAD_BYTES_MAX;

/** Magic, seven lines with their longest values, the blank line. */
const LONGEST_ENCODED_HEADER_BYTES =
  "LT\nct:json\ncl:\nnw:\nun:\ncid:\nmid:\npid:\n\n".length +
  3 * DECIMAL_DIGITS_MAX +
  2 * NAME_BYTES_MAX +
  CONNECTION_ID_BYTES_MAX;

function assertLimit(holds: boolean, relation: string): void {
  if (!holds) throw new RangeError(`protocol limits contradict each other: ${relation} does not hold`);
}

assertLimit(LONGEST_ENCODED_HEADER_BYTES <= HEADER_BYTES_MAX, "the longest encoded header fits a header");
assertLimit(
  AUDIO_PAYLOAD_BYTES_MAX <= JSON_PAYLOAD_BYTES_MAX,
  "an audio payload is no larger than a JSON one",
);
assertLimit(HEADER_BYTES_MAX <= DECODER_BUFFERED_BYTES_MAX, "a header fits what a decoder may hold");
assertLimit(
  String(MID_MAX).length <= DECIMAL_DIGITS_MAX && String(PID_MAX).length <= DECIMAL_DIGITS_MAX,
  "mid and pid fit the decimal digits",
);
assertLimit(
  GROUPS_MAX * (NAME_BYTES_MAX + '"",'.length) < JSON_PAYLOAD_BYTES_MAX,
  "a full list of groups fits a JSON payload",
);
assertLimit(
  SAMPLE_RATES_HZ.every((rate) => rate <= SAMPLE_RATE_HZ_MAX) &&
    PACKET_DURATIONS_MS.every((duration) => duration <= FRAME_MS_MAX),
  "every Opus rate and packet duration fits codec_header",
);
