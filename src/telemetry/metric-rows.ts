/** The table of metrics: a new one is a line here. */
import { OUTCOMES } from "../domain/answer.js";
import { CALL_OUTCOMES, CONSENT_LEVELS, NOT_COUNTED } from "../domain/operation.js";
import type { EventOf } from "./events.js";
import { by, counter, gauge, histogram, type Labels, on, onEach, type Rows } from "./instruments.js";
import { RELAY_REFUSALS } from "./service-events.js";
import { SERVICE_ROWS } from "./service-rows.js";

const BUCKETS = {
  /** Seconds: 50 ms to 30 s. */
  answer: [0.05, 0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 5, 7.5, 10, 15, 20, 30],
  /** Seconds: 50 ms to 20 s. */
  request: [0.05, 0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 5, 7.5, 10, 15, 20],
  /** Seconds: 50 ms to 60 s. */
  voice: [0.05, 0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 5, 7.5, 10, 15, 20, 30, 60],
  /** Seconds: 10 ms to 15 s. */
  packets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
  /** Seconds: 0.5 s to 5 min. */
  minutes: [0.5, 1, 2, 3, 5, 7.5, 10, 15, 20, 30, 45, 60, 90, 120, 300],
  characters: [10, 25, 50, 100, 200, 300, 500, 750, 1_000, 2_000, 5_000],
} as const;
const { answer, characters, minutes, packets, request, voice } = BUCKETS;

const inSeconds = (ms: number) => ms / 1_000;
const seconds = ({ ms }: { readonly ms: number }) => inSeconds(ms);

const ifAnswered = (value: (event: EventOf<"turn_finished">) => number | undefined) =>
  on("turn_finished", (event) => (event.answered ? value(event) : undefined));
const ifAnsweredAs = (type: "audio" | "text") =>
  ifAnswered((event) => (event.responseType === type ? seconds(event) : undefined));

const guides: Rows = {
  readback_guide_runs_started_total: counter("Runs of guides that began", by("guide_run_started", "guide")),
  readback_guide_runs_ended_total: counter(
    "Runs of guides that ended, by how: done, or quit in the middle",
    by("guide_run_ended", "guide", "how"),
  ),
  readback_guide_step_seconds: histogram(
    minutes,
    "Time at one step of a guide",
    on("guide_step_left", seconds, { guide: "guide" }),
  ),
};

