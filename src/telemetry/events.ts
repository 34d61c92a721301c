/**
 * The catalogue of everything worth telling: code emits these values, and metrics and logs subscribe. What happens in a
 * turn carries its id.
 * No event carries a secret, a prompt or a document's text, but for `sentence_spoken` and `answer_inspected`: only
 * the log of a debug network keeps those.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { Outcome, RouteLayer, Verified } from "../domain/answer.js";
import type { FailureCode } from "../domain/failure.js";
import type { ResponseType } from "../domain/turn.js";
import type { User } from "../domain/user.js";
import type { Waterfall } from "../domain/waterfall.js";
import type { PressureGuard } from "../lib/pressure.js";
import type { GuideEvent, OperatingEvent } from "./operation-events.js";
import type { ServiceEvent } from "./service-events.js";
import type { TracingEvent } from "./tracing-events.js";

export type { PortName } from "./service-events.js";

/** Where in a turn time is spent; each has a histogram. */
export type Stage =
  /** From leaving the mailbox until it is chosen who answers. */
  | "prepare"
  | "plan"
  | "search"
  | "rerank"
  | "compose_first_text"
  | "compose"
  | "gate"
  /** Not of a turn: one request for suggested questions, and one for a summary, to a model. */
  | "suggest"
  | "summarize";

/** What a model is used for. */
export type SlotName = "main" | "conversational" | "drafting" | "judge" | "verifier";

/**
 * Why there is no room for a turn: it would begin too `late`; its time was over while it waited (`expired`); it made room in a
 * line that was full (`crowded`); a guard of the process is tripped; the service stops.
 */
export type TurnedAwayReason = "late" | "expired" | "crowded" | PressureGuard | "stopping";

/** The doors of the API. */
export type DoorName =
  | "answers"
  | "checks"
  | "extras"
  | "evaluations"
  | "unanswered"
  | "approvals"
  | "guides"
  | "openai"
  | "ollama"
  | "grpc"
  | "kiosk";

/** `refused`: too many refused commands in a row; `displaced`: it made room for another. */
export type ConnectionEnd =
  | "peer"
  | "malformed"
  | "idle"
  | "slow"
  | "refused"
  | "displaced"
  | "untrusted"
  | "error"
  | "shutdown";

/** The phases of the sync of one batch of documents; each has a histogram. */
export type SyncPhase = "load" | "rules" | "job" | "reindex" | "update";

/** Lines of a conversation, passages of documents. */
export type CutText = "history" | "passage";

