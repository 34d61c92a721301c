// Bytes to envelopes. A case expects `envelopes` in this order and then `end`: "incomplete" or {"malformed": reason}.
import { header, hex, jsonFrame, ramp } from "./naive.mjs";

const AUDIO_LINES = ["ct:a", "cl:3", "nw:acme", "un:ann", "mid:7", "pid:0"];
const AUDIO = { content_type: "audio", network: "acme", username: "ann", message_id: 7, packet_id: 0, payload_hex: "0a0b0c" };
const OPUS = [0x0a, 0x0b, 0x0c];
const EMPTY_OBJECT = { content_type: "json", payload_hex: hex("{}") };

function good(name, about, clauses, bytes, envelopes) {
  return { name, about, clauses, hex: bytes, expect: { envelopes, end: "incomplete" } };
}
function cut(name, about, clauses, bytes) {
  return { name, about, clauses, hex: bytes, expect: { envelopes: [], end: "incomplete" } };
}
function bad(name, about, clauses, bytes, reason, envelopes = []) {
  return { name, about, clauses, hex: bytes, expect: { envelopes, end: { malformed: reason } } };
}

/** A JSON frame without payload of which the header has exactly `bytes` bytes. */
function headerOfBytes(bytes) {
  const empty = header("ct:json", "cl:0", "x:").length;
  return header("ct:json", "cl:0", `x:${"v".repeat(bytes - empty)}`);
}

