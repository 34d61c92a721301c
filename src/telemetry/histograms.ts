/** How long things take, as histograms; see `metrics.ts`. */
import { Histogram, type Registry } from "prom-client";
import type { Stage, TelemetryEvent } from "./events.js";

const BUCKETS = {
  /** Seconds: 50 ms to 30 s. */
  answer: [0.05, 0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 5, 7.5, 10, 15, 20, 30],
  /** Seconds: 50 ms to 20 s. */
  request: [0.05, 0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 5, 7.5, 10, 15, 20],
  /** Seconds: 10 ms to 15 s. */
  packets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
  /** Seconds: 0.5 s to 5 min. */
  minutes: [0.5, 1, 2, 3, 5, 7.5, 10, 15, 20, 30, 45, 60, 90, 120, 300],
  characters: [10, 25, 50, 100, 200, 300, 500, 750, 1_000, 2_000, 5_000],
} as const;

const MS_PER_SECOND = 1_000;

export type Histograms = ReturnType<typeof createHistograms>;

export function createHistograms(registry: Registry) {
  const histogram = (name: string, help: string, buckets: readonly number[]) =>
    new Histogram({ name, help, buckets: [...buckets], registers: [registry] });
  return {
    audioRequest: histogram(
      "ai_message_audio_request_times_seconds",
      "End-to-end audio response time",
      BUCKETS.answer,
    ),
    textRequest: histogram(
      "ai_message_text_request_times_seconds",
      "End-to-end text response time",
      BUCKETS.request,
    ),
    firstPacket: histogram(
      "ai_message_audio_first_packet_times_seconds",
      "Time to first audio packet",
      BUCKETS.answer,
    ),
    plan: histogram("initial_query_request_times_seconds", "Stage 1 latency", BUCKETS.request),
    search: histogram("document_search_request_times_seconds", "Search latency", BUCKETS.request),
    speech: histogram("text_to_speech_request_times_seconds", "TTS total latency", BUCKETS.answer),
    speechFirstPacket: histogram(
      "text_to_speech_first_packet_times_seconds",
      "TTS first packet latency",
      BUCKETS.answer,
    ),
    packets: histogram(
      "opus_packet_creation_times_seconds",
      "From the first to the last Opus packet of one synthesized sentence",
      BUCKETS.packets,
    ),
    audioLength: histogram("audio_length_times_seconds", "Generated audio duration", BUCKETS.minutes),
    characters: histogram("response_character_counts", "Response text length", BUCKETS.characters),
    stages: new Histogram({
      name: "readback_stage_seconds",
      help: "Time spent in each stage of a turn",
      labelNames: ["stage"],
      buckets: [...BUCKETS.request],
      registers: [registry],
    }),
    waterfall: new Histogram({
      name: "readback_turn_mark_seconds",
      help: "When a turn came past a point, since its question was there; held: its first word waited for its last sentence",
      labelNames: ["mark", "held"],
      buckets: [...BUCKETS.answer],
      registers: [registry],
    }),
    syncPhases: new Histogram({
      name: "documents_sync_times_seconds",
      help: "Duration of each phase of a batch",
      labelNames: ["phase"],
      buckets: [...BUCKETS.minutes],
      registers: [registry],
    }),
    pending: histogram("documents_pending_times_seconds", "Time documents spend pending", BUCKETS.minutes),
    doorRequests: new Histogram({
      name: "readback_door_request_seconds",
      help: "Requests to the API, from their arrival to the end of the answer, by how they ended",
      labelNames: ["door", "result"],
      buckets: [...BUCKETS.answer],
      registers: [registry],
    }),
    mailbox: histogram(
      "readback_mailbox_wait_seconds",
      "Time a message waited in its mailbox",
      BUCKETS.answer,
    ),
  };
}

export function measure(event: TelemetryEvent, histograms: Histograms): void {
  switch (event.type) {
    case "turn_started":
      return histograms.mailbox.observe(event.waitedMs / MS_PER_SECOND);
    case "door_request_finished":
      return measureDoor(event, histograms);
    case "first_packet":
      return histograms.firstPacket.observe(event.ms / MS_PER_SECOND);
    case "turn_finished":
      return measureAnswer(event, histograms);
    case "stage_finished":
      return measureStage(event.stage, event.ms / MS_PER_SECOND, histograms);
    case "search_finished":
      return histograms.search.observe(event.ms / MS_PER_SECOND);
    case "turn_waterfall":
      return measureWaterfall(event, histograms.waterfall);
    case "sync_phase_finished":
      return histograms.syncPhases.observe({ phase: event.phase }, event.ms / MS_PER_SECOND);
    case "sync_document_synced":
      return histograms.pending.observe(event.pendingMs / MS_PER_SECOND);
    case "speech_unit_finished":
      histograms.speech.observe(event.ms / MS_PER_SECOND);
      histograms.speechFirstPacket.observe(event.firstPacketMs / MS_PER_SECOND);
      return histograms.packets.observe((event.ms - event.firstPacketMs) / MS_PER_SECOND);
    default:
      return; // Not measured.
  }
}

function measureAnswer(event: TelemetryEvent & { type: "turn_finished" }, histograms: Histograms): void {
  if (!event.answered) return;
  const request = event.responseType === "audio" ? histograms.audioRequest : histograms.textRequest;
  request.observe(event.ms / MS_PER_SECOND);
  histograms.characters.observe(event.answerCharacters);
  if (event.audioMs > 0) histograms.audioLength.observe(event.audioMs / MS_PER_SECOND);
}

function measureDoor(
  event: TelemetryEvent & { type: "door_request_finished" },
  histograms: Histograms,
): void {
  const { door, ms, result } = event;
  histograms.doorRequests.observe({ door, result }, ms / MS_PER_SECOND);
}

function measureWaterfall(
  { held, marksMs }: TelemetryEvent & { type: "turn_waterfall" },
  histogram: Histogram<"mark" | "held">,
): void {
  for (const [mark, ms] of Object.entries(marksMs))
    histogram.observe({ mark, held: String(held) }, ms / MS_PER_SECOND);
}

function measureStage(stage: Stage, seconds: number, histograms: Histograms): void {
  histograms.stages.observe({ stage }, seconds);
  if (stage === "plan") histograms.plan.observe(seconds);
}
