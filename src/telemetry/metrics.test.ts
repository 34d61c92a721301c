import { describe, expect, it } from "vitest";
import type { TelemetryEvent } from "./events.js";
import { createMetrics, type Metrics, NETWORK_LABELS_MAX } from "./metrics.js";
import { ALL_SAMPLES, ANN, SAMPLES } from "./sample-events.test-util.js";

/** The reference's histograms with their first and last boundary, in seconds or characters. */
const HISTOGRAMS: readonly [name: string, first: number, last: number][] = [
  ["ai_message_audio_request_times_seconds", 0.05, 30],
  ["ai_message_text_request_times_seconds", 0.05, 20],
  ["ai_message_audio_first_packet_times_seconds", 0.05, 30],
  ["initial_query_request_times_seconds", 0.05, 20],
  ["document_search_request_times_seconds", 0.05, 20],
  ["text_to_speech_request_times_seconds", 0.05, 30],
  ["text_to_speech_first_packet_times_seconds", 0.05, 30],
  ["opus_packet_creation_times_seconds", 0.01, 15],
  ["audio_length_times_seconds", 0.5, 300],
  ["response_character_counts", 10, 5_000],
  ["documents_pending_times_seconds", 0.5, 300],
];
const TOKEN_TYPES = [
  "first_no_tool_request_input_tokens",
  "first_no_tool_request_output_tokens",
  "second_with_rag_request_input_tokens",
  "second_with_rag_request_output_tokens",
  "rag_character_count",
];
const READINGS = {
  chats: () => 3,
  networks: () => 2,
  voices: () => ({ count: 4, bytes: 4_096 }),
  connections: () => 5,
  backlog: () => ({ bytes: 1_000, oldestMs: 250 }),
  longestBlockMs: () => 150,
};

function created(): Metrics {
  const metrics = createMetrics();
  metrics.observe(READINGS);
  return metrics;
}

/** Every sample that is not 0, by `name{labels}`, after these events; without the process's own. */
async function counted(...events: TelemetryEvent[]): Promise<Record<string, number>> {
  const before = await samples(created());
  const metrics = created();
  for (const event of events) metrics.subscriber(event);
  const after = await samples(metrics);
  return Object.fromEntries(
    Object.entries(after).filter(([name, value]) => value !== (before[name] ?? 0) && !/_bucket\{/.test(name)),
  );
}

async function samples(metrics: Metrics): Promise<Record<string, number>> {
  const { text } = await metrics.scrape();
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return Object.fromEntries(
    lines
      .map((line): [string, number] => {
        const at = line.lastIndexOf(" ");
        return [line.slice(0, at), Number(line.slice(at + 1))];
      })
      .filter(([name]) => !/^(?:process|nodejs)_/.test(name)),
  );
}

describe("what Prometheus scrapes", () => {
  it("has the reference's gauges, read at that moment", async () => {
    expect(await samples(created())).toMatchObject({
      chats_size: 3,
      networks_size: 2,
      supernode_connections: 5,
      readback_outbox_bytes: 1_000,
      readback_outbox_oldest_seconds: 0.25,
      readback_loop_longest_block_seconds: 0.15,
    });
  });

  it("has the reference's counters from the start, each token type included", async () => {
    const found = await samples(created());
    expect(found).toMatchObject({ ai_message_requests_total: 0, ai_message_error_responses_total: 0 });
    for (const type of TOKEN_TYPES) expect(found[`token_usage_total{type="${type}"}`], type).toBe(0);
  });

  it.each(HISTOGRAMS)("has %s with buckets from %d to %d", async (name, first, last) => {
    const { text } = await created().scrape();
    const bounds = [...text.matchAll(new RegExp(`^${name}_bucket\\{le="([^"]+)"\\}`, "gm"))].map(
      ([, le]) => le,
    );
    expect(bounds.at(-1)).toBe("+Inf");
    const numbers = bounds.slice(0, -1).map(Number);
    expect([numbers[0], numbers.at(-1)]).toEqual([first, last]);
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
  });

  it("has every phase of the sync, with the reference's buckets", async () => {
    const metrics = created();
    for (const phase of ["load", "rules", "job", "reindex", "update"] as const)
      metrics.subscriber({ type: "sync_phase_finished", phase, ms: 1_000 });
    const found = await samples(metrics);
    for (const phase of ["load", "rules", "job", "reindex", "update"]) {
      const bucket = (le: string) =>
        found[`documents_sync_times_seconds_bucket{le="${le}",phase="${phase}"}`];
      expect([bucket("0.5"), bucket("300"), bucket("+Inf")]).toEqual([0, 1, 1]);
    }
  });

  it("has Node's own, and a prefix on what the reference does not have", async () => {
    const { contentType, text } = await created().scrape();
    expect(contentType).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(text).toContain("process_resident_memory_bytes");
    expect(text).toContain("nodejs_eventloop_lag_seconds");
    const ours = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name!);
    const reference = [...HISTOGRAMS.map(([name]) => name), "token_usage_total"];
    const known = [
      ...reference,
      ...["chats_size", "networks_size", "supernode_connections"],
      ...["documents_pending", "documents_sync_total", "documents_sync_times_seconds"],
    ];
    for (const name of ours) {
      if (!/^(?:process_|nodejs_|readback_|ai_message_|pulse_ai_)/.test(name)) expect(known).toContain(name);
    }
  });

  it("is separate for every service in a process", async () => {
    const [one, other] = [created(), created()];
    one.subscriber(SAMPLES.turn_accepted);
    expect((await samples(other)).ai_message_requests_total).toBe(0);
  });
});