const turns: Rows = {
  ai_message_requests_total: counter("Total AI message requests", on("turn_accepted")),
  ai_message_error_responses_total: counter(
    "Total error responses",
    on("turn_finished", ({ answered }) => Number(!answered)),
    on("turn_dropped"),
    on("command_refused"),
  ),
  readback_turns_total: {
    ...counter(
      "Turns by how they ended",
      by("turn_finished", "result"),
      on("turn_dropped", undefined, { result: "code" }),
    ),
    fromStart: Object.keys(OUTCOMES).map((result) => ({ result })),
  },
  readback_turns_degraded_total: counter(
    "Turns that were answered in text in place of a voice, or refused, for want of room, by why",
    by("turn_degraded", "to", "reason"),
  ),
  ai_message_audio_request_times_seconds: histogram(
    answer,
    "End-to-end audio response time",
    ifAnsweredAs("audio"),
  ),
  ai_message_text_request_times_seconds: histogram(
    request,
    "End-to-end text response time",
    ifAnsweredAs("text"),
  ),
  ai_message_audio_first_packet_times_seconds: histogram(
    answer,
    "Time to first audio packet",
    on("first_packet", seconds),
  ),
  audio_length_times_seconds: histogram(
    minutes,
    "Generated audio duration",
    ifAnswered(({ audioMs }) => (audioMs > 0 ? inSeconds(audioMs) : undefined)),
  ),
  response_character_counts: histogram(
    characters,
    "Response text length",
    ifAnswered(({ answerCharacters }) => answerCharacters),
  ),
  readback_mailbox_wait_seconds: histogram(
    answer,
    "Time a message waited in its mailbox",
    on("turn_started", ({ waitedMs }) => inSeconds(waitedMs)),
  ),
  readback_stage_seconds: histogram(
    request,
    "Time spent in each stage of a turn",
    on("stage_finished", seconds, { stage: "stage" }),
  ),
  initial_query_request_times_seconds: histogram(
    request,
    "Stage 1 latency",
    on("stage_finished", ({ ms, stage }) => (stage === "plan" ? inSeconds(ms) : undefined)),
  ),
  readback_turn_mark_seconds: histogram(
    answer,
    "When a turn came past a point, since its question was there; held: its first word waited for its last sentence",
    onEach("turn_waterfall", ["mark", "held"], ({ held, marksMs }) =>
      Object.entries(marksMs).map(([mark, ms]) => ({
        labels: { mark, held: `${held}` },
        value: inSeconds(ms),
      })),
    ),
  ),
  readback_answers_degraded_total: counter(
    "Answers read from a passage, the model being out of reach",
    on("answer_degraded"),
  ),
  readback_answers_rewound_total: counter(
    "Answers begun again before anything had left",
    on("answer_rewound"),
  ),
  readback_answers_interrupted_total: counter(
    "Answers stopped by their user or by a shutdown",
    on("turn_finished", ({ interrupted }) => Number(interrupted)),
  ),
  readback_answers_moved_total: counter("Answers that went on at another relay", on("answer_moved")),
  readback_answers_given_up_total: counter(
    "Answers given up because their relay does not read",
    on("answer_given_up"),
  ),
  readback_announcements_total: counter(
    "Attempts to say something unasked by how they ended, and what was not said by why",
    by("announcement_ended", "result"),
    on("announcement_dropped", undefined, { result: "reason" }),
  ),
  readback_answer_cache_lookups_total: counter(
    "Questions, by whether they had been answered before; stale: from documents that are others now",
    by("answer_looked_up", "result"),
  ),
  readback_sentences_verified_total: counter(
    "Sentences put to the second reader, by its word",
    by("sentence_verified", "result"),
  ),
  readback_sentence_verification_seconds: histogram(
    request,
    "From asking the second reader to its word",
    on("sentence_verified", (event) => (event.result === "not_asked" ? undefined : seconds(event))),
  ),
  readback_door_request_seconds: histogram(
    answer,
    "Requests to the API, from their arrival to the end of the answer, by how they ended",
    on("door_request_finished", seconds, { door: "door", result: "result" }),
  ),
};

const speech: Rows = {
  text_to_speech_request_times_seconds: histogram(
    answer,
    "TTS total latency",
    on("speech_unit_finished", seconds),
  ),
  text_to_speech_first_packet_times_seconds: histogram(
    answer,
    "TTS first packet latency",
    on("speech_unit_finished", ({ firstPacketMs }) => inSeconds(firstPacketMs)),
  ),
  opus_packet_creation_times_seconds: histogram(
    packets,
    "From the first to the last Opus packet of one synthesized sentence",
    on("speech_unit_finished", ({ firstPacketMs, ms }) => inSeconds(ms - firstPacketMs)),
  ),
  readback_speech_failures_total: counter("Speech that failed", by("speech_failed", "kind")),
  readback_speech_underruns_total: counter("Times that a receiver ran dry", on("speech_underrun")),
  readback_speech_cache_lookups_total: counter(
    "Texts to be spoken, by whether they had been spoken before or were being spoken for somebody else",
    by("speech_looked_up", "result"),
  ),
  readback_acknowledgements_total: counter(
    "Signs given before answers that were expected to take long",
    by("acknowledged", "sign"),
  ),
  readback_early_clauses_total: counter(
    "Words whose voice was made ready before it was known that they are said, by whether they were of use",
    by("early_clause_ended", "result"),
  ),
  readback_voice_questions_total: counter(
    "Spoken questions, by what came of understanding them",
    by("speech_recognised", "result"),
  ),
  readback_recognition_failures_total: counter(
    "Times that the speech recogniser could not be asked",
    on("recognition_failed"),
  ),
  readback_voice_question_seconds: histogram(
    voice,
    "Length of spoken questions",
    on("voice_received", ({ audioMs }) => inSeconds(audioMs)),
  ),
  readback_recognition_seconds: histogram(
    voice,
    "From the release of the button to the words",
    on("speech_recognised", seconds),
  ),
};

