// What a relay sends, one frame a case, and what the service makes of it. Commands are given with wire-like names and
// every default filled in; absent optional parameters are left out.
import { header, hex, jsonFrame } from "./naive.mjs";

const USER = ["nw:acme", "un:ann"];
const ANN = { network: "acme", username: "ann" };
const TURN = { features: [], groups: [] };
const VOICE = { message_id: 7, codec: "opus", codec_header: "gD4BPA==", duration: 60 };

function good(name, about, clauses, frame, command) {
  return { name, about, clauses, hex: hex(frame), expect: { command } };
}
function refused(name, about, clauses, code, frame, addressee) {
  return { name, about, clauses, hex: typeof frame === "string" ? hex(frame) : hex(...frame), expect: { refused: code, ...addressee } };
}
const toAnn = { identity: ANN };

export const relayCases = [
  good("ai-message-minimal", "text, everything else by default; the user stands in the header", ["LT-33", "LT-50"], jsonFrame({ command: "ai_message", text: "How do I lock out press 4?" }, ...USER), {
    command: "ai_message", ...ANN, text: "How do I lock out press 4?", response_type: "text", ...TURN,
  }),
  good("ai-message-full", "every parameter, the user in both places", ["LT-33", "LT-41", "LT-43", "LT-50"], jsonFrame({
    command: "ai_message", ...ANN, text: "¿Qué hago?", response_type: "audio", mode: "ai_onboarding", f: "kiosk, beta,,",
    groups: ["maintenance", "night shift"], language: "es-MX", request_id: "r-1",
  }, ...USER, "cid:17"), {
    command: "ai_message", ...ANN, connection_id: "17", request_id: "r-1", text: "¿Qué hago?", response_type: "audio", mode: "ai_onboarding",
    features: ["kiosk", "beta"], groups: ["maintenance", "night shift"], language: "es-MX",
  }),
  good("ai-message-user-in-payload", "the user in the payload alone", ["LT-33"], jsonFrame({ command: "ai_message", ...ANN, text: "hi" }), {
    command: "ai_message", ...ANN, text: "hi", response_type: "text", ...TURN,
  }),
  good("ai-message-user-in-halves", "the network in the header, the user name in the payload", ["LT-33"], jsonFrame({ command: "ai_message", username: "ann", text: "hi" }, "nw:acme"), {
    command: "ai_message", ...ANN, text: "hi", response_type: "text", ...TURN,
  }),
  good("ai-message-nulls", "null is as good as absent", ["LT-42"], jsonFrame({ command: "ai_message", text: "hi", mode: null, f: null, groups: null, response_type: null, request_id: null, network: null }, ...USER), {
    command: "ai_message", ...ANN, text: "hi", response_type: "text", ...TURN,
  }),
  good("ai-message-unknown-parameters", "parameters that we do not know are ignored", ["LT-42"], jsonFrame({ command: "ai_message", text: "hi", colour: "red", __proto__x: 1 }, ...USER), {
    command: "ai_message", ...ANN, text: "hi", response_type: "text", ...TURN,
  }),
  good("ai-message-prototype-key", "__proto__ is an unknown parameter like any other", ["LT-42"], jsonFrame('{"__proto__":{"mode":"x"},"constructor":1,"command":"ai_message","text":"hi"}', ...USER), {
    command: "ai_message", ...ANN, text: "hi", response_type: "text", ...TURN,
  }),
  good("ai-message-repeated-parameter", "of a repeated parameter the last counts", ["LT-42"], jsonFrame('{"command":"x","command":"ai_message","text":"a","text":"b"}', ...USER), {
    command: "ai_message", ...ANN, text: "b", response_type: "text", ...TURN,
  }),
  good("ai-message-escapes", "JSON escapes, also of a pair of surrogates", ["LT-40"], jsonFrame('{"command":"ai_message","text":"\\ud83d\\udc77 \\u0041\\n"}', ...USER), {
    command: "ai_message", ...ANN, text: "👷 A\n", response_type: "text", ...TURN,
  }),
  good("features-many-commas", "empty flags do not count against the limit", ["LT-43"], jsonFrame({ command: "ai_message", text: "hi", f: `${",".repeat(40)}kiosk` }, ...USER), {
    command: "ai_message", ...ANN, text: "hi", response_type: "text", features: ["kiosk"], groups: [],
  }),
  good("request-id-longest", "64 bytes", ["LT-41"], jsonFrame({ command: "cancel", request_id: "é".repeat(32) }, ...USER), {
    command: "cancel", ...ANN, request_id: "é".repeat(32),
  }),
  good("get-chat", "about a user, nothing else", ["LT-51"], jsonFrame({ command: "get_chat", ...ANN }), { command: "get_chat", ...ANN }),
  good("close-chat", "about a user, nothing else", ["LT-52"], jsonFrame({ command: "close_chat" }, ...USER), { command: "close_chat", ...ANN }),
  good("message", "voice in: spoken answers by default", ["LT-53", "LT-61"], jsonFrame({ command: "message", ...ANN, ...VOICE }), {
    command: "message", ...ANN, message_id: 7, codec: "opus", codec_header: { sample_rate_hz: 16000, frames_per_packet: 1, frame_ms: 60 }, duration_ms: 60, response_type: "audio", ...TURN,
  }),
  good("message-several-frames", "three frames of 20 ms are a packet of 60 ms", ["LT-60", "LT-61"], jsonFrame({ command: "message", ...VOICE, codec_header: "gLsDFA==", response_type: "text" }, ...USER), {
    command: "message", ...ANN, message_id: 7, codec: "opus", codec_header: { sample_rate_hz: 48000, frames_per_packet: 3, frame_ms: 20 }, duration_ms: 60, response_type: "text", ...TURN,
  }),
  good("end-message", "the end of voice in", ["LT-55"], jsonFrame({ command: "end_message", message_id: 4294967295 }, ...USER), { command: "end_message", ...ANN, message_id: 4294967295 }),
  good("cancel", "about a user, nothing else", ["LT-56"], jsonFrame({ command: "cancel" }, ...USER), { command: "cancel", ...ANN }),
  good("suggested-questions", "which documents may be asked about depends on groups and flags", ["LT-57"], jsonFrame({ command: "suggested_questions", groups: ["a"], f: "kiosk" }, ...USER), {
    command: "suggested_questions", ...ANN, features: ["kiosk"], groups: ["a"],
  }),
  good("summarize-chat", "without text: the chat", ["LT-58"], jsonFrame({ command: "summarize" }, ...USER), { command: "summarize", ...ANN, ...TURN }),
  good("summarize-text", "a text", ["LT-58"], jsonFrame({ command: "summarize", text: "long", language: "en" }, ...USER), { command: "summarize", ...ANN, text: "long", ...TURN, language: "en" }),
  good("summarize-document", "a document, as somebody would call it", ["LT-58"], jsonFrame({ command: "summarize", document: "the cold room alarm", groups: ["a"] }, ...USER), {
    command: "summarize", ...ANN, document: "the cold room alarm", features: [], groups: ["a"],
  }),
  good("keep-alive", "no user needed; echoed as it is", ["LT-45"], jsonFrame('{ "command": "keep_alive", "n": 1e400 }'), {
    command: "keep_alive", json_hex: hex('{ "command": "keep_alive", "n": 1e400 }'),
  }),
  good("keep-alive-anything", "nothing but its name is looked at", ["LT-45"], jsonFrame('{"command":"keep_alive","network":"","request_id":7}', ...USER), {
    command: "keep_alive", json_hex: hex('{"command":"keep_alive","network":"","request_id":7}'),
  }),
  good("hello", "what the relay can take", ["LT-46"], jsonFrame({ command: "hello", audio: [{ sample_rate: 16000, frame_ms: 60 }, { sample_rate: 48000, frame_ms: 20, extra: 1 }], acknowledgements: true, announcements: true, steps: true, echoes: true }), {
    command: "hello", audio: [{ sample_rate_hz: 16000, frame_ms: 60 }, { sample_rate_hz: 48000, frame_ms: 20 }], acknowledgements: true, announcements: true, steps: true, echoes: true,
  }),
  good("hello-token", "who the relay is", ["LT-48"], jsonFrame({ command: "hello", token: "a secret of the relay" }), { command: "hello", audio: [], acknowledgements: false, announcements: false, steps: false, echoes: false, token: "a secret of the relay" }),
  good("hello-empty", "all by default", ["LT-46"], jsonFrame({ command: "hello", request_id: "h" }), { command: "hello", request_id: "h", audio: [], acknowledgements: false, announcements: false, steps: false, echoes: false }),

  refused("json-empty", "no payload", ["LT-40"], "bad_json", header("ct:json", "cl:0", ...USER), toAnn),
  refused("json-broken", "cut-off JSON; the header says whom to tell", ["LT-34", "LT-40"], "bad_json", jsonFrame('{"command":', ...USER, "cid:17"), { identity: ANN, connection_id: "17" }),
  refused("json-array", "not an object", ["LT-40"], "bad_json", jsonFrame("[]"), {}),
  refused("json-null", "not an object", ["LT-40"], "bad_json", jsonFrame("null"), {}),
  refused("json-text", "not an object", ["LT-40"], "bad_json", jsonFrame('"ai_message"'), {}),
  refused("json-byte-order-mark", "JSON begins without a byte order mark", ["LT-40"], "bad_json", jsonFrame('\ufeff{"command":"keep_alive"}'), {}),
  refused("json-not-utf8", "Latin-1", ["LT-40"], "bad_json", [header("ct:json", "cl:3", ...USER), '"', [0xe9], '"'], toAnn),
  refused("json-deep", "20,000 arrays inside each other, never closed", ["LT-40"], "bad_json", jsonFrame("[".repeat(20_000)), {}),
  refused("json-two-values", "one object, nothing behind it", ["LT-40"], "bad_json", jsonFrame("{}{}"), {}),
  refused("command-missing", "an object without a command", ["LT-40"], "missing_parameter", jsonFrame({ text: "hi" }, ...USER), toAnn),
  refused("command-number", "a command is a name", ["LT-40"], "bad_parameter", jsonFrame({ command: 7 }, ...USER), toAnn),
  refused("command-inherited", "what an object inherits is no parameter", ["LT-42"], "missing_parameter", jsonFrame('{"__proto__":{"command":"get_chat"}}', ...USER), toAnn),
  refused("command-unknown", "the request id is echoed all the same", ["LT-40", "LT-41"], "unknown_command", jsonFrame({ command: "dance", request_id: "r" }, ...USER), { identity: ANN, request_id: "r" }),
  refused("command-prototype", "the name of an inherited property is no command", ["LT-40"], "unknown_command", jsonFrame({ command: "constructor" }, ...USER), toAnn),
  refused("command-of-the-service", "text_message goes the other way", ["LT-40"], "unknown_command", jsonFrame({ command: "text_message", text: "hi" }, ...USER), toAnn),
  refused("identity-missing", "no user anywhere", ["LT-33", "LT-34"], "missing_parameter", jsonFrame({ command: "get_chat" }), {}),
  refused("identity-username-missing", "half a user cannot be told anything", ["LT-33", "LT-34"], "missing_parameter", jsonFrame({ command: "get_chat", network: "acme", request_id: "r" }), { request_id: "r" }),
  refused("identity-network-differs", "the error goes to the header's user", ["LT-33", "LT-34"], "identity_mismatch", jsonFrame({ command: "get_chat", network: "zeta", username: "ann" }, ...USER), toAnn),
  refused("identity-username-differs", "the error goes to the header's user", ["LT-33", "LT-34"], "identity_mismatch", jsonFrame({ command: "get_chat", username: "Ann" }, ...USER), toAnn),
  refused("identity-differs-half-a-header", "a header without a user name is no address", ["LT-34"], "identity_mismatch", jsonFrame({ command: "get_chat", network: "zeta", username: "ann" }, "nw:acme"), {}),
  refused("identity-composed", "é composed and decomposed are two names", ["LT-30"], "identity_mismatch", jsonFrame({ command: "get_chat", username: "e\u0301" }, "nw:acme", "un:é"), { identity: { network: "acme", username: "é" } }),
  refused("identity-empty", "a name has at least one byte", ["LT-31"], "bad_parameter", jsonFrame({ command: "get_chat", network: "acme", username: "" }), {}),
  refused("identity-control", "a name that would forge a header", ["LT-31"], "bad_parameter", jsonFrame({ command: "get_chat", network: "acme", username: "ann\nun:bob" }), {}),
  refused("identity-too-long", "257 bytes", ["LT-31"], "bad_parameter", jsonFrame({ command: "get_chat", network: "n".repeat(257), username: "ann" }), {}),
  refused("identity-surrogate", "half a surrogate pair has no UTF-8", ["LT-31"], "bad_parameter", jsonFrame('{"command":"get_chat","network":"acme","username":"\\ud800"}'), {}),
  refused("identity-number", "names are strings", ["LT-31"], "bad_parameter", jsonFrame({ command: "get_chat", username: 7 }, ...USER), toAnn),
  refused("request-id-too-long", "65 bytes", ["LT-41"], "bad_parameter", jsonFrame({ command: "get_chat", request_id: "r".repeat(65) }, ...USER), toAnn),
  refused("request-id-number", "a string", ["LT-41"], "bad_parameter", jsonFrame({ command: "get_chat", request_id: 7 }, ...USER), toAnn),
  refused("text-missing", "ai_message without text", ["LT-50"], "missing_parameter", jsonFrame({ command: "ai_message", request_id: "r" }, ...USER), { identity: ANN, request_id: "r" }),
  refused("text-null", "null is as good as absent", ["LT-42", "LT-50"], "missing_parameter", jsonFrame({ command: "ai_message", text: null }, ...USER), toAnn),
  refused("text-blank", "nothing to answer", ["LT-50"], "bad_parameter", jsonFrame({ command: "ai_message", text: " \n" }, ...USER), toAnn),
  refused("summarize-two-things", "a text or a document, not both", ["LT-58"], "bad_parameter", jsonFrame({ command: "summarize", text: "a", document: "b" }, ...USER), toAnn),
  refused("summarize-document-too-long", "1,025 bytes", ["LT-58"], "bad_parameter", jsonFrame({ command: "summarize", document: "d".repeat(1025) }, ...USER), toAnn),
  refused("text-number", "a string", ["LT-50"], "bad_parameter", jsonFrame({ command: "ai_message", text: 7 }, ...USER), toAnn),
  refused("text-surrogate", "half a surrogate pair", ["LT-42"], "bad_parameter", jsonFrame('{"command":"ai_message","text":"a\\udc00"}', ...USER), toAnn),
  refused("response-type-unknown", "text or audio", ["LT-50"], "bad_parameter", jsonFrame({ command: "ai_message", text: "hi", response_type: "video" }, ...USER), toAnn),
  refused("mode-too-long", "65 bytes", ["LT-43"], "bad_parameter", jsonFrame({ command: "ai_message", text: "hi", mode: "m".repeat(65) }, ...USER), toAnn),
  refused("features-array", "f is one string", ["LT-43"], "bad_parameter", jsonFrame({ command: "ai_message", text: "hi", f: ["kiosk"] }, ...USER), toAnn),
  refused("features-too-many", "33 flags", ["LT-43"], "bad_parameter", jsonFrame({ command: "ai_message", text: "hi", f: Array.from({ length: 33 }, (_, i) => `f${i}`).join() }, ...USER), toAnn),
  refused("features-control", "a flag with a control character", ["LT-43"], "bad_parameter", jsonFrame({ command: "ai_message", text: "hi", f: "a\u0007b" }, ...USER), toAnn),
  refused("groups-string", "groups is a list", ["LT-43"], "bad_parameter", jsonFrame({ command: "ai_message", text: "hi", groups: "a,b" }, ...USER), toAnn),
  refused("groups-number-inside", "of strings", ["LT-43"], "bad_parameter", jsonFrame({ command: "ai_message", text: "hi", groups: ["a", 1] }, ...USER), toAnn),
  refused("groups-empty-name", "each a name", ["LT-43"], "bad_parameter", jsonFrame({ command: "ai_message", text: "hi", groups: [""] }, ...USER), toAnn),
  refused("groups-too-many", "257 entries", ["LT-43"], "bad_parameter", jsonFrame({ command: "ai_message", text: "hi", groups: Array.from({ length: 257 }, (_, i) => `g${i}`) }, ...USER), toAnn),
  refused("language-name", "a tag, not the name of a language", ["LT-43"], "bad_parameter", jsonFrame({ command: "ai_message", text: "hi", language: "Español" }, ...USER), toAnn),
  refused("message-id-missing", "voice in without its number", ["LT-53"], "missing_parameter", jsonFrame({ command: "message", ...VOICE, message_id: undefined }, ...USER), toAnn),
  refused("message-id-negative", "unsigned", ["LT-44"], "bad_parameter", jsonFrame({ command: "end_message", message_id: -1 }, ...USER), toAnn),
  refused("message-id-beyond-32-bits", "4,294,967,296", ["LT-44"], "bad_parameter", jsonFrame({ command: "end_message", message_id: 4294967296 }, ...USER), toAnn),
  refused("message-id-fraction", "an integer", ["LT-44"], "bad_parameter", jsonFrame({ command: "end_message", message_id: 1.5 }, ...USER), toAnn),
  refused("message-id-string", "a number", ["LT-44"], "bad_parameter", jsonFrame({ command: "end_message", message_id: "7" }, ...USER), toAnn),
  refused("codec-unknown", "Opus only", ["LT-60"], "unsupported_audio", jsonFrame({ command: "message", ...VOICE, codec: "speex" }, ...USER), toAnn),
  refused("codec-header-missing", "needed to decode", ["LT-53"], "missing_parameter", jsonFrame({ command: "message", ...VOICE, codec_header: undefined }, ...USER), toAnn),
  refused("codec-header-short", "four bytes", ["LT-61"], "bad_parameter", jsonFrame({ command: "message", ...VOICE, codec_header: "gD4B" }, ...USER), toAnn),
  refused("codec-header-zero", "no frames a packet", ["LT-61"], "bad_parameter", jsonFrame({ command: "message", ...VOICE, codec_header: "gD4APA==" }, ...USER), toAnn),
  refused("codec-header-rate", "11,025 Hz is no rate of Opus", ["LT-60"], "unsupported_audio", jsonFrame({ command: "message", ...VOICE, codec_header: "ESsBPA==" }, ...USER), toAnn),
  refused("duration-disagrees", "20 ms, while codec_header says 60", ["LT-61"], "bad_parameter", jsonFrame({ command: "message", ...VOICE, duration: 20 }, ...USER), toAnn),
  refused("duration-unsupported", "packets of 10 ms", ["LT-60"], "unsupported_audio", jsonFrame({ command: "message", ...VOICE, codec_header: "gD4BCg==", duration: 10 }, ...USER), toAnn),
  refused("hello-audio-object", "a list", ["LT-46"], "bad_parameter", jsonFrame({ command: "hello", audio: { sample_rate: 16000, frame_ms: 60 } }), {}),
  refused("hello-audio-rate-missing", "both figures", ["LT-46"], "bad_parameter", jsonFrame({ command: "hello", audio: [{ frame_ms: 60 }] }), {}),
  refused("hello-audio-too-many", "17 entries", ["LT-46"], "bad_parameter", jsonFrame({ command: "hello", audio: Array(17).fill({ sample_rate: 16000, frame_ms: 60 }) }), {}),
  refused("hello-token-number", "a text; the error does not repeat it", ["LT-48"], "bad_parameter", jsonFrame({ command: "hello", token: 12345678 }), {}),
  refused("hello-token-long", "1,025 bytes", ["LT-48"], "bad_parameter", jsonFrame({ command: "hello", token: "x".repeat(1025) }), {}),
  refused("hello-echoes-number", "true or false", ["LT-46"], "bad_parameter", jsonFrame({ command: "hello", echoes: 1 }), {}),
  refused("hello-acknowledgements-string", "true or false", ["LT-46"], "bad_parameter", jsonFrame({ command: "hello", acknowledgements: "yes" }), {}),
];
