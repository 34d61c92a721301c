/**
 * Turns as traces: takes what turns tell, and gives a tracer the spans. Ids follow from the id of the turn, so that
 * whatever belongs to it finds its trace, after its end too and from another process. What happens belongs to the part
 * of its turn, preparing or answering, in which it began.
 */
import { createHash } from "node:crypto";
import {
  type Attributes,
  type HrTime,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import { OUTCOMES } from "../../domain/answer.js";
import type { Clock } from "../../lib/clock.js";
import type { Random } from "../../lib/random.js";
import type { EventType, Subscriber, TelemetryEvent } from "../events.js";
import { DEBUG_ONLY } from "../levels.js";
import { type AttributeValue, attributesOf, genAi, SELF, SPANS, type Told } from "./conventions.js";

export interface TurnSpansDeps {
  readonly clock: Clock;
  readonly random: Random;
  /** Networks of which questions, answers and passages are told. */
  readonly debugNetworks: readonly string[];
  /** Share of turns that are traced. */
  readonly sampleRatio: number;
}

/** Turns that are followed at once; what one tells that is forgotten is traced still. */
export const TURNS_MAX = 10_000;

/** Results that are no errors. */
const FINE: ReadonlySet<string> = new Set([
  ...["ok", "words", "aborted", "too_short", "silent", "unintelligible"],
  ...Object.keys(OUTCOMES),
]);

const ENDS: ReadonlySet<EventType> = new Set([
  "turn_finished",
  "turn_dropped",
  "announcement_ended",
] as const);
const NOTED: ReadonlySet<EventType> = new Set(["turn_accepted", "voice_received", "turn_waterfall"] as const);

/** Parts of a turn, by the last digits of their spans' ids. */
const PARTS = { turn: "0", prepare: "1", answer: "2" } as const;
type Part = keyof typeof PARTS;

interface Turn {
  readonly traceId: string;
  /** Unix time when the monotonic clock was at 0. */
  readonly epochMs: number;
  readonly attributes: Readonly<Record<string, AttributeValue>>;
  /** Its parts, as the times below in Unix milliseconds with fractions. */
  readonly beganMs: Partial<Record<Part, number>>;
  marksMs: Readonly<Record<string, number>>;
}

/** The id of the trace of a turn: 32 hexadecimal digits. */
export function traceIdOf(turn: string): string {
  return createHash("sha256").update(turn).digest("hex").slice(0, 32);
}

export class TurnSpans {
  /** The oldest first. */
  readonly #turns = new Map<string, Turn>();

  /** `tracerFor` gives a tracer whose next span has these ids, and those of its trace where it has no parent. */
  constructor(
    private readonly deps: TurnSpansDeps,
    private readonly tracerFor: (traceId: string, spanId: string) => Tracer,
  ) {}

  readonly subscriber: Subscriber = (event) => {
    const { turn: id, type } = event;
    const toldOf = SPANS[type] as ((event: TelemetryEvent) => Told | undefined) | undefined;
    if (id === undefined || (toldOf === undefined && !ENDS.has(type) && !NOTED.has(type))) return;
    const turn = this.#turns.get(id) ?? this.#begun(id, event);
    if (ENDS.has(type)) this.#turns.delete(id);
    if (Number.parseInt(turn.traceId.slice(0, 8), 16) >= this.deps.sampleRatio * 2 ** 32) return;
    const nowMs = turn.epochMs + this.deps.clock.monotonic();
    const told = this.#isHidden(event) ? undefined : toldOf?.(event);
    if (told !== undefined) this.#tell(turn, { ...event, ...told }, nowMs);
    if (type === "turn_accepted" || type === "voice_received") turn.beganMs.turn = nowMs;
    if (type === "turn_started") turn.beganMs.prepare = nowMs;
    if (type === "stage_finished" && event.stage === "prepare") turn.beganMs.answer = nowMs;
    if (type === "turn_waterfall") turn.marksMs = event.marksMs;
    if (ENDS.has(type)) this.#end(turn, event, nowMs);
  };

  #isHidden(event: TelemetryEvent): boolean {
    const network = ("user" in event && event.user?.network) || "";
    return DEBUG_ONLY.has(event.type) && !this.deps.debugNetworks.includes(network);
  }

  /** A turn as it is first heard of; kept if that is its beginning. */
  #begun(id: string, event: TelemetryEvent): Turn {
    const { clock } = this.deps;
    const { chat, user } = event.type === "turn_accepted" ? event : {};
    const attributes = attributesOf({ chat, conversation: chat, user });
    const epochMs = clock.now() - clock.monotonic();
    const turn = { traceId: traceIdOf(id), epochMs, attributes, beganMs: {}, marksMs: {} };
    if (chat !== undefined) this.#turns.set(id, turn);
    const [oldest = id] = this.#turns.keys();
    if (this.#turns.size > TURNS_MAX) this.#turns.delete(oldest);
    return turn;
  }

  /** What has just come to its end. */
  #tell(turn: Turn, told: Told, endMs: number): void {
    const { answer = Number.POSITIVE_INFINITY, prepare = Number.POSITIVE_INFINITY } = turn.beganMs;
    const startMs = endMs - (told.ms ?? 0);
    const parent = startMs >= answer ? "answer" : startMs >= prepare ? "prepare" : "turn";
    this.#send(turn, told, this.deps.random.id(), startMs, endMs, parent);
  }

  /** A turn and its parts. */
  #end(turn: Turn, event: object & { readonly ms?: number }, nowMs: number): void {
    const { answer = nowMs, prepare, turn: startMs = nowMs - (event.ms ?? 0) } = turn.beganMs;
    const part = (name: Part, fromMs: number, toMs: number) =>
      this.#send(turn, { name }, spanIdOf(turn, name), fromMs, toMs, "turn");
    if (prepare !== undefined) part("prepare", prepare, answer);
    if (answer < nowMs) part("answer", answer, nowMs);
    const whole = { ...event, ...genAi("invoke_agent", SELF, { agent: SELF }) };
    this.#send(turn, whole, spanIdOf(turn, "turn"), startMs, nowMs);
  }

  #send(turn: Turn, told: Told, spanId: string, startMs: number, endMs: number, within?: Part): void {
    const { traceId } = turn;
    const { code, result = code } = told;
    const isError = result !== undefined && !FINE.has(result);
    const error = isError ? { "error.type": result } : {};
    const parent = within && { traceId, spanId: spanIdOf(turn, within), traceFlags: 1 };
    const span = this.tracerFor(traceId, spanId).startSpan(
      told.name,
      {
        kind: told.isRemote ? SpanKind.CLIENT : SpanKind.INTERNAL,
        startTime: hrTime(startMs),
        attributes: { ...turn.attributes, ...attributesOf(told), ...error } as Attributes,
      },
      parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent),
    );
    if (isError) span.setStatus({ code: SpanStatusCode.ERROR });
    if (within === undefined)
      for (const [mark, ms] of Object.entries(turn.marksMs)) span.addEvent(mark, hrTime(startMs + ms));
    span.end(hrTime(endMs));
  }
}

function spanIdOf({ traceId }: Turn, part: Part): string {
  return traceId.slice(0, 15) + PARTS[part];
}

/** Seconds and nanoseconds. */
function hrTime(ms: number): HrTime {
  return [Math.floor(ms / 1_000), Math.floor((ms % 1_000) * 1_000_000)];
}
