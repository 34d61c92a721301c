/** What a run measured: how long users waited, by what they did, and how fast answers were stopped. Pure. */

import { grouped } from "../lib/grouped.js";
import type { Exchange } from "./exchange.js";
import { type SpeechRecognition, unmet } from "./expect.js";
import type { RunObservations } from "./run.js";

/** In milliseconds; percentiles by the nearest rank. */
export interface Distribution {
  readonly count: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
}

export interface StepMeasure {
  /** Such as "text → voice". */
  readonly kind: string;
  readonly count: number;
  /** From the end of the question to the first packet, or to the text; of what was answered. */
  readonly firstSoundMs: Distribution | undefined;
  /** From the end of the question to the last frame of the answer. */
  readonly totalMs: Distribution | undefined;
}

export interface UnmetExpectation {
  readonly username: string;
  readonly requestId: string;
  /** Since the start. */
  readonly atMs: number;
  readonly what: string;
  readonly problems: readonly string[];
}

export interface Measures {
  readonly elapsedMs: number;
  readonly exchanges: number;
  /** How many exchanges came to what: "voice", "error chat_busy" and so on. */
  readonly outcomes: Readonly<Record<string, number>>;
  readonly steps: readonly StepMeasure[];
  readonly packets: number;
  /** From the press or the cancel that stops an answer to its last packet, and to its end. */
  readonly interruptions: {
    readonly lastPacketMs: Distribution | undefined;
    readonly endMs: Distribution | undefined;
  };
  /** Times for which a receiver had nothing to play in the middle of an answer. */
  readonly gapsMs: Distribution | undefined;
  readonly unmet: readonly UnmetExpectation[];
}

export function measure(seen: RunObservations, recognition: SpeechRecognition): Measures {
  const { exchanges } = seen;
  const stopped = exchanges.filter(
    ({ stoppedMs, endedMs }) => stoppedMs !== undefined && endedMs !== undefined,
  );
  return {
    elapsedMs: seen.endMs - seen.startMs,
    exchanges: exchanges.length,
    outcomes: counts(exchanges.map(outcomeName)),
    steps: byName(exchanges, kindOf).map(([kind, some]) => stepMeasure(kind, some)),
    packets: exchanges.reduce((sum, { packets }) => sum + packets, 0),
    interruptions: {
      lastPacketMs: distribution(
        stopped.map(({ stoppedMs = 0, lastPacketMs = 0 }) => Math.max(0, lastPacketMs - stoppedMs)),
      ),
      endMs: distribution(stopped.map(({ stoppedMs = 0, endedMs = 0 }) => endedMs - stoppedMs)),
    },
    gapsMs: distribution(seen.gapsMs),
    unmet: exchanges.flatMap((exchange) => unmetOf(exchange, recognition, seen.startMs)),
  };
}

/** Undefined of nothing. */
export function distribution(values: readonly number[]): Distribution | undefined {
  if (values.length === 0) return undefined;
  const sorted = values.toSorted((a, b) => a - b);
  const rank = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]!;
  return { count: sorted.length, p50: rank(0.5), p95: rank(0.95), p99: rank(0.99), max: sorted.at(-1)! };
}

function unmetOf(exchange: Exchange, recognition: SpeechRecognition, startMs: number): UnmetExpectation[] {
  const problems = unmet(exchange, recognition);
  if (problems.length === 0) return [];
  const { username, requestId } = exchange;
  return [{ username, requestId, atMs: exchange.startMs - startMs, what: whatOf(exchange), problems }];
}

function whatOf({ step, command }: Exchange): string {
  const { action } = step;
  if (action.type === "ask" || action.type === "say") return `${action.type} “${action.text}”`;
  return action.type === "play" ? `play ${action.file}` : command;
}

function stepMeasure(kind: string, exchanges: readonly Exchange[]): StepMeasure {
  const answered = exchanges.filter(({ outcome }) => outcome !== undefined && outcome.type !== "error");
  return {
    kind,
    count: exchanges.length,
    firstSoundMs: distribution(
      answered.map(({ firstSoundMs, outcome, askedMs }) => (firstSoundMs ?? outcome!.atMs) - askedMs),
    ),
    totalMs: distribution(answered.map(({ outcome, askedMs }) => outcome!.atMs - askedMs)),
  };
}

function kindOf({ command, step }: Exchange): string {
  if (command === "ai_message") return `text → ${step.answer}`;
  return command === "message" ? `spoken → ${step.answer}` : command;
}

function outcomeName({ outcome, cutOff, command }: Exchange): string {
  if (outcome === undefined)
    return cutOff ? "lost with a connection" : command === "cancel" ? "done" : "none";
  return outcome.type === "error" ? `error ${outcome.code}` : outcome.type;
}

function counts(names: readonly string[]): Record<string, number> {
  return Object.fromEntries(byName(names, (name) => name).map(([name, all]) => [name, all.length]));
}

/** Groups in the order of their names. */
function byName<T>(items: readonly T[], nameOf: (item: T) => string) {
  return [...grouped(items, nameOf)].sort(([a], [b]) => (a < b ? -1 : 1));
}