const searches: Rows = {
  document_search_request_times_seconds: histogram(request, "Search latency", on("search_finished", seconds)),
  readback_searches_failed_total: counter("Searches that could not be answered", on("search_failed")),
  readback_search_legs_failed_total: counter(
    "Ways of ranking that could not be asked",
    by("leg_failed", "leg"),
  ),
  readback_reranks_failed_total: counter(
    "Results left in the order from before reranking",
    on("rerank_failed"),
  ),
  readback_groups_unknown_total: counter("Turns whose groups could not be found out", on("groups_unknown")),
  readback_speculative_searches_total: counter(
    "Searches begun ahead of the model's query, by whether they were of use",
    by("speculation_ended", "result"),
  ),
  readback_retrieval_retries_total: counter(
    "Searches made once more in other words, by whether that brought something better",
    by("retrieval_retried", "result"),
  ),
  readback_passages_truncated_total: counter(
    "Retrieved text cut to its token budget",
    on("passages_truncated"),
  ),
  readback_texts_cut_total: counter(
    "Texts longer than is worked on",
    on("text_cut", ({ pieces }) => pieces, { what: "what" }),
  ),
  readback_warm_connections_failed_total: counter(
    "Times that a server whose connection is kept open could not be asked",
    on("connection_failed"),
  ),
};

/** The labels of `token_usage_total`, as the reference spells them: read and written in each stage, and passages. */
const TOKEN_TYPES = {
  plan: ["first_no_tool_request_input_tokens", "first_no_tool_request_output_tokens"],
  compose: ["second_with_rag_request_input_tokens", "second_with_rag_request_output_tokens"],
  route: ["route_request_input_tokens", "route_request_output_tokens"],
  suggest: ["suggest_request_input_tokens", "suggest_request_output_tokens"],
  summarize: ["summarize_request_input_tokens", "summarize_request_output_tokens"],
  verify: ["verify_request_input_tokens", "verify_request_output_tokens"],
  check: ["check_request_input_tokens", "check_request_output_tokens"],
} as const;
const OF_PASSAGES: Labels = { type: "rag_character_count" };

/** What an alert watches: a guard that fails, fails each question first. */
const UNSCANNED_QUESTIONS = ["question", "transcript"].flatMap((what) =>
  ["failed", "unscanned"].map((result) => ({ what, to: "model", result, scanner: "" })),
);

/** `readback_model_breaker_state`. */
const BREAKER_STATES = { closed: 0, probing: 1, open: 2 } as const;

function models(networkLabel: (network: string) => string): Rows {
  const spender = ({ model = "unknown", slot, user }: EventOf<"tokens_used">): Labels => ({
    slot,
    model,
    network: networkLabel(user.network),
  });
  return {
    token_usage_total: {
      ...counter(
        "Token consumption by category",
        onEach("tokens_used", ["type"], ({ inputTokens, outputTokens, stage }) => [
          { value: inputTokens, labels: { type: TOKEN_TYPES[stage][0] } },
          { value: outputTokens, labels: { type: TOKEN_TYPES[stage][1] } },
        ]),
        onEach("passages_retrieved", ["type"], (event) => [{ value: event.characters, labels: OF_PASSAGES }]),
      ),
      fromStart: [
        ...Object.values(TOKEN_TYPES)
          .flat()
          .map((type) => ({ type })),
        OF_PASSAGES,
      ],
    },
    readback_model_tokens_total: counter(
      "Tokens read and written by models",
      onEach("tokens_used", ["slot", "model", "direction", "network"], (event) => [
        { value: event.inputTokens, labels: { ...spender(event), direction: "input" } },
        { value: event.outputTokens, labels: { ...spender(event), direction: "output" } },
      ]),
    ),
    readback_model_cost_usd_total: counter(
      "What answers of models cost in US dollars, by the configured prices",
      onEach("tokens_used", ["slot", "model", "network"], (event) => [
        { value: event.costUsd ?? 0, labels: spender(event) },
      ]),
    ),
    readback_model_failures_total: counter("Failed requests to the model", by("model_failed", "stage")),
    readback_model_fallbacks_total: counter(
      "Times that a model was asked because another could not answer",
      on("model_fallback", undefined, { slot: "slot", model: "to" }),
    ),
    readback_guard_scans_total: {
      ...counter("Texts scanned", by("guard_scanned", "what", "to", "result", "scanner")),
      fromStart: UNSCANNED_QUESTIONS,
    },
    readback_guard_scan_seconds: histogram(packets, "Time of a scan", on("guard_scanned", seconds)),
    readback_model_breaker_state: gauge(
      "0: the model is asked; 1: one request tries it out; 2: it is left alone for a while",
      on("model_breaker_changed", ({ state }) => BREAKER_STATES[state], { model: "model" }),
    ),
  };
}

