/**
 * Events as Prometheus metrics. The names without prefix, their labels and the ends of their buckets are those of the
 * reference system, so that its dashboards keep working; what is new begins with `readback_`.
 */
import { Counter, collectDefaultMetrics, Gauge, Registry } from "prom-client";
import type { Subscriber, TelemetryEvent } from "./events.js";
import { createHistograms, measure } from "./histograms.js";
import { voiceMetrics } from "./voice-metrics.js";

/** What gauges read when they are scraped. */
export interface Readings {
  chats(): number;
  networks(): number;
  /** Spoken questions that are held until they are understood. */
  voices(): { readonly count: number; readonly bytes: number };
  connections(): number;
  backlog(): { readonly bytes: number; readonly oldestMs: number };
  longestBlockMs(): number;
}

const MS_PER_SECOND = 1_000;

export interface Metrics {
  readonly subscriber: Subscriber;
  /** The text that Prometheus scrapes, and its content type. */
  scrape(): Promise<{ readonly contentType: string; readonly text: string }>;
  /** Connects the gauges with what they measure. */
  observe(readings: Readings): void;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const counters = createCounters(registry);
  const histograms = createHistograms(registry);
  const countVoice = voiceMetrics(registry);
  return {
    subscriber(event) {
      count(event, counters);
      measure(event, histograms);
      countVoice(event);
    },
    scrape: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
    observe: (readings) => createGauges(registry, readings),
  };
}

function createGauges(registry: Registry, readings: Readings): void {
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read());
      },
    });
  gauge("chats_size", "Active chat sessions", () => readings.chats());
  gauge("networks_size", "Unique networks with active chats", () => readings.networks());
  gauge(
    "readback_voices_held",
    "Spoken questions that are held until they are understood",
    () => readings.voices().count,
  );
  gauge("readback_voice_bytes", "Bytes of these", () => readings.voices().bytes);
  gauge("supernode_connections", "Active TCP connections", () => readings.connections());
  gauge(
    "readback_outbox_bytes",
    "Bytes that wait in the outboxes of all relays",
    () => readings.backlog().bytes,
  );
  gauge(
    "readback_outbox_oldest_seconds",
    "Age of the oldest frame that waits in an outbox",
    () => readings.backlog().oldestMs / MS_PER_SECOND,
  );
  gauge(
    "readback_loop_longest_block_seconds",
    "The longest that the event loop has stood still since the start",
    () => readings.longestBlockMs() / MS_PER_SECOND,
  );
}

type Counters = ReturnType<typeof createCounters>;

/** The labels of `token_usage_total`, as the reference spells them. */
const TOKEN_TYPES = {
  plan: ["first_no_tool_request_input_tokens", "first_no_tool_request_output_tokens"],
  compose: ["second_with_rag_request_input_tokens", "second_with_rag_request_output_tokens"],
  passages: "rag_character_count",
  route: ["route_request_input_tokens", "route_request_output_tokens"],
  suggest: ["suggest_request_input_tokens", "suggest_request_output_tokens"],
  summarize: ["summarize_request_input_tokens", "summarize_request_output_tokens"],
} as const;

function createCounters(registry: Registry) {
  const counter = <L extends string>(name: string, help: string, ...labelNames: L[]) =>
    new Counter<L>({ name, help, labelNames, registers: [registry] });
  const tokens = counter("token_usage_total", "Token consumption by category", "type");
  // From the start, so that a rate counts the first ones too.
  for (const type of Object.values(TOKEN_TYPES).flat()) tokens.inc({ type }, 0);
  return {
    models: createModelCounters(registry),
    indices: createIndexCounters(registry),
    requests: counter("ai_message_requests_total", "Total AI message requests"),
    errors: counter("ai_message_error_responses_total", "Total error responses"),
    tokens,
    turns: counter("readback_turns_total", "Turns by how they ended", "result"),
    degraded: counter(
      "readback_answers_degraded_total",
      "Answers read from a passage, the model being out of reach",
    ),
    rewound: counter("readback_answers_rewound_total", "Answers begun again before anything had left"),
    interrupted: counter(
      "readback_answers_interrupted_total",
      "Answers stopped by their user or by a shutdown",
    ),
    moved: counter("readback_answers_moved_total", "Answers that went on at another relay"),
    givenUp: counter("readback_answers_given_up_total", "Answers given up because their relay does not read"),
    passagesTruncated: counter("readback_passages_truncated_total", "Retrieved text cut to its token budget"),
    textsCut: counter("readback_texts_cut_total", "Texts longer than is worked on", "what"),
    speechFailed: counter("readback_speech_failures_total", "Speech that failed", "kind"),
    underruns: counter("readback_speech_underruns_total", "Times that a receiver ran dry"),
    ...processCounters(counter),
    ...relayCounters(counter),
    ...searchCounters(counter),
    ...syncCounters(counter, registry),
    ...routingCounters(counter),
  };
}