export const envelopeCases = [
  good("json-minimal", "only ct and cl", ["LT-3", "LT-4"], hex(jsonFrame("{}")), [EMPTY_OBJECT]),
  good("json-empty-payload", "cl:0 is a frame; that its payload is no JSON is for the command parser to say", ["LT-1"], hex(header("ct:json", "cl:0")), [
    { content_type: "json", payload_hex: "" },
  ]),
  good("json-full-header", "every key", ["LT-3"], hex(jsonFrame("{}", "nw:acme", "un:ann", "cid:17", "mid:1", "pid:2")), [
    { ...EMPTY_OBJECT, network: "acme", username: "ann", connection_id: "17", message_id: 1, packet_id: 2 },
  ]),
  good("json-network-only", "a JSON header may name the network alone", ["LT-4"], hex(jsonFrame("{}", "nw:acme")), [
    { ...EMPTY_OBJECT, network: "acme" },
  ]),
  good("json-payload-with-line-feeds", "a payload may look like a frame", ["LT-1"], hex(jsonFrame("LT\nct:json\n\n")), [
    { content_type: "json", payload_hex: hex("LT\nct:json\n\n") },
  ]),
  good("audio-minimal", "the five keys that audio needs, and ct", ["LT-4"], hex(header(...AUDIO_LINES), OPUS), [AUDIO]),
  good("audio-with-connection", "cid is passed through", ["LT-32"], hex(header(...AUDIO_LINES, "cid:c-1"), OPUS), [
    { ...AUDIO, connection_id: "c-1" },
  ]),
  good("audio-empty-payload", "an empty packet is a frame", ["LT-1"], hex(header("ct:a", "cl:0", "nw:acme", "un:ann", "mid:7", "pid:0")), [
    { ...AUDIO, payload_hex: "" },
  ]),
  good("audio-largest-ids", "mid and pid are unsigned 32-bit", ["LT-7"], hex(header("ct:a", "cl:3", "nw:acme", "un:ann", "mid:4294967295", "pid:4294967295"), OPUS), [
    { ...AUDIO, message_id: 4294967295, packet_id: 4294967295 },
  ]),
  good("audio-largest-payload", "8,192 bytes", ["LT-20"], hex(header("ct:a", "cl:8192", "nw:acme", "un:ann", "mid:7", "pid:0"), ramp(8192)), [
    { ...AUDIO, payload_hex: hex(ramp(8192)) },
  ]),
  good("audio-sixty-bytes", "the usual size of a packet", ["LT-1"], hex(header("ct:a", "cl:60", "nw:acme", "un:ann", "mid:7", "pid:0"), ramp(60)), [
    { ...AUDIO, payload_hex: hex(ramp(60)) },
  ]),
  good("order-reversed", "the order of keys is free", ["LT-3"], hex(header(...[...AUDIO_LINES].reverse()), OPUS), [AUDIO]),
  good("order-payload-length-last", "cl after everything else", ["LT-3"], hex(header("nw:acme", "un:ann", "ct:json", "cl:2"), "{}"), [
    { ...EMPTY_OBJECT, network: "acme", username: "ann" },
  ]),
  good("unknown-keys", "keys that are not ours are ignored, one of them empty, one long", ["LT-6"], hex(jsonFrame("{}", "zz:1", ":nothing", "priority:high", "x:")), [EMPTY_OBJECT]),
  good("unknown-key-case", "keys are compared byte by byte: CT is not ct", ["LT-6"], hex(jsonFrame("{}", "CT:a", " ct:a", "ct :a")), [EMPTY_OBJECT]),
  good("unknown-key-ending-like-ours", "a longer key that ends like one of ours is unknown", ["LT-6"], hex(jsonFrame("{}", "\u0001cid:1", "xx\u0001cid:2", "acid:3")), [EMPTY_OBJECT]),
  good("unknown-key-utf8", "an unknown line may hold any UTF-8", ["LT-5", "LT-6"], hex(jsonFrame("{}", "größe:日本", "tab\t:\r")), [EMPTY_OBJECT]),
  good("value-with-colons", "a value runs from the first colon to the line feed", ["LT-8"], hex(jsonFrame("{}", "nw:a:b:", "un::")), [
    { ...EMPTY_OBJECT, network: "a:b:", username: ":" },
  ]),
  good("value-with-blanks", "blanks belong to the value", ["LT-8"], hex(jsonFrame("{}", "nw: acme ", "un:a b")), [
    { ...EMPTY_OBJECT, network: " acme ", username: "a b" },
  ]),
  good("names-utf8", "names are UTF-8; a combining accent is not the composed letter", ["LT-30", "LT-31"], hex(jsonFrame("{}", "nw:日本", "un:jose\u0301")), [
    { ...EMPTY_OBJECT, network: "日本", username: "jose\u0301" },
  ]),
  good("names-byte-order-mark", "a byte order mark is part of the name", ["LT-5", "LT-30"], hex(jsonFrame("{}", "nw:\ufeffacme", "un:ann")), [
    { ...EMPTY_OBJECT, network: "\ufeffacme", username: "ann" },
  ]),
  good("names-emoji", "four-byte UTF-8", ["LT-31"], hex(jsonFrame("{}", "nw:acme", "un:👷🏽")), [
    { ...EMPTY_OBJECT, network: "acme", username: "👷🏽" },
  ]),
  good("names-longest", "256 bytes each", ["LT-31"], hex(jsonFrame("{}", `nw:${"n".repeat(256)}`, `un:${"é".repeat(128)}`, `cid:${"c".repeat(256)}`)), [
    { ...EMPTY_OBJECT, network: "n".repeat(256), username: "é".repeat(128), connection_id: "c".repeat(256) },
  ]),
  good("connection-id-empty", "an empty cid is no cid", ["LT-8", "LT-32"], hex(jsonFrame("{}", "cid:")), [EMPTY_OBJECT]),
  good("json-eight-lines", "all lines of the envelope, those without a value empty", ["LT-8"], hex(jsonFrame("{}", "nw:", "un:", "cid:", "mid:", "pid:")), [EMPTY_OBJECT]),
  good("json-empty-before-ct", "an empty value is none, whether or not the content type is known yet", ["LT-8"], hex(header("mid:", "un:", "nw:acme", "cl:2", "ct:json"), "{}"), [{ ...EMPTY_OBJECT, network: "acme" }]),
  good("decimal-leading-zeros", "up to ten digits, leading zeros allowed", ["LT-7"], hex(header("ct:a", "cl:0000000003", "nw:acme", "un:ann", "mid:007", "pid:0000000000"), OPUS), [AUDIO]),
  good("header-largest", "4,096 bytes with the blank line", ["LT-20"], hex(headerOfBytes(4096)), [{ content_type: "json", payload_hex: "" }]),
  good("joined-three", "frames follow each other without a gap", ["LT-1"], hex(jsonFrame("{}"), header(...AUDIO_LINES), OPUS, jsonFrame("{}")), [EMPTY_OBJECT, AUDIO, EMPTY_OBJECT]),
  good("joined-users", "two users of one relay, and one user of two networks", ["LT-30"], hex(
    header(...AUDIO_LINES), OPUS, header("ct:a", "cl:1", "nw:acme", "un:bob", "mid:7", "pid:0"), [1], header("ct:a", "cl:1", "nw:zeta", "un:ann", "mid:7", "pid:1"), [2]), [
    AUDIO,
    { ...AUDIO, username: "bob", payload_hex: "01" },
    { ...AUDIO, network: "zeta", packet_id: 1, payload_hex: "02" },
  ]),

  cut("cut-nothing", "no bytes", ["LT-10"], ""),
  cut("cut-in-magic", "LT without its line feed", ["LT-10"], hex("LT")),
  cut("cut-in-line", "a line without its line feed may yet become anything", ["LT-10"], hex("LT\nct:json\ncl:2")),
  cut("cut-before-blank-line", "every line, but no blank one", ["LT-10"], hex("LT\nct:json\ncl:0\n")),
  cut("cut-in-payload", "one byte is missing", ["LT-10"], hex(header("ct:json", "cl:2"), "{")),
  cut("cut-before-payload", "the whole header", ["LT-10"], hex(header("ct:a", "cl:8192", "nw:acme", "un:ann", "mid:7", "pid:0"))),
  cut("cut-long-header", "4,095 bytes without a blank line may yet be a header", ["LT-20"], hex(headerOfBytes(4096).slice(0, 4095))),
  good("cut-second-frame", "a frame and the beginning of another", ["LT-10"], hex(jsonFrame("{}"), "LT\nct:"), [EMPTY_OBJECT]),

  bad("magic-http", "known at the first byte", ["LT-2", "LT-13"], hex("G"), "bad_magic"),
  bad("magic-tls", "a TLS client", ["LT-2"], hex([0x16, 0x03, 0x01]), "bad_magic"),
  bad("magic-lower-case", "lt is not LT", ["LT-2"], hex("lt\nct:json\ncl:0\n\n"), "bad_magic"),
  bad("magic-crlf", "a carriage return is no line end", ["LT-2", "LT-5"], hex("LT\r\n"), "bad_magic"),
  bad("magic-missing-after-frame", "a payload longer than cl says runs into the next frame", ["LT-12"], hex(header("ct:json", "cl:1"), "{}"), "bad_magic", [
    { content_type: "json", payload_hex: hex("{") },
  ]),
  bad("magic-line-feed-between-frames", "nothing stands between frames", ["LT-1"], hex(jsonFrame("{}"), "\n", jsonFrame("{}")), "bad_magic", [EMPTY_OBJECT]),
  bad("header-one-too-large", "4,097 bytes", ["LT-20"], hex(headerOfBytes(4097)), "header_too_large"),
  bad("header-endless-line", "known at byte 4,096, without waiting for a line feed", ["LT-13", "LT-20"], hex(`LT\n${"k".repeat(4093)}`), "header_too_large"),
  bad("header-many-lines", "complete lines, but no blank one within the limit", ["LT-20"], hex(`LT\n${Array.from({ length: 900 }, (_, i) => `k${i}:\n`).join("")}\n`), "header_too_large"),
  bad("colon-missing", "a line without a colon", ["LT-2"], hex(header("ct:json", "cl", "cl:0")), "missing_colon"),
  bad("colon-missing-early", "known before the header ends", ["LT-13"], hex("LT\nct\n"), "missing_colon"),
  bad("repeated-ct", "ct twice, alike", ["LT-9"], hex(header("ct:json", "ct:json", "cl:0")), "repeated_key"),
  bad("repeated-cl", "cl twice: the classic way to smuggle a frame", ["LT-9"], hex(header("ct:json", "cl:0", "cl:5")), "repeated_key"),
  bad("repeated-nw", "nw twice", ["LT-9"], hex(jsonFrame("{}", "nw:a", "nw:b")), "repeated_key"),
  bad("repeated-un", "un twice", ["LT-9"], hex(jsonFrame("{}", "un:a", "un:a")), "repeated_key"),
  bad("repeated-cid", "cid twice, once empty", ["LT-9"], hex(jsonFrame("{}", "cid:", "cid:1")), "repeated_key"),
  bad("repeated-mid", "mid twice", ["LT-9"], hex(jsonFrame("{}", "mid:0", "mid:0")), "repeated_key"),
  bad("repeated-pid", "pid twice", ["LT-9"], hex(jsonFrame("{}", "pid:0", "pid:0")), "repeated_key"),
  bad("repeated-unknown", "an unknown key twice is repeated too", ["LT-6", "LT-9"], hex(jsonFrame("{}", "zz:1", "yy:1", "zz:2")), "repeated_key"),
  bad("ct-missing", "no ct", ["LT-4"], hex(header("cl:0")), "missing_key"),
  bad("cl-missing", "no cl", ["LT-4"], hex(header("ct:json")), "missing_key"),
  bad("header-empty", "no key at all", ["LT-4"], hex("LT\n\n"), "missing_key"),
  bad("audio-without-network", "ct:a needs nw", ["LT-4"], hex(header("ct:a", "cl:0", "un:ann", "mid:7", "pid:0")), "missing_key"),
  bad("audio-without-username", "ct:a needs un", ["LT-4"], hex(header("ct:a", "cl:0", "nw:acme", "mid:7", "pid:0")), "missing_key"),
  bad("audio-without-mid", "ct:a needs mid", ["LT-4"], hex(header("ct:a", "cl:0", "nw:acme", "un:ann", "pid:0")), "missing_key"),
  bad("audio-without-pid", "ct:a needs pid", ["LT-4"], hex(header("ct:a", "cl:0", "nw:acme", "un:ann", "mid:7")), "missing_key"),
  bad("ct-unknown", "neither json nor a", ["LT-3"], hex(header("ct:text", "cl:0")), "bad_content_type"),
  bad("ct-empty", "an empty ct", ["LT-3"], hex(header("ct:", "cl:0")), "bad_content_type"),
  bad("ct-upper-case", "values are compared byte by byte too", ["LT-3"], hex(header("ct:JSON", "cl:0")), "bad_content_type"),
  bad("ct-crlf", "a carriage return is part of the value", ["LT-5"], hex("LT\nct:json\r\n"), "bad_content_type"),
  bad("ct-not-utf8", "a bad ct is a bad ct, whatever its bytes", ["LT-3"], hex("LT\nct:", [0xff], "\n"), "bad_content_type"),
  bad("cl-empty", "an empty cl", ["LT-7"], hex(header("ct:json", "cl:")), "bad_number"),
  bad("cl-sign", "no sign", ["LT-7"], hex(header("ct:json", "cl:+2")), "bad_number"),
  bad("cl-negative", "no sign", ["LT-7"], hex(header("ct:json", "cl:-1")), "bad_number"),
  bad("cl-blank-before", "no blanks", ["LT-7"], hex(header("ct:json", "cl: 2")), "bad_number"),
  bad("cl-blank-behind", "no blanks", ["LT-7"], hex(header("ct:json", "cl:2 ")), "bad_number"),
  bad("cl-colon", "the byte behind nine", ["LT-7"], hex(header("ct:json", "cl:1:")), "bad_number"),
  bad("cl-slash", "the byte before zero", ["LT-7"], hex(header("ct:json", "cl:/1")), "bad_number"),
  bad("cl-hexadecimal", "decimal only", ["LT-7"], hex(header("ct:json", "cl:0x2")), "bad_number"),
  bad("cl-fraction", "decimal only", ["LT-7"], hex(header("ct:json", "cl:2.0")), "bad_number"),
  bad("cl-exponent", "decimal only", ["LT-7"], hex(header("ct:json", "cl:1e1")), "bad_number"),
  bad("cl-other-digits", "digits are ASCII", ["LT-7"], hex(header("ct:json", "cl:２")), "bad_number"),
  bad("cl-eleven-digits", "even if they are zeros", ["LT-7"], hex(header("ct:json", "cl:00000000002")), "bad_number"),
  bad("cl-crlf", "a carriage return is part of the value", ["LT-5"], hex("LT\nct:json\ncl:0\r\n"), "bad_number"),
  bad("cl-absurd", "a number, but far over the limit; nothing is allocated", ["LT-20", "LT-21"], hex(header("ct:json", "cl:4294967296")), "payload_too_large"),
  bad("cl-json-one-over", "262,145 bytes of JSON", ["LT-20"], hex(header("ct:json", "cl:262145")), "payload_too_large"),
  bad("cl-audio-one-over", "8,193 bytes of audio, which JSON could have", ["LT-20"], hex(header("cl:8193", "ct:a", "nw:acme", "un:ann", "mid:7", "pid:0")), "payload_too_large"),
  bad("mid-beyond-32-bits", "4,294,967,296", ["LT-7"], hex(header("ct:a", "cl:0", "nw:acme", "un:ann", "mid:4294967296", "pid:0")), "bad_number"),
  bad("pid-beyond-32-bits", "4,294,967,296", ["LT-7"], hex(header("ct:a", "cl:0", "nw:acme", "un:ann", "mid:0", "pid:4294967296")), "bad_number"),
  bad("mid-text", "audio with a mid that is no number", ["LT-7"], hex(header("ct:a", "cl:0", "nw:acme", "un:ann", "mid:abc", "pid:0")), "bad_number"),
  bad("mid-text-on-json", "mid and pid are numbers on JSON frames too", ["LT-7"], hex(jsonFrame("{}", "mid:abc")), "bad_number"),
  bad("pid-empty", "audio with an empty pid has none", ["LT-4", "LT-8"], hex(header("ct:a", "cl:0", "nw:acme", "un:ann", "mid:0", "pid:")), "missing_key"),
  bad("audio-empty-name", "audio with an empty nw has none, whatever comes first", ["LT-4", "LT-8"], hex(header("nw:", "un:ann", "mid:0", "pid:0", "ct:a", "cl:0")), "missing_key"),
  bad("repeated-nw-empty", "nw twice, once empty", ["LT-8", "LT-9"], hex(jsonFrame("{}", "nw:", "nw:acme")), "repeated_key"),
  bad("repeated-mid-empty", "mid twice, both empty", ["LT-8", "LT-9"], hex(jsonFrame("{}", "mid:", "mid:")), "repeated_key"),
  bad("nw-too-long", "257 bytes", ["LT-31"], hex(jsonFrame("{}", `nw:${"n".repeat(257)}`)), "bad_name"),
  bad("un-too-long-in-bytes", "129 letters, but 258 bytes", ["LT-31"], hex(jsonFrame("{}", `un:${"é".repeat(129)}`)), "bad_name"),
  bad("un-too-long-in-three-byte-letters", "86 letters, but 258 bytes", ["LT-31"], hex(jsonFrame("{}", `un:${"日".repeat(86)}`)), "bad_name"),
  bad("cid-too-long", "257 bytes", ["LT-32"], hex(jsonFrame("{}", `cid:${"c".repeat(257)}`)), "bad_name"),
  bad("un-nul", "a control character", ["LT-31"], hex(jsonFrame("{}", "un:a\u0000b")), "bad_name"),
  bad("un-delete", "U+007F is a control character", ["LT-31"], hex(jsonFrame("{}", "un:a\u007f")), "bad_name"),
  bad("un-c1", "U+0085 is a control character", ["LT-31"], hex(jsonFrame("{}", "un:a\u0085b")), "bad_name"),
  bad("nw-crlf", "a carriage return is a control character", ["LT-5", "LT-31"], hex("LT\nnw:acme\r\n"), "bad_name"),
  bad("cid-tab", "a control character", ["LT-32"], hex(jsonFrame("{}", "cid:a\tb")), "bad_name"),
  bad("un-not-utf8", "a byte that UTF-8 does not have", ["LT-5"], hex("LT\nun:", [0xff], "\n"), "invalid_utf8"),
  bad("un-overlong-utf8", "C0 AF is an overlong slash", ["LT-5"], hex("LT\nun:", [0xc0, 0xaf], "\n"), "invalid_utf8"),
  bad("un-surrogate-utf8", "ED A0 80 is a surrogate", ["LT-5"], hex("LT\nun:", [0xed, 0xa0, 0x80], "\n"), "invalid_utf8"),
  bad("un-truncated-utf8", "a character cut off by the line feed", ["LT-5"], hex("LT\nun:a", [0xe6, 0x97], "\n"), "invalid_utf8"),
  bad("unknown-key-not-utf8", "the whole header is UTF-8", ["LT-5"], hex("LT\n", [0xff], ":1\n"), "invalid_utf8"),
  bad("unknown-value-not-utf8", "the whole header is UTF-8", ["LT-5"], hex("LT\nzz:", [0x80], "\n"), "invalid_utf8"),
  bad("first-defect-counts", "the first defect in byte order is the reason", ["LT-13"], hex("LT\ncl:x\nct\n", [0xff]), "bad_number"),
  bad("frames-before-defect", "what came whole before the defect counts", ["LT-12"], hex(jsonFrame("{}"), jsonFrame("{}"), "LT\nct:b\n"), "bad_content_type", [EMPTY_OBJECT, EMPTY_OBJECT]),
];