const relays: Rows = {
  readback_frames_dropped_total: counter("Frames refused by a full outbox", by("frame_dropped", "frame")),
  readback_audio_packets_dropped_total: counter(
    "Audio packets of relays that belong to nothing",
    on("audio_dropped"),
  ),
  readback_relays_refused_total: {
    ...counter("Connections refused", by("relay_refused", "reason")),
    fromStart: RELAY_REFUSALS.map((reason) => ({ reason })),
  },
  readback_relays_disconnected_total: counter(
    "Connections ended, by cause",
    by("relay_disconnected", "reason"),
  ),
  readback_commands_refused_total: counter("Commands refused, by error code", by("command_refused", "code")),
};

const routing: Rows = {
  readback_turns_routed_total: counter(
    "Turns by the route they took and the layer of the router that decided",
    by("turn_routed", "route", "layer"),
  ),
  readback_routes_asked_total: counter(
    "Turns whose route had to be asked back",
    on("turn_routed", ({ asked }) => Number(asked)),
  ),
  readback_route_model_failures_total: counter(
    "Routes chosen without the model's word",
    on("route_model_failed"),
  ),
  readback_route_log_lost_total: counter(
    "Routes that could not be kept as training data",
    on("route_log_failed", ({ lost }) => lost),
  ),
  readback_unanswered_log_lost_total: counter(
    "Unanswered questions that could not be kept for whoever looks after the documents",
    on("unanswered_log_failed", ({ lost }) => lost),
  ),
};

const knowledge: Rows = {
  documents_pending: gauge(
    "Documents awaiting sync",
    on("sync_looked", ({ pending }) => pending),
  ),
  readback_sync_active: gauge(
    "1: this instance keeps the knowledge up to date; 0: another one does, or none",
    on("sync_role_changed", ({ role }) => Number(role === "active")),
  ),
  readback_syncs_failed_total: counter("Times that the sync as a whole did not get on", on("sync_failed")),
  documents_sync_times_seconds: histogram(
    minutes,
    "Duration of each phase of a batch",
    on("sync_phase_finished", seconds, { phase: "phase" }),
  ),
  documents_pending_times_seconds: histogram(
    minutes,
    "Time documents spend pending",
    on("sync_document_synced", ({ pendingMs }) => inSeconds(pendingMs)),
  ),
  documents_sync_total: counter(
    "Documents successfully synced",
    on("sync_batch_finished", ({ synced }) => synced),
  ),
  readback_documents_removed_total: counter(
    "Documents whose chunks the sync removed",
    on("sync_batch_finished", ({ removed }) => removed),
  ),
  readback_documents_sync_failed_total: counter("Documents given up by the sync", on("sync_document_failed")),
  readback_documents_access_doubtful_total: counter(
    "Documents that the sync restricted to nobody, since what they say of who may read them is not understood",
    on("document_access_doubtful"),
  ),
};