type MakeCounter = <L extends string>(name: string, help: string, ...labelNames: L[]) => Counter<L>;

function relayCounters(counter: MakeCounter) {
  return {
    framesDropped: counter("readback_frames_dropped_total", "Frames refused by a full outbox", "frame"),
    audioDropped: counter(
      "readback_audio_packets_dropped_total",
      "Audio packets of relays that belong to nothing",
    ),
    relaysRefused: counter("readback_relays_refused_total", "Connections refused", "reason"),
    relaysEnded: counter("readback_relays_disconnected_total", "Connections ended, by cause", "reason"),
    commandsRefused: counter("readback_commands_refused_total", "Commands refused, by error code", "code"),
  };
}

function searchCounters(counter: MakeCounter) {
  return {
    searchFailed: counter("readback_searches_failed_total", "Searches that could not be answered"),
    groupsUnknown: counter("readback_groups_unknown_total", "Turns whose groups could not be found out"),
    speculations: counter(
      "readback_speculative_searches_total",
      "Searches begun ahead of the model's query, by whether they were of use",
      "result",
    ),
    connectionsFailed: counter(
      "readback_warm_connections_failed_total",
      "Times that a server whose connection is kept open could not be asked",
    ),
    answerLookUps: counter(
      "readback_answer_cache_lookups_total",
      "Questions, by whether they had been answered before; stale: from documents that are others now",
      "result",
    ),
    retrievalRetries: counter(
      "readback_retrieval_retries_total",
      "Searches made once more in other words, by whether that brought something better",
      "result",
    ),
    legsFailed: counter(
      "readback_search_legs_failed_total",
      "Ways of ranking that could not be asked",
      "leg",
    ),
    reranksFailed: counter(
      "readback_reranks_failed_total",
      "Results left in the order from before reranking",
    ),
  };
}

function processCounters(counter: MakeCounter) {
  return {
    faults: counter("readback_faults_total", "Faults of the service itself"),
    loopBlocks: counter(
      "readback_loop_blocks_total",
      "Times that the event loop stood still for over 200 ms",
    ),
  };
}

function syncCounters(counter: MakeCounter, registry: Registry) {
  return {
    documentsSynced: counter("documents_sync_total", "Documents successfully synced"),
    documentsFailed: counter("readback_documents_sync_failed_total", "Documents given up by the sync"),
    documentsInDoubt: counter(
      "readback_documents_access_doubtful_total",
      "Documents that the sync restricted to nobody, since what they say of who may read them is not understood",
    ),
    documentsRemoved: counter("readback_documents_removed_total", "Documents whose chunks the sync removed"),
    syncIsActive: new Gauge({
      name: "readback_sync_active",
      help: "1: this instance keeps the knowledge up to date; 0: another one does, or none",
      registers: [registry],
    }),
    syncsFailed: counter("readback_syncs_failed_total", "Times that the sync as a whole did not get on"),
    documentsPending: new Gauge({
      name: "documents_pending",
      help: "Documents awaiting sync",
      registers: [registry],
    }),
  };
}

function routingCounters(counter: MakeCounter) {
  return {
    routed: counter(
      "readback_turns_routed_total",
      "Turns by the route they took and the layer of the router that decided",
      "route",
      "layer",
    ),
    routesAsked: counter("readback_routes_asked_total", "Turns whose route had to be asked back"),
    routeModelFailed: counter(
      "readback_route_model_failures_total",
      "Routes chosen without the model's word",
    ),
    routesLost: counter("readback_route_log_lost_total", "Routes that could not be kept as training data"),
    unansweredLost: counter(
      "readback_unanswered_log_lost_total",
      "Unanswered questions that could not be kept for whoever looks after the documents",
    ),
  };
}