describe("each event", () => {
  const histogram = (name: string, value: number) => ({ [`${name}_sum`]: value, [`${name}_count`]: 1 });
  const stage = (name: string, seconds: number) => ({
    [`readback_stage_seconds_sum{stage="${name}"}`]: seconds,
    [`readback_stage_seconds_count{stage="${name}"}`]: 1,
  });
  const finished = SAMPLES.turn_finished;

  const cases: readonly [event: TelemetryEvent, expected: Record<string, number>][] = [
    [SAMPLES.service_fault, { readback_faults_total: 1 }],
    [SAMPLES.loop_blocked, { readback_loop_blocks_total: 1 }],
    [
      SAMPLES.files_unusable,
      {
        'readback_files_unusable_total{what="http.tls"}': 1,
        'readback_files_stale{what="http.tls"}': 1,
      },
    ],
    [SAMPLES.connection_refused, { 'readback_connections_refused_total{port="relay",reason="address"}': 1 }],
    [SAMPLES.relay_refused, { 'readback_relays_refused_total{reason="connections_max"}': 1 }],
    [SAMPLES.relay_disconnected, { 'readback_relays_disconnected_total{reason="malformed"}': 1 }],
    [
      SAMPLES.command_refused,
      { 'readback_commands_refused_total{code="bad_json"}': 1, ai_message_error_responses_total: 1 },
    ],
    [SAMPLES.sync_role_changed, { readback_sync_active: 1 }],
    [SAMPLES.sync_looked, { documents_pending: 12 }],
    [
      SAMPLES.sync_phase_finished,
      {
        'documents_sync_times_seconds_sum{phase="job"}': 20,
        'documents_sync_times_seconds_count{phase="job"}': 1,
      },
    ],
    [SAMPLES.sync_document_synced, histogram("documents_pending_times_seconds", 45)],
    [SAMPLES.sync_document_failed, { readback_documents_sync_failed_total: 1 }],
    [SAMPLES.document_access_doubtful, { readback_documents_access_doubtful_total: 1 }],
    [SAMPLES.sync_batch_finished, { documents_sync_total: 9, readback_documents_removed_total: 2 }],
    [SAMPLES.sync_failed, { readback_syncs_failed_total: 1 }],
    [SAMPLES.voice_received, histogram("readback_voice_question_seconds", 2.4)],
    [
      SAMPLES.speech_recognised,
      {
        'readback_voice_questions_total{result="words"}': 1,
        ...histogram("readback_recognition_seconds", 0.35),
      },
    ],
    [SAMPLES.recognition_failed, { readback_recognition_failures_total: 1 }],
    [SAMPLES.audio_dropped, { readback_audio_packets_dropped_total: 1 }],
    [SAMPLES.answer_given_up, { readback_answers_given_up_total: 1 }],
    [SAMPLES.frame_dropped, { 'readback_frames_dropped_total{frame="text_message"}': 1 }],
    [SAMPLES.answer_moved, { readback_answers_moved_total: 1 }],
    [SAMPLES.turn_accepted, { ai_message_requests_total: 1 }],
    [SAMPLES.turn_started, histogram("readback_mailbox_wait_seconds", 1.5)],
    [
      SAMPLES.turn_dropped,
      { 'readback_turns_total{result="chat_busy"}': 1, ai_message_error_responses_total: 1 },
    ],
    [
      SAMPLES.stage_finished,
      { ...histogram("initial_query_request_times_seconds", 0.8), ...stage("plan", 0.8) },
    ],
    [SAMPLES.search_finished, histogram("document_search_request_times_seconds", 0.05)],
    [{ type: "stage_finished", user: ANN, stage: "search", ms: 2 }, stage("search", 0.002)],
    [{ type: "stage_finished", user: ANN, stage: "compose", ms: 2_000 }, stage("compose", 2)],
    [
      { ...SAMPLES.turn_waterfall, marksMs: { started: 2, first_packet: 850 }, held: true },
      {
        'readback_turn_mark_seconds_sum{mark="started",held="true"}': 0.002,
        'readback_turn_mark_seconds_count{mark="started",held="true"}': 1,
        'readback_turn_mark_seconds_sum{mark="first_packet",held="true"}': 0.85,
        'readback_turn_mark_seconds_count{mark="first_packet",held="true"}': 1,
      },
    ],
    [
      SAMPLES.tokens_used,
      {
        'token_usage_total{type="first_no_tool_request_input_tokens"}': 300,
        'token_usage_total{type="first_no_tool_request_output_tokens"}': 20,
        'readback_model_tokens_total{slot="main",model="gpt-4.1-mini",network="plant",direction="input"}': 300,
        'readback_model_tokens_total{slot="main",model="gpt-4.1-mini",network="plant",direction="output"}': 20,
        'readback_model_cost_usd_total{slot="main",model="gpt-4.1-mini",network="plant"}': 0.000_152,
      },
    ],
    [
      {
        type: "tokens_used",
        user: ANN,
        stage: "compose",
        slot: "conversational",
        inputTokens: 900,
        outputTokens: 70,
      },
      {
        'readback_model_tokens_total{slot="conversational",model="unknown",network="plant",direction="input"}': 900,
        'readback_model_tokens_total{slot="conversational",model="unknown",network="plant",direction="output"}': 70,
        'token_usage_total{type="second_with_rag_request_input_tokens"}': 900,
        'token_usage_total{type="second_with_rag_request_output_tokens"}': 70,
      },
    ],
    [
      SAMPLES.model_fallback,
      { 'readback_model_fallbacks_total{slot="main",model="llama3.3 at models.plant.example"}': 1 },
    ],
    [
      SAMPLES.guard_scanned,
      {
        'readback_guard_scans_total{what="question",to="model",result="refused",scanner="PromptInjection"}': 1,
        readback_guard_scan_seconds_count: 1,
        readback_guard_scan_seconds_sum: 0.04,
      },
    ],
    [SAMPLES.model_breaker_changed, { 'readback_model_breaker_state{model="gpt-4.1-mini"}': 2 }],
    [SAMPLES.passages_retrieved, { 'token_usage_total{type="rag_character_count"}': 2_400 }],
    [SAMPLES.passages_truncated, { readback_passages_truncated_total: 1 }],
    [SAMPLES.text_cut, { 'readback_texts_cut_total{what="history"}': 2 }],
    [SAMPLES.groups_unknown, { readback_groups_unknown_total: 1 }],
    [SAMPLES.connection_failed, { readback_warm_connections_failed_total: 1 }],
    [SAMPLES.answer_looked_up, { 'readback_answer_cache_lookups_total{result="stale"}': 1 }],
    [SAMPLES.early_clause_ended, { 'readback_early_clauses_total{result="saved"}': 1 }],
    [
      SAMPLES.sentence_verified,
      {
        'readback_sentences_verified_total{result="no"}': 1,
        ...histogram("readback_sentence_verification_seconds", 0.3),
      },
    ],
    [SAMPLES.retrieval_retried, { 'readback_retrieval_retries_total{result="better"}': 1 }],
    [SAMPLES.speculation_ended, { 'readback_speculative_searches_total{result="saved"}': 1 }],
    [SAMPLES.speech_looked_up, { 'readback_speech_cache_lookups_total{result="hit"}': 1 }],
    [SAMPLES.acknowledged, { 'readback_acknowledgements_total{sign="tone"}': 1 }],
    [SAMPLES.loop_turn, { 'pulse_ai_agentic_iterations_total{provider="openai",model="gpt-4.1-mini"}': 1 }],
    [
      SAMPLES.loop_call_blocked,
      { 'pulse_ai_fsm_tool_block_total{state="reading",tool="plant.get_pump",kind="read"}': 1 },
    ],
    [SAMPLES.loop_answer_blocked, { 'pulse_ai_fsm_final_block_total{state="resolving"}': 1 }],
    [
      SAMPLES.phantom_detected,
      { 'pulse_ai_phantom_detected_total{provider="openai",model="gpt-4.1-mini"}': 1 },
    ],
    [
      SAMPLES.loop_recovery,
      {
        'pulse_ai_auto_recovery_attempt_total{error_code="ROUTING_MISMATCH",tool="plant.get_pump"}': 1,
      },
    ],
    [
      { ...SAMPLES.loop_recovery, result: "success" },
      {
        'pulse_ai_auto_recovery_success_total{error_code="ROUTING_MISMATCH",tool="plant.get_pump"}': 1,
      },
    ],
    [
      SAMPLES.routing_mismatch,
      {
        'pulse_ai_routing_mismatch_block_total{tool="plant.get_pump",target_kind="hall",child_kind="pump"}': 1,
      },
    ],
    [
      SAMPLES.operation_changed,
      {
        'readback_operations_total{phase="ended",level="challenge"}': 1,
        'readback_operation_outcomes_total{outcome="contradicted"}': 1,
        'readback_operation_outcomes_total{outcome="skipped"}': 1,
      },
    ],
    [SAMPLES.consent_refused, { 'readback_consents_refused_total{why="readback_not_heard"}': 1 }],
    [SAMPLES.search_failed, { readback_searches_failed_total: 1 }],
    [SAMPLES.leg_failed, { 'readback_search_legs_failed_total{leg="vector"}': 1 }],
    [SAMPLES.rerank_failed, { readback_reranks_failed_total: 1 }],
    [SAMPLES.model_failed, { 'readback_model_failures_total{stage="compose"}': 1 }],
    [SAMPLES.answer_degraded, { readback_answers_degraded_total: 1 }],
    [SAMPLES.answer_rewound, { readback_answers_rewound_total: 1 }],
    [
      SAMPLES.speech_unit_finished,
      {
        ...histogram("text_to_speech_request_times_seconds", 0.9),
        ...histogram("text_to_speech_first_packet_times_seconds", 0.2),
        ...histogram("opus_packet_creation_times_seconds", 0.7),
      },
    ],
    [SAMPLES.speech_failed, { 'readback_speech_failures_total{kind="cut"}': 1 }],
    [SAMPLES.speech_underrun, { readback_speech_underruns_total: 1 }],
    [SAMPLES.first_packet, histogram("ai_message_audio_first_packet_times_seconds", 1.2)],
    [
      finished,
      {
        'readback_turns_total{result="answered"}': 1,
        ...histogram("ai_message_audio_request_times_seconds", 9),
        ...histogram("response_character_counts", 140),
        ...histogram("audio_length_times_seconds", 8.4),
      },
    ],
    [
      { ...finished, responseType: "text", audioMs: 0 },
      {
        'readback_turns_total{result="answered"}': 1,
        ...histogram("ai_message_text_request_times_seconds", 9),
        ...histogram("response_character_counts", 140),
      },
    ],
    [
      { ...finished, interrupted: true, result: "partial" },
      {
        'readback_turns_total{result="partial"}': 1,
        readback_answers_interrupted_total: 1,
        ...histogram("ai_message_audio_request_times_seconds", 9),
        ...histogram("response_character_counts", 140),
        ...histogram("audio_length_times_seconds", 8.4),
      },
    ],
    [
      { ...finished, result: "timeout", answered: false },
      { 'readback_turns_total{result="timeout"}': 1, ai_message_error_responses_total: 1 },
    ],
  ];

  it.each(cases)("counts where it should: %j", async (event, expected) => {
    expect(await counted(event)).toEqual(
      Object.fromEntries(Object.entries(expected).map(([name, value]) => [name, expect.closeTo(value, 9)])),
    );
  });

  it("is either counted or known not to be", async () => {
    const uncounted = [];
    for (const event of ALL_SAMPLES)
      if (Object.keys(await counted(event)).length === 0) uncounted.push(event.type);
    expect(uncounted).toEqual([
      "service_started",
      "service_stopping",
      "relay_connected",
      "relay_identified",
      "files_reread",
      "command_received",
      "colleague_not_reached",
      "chat_opened",
      "chat_closed",
      "legs_chosen",
      "hits_unreadable",
      "sentence_spoken",
      "answer_inspected",
      "index_replaced",
      "model_called",
      "query_embedded",
      "turn_scored",
      "site_server_said",
    ]);
  });

  it("names a bounded number of networks, and counts the others together", async () => {
    const used = (network: string) => ({ ...SAMPLES.tokens_used, user: { network, username: "ann" } });
    const first = Array.from({ length: NETWORK_LABELS_MAX }, (_, index) => used(`n${index}`));
    const found = await counted(...first, used("late"), used("later"), used("n0"));
    const costs = Object.entries(found).filter(([name]) => name.startsWith("readback_model_cost_usd_total"));
    expect(costs).toHaveLength(NETWORK_LABELS_MAX + 1);
    const of = (network: string) =>
      found[
        `readback_model_tokens_total{slot="main",model="gpt-4.1-mini",network="${network}",direction="input"}`
      ];
    expect([of("n0"), of("n1"), of("other"), of("late")]).toEqual([600, 300, 600, undefined]);
  });
});