type CatalogueEvent =
  | { readonly type: "relay_connected"; readonly connection: string; readonly remote: string }
  /** A relay has shown its token. */
  | { readonly type: "relay_identified"; readonly connection: string; readonly relay: string }
  | {
      readonly type: "relay_disconnected";
      readonly connection: string;
      readonly address: string;
      readonly reason: ConnectionEnd;
      readonly detail: string;
    }
  | {
      readonly type: "command_received";
      readonly connection: string;
      readonly command: string;
      readonly user?: User;
    }
  | {
      readonly type: "command_refused";
      readonly connection: string;
      readonly code: string;
      readonly detail: string;
      readonly user?: User;
    }
  /** A request to the API is over. */
  | {
      readonly type: "door_request_finished";
      readonly door: DoorName;
      /** `ok`, `disconnected`, or why it was turned down: a code of `api/rejection.ts`. */
      readonly result: string;
      readonly ms: number;
      /** Name of the API key. */
      readonly caller?: string;
    }
  /** Somebody at a kiosk called a colleague, and the message did not get through. `caller`: the kiosk's name. */
  | { readonly type: "colleague_not_reached"; readonly caller: string | undefined; readonly error: string }
  /** A voice message is in: the button was released. */
  | { readonly type: "voice_received"; readonly user: User; readonly turn: string; readonly audioMs: number }
  /** `result`: `words`, why there are none, or a failure's code; `ms` since the button was released. */
  | {
      readonly type: "speech_recognised";
      readonly user: User;
      readonly turn: string;
      readonly result: string;
      readonly model: string;
      readonly audioMs: number;
      readonly ms: number;
    }
  | { readonly type: "recognition_failed"; readonly user: User; readonly error: string }
  | { readonly type: "audio_dropped"; readonly connection: string; readonly user: User }
  | { readonly type: "answer_given_up"; readonly connection: string; readonly mid: number }
  | { readonly type: "frame_dropped"; readonly connection: string; readonly frame: string }
  | { readonly type: "answer_moved"; readonly user: User; readonly mid: number; readonly firstPid: number }
  | { readonly type: "chat_opened"; readonly user: User }
  | { readonly type: "chat_closed"; readonly user: User; readonly reason: "expired" | "closed" | "shutdown" }
  | {
      readonly type: "turn_accepted";
      readonly user: User;
      readonly turn: string;
      readonly chat: string;
      readonly responseType: ResponseType;
    }
  | { readonly type: "turn_started"; readonly user: User; readonly waitedMs: number }
  /** Too much is asked at once: it is answered without a voice, or not at all. */
  | {
      readonly type: "turn_degraded";
      readonly user: User;
      readonly to: "text" | "refusal";
      readonly reason: TurnedAwayReason;
    }
  /** It ended while it was waiting. */
  | { readonly type: "turn_dropped"; readonly user: User; readonly turn: string; readonly code: FailureCode }
  /** Something was said unasked, or was to be. It may be tried again where none of it was heard. */
  | {
      readonly type: "announcement_ended";
      readonly user: User;
      /** What it was about. */
      readonly subject: string;
      readonly result: Outcome | FailureCode;
      readonly interrupted: boolean;
      /** From its place in the turn line to the last frame. */
      readonly ms: number;
      /** What a failure came from. */
      readonly cause?: string;
    }
  /** It is not said any more: too late, too many, a newer one of its subject, or the chat is closed. */
  | {
      readonly type: "announcement_dropped";
      readonly user: User;
      readonly subject: string;
      readonly reason: "expired" | "crowded_out" | "replaced" | "closed";
    }
  /** Which part of the service the turn takes, and who decided it. */
  | {
      readonly type: "turn_routed";
      readonly user: User;
      readonly route: string;
      readonly layer: RouteLayer;
      readonly confidence: number;
      /** It was not clear enough, and the user was asked back. */
      readonly asked: boolean;
      readonly ms: number;
    }
  /** The route was chosen without the model's word. */
  | { readonly type: "route_model_failed"; readonly user: User; readonly error: string }
  /** Decisions that could not be kept as training data. */
  | { readonly type: "route_log_failed"; readonly lost: number; readonly error: string }
  | { readonly type: "unanswered_log_failed"; readonly lost: number; readonly error: string }
  | { readonly type: "stage_finished"; readonly user: User; readonly stage: Stage; readonly ms: number }
  | {
      readonly type: "tokens_used";
      readonly user: User;
      readonly stage: "plan" | "compose" | "route" | "suggest" | "summarize" | "verify" | "check";
      readonly slot: SlotName;
      readonly inputTokens: number;
      readonly outputTokens: number;
      /** Who wrote the answer. */
      readonly model?: string;
      /** Absent when the model has no price. */
      readonly costUsd?: number;
    }
  /** A provider of the slot was asked once; `ms` until its last word. `result`: `ok`, `aborted`, or how it failed. */
  | {
      readonly type: "model_called";
      readonly slot: SlotName;
      readonly model: string;
      readonly result: string;
      readonly ms: number;
      /** Until its first word, where it came as a stream. */
      readonly firstMs?: number | undefined;
      readonly inputTokens?: number;
      readonly outputTokens?: number;
      readonly costUsd?: number;
    }
  /** A provider of the slot could not answer, and the next one is asked. */
  | {
      readonly type: "model_fallback";
      readonly slot: SlotName;
      readonly from: string;
      readonly to: string;
      readonly error: string;
    }
  /** `open`: it is left alone for a while; `probing`: one request tries it out. */
  | {
      readonly type: "model_breaker_changed";
      readonly model: string;
      readonly state: "closed" | "open" | "probing";
    }
  | {
      readonly type: "passages_retrieved";
      readonly user: User;
      readonly queries: readonly string[];
      readonly documentIds: readonly string[];
      readonly characters: number;
    }
  | {
      readonly type: "passages_truncated";
      readonly user: User;
      readonly tokens: number;
      readonly limit: number;
    }
  /** Text that was longer than is worked on: what is beyond `limit` characters of one piece was left out. */
  | {
      readonly type: "text_cut";
      readonly user: User;
      readonly what: CutText;
      /** Pieces that were cut, and what they had in characters. */
      readonly pieces: number;
      readonly characters: number;
      readonly limit: number;
    }
  | { readonly type: "search_failed"; readonly user: User; readonly error: string }
  /** One search of the documents is over, answered or not; `ms` is its own time, whoever waited for it. */
  | { readonly type: "search_finished"; readonly user: User; readonly ms: number }
  /** The settings leave it open which ways of ranking are asked, and the cluster has not its own. */
  | { readonly type: "legs_chosen"; readonly legs: readonly string[]; readonly reason: string }
  /** What the index holds of these was found and cannot be read, so that nobody is given it. */
  | {
      readonly type: "hits_unreadable";
      readonly network: string;
      readonly count: number;
      readonly reason: string;
    }
  /** One way of ranking could not be asked; the search goes on with the others, if there are any. */
  | {
      readonly type: "leg_failed";
      readonly user: User;
      readonly leg: "lexical" | "semantic" | "vector";
      readonly error: string;
    }
  | { readonly type: "rerank_failed"; readonly user: User; readonly error: string }
  | { readonly type: "groups_unknown"; readonly user: User; readonly error: string }
  /** Whether a search on the user's own words was of use. */
  /** What was found did not seem to hold the answer, and was searched for once more in other words. */
  | { readonly type: "retrieval_retried"; readonly user: User; readonly result: "better" | "no better" }
  | { readonly type: "speculation_ended"; readonly user: User; readonly result: "saved" | "wasted" }
  /** A server could not be asked while nobody waited for it: its connection is not kept open. */
  | { readonly type: "connection_failed"; readonly server: string; readonly error: string }
  | {
      readonly type: "model_failed";
      readonly user: User;
      readonly stage: "plan" | "compose" | "suggest" | "summarize";
      readonly error: string;
    }
  | { readonly type: "answer_degraded"; readonly user: User; readonly from: "plan" | "compose" }
  | { readonly type: "answer_rewound"; readonly user: User }
  /** Whether words to be spoken had been spoken before, or were being spoken for somebody else. */
  | { readonly type: "speech_looked_up"; readonly result: "hit" | "miss" | "shared" }
  /** The user was given a sign, since the answer was expected to take `predictedMs`. */
  | {
      readonly type: "acknowledged";
      readonly user: User;
      readonly sign: "tone" | "phrase";
      readonly predictedMs: number;
    }
  /** Whether the question had been answered before; `stale`: it had, from documents that are others now. */
  | { readonly type: "answer_looked_up"; readonly user: User; readonly result: "hit" | "miss" | "stale" }
  /** A sentence that the rules let through was put to the second reader; `not_asked`: too many of the answer were. */
  | {
      readonly type: "sentence_verified";
      readonly user: User;
      readonly result: Verified | "not_asked";
      /** From asking to its word. */
      readonly ms: number;
    }
  /** Whether words whose voice was made ready before it was known that they are said became part of the answer. */
  | { readonly type: "early_clause_ended"; readonly user: User; readonly result: "saved" | "wasted" }
  /** A sentence, or what is left of it after its first clause, begins with packet `pid`. */
  | { readonly type: "sentence_spoken"; readonly user: User; readonly pid: number; readonly text: string }
  | {
      readonly type: "speech_unit_finished";
      readonly user: User;
      /** The voice. */
      readonly model: string;
      readonly ms: number;
      readonly firstPacketMs: number;
      readonly packets: number;
      readonly preSkipSamples: number;
      readonly endTrimSamples: number;
    }
  | {
      readonly type: "speech_failed";
      readonly user: User;
      readonly kind: string;
      readonly midStream: boolean;
      readonly error: string;
    }
  | { readonly type: "speech_underrun"; readonly user: User; readonly ms: number }
  | { readonly type: "first_packet"; readonly user: User; readonly ms: number }
  | {
      readonly type: "answer_inspected";
      readonly user: User;
      readonly outcome: Outcome;
      readonly question: string;
      readonly answer: string;
      readonly passages: readonly string[];
    }
  | {
      readonly type: "turn_finished";
      readonly user: User;
      readonly responseType: ResponseType;
      readonly result: Outcome | FailureCode;
      readonly answered: boolean;
      readonly degraded: boolean;
      readonly interrupted: boolean;
      /** From leaving the mailbox to the last frame. */
      readonly ms: number;
      readonly answerCharacters: number;
      readonly audioMs: number;
      /** What a failure came from. */
      readonly cause?: string;
    }
  /** When the turn came past which point. */
  | ({
      readonly type: "turn_waterfall";
      readonly user: User;
      readonly responseType: ResponseType;
    } & Waterfall)
  /** `waiting`: another instance keeps the knowledge up to date. */
  | { readonly type: "sync_role_changed"; readonly role: "active" | "waiting" }
  | { readonly type: "sync_looked"; readonly pending: number; readonly oldestMs: number }
  | { readonly type: "sync_phase_finished"; readonly phase: SyncPhase; readonly ms: number }
  | {
      readonly type: "sync_document_synced";
      readonly network: string;
      readonly documentId: string;
      /** Since it was marked as pending. */
      readonly pendingMs: number;
    }
  | {
      readonly type: "sync_document_failed";
      readonly network: string;
      readonly documentId: string;
      readonly error: string;
    }
  /** It says something of who may read it that is not understood: nobody may. */
  | {
      readonly type: "document_access_doubtful";
      readonly network: string;
      readonly documentId: string;
      /** Where it stands, and what to do. */
      readonly doubt: string;
    }
  | {
      readonly type: "sync_batch_finished";
      readonly batch: string;
      readonly synced: number;
      readonly failed: number;
      /** They stay pending. */
      readonly postponed: number;
      readonly removed: number;
      readonly ms: number;
      /** Why it did not get on as a whole. */
      readonly trouble?: string;
    }
  /** A network's index cannot be trusted: its searches are unavailable until it is built anew. */
  | {
      readonly type: "index_damaged";
      readonly network: string;
      readonly file: string;
      /** What is wrong, and what to do. */
      readonly error: string;
    }
  /** The file of an index that was damaged is another one now, and is read again. */
  | { readonly type: "index_replaced"; readonly network: string }
  /** A process that searches is gone; another one takes its place. */
  | { readonly type: "search_process_ended"; readonly how: string }
  /** A part of what changes rarely about the machine could not be collected; it is tried again in a minute. */
  | {
      readonly type: "host_part_failed";
      readonly site: string;
      readonly part: string;
      readonly error: string;
    }
  /** A file or folder with documents may be read by others, and that could not be changed. */
  | { readonly type: "data_exposed"; readonly path: string; readonly error: string }
  /** A system of a site is connected, with so many of its tools on. */
  | { readonly type: "site_connected"; readonly site: string; readonly toolsOn: number; readonly ms: number }
  /** It could not be connected, or its connection is lost; it is tried again. */
  | {
      readonly type: "site_lost";
      readonly site: string;
      readonly error: string;
      /** Attempts in a row that did not last. */
      readonly attempt: number;
      readonly retryInMs: number;
    }
  /** A tool of the settings may not be called now. */
  | {
      readonly type: "site_tool_off";
      readonly site: string;
      readonly tool: string;
      readonly reason: string;
    }
  /** `result`: `ok`, `aborted`, or the code of a failure. */
  | {
      readonly type: "site_called";
      readonly site: string;
      readonly tool: string;
      readonly result: string;
      readonly ms: number;
    }
  /** A line of the error output of a site's server, cut. */
  | { readonly type: "site_server_said"; readonly site: string; readonly text: string }
  | GuideEvent
  | OperatingEvent
  | ServiceEvent
  | TracingEvent
  /** Nothing is synced until the next attempt. */
  | {
      readonly type: "sync_failed";
      readonly error: string;
      readonly attempt: number;
      readonly retryInMs: number;
    };