function count(event: TelemetryEvent, counters: Counters): void {
  switch (event.type) {
    case "turn_accepted":
      return counters.requests.inc();
    case "turn_finished":
      counters.turns.inc({ result: event.result });
      if (event.interrupted) counters.interrupted.inc();
      if (!event.answered) counters.errors.inc();
      return;
    case "turn_dropped":
      counters.turns.inc({ result: event.code });
      return counters.errors.inc();
    case "command_refused":
      counters.commandsRefused.inc({ code: event.code });
      return counters.errors.inc();
    case "tokens_used":
      countTokens(event, counters);
      return countModels(event, counters.models);
    case "passages_retrieved":
      return counters.tokens.inc({ type: TOKEN_TYPES.passages }, event.characters);
    case "answer_degraded":
      return counters.degraded.inc();
    case "answer_rewound":
      return counters.rewound.inc();
    case "answer_moved":
      return counters.moved.inc();
    case "answer_given_up":
      return counters.givenUp.inc();
    case "passages_truncated":
      return counters.passagesTruncated.inc();
    case "text_cut":
      return counters.textsCut.inc({ what: event.what }, event.pieces);
    case "speech_failed":
      return counters.speechFailed.inc({ kind: event.kind });
    case "speech_underrun":
      return counters.underruns.inc();
    case "service_fault":
      return counters.faults.inc();
    case "loop_blocked":
      return counters.loopBlocks.inc();
    default:
      countRelays(event, counters);
      countSearches(event, counters);
      countSync(event, counters);
      countRouting(event, counters);
      countIndices(event, counters.indices);
      return countModels(event, counters.models);
  }
}

function countRelays(event: TelemetryEvent, counters: Counters): void {
  switch (event.type) {
    case "frame_dropped":
      return counters.framesDropped.inc({ frame: event.frame });
    case "audio_dropped":
      return counters.audioDropped.inc();
    case "relay_refused":
      return counters.relaysRefused.inc({ reason: event.reason });
    case "relay_disconnected":
      return counters.relaysEnded.inc({ reason: event.reason });
  }
}

function countSearches(event: TelemetryEvent, counters: Counters): void {
  switch (event.type) {
    case "groups_unknown":
      return counters.groupsUnknown.inc();
    case "speculation_ended":
      return counters.speculations.inc({ result: event.result });
    case "connection_failed":
      return counters.connectionsFailed.inc();
    case "answer_looked_up":
      return counters.answerLookUps.inc({ result: event.result });
    case "retrieval_retried":
      return counters.retrievalRetries.inc({ result: event.result });
    case "search_failed":
      return counters.searchFailed.inc();
    case "leg_failed":
      return counters.legsFailed.inc({ leg: event.leg });
    case "rerank_failed":
      return counters.reranksFailed.inc();
  }
}

function countTokens(event: TelemetryEvent & { type: "tokens_used" }, { tokens }: Counters): void {
  const [input, output] = TOKEN_TYPES[event.stage];
  tokens.inc({ type: input }, event.inputTokens);
  tokens.inc({ type: output }, event.outputTokens);
}

function createIndexCounters(registry: Registry) {
  return {
    /** Not bounded as other labels: only networks that have an index of their own come here. */
    damaged: new Gauge({
      name: "readback_index_damaged",
      help: "1: the index of the network is damaged, and its searches are unavailable until it is built anew",
      labelNames: ["network"],
      registers: [registry],
    }),
    processesEnded: new Counter({
      name: "readback_search_processes_ended_total",
      help: "Processes of the embedded engine that ended without having been told to",
      registers: [registry],
    }),
    exposed: new Counter({
      name: "readback_data_exposed_total",
      help: "Files and folders with documents that others may read, and whose permissions could not be changed",
      registers: [registry],
    }),
  };
}

