/** How each event is logged: one line an event, and the compiler misses none. */
import type { EventOf, EventType, TelemetryEvent } from "./events.js";

/** Most severe first. */
export const LEVELS = ["error", "warn", "info", "debug"] as const;
export type Level = (typeof LEVELS)[number];

type Levels = { readonly [T in EventType]: Level | ((event: EventOf<T>) => Level) };

const LEVEL: Levels = {
  service_started: "info",
  service_stopping: "info",
  service_fault: "error",
  loop_blocked: "warn",
  relay_connected: "info",
  relay_refused: "warn",
  relay_identified: "info",
  relay_tokens_read: "info",
  relay_disconnected: ({ reason }) => (reason === "peer" || reason === "shutdown" ? "info" : "warn"),
  command_received: "debug",
  command_refused: "warn",
  door_request_finished: "info",
  colleague_not_reached: "warn",
  voice_received: "debug",
  speech_recognised: "info",
  recognition_failed: "warn",
  audio_dropped: "debug",
  answer_given_up: "warn",
  frame_dropped: "warn",
  answer_moved: "info",
  chat_opened: "info",
  chat_closed: "info",
  turn_accepted: "info",
  turn_started: "info",
  turn_dropped: "warn",
  announcement_ended: "info",
  announcement_dropped: ({ reason }) => (reason === "replaced" ? "debug" : "info"),
  turn_routed: "info",
  route_model_failed: "info",
  route_log_failed: "info",
  unanswered_log_failed: "info",
  stage_finished: "debug",
  tokens_used: "debug",
  model_fallback: "warn",
  model_breaker_changed: ({ state }) => (state === "open" ? "warn" : "info"),
  passages_retrieved: "info",
  passages_truncated: "warn",
  text_cut: "warn",
  search_failed: "warn",
  search_finished: "debug",
  legs_chosen: "warn",
  hits_unreadable: "warn",
  leg_failed: "warn",
  rerank_failed: "warn",
  groups_unknown: "warn",
  retrieval_retried: "debug",
  speculation_ended: "debug",
  connection_failed: "debug",
  model_failed: "warn",
  answer_degraded: "warn",
  answer_rewound: "info",
  speech_looked_up: "debug",
  acknowledged: "info",
  answer_looked_up: "debug",
  sentence_verified: ({ result }) => (result === "no" ? "info" : "debug"),
  early_clause_ended: "debug",
  sentence_spoken: "info",
  speech_unit_finished: "debug",
  speech_failed: "warn",
  speech_underrun: "warn",
  first_packet: "debug",
  answer_inspected: "info",
  turn_finished: "info",
  turn_waterfall: "debug",
  sync_role_changed: "info",
  sync_looked: "debug",
  sync_phase_finished: "debug",
  sync_document_synced: "debug",
  sync_document_failed: "warn",
  document_access_doubtful: "warn",
  sync_batch_finished: ({ trouble }) => (trouble === undefined ? "info" : "warn"),
  index_damaged: "error",
  index_replaced: "info",
  search_process_ended: "warn",
  data_exposed: "warn",
  sync_failed: "warn",
  site_connected: "info",
  site_lost: "warn",
  site_tool_off: "warn",
  site_called: "debug",
  site_server_said: "debug",
};

export function levelOf(event: TelemetryEvent): Level {
  const level = LEVEL[event.type] as Level | ((event: TelemetryEvent) => Level);
  return typeof level === "function" ? level(event) : level;
}

/** What anybody causes who can reach a port: the log keeps a sample of it. */
export const SAMPLED: ReadonlySet<EventType> = new Set([
  "relay_connected",
  "relay_refused",
  "relay_disconnected",
  "command_received",
  "command_refused",
  "audio_dropped",
  "frame_dropped",
  "answer_given_up",
  "chat_opened",
  "chat_closed",
  "turn_accepted",
  "turn_dropped",
  "door_request_finished",
  "recognition_failed",
  "speech_recognised",
] as const);

/** What is written for networks in debug only: words of users and of documents. */
export const DEBUG_ONLY: ReadonlySet<EventType> = new Set(["answer_inspected", "sentence_spoken"] as const);
