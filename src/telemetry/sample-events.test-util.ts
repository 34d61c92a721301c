/** One event of every type, so that a test of a subscriber forgets none. */
import type { TelemetryEvent } from "./events.js";

export const ANN = { network: "plant", username: "ann" };
const common = { user: ANN, turn: "t-1" } as const;
const connection = "c-1";

type Samples = { readonly [T in TelemetryEvent["type"]]: TelemetryEvent & { readonly type: T } };

export const SAMPLES: Samples = {
  service_started: {
    type: "service_started",
    engine: "offline",
    speech: "flite",
    relay: 8086,
    http: 8087,
    metrics: 9092,
  },
  service_stopping: { type: "service_stopping", chats: 2 },
  service_fault: { type: "service_fault", where: "dispatch", error: "Error: oh" },
  relay_connected: { type: "relay_connected", connection, remote: "127.0.0.1:5" },
  relay_refused: { type: "relay_refused", remote: "127.0.0.1:5", reason: "connections_max" },
  relay_disconnected: {
    type: "relay_disconnected",
    connection,
    reason: "malformed",
    detail: "bad_magic: a frame begins with the line LT",
  },
  command_received: { type: "command_received", connection, command: "ai_message", user: ANN },
  command_refused: {
    type: "command_refused",
    connection,
    code: "bad_json",
    detail: "the payload is not JSON",
    user: ANN,
  },
  audio_dropped: { type: "audio_dropped", connection, user: ANN },
  answer_given_up: { type: "answer_given_up", connection, mid: 7 },
  frame_dropped: { type: "frame_dropped", connection, frame: "text_message" },
  answer_moved: { type: "answer_moved", user: ANN, mid: 7, firstPid: 3 },
  chat_opened: { type: "chat_opened", user: ANN },
  chat_closed: { type: "chat_closed", user: ANN, reason: "expired" },
  turn_accepted: { type: "turn_accepted", ...common, responseType: "audio" },
  turn_started: { type: "turn_started", ...common, waitedMs: 1_500 },
  turn_dropped: { type: "turn_dropped", ...common, code: "chat_busy" },
  stage_finished: { type: "stage_finished", user: ANN, stage: "plan", ms: 800 },
  tokens_used: { type: "tokens_used", user: ANN, stage: "plan", inputTokens: 300, outputTokens: 20 },
  passages_retrieved: {
    type: "passages_retrieved",
    user: ANN,
    queries: ["lockout press 4"],
    documentIds: ["lockout.md"],
    characters: 2_400,
  },
  passages_truncated: { type: "passages_truncated", user: ANN, tokens: 3_000, limit: 2_500 },
  search_failed: { type: "search_failed", user: ANN, error: "the search took longer than 5000 ms" },
  groups_unknown: { type: "groups_unknown", user: ANN, error: "the file is not JSON" },
  speculation_ended: { type: "speculation_ended", user: ANN, result: "saved" },
  leg_failed: { type: "leg_failed", user: ANN, leg: "vector", error: "the embedding server answers 503" },
  rerank_failed: { type: "rerank_failed", user: ANN, error: "the rerank server answers 503" },
  model_failed: { type: "model_failed", user: ANN, stage: "compose", error: "timeout: no first byte" },
  answer_degraded: { type: "answer_degraded", user: ANN, from: "plan" },
  answer_rewound: { type: "answer_rewound", user: ANN },
  sentence_spoken: { type: "sentence_spoken", user: ANN, pid: 0, text: "Listen until it clicks." },
  speech_unit_finished: {
    type: "speech_unit_finished",
    user: ANN,
    ms: 900,
    firstPacketMs: 200,
    packets: 40,
    preSkipSamples: 312,
    endTrimSamples: 0,
  },
  speech_failed: { type: "speech_failed", user: ANN, kind: "cut", midStream: true, error: "the audio ends" },
  speech_underrun: { type: "speech_underrun", user: ANN, ms: 150 },
  first_packet: { type: "first_packet", ...common, ms: 1_200 },
  answer_inspected: {
    type: "answer_inspected",
    ...common,
    question: "How do I lock out press 4?",
    answer: "Pull the red handle.",
    passages: ["Pull the red handle until it clicks."],
  },
  turn_finished: {
    type: "turn_finished",
    ...common,
    responseType: "audio",
    result: "answered",
    answered: true,
    degraded: false,
    interrupted: false,
    ms: 9_000,
    answerCharacters: 140,
    audioMs: 8_400,
  },
};

export const ALL_SAMPLES: readonly TelemetryEvent[] = Object.values(SAMPLES);