function countIndices(event: TelemetryEvent, counters: ReturnType<typeof createIndexCounters>): void {
  switch (event.type) {
    case "index_damaged":
      return counters.damaged.set({ network: event.network }, 1);
    case "index_replaced":
      return counters.damaged.remove({ network: event.network });
    case "search_process_ended":
      return counters.processesEnded.inc();
    case "data_exposed":
      return counters.exposed.inc();
    default:
      return; // Not counted.
  }
}

function createModelCounters(registry: Registry) {
  const counter = <L extends string>(name: string, help: string, ...labelNames: L[]) =>
    new Counter<L>({ name, help, labelNames, registers: [registry] });
  return {
    networks: new NetworkLabels(),
    tokens: counter(
      "readback_model_tokens_total",
      "Tokens read and written by models",
      "slot",
      "model",
      "direction",
      "network",
    ),
    cost: counter(
      "readback_model_cost_usd_total",
      "What answers of models cost in US dollars, by the configured prices",
      "slot",
      "model",
      "network",
    ),
    fallbacks: counter(
      "readback_model_fallbacks_total",
      "Times that a model was asked because another could not answer",
      "slot",
      "model",
    ),
    breakers: new Gauge({
      name: "readback_model_breaker_state",
      help: "0: the model is asked; 1: one request tries it out; 2: it is left alone for a while",
      labelNames: ["model"],
      registers: [registry],
    }),
    failed: counter("readback_model_failures_total", "Failed requests to the model", "stage"),
  };
}

/** `readback_model_breaker_state`. */
const BREAKER_STATES = { closed: 0, probing: 1, open: 2 } as const;

function countModels(event: TelemetryEvent, counters: ReturnType<typeof createModelCounters>): void {
  switch (event.type) {
    case "tokens_used": {
      const { slot, model = "unknown", inputTokens, outputTokens, costUsd = 0 } = event;
      const labels = { slot, model, network: counters.networks.label(event.user.network) };
      counters.tokens.inc({ ...labels, direction: "input" }, inputTokens);
      counters.tokens.inc({ ...labels, direction: "output" }, outputTokens);
      return counters.cost.inc(labels, costUsd);
    }
    case "model_failed":
      return counters.failed.inc({ stage: event.stage });
    case "model_fallback":
      return counters.fallbacks.inc({ slot: event.slot, model: event.to });
    case "model_breaker_changed":
      return counters.breakers.set({ model: event.model }, BREAKER_STATES[event.state]);
    default:
      return; // Not counted.
  }
}

function countSync(event: TelemetryEvent, counters: Counters): void {
  switch (event.type) {
    case "sync_looked":
      return counters.documentsPending.set(event.pending);
    case "sync_document_failed":
      return counters.documentsFailed.inc();
    case "document_access_doubtful":
      return counters.documentsInDoubt.inc();
    case "sync_batch_finished":
      counters.documentsSynced.inc(event.synced);
      return counters.documentsRemoved.inc(event.removed);
    case "sync_role_changed":
      return counters.syncIsActive.set(event.role === "active" ? 1 : 0);
    case "sync_failed":
      return counters.syncsFailed.inc();
    default:
      return; // Not counted.
  }
}

function countRouting(event: TelemetryEvent, counters: Counters): void {
  switch (event.type) {
    case "turn_routed":
      counters.routed.inc({ route: event.route, layer: event.layer });
      return counters.routesAsked.inc(event.asked ? 1 : 0);
    case "route_model_failed":
      return counters.routeModelFailed.inc();
    case "route_log_failed":
      return counters.routesLost.inc(event.lost);
    case "unanswered_log_failed":
      return counters.unansweredLost.inc(event.lost);
    default:
      return; // Not counted.
  }
}

/** Networks that are counted by their own name; all further ones count as `other`. */
export const NETWORK_LABELS_MAX = 100;

/** The first networks that turn up keep their names as labels: each name costs memory here and at Prometheus. */
class NetworkLabels {
  readonly #names = new Set<string>();

  label(network: string): string {
    if (this.#names.has(network)) return network;
    if (this.#names.size >= NETWORK_LABELS_MAX) return "other";
    this.#names.add(network);
    return network;
  }
}