/** An event, with the id of the turn in which it happened, where it happened in one: `createTelemetry` stamps it. */
export type TelemetryEvent = CatalogueEvent & { readonly turn?: string };

export type EventType = TelemetryEvent["type"];

export type EventOf<T extends EventType> = Extract<TelemetryEvent, { readonly type: T }>;

export type Subscriber = (event: TelemetryEvent) => void;

export interface Telemetry {
  emit(event: TelemetryEvent): void;
}

const turnScope = new AsyncLocalStorage<string>();

/** Runs `work`, and all that it starts, as a part of the turn with this id: every event that it emits is stamped. */
export function withinTurn<T>(turn: string, work: () => T): T {
  return turnScope.run(turn, work);
}

/** Hands each event to every subscriber, in order. A subscriber that throws is a fault of its own, and stops nobody. */
export function createTelemetry(subscribers: readonly Subscriber[]): Telemetry {
  const emit = (told: TelemetryEvent) => {
    const turn = told.turn ?? turnScope.getStore();
    const event = turn === undefined || told.turn !== undefined ? told : { ...told, turn };
    for (const subscriber of subscribers) {
      try {
        subscriber(event);
      } catch (error) {
        // Whoever cannot take this either is beyond help.
        if (event.type !== "service_fault")
          emit({ type: "service_fault", where: "telemetry", error: String(error) });
      }
    }
  };
  return { emit };
}
