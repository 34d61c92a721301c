/**
 * Turns as traces: takes what turns tell, and writes spans in OTLP's JSON form, each when it is over. Ids follow from the
 * id of the turn, so that whatever belongs to it finds its trace, after its end too and from another process. What
 * happens belongs to the part of its turn, preparing or answering, in which it began.
 */
import { createHash } from "node:crypto";
import { OUTCOMES } from "../../domain/answer.js";
import type { Clock } from "../../lib/clock.js";
import type { EventType, Subscriber, TelemetryEvent } from "../events.js";
import { DEBUG_ONLY } from "../levels.js";
import { attributesOf, genAi, SELF, SPANS, type SpanFields } from "./conventions.js";

export interface TurnSpansDeps {
  readonly clock: Clock;
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

/** As OTLP numbers them. A span is sampled, and its parent is known to be of this process. */
const KINDS = { internal: 1, client: 3 };
const STATUS = { unset: 0, error: 2 };
const FLAGS = 0x101;

interface Turn {
  readonly traceId: string;
  /** Unix time when the monotonic clock was at 0. */
  readonly epochMs: number;
  /** What all of its spans tell, and how they tell it; empty, if it is not among those that are traced. */
  readonly fields: object;
  readonly attributes: string;
  /** Its parts, as the times below in Unix milliseconds with fractions. */
  readonly beganMs: Partial<Record<Part, number>>;
  marksMs: Readonly<Record<string, number>>;
}

/** A turn as a whole. */
const WHOLE = genAi("invoke_agent", SELF, { agent: SELF });

/** What of events counts for all of them. */
interface EventFields {
  readonly type?: string;
  readonly ms?: number;
  readonly result?: string;
  readonly code?: string;
}

/** The id of the trace of a turn: 32 hexadecimal digits. */
export function traceIdOf(turn: string): string {
  return createHash("sha256").update(turn).digest("hex").slice(0, 32);
}

export class TurnSpans {
  /** The oldest first. */
  readonly #turns = new Map<string, Turn>();

  #count = 0;

  /** `send` gets each span as text when it is over, those of the parts with the turn. */
  constructor(
    private readonly deps: TurnSpansDeps,
    private readonly send: (span: string) => void,
  ) {}

  readonly subscriber: Subscriber = (event) => {
    const { turn: id, type } = event;
    const toldOf = SPANS[type] as ((event: TelemetryEvent) => SpanFields | undefined) | undefined;
    if (id === undefined || (toldOf === undefined && !ENDS.has(type) && !NOTED.has(type))) return;
    const turn = this.#turns.get(id) ?? this.#begun(id, event);
    if (ENDS.has(type)) this.#turns.delete(id);
    if (turn.attributes === "") return;
    const nowMs = turn.epochMs + this.deps.clock.monotonic();
    const told = this.#isHidden(event) ? undefined : toldOf?.(event);
    if (told !== undefined) this.#tell(turn, event, told, nowMs);
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
    const fields = { turn: id, ...(chat !== undefined && { chat, conversation: chat, user }) };
    const epochMs = clock.now() - clock.monotonic();
    const traceId = traceIdOf(id);
    const isTraced = Number.parseInt(traceId.slice(0, 8), 16) < this.deps.sampleRatio * 2 ** 32;
    const attributes = isTraced ? attributesOf(fields).slice(1) : "";
    const turn = { traceId, epochMs, fields, attributes, beganMs: {}, marksMs: {} };
    if (chat !== undefined) this.#turns.set(id, turn);
    const [oldest = id] = this.#turns.keys();
    if (this.#turns.size > TURNS_MAX) this.#turns.delete(oldest);
    return turn;
  }

  /** What has just come to its end. */
  #tell(turn: Turn, event: EventFields, kind: SpanFields, endMs: number): void {
    const { answer = Number.POSITIVE_INFINITY, prepare = Number.POSITIVE_INFINITY } = turn.beganMs;
    const startMs = endMs - (kind.ms ?? event.ms ?? 0);
    const parent = startMs >= answer ? "answer" : startMs >= prepare ? "prepare" : "turn";
    this.#count = (this.#count + 1) % 2 ** 32;
    const spanId = turn.traceId.slice(-8) + this.#count.toString(16).padStart(8, "0");
    this.#send(turn, event, kind, spanId, startMs, endMs, parent);
  }

  /** A turn and its parts. */
  #end(turn: Turn, event: EventFields, nowMs: number): void {
    const { answer, prepare, turn: startMs = nowMs - (event.ms ?? 0) } = turn.beganMs;
    const part = (name: Part, fromMs: number, toMs: number) =>
      this.#send(turn, {}, { name }, spanIdOf(turn, name), fromMs, toMs, "turn");
    if (prepare !== undefined) part("prepare", prepare, answer ?? nowMs);
    if (answer !== undefined) part("answer", answer, nowMs);
    this.#send(turn, event, WHOLE, spanIdOf(turn, "turn"), startMs, nowMs);
  }

  #send(
    turn: Turn,
    event: EventFields,
    kind: SpanFields,
    spanId: string,
    startMs: number,
    endMs: number,
    within?: Part,
  ): void {
    const { code, result = code } = event;
    const isError = result !== undefined && !FINE.has(result);
    const { fields, traceId } = turn;
    const own = attributesOf(kind, fields, event) + attributesOf(event, fields);
    const attributes = turn.attributes + own + (isError ? attributesOf({ errorType: result }) : "");
    const marks = within === undefined ? Object.entries(turn.marksMs) : [];
    const events = marks.map(([at, ms]) => `{"name":"${at}","timeUnixNano":"${nanoseconds(startMs + ms)}"}`);
    const parent = within === undefined ? "" : `"parentSpanId":"${spanIdOf(turn, within)}",`;
    this.send(
      `{"traceId":"${traceId}","spanId":"${spanId}",${parent}"name":${JSON.stringify(kind.name)},` +
        `"kind":${kind.isRemote === true ? KINDS.client : KINDS.internal},"flags":${FLAGS},` +
        `"startTimeUnixNano":"${nanoseconds(startMs)}","endTimeUnixNano":"${nanoseconds(endMs)}",` +
        `"attributes":[${attributes}],"events":[${events.join()}],` +
        `"status":{"code":${isError ? STATUS.error : STATUS.unset}}}`,
    );
  }
}

/** To the microsecond: a number that holds today in milliseconds holds no more. */
function nanoseconds(ms: number): string {
  return `${Math.round(ms * 1_000)}000`;
}

function spanIdOf({ traceId }: Turn, part: Part): string {
  return traceId.slice(0, 15) + PARTS[part];
}
