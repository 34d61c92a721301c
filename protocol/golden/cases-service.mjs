// What the service sends, one frame a case, and what it means to a relay.
import { hex, jsonFrame } from "./naive.mjs";

const LINES = ["nw:acme", "un:ann", "cid:17"];
const ANN = { network: "acme", username: "ann" };
const ROUTE = { ...ANN, connection_id: "17" };
const VOICE = { message_id: 9, kind: "answer", codec: "opus", codec_header: "gLsBFA==", duration: 20 };
const VOICE_MEANING = { message_id: 9, kind: "answer", codec: "opus", codec_header: { sample_rate_hz: 48000, frames_per_packet: 1, frame_ms: 20 }, duration_ms: 20 };

function good(name, about, clauses, payload, meaning, lines = LINES, route = ROUTE) {
  return { name, about, clauses, hex: hex(jsonFrame(payload, ...lines)), expect: { command: { command: payload.command, ...meaning }, route } };
}
function refused(name, about, clauses, code, payload, lines = LINES) {
  return { name, about, clauses, hex: hex(jsonFrame(payload, ...lines)), expect: { refused: code } };
}

export const serviceCases = [
  good("text-message", "an answer as text", ["LT-35", "LT-70"], { command: "text_message", ...ANN, text: "Ten metres.", request_id: "r" }, { text: "Ten metres.", request_id: "r" }),
  good("text-message-announcement", "said unasked, as text", ["LT-70", "LT-106"], { command: "text_message", ...ANN, text: "Time is up.", kind: "announcement" }, { text: "Time is up.", kind: "announcement" }),
  good("message", "the beginning of a spoken answer", ["LT-71", "LT-61"], { command: "message", ...ANN, ...VOICE }, VOICE_MEANING),
  good("message-acknowledgement", "said while the answer is being found", ["LT-71"], { command: "message", ...ANN, ...VOICE, kind: "acknowledgement" }, { ...VOICE_MEANING, kind: "acknowledgement" }),
  good("message-announcement", "said unasked", ["LT-71", "LT-106"], { command: "message", ...ANN, ...VOICE, kind: "announcement" }, { ...VOICE_MEANING, kind: "announcement" }),
  good("message-moved-here", "goes on from packet 40", ["LT-71", "LT-91"], { command: "message", ...ANN, ...VOICE, first_pid: 40 }, { ...VOICE_MEANING, first_packet_id: 40 }),
  good("end-message", "everything was sent", ["LT-73"], { command: "end_message", ...ANN, message_id: 9, duration_ms: 1840 }, { message_id: 9, duration_ms: 1840, ending: "complete" }),
  good("end-message-interrupted", "drop what is buffered", ["LT-73", "LT-86"], { command: "end_message", ...ANN, message_id: 9, duration_ms: 400, interrupted: true }, { message_id: 9, duration_ms: 400, ending: "interrupted" }),
  good("end-message-moved", "goes on elsewhere", ["LT-73", "LT-91"], { command: "end_message", ...ANN, message_id: 9, duration_ms: 800, moved: true }, { message_id: 9, duration_ms: 800, ending: "moved" }),
  good("transcription-answer", "the words of the answer", ["LT-74"], { command: "transcription", ...ANN, message_id: 9, text: "Ten metres.", role: "answer" }, { message_id: 9, text: "Ten metres.", role: "answer" }),
  good("transcription-question", "the words of the question", ["LT-74"], { command: "transcription", ...ANN, message_id: 7, text: "how far", role: "question" }, { message_id: 7, text: "how far", role: "question" }),
  good("transcription-nothing-heard", "interrupted before a whole word", ["LT-74", "LT-87"], { command: "transcription", ...ANN, message_id: 9, text: "", role: "answer" }, { message_id: 9, text: "", role: "answer" }),
  good("error", "to a user", ["LT-75", "LT-110"], { command: "ai_message_error", ...ANN, code: "chat_busy", error: "Ten messages are waiting." }, { code: "chat_busy", error: "Ten messages are waiting." }),
  good("error-without-user", "to a relay that did not say a user validly", ["LT-34", "LT-75"], { command: "ai_message_error", code: "bad_json", error: "not JSON" }, { code: "bad_json", error: "not JSON" }, [], {}),
  good("chat-closed", "after ten quiet minutes", ["LT-76"], { command: "chat_closed", ...ANN, reason: "expired" }, { reason: "expired" }),
  good("chat", "the reply to get_chat", ["LT-77"], {
    command: "chat", ...ANN, chat_id: "c1", message_count: 4, last_update: "2026-01-24T12:00:00.000Z", expires_at: "2026-01-24T12:10:00Z", mode: "ai_onboarding", speaking: true,
  }, { chat_id: "c1", message_count: 4, last_update_ms: 1769256000000, expires_at_ms: 1769256600000, mode: "ai_onboarding", speaking: true }),
  good("step", "a system of the site was asked", ["LT-107"], { command: "step", ...ANN, request_id: "r", tool: "plant.read_status", target: "pump six", ok: true, ms: 12, evidence: [{ target: "plant/pump/p6", signal: "temperature", value: 41.5, unit: "°C", text: "Pump six, temperature: 41.5 °C.", age_ms: 800 }, { target: "plant/pump/p6", signal: "status", value: "running", text: "Pump six, status: running.", age_ms: 0 }] },
    { request_id: "r", tool: "plant.read_status", target: "pump six", ok: true, ms: 12, evidence: [{ target: "plant/pump/p6", signal: "temperature", value: 41.5, unit: "°C", text: "Pump six, temperature: 41.5 °C.", age_ms: 800 }, { target: "plant/pump/p6", signal: "status", value: "running", text: "Pump six, status: running.", age_ms: 0 }] }),
  good("step-failed", "it did not answer, about no single thing", ["LT-107"], { command: "step", ...ANN, tool: "plant.list_alarms", ok: false, ms: 5000 }, { tool: "plant.list_alarms", ok: false, ms: 5000, evidence: [] }),
  good("hello", "what a relay may send, and what is on; what it does not know it ignores", ["LT-49"], { command: "hello", request_id: "h", version: 1, limits: { question_characters: 4000, question_tokens: 250, question_words: 1000, questions_waiting: 10, voice_ms: 60000, idle_ms: 120000, moons: 2 }, on: ["voice_in", "moons"] },
    { request_id: "h", version: 1, limits: { question_characters: 4000, question_tokens: 250, question_words: 1000, questions_waiting: 10, voice_ms: 60000, idle_ms: 120000 }, on: ["voice_in", "moons"] }, [], {}),
  good("keep-alive-question", "to be echoed by a relay that has said so", ["LT-105"], { command: "keep_alive", read: 7 }, { json_hex: hex('{"command":"keep_alive","read":7}') }, [], {}),
  good("keep-alive", "unasked, after a minute of silence", ["LT-45"], { command: "keep_alive" }, { json_hex: hex('{"command":"keep_alive"}') }, [], {}),
  good("suggested-questions", "a list", ["LT-78"], { command: "suggested_questions", ...ANN, questions: ["How far?", "How long?"] }, { questions: ["How far?", "How long?"] }),
  good("summary", "a text", ["LT-79"], { command: "summary", ...ANN, text: "All well." }, { text: "All well." }),

  refused("user-missing", "an answer to nobody", ["LT-35"], "missing_parameter", { command: "text_message", text: "hi" }, []),
  refused("user-differs", "header and payload disagree", ["LT-33"], "identity_mismatch", { command: "text_message", network: "acme", username: "bob", text: "hi" }),
  refused("command-unknown", "from a later version: to be ignored", ["LT-40"], "unknown_command", { command: "tele_message", ...ANN }),
  refused("message-odd-duration", "25 ms", ["LT-60"], "bad_parameter", { command: "message", ...ANN, ...VOICE, duration: 25 }),
  refused("step-value-object", "a value is a text, a number or a boolean", ["LT-107"], "bad_parameter", { command: "step", ...ANN, tool: "plant.read_status", ok: true, ms: 1, evidence: [{ target: "p", signal: "s", value: {}, text: "", age_ms: 0 }] }),
  refused("error-code-unknown", "not in the list", ["LT-110"], "bad_parameter", { command: "ai_message_error", ...ANN, code: "whatever", error: "?" }),
  refused("chat-local-time", "UTC only", ["LT-77"], "bad_parameter", { command: "chat", ...ANN, chat_id: "c1", message_count: 4, last_update: "2026-01-24T12:00:00+01:00", expires_at: "2026-01-24T12:10:00Z", speaking: false }),
];