/** Not bounded as other labels: sites and their tools are those of the settings. */
const sites: Rows = {
  readback_site_up: gauge(
    "1: the system of the site is connected; 0: it is not",
    by("site_connected", "site"),
    on("site_lost", () => 0, { site: "site" }),
  ),
  readback_site_connections_lost_total: counter(
    "Times that a system of a site could not be connected, or lost its connection",
    by("site_lost", "site"),
  ),
  readback_site_tools_off_total: counter(
    "Times that a tool of the settings was found to be off",
    by("site_tool_off", "site"),
  ),
  readback_site_call_seconds: histogram(
    request,
    "Calls of tools of a site, by how they ended",
    on("site_called", seconds, { site: "site", tool: "tool", result: "result" }),
  ),
};

/** All models are spoken to in one provider's protocol. */
const byProvider = (model: string): Labels => ({ provider: "openai", model });

/** Names and labels of the reference, which may read them on its dashboards. */
const readingModels: Rows = {
  pulse_ai_agentic_iterations_total: counter(
    "Total agentic loop iterations by provider and model",
    onEach("loop_turn", ["provider", "model"], ({ model }) => [{ value: 1, labels: byProvider(model) }]),
  ),
  pulse_ai_fsm_tool_block_total: counter(
    "Total FSM blocks of tool execution by state, tool, and kind",
    by("loop_call_blocked", "state", "tool", "kind"),
  ),
  pulse_ai_fsm_final_block_total: counter(
    "Total FSM blocks of final answer by state",
    by("loop_answer_blocked", "state"),
  ),
  pulse_ai_phantom_detected_total: counter(
    "Total phantom execution detections by provider and model",
    onEach("phantom_detected", ["provider", "model"], ({ model }) => [
      { value: 1, labels: byProvider(model) },
    ]),
  ),
  pulse_ai_auto_recovery_attempt_total: counter(
    "Total auto-recovery attempts by error code and tool",
    on("loop_recovery", ({ result }) => Number(result === "attempt"), { error_code: "code", tool: "tool" }),
  ),
  pulse_ai_auto_recovery_success_total: counter(
    "Total successful auto-recoveries by error code and tool",
    on("loop_recovery", ({ result }) => Number(result === "success"), { error_code: "code", tool: "tool" }),
  ),
  pulse_ai_routing_mismatch_block_total: counter(
    "Total routing mismatch blocks when targeting parent host instead of child resource",
    on("routing_mismatch", undefined, { tool: "tool", target_kind: "targetKind", child_kind: "childKind" }),
  ),
};

const watching: Rows = {
  readback_sink_items_total: counter(
    "Spans and scores by what became of sending them",
    on("sink_sent", ({ count }) => count, { sink: "sink", result: "result" }),
  ),
};

/** Alerts watch these for the first time too, so that all labels are there from the start. */
const operations: Rows = {
  readback_operations_total: {
    ...counter("Operations by the phases that they came to", by("operation_changed", "phase", "level")),
    fromStart: CONSENT_LEVELS.map((level) => ({ phase: "executing", level })),
  },
  readback_operation_outcomes_total: {
    ...counter(
      "What calls of operations came to, and why operations were not done",
      onEach("operation_changed", ["outcome"], ({ outcomes }) =>
        outcomes.map((outcome) => ({ value: 1, labels: { outcome } })),
      ),
    ),
    fromStart: CALL_OUTCOMES.map((outcome) => ({ outcome })),
  },
  readback_consents_refused_total: {
    ...counter("Consent that did not count", by("consent_refused", "why")),
    fromStart: NOT_COUNTED.map((why) => ({ why })),
  },
  readback_ledger_failures_total: counter("Rows of the ledger that were not written", by("ledger_failed")),
};

/** Every metric by its name. `networkLabel` bounds the number of networks that are counted by their own name. */
export function metricRows(networkLabel: (network: string) => string): Rows {
  return {
    ...turns,
    ...guides,
    ...speech,
    ...searches,
    ...models(networkLabel),
    ...relays,
    ...SERVICE_ROWS,
    ...routing,
    ...knowledge,
    ...sites,
    ...readingModels,
    ...operations,
    ...watching,
  };
}
