/**
 * Keeps strangers from filling the disk: of events that they can cause at will the log gets the first of each source in
 * each while, and then how many more there were. Metrics count all of them.
 */
import type { Clock, Timer } from "../lib/clock.js";
import type { EventType, TelemetryEvent } from "./events.js";
import { SAMPLED } from "./levels.js";

/** For how long lines are counted before it starts over. */
export const SAMPLE_MS = 10_000;

/** Lines of one kind in that time: from one connection, address or network, and from all of them. */
export const LINES_PER_SOURCE_MAX = 20;
export const LINES_MAX = 500;

/** Sources of one kind whose lines are counted by name; all further ones count as one. */
const SOURCES_MAX = 100;
const OTHER_SOURCES = "others";

/** What was not written of one source. */
export interface LeftOut {
  readonly type: EventType;
  readonly source: string;
  readonly more: number;
}

interface Counts {
  written: number;
  leftOut: number;
}

interface Kind {
  written: number;
  readonly sources: Map<string, Counts>;
}

export class LogSampler {
  readonly #kinds = new Map<EventType, Kind>();
  /** Set as soon as something is left out. */
  #timer: Timer | undefined;
  #stopped = false;
  #sinceMs = Number.NEGATIVE_INFINITY;

  /** `tell` is told at the end of each while what was left out in it, if anything was. */
  constructor(
    private readonly clock: Clock,
    private readonly tell: (leftOut: LeftOut) => void,
  ) {}

  /** Whether this event is to be written. */
  admits(event: TelemetryEvent): boolean {
    if (!SAMPLED.has(event.type)) return true;
    this.#startOver();
    const kind = this.#kinds.get(event.type) ?? { written: 0, sources: new Map() };
    this.#kinds.set(event.type, kind);
    const source = countsOf(kind.sources, sourceOf(event));
    if (source.written < LINES_PER_SOURCE_MAX && kind.written < LINES_MAX) {
      source.written += 1;
      kind.written += 1;
      return true;
    }
    source.leftOut += 1;
    const waitMs = this.#sinceMs + SAMPLE_MS - this.clock.monotonic();
    if (!this.#stopped) this.#timer ??= this.clock.after(waitMs, () => this.#end());
    return false;
  }

  /** Tells what was left out so far; from here on no timer is left behind that would keep the process. */
  stop(): void {
    this.#stopped = true;
    this.#end();
  }

  #startOver(): void {
    const nowMs = this.clock.monotonic();
    if (nowMs - this.#sinceMs < SAMPLE_MS) return;
    this.#end();
    this.#sinceMs = nowMs;
  }

  #end(): void {
    for (const [type, { sources }] of this.#kinds)
      for (const [source, { leftOut: more }] of sources) if (more > 0) this.tell({ type, source, more });
    this.#kinds.clear();
    this.#timer?.cancel();
    this.#timer = undefined;
  }
}

function countsOf(sources: Map<string, Counts>, name: string): Counts {
  const known = sources.get(name);
  if (known !== undefined) return known;
  if (sources.size >= SOURCES_MAX && name !== OTHER_SOURCES) return countsOf(sources, OTHER_SOURCES);
  const counts = { written: 0, leftOut: 0 };
  sources.set(name, counts);
  return counts;
}

/** The address, the connection, the key or the network behind an event, whichever it tells. */
function sourceOf(event: TelemetryEvent): string {
  if ("address" in event) return event.address;
  if ("remote" in event) return event.remote.replace(/:\d+$/, "");
  if ("connection" in event) return event.connection;
  if ("caller" in event && event.caller !== undefined) return event.caller;
  return "user" in event && event.user !== undefined ? event.user.network : "";
}
