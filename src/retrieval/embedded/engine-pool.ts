/**
 * The processes that search. Each network has its home in one of them; the service's own process opens no index. A call
 * waits its turn among the networks of its process, one runs at a time, and where one takes long the calls of other
 * networks go to another process.
 *
 * When a process dies, the network whose call was running is suspect: its file is checked in a process of its own. Damaged,
 * it stays unavailable until its file is another one. Sound, its call is made once more, from then on for a while in a
 * process where it can harm nobody. The calls of other networks go on elsewhere at once.
 */
import { statSync } from "node:fs";
import { CallFailed, CallProcess } from "../../lib/call-process.js";
import type { Clock, Timer } from "../../lib/clock.js";
import { FairQueue } from "../../lib/fair-queue.js";
import { currentOrigin, type Origin } from "../../lib/origin.js";
import { workerUrl } from "../../lib/worker.js";
import type { Telemetry } from "../../telemetry/events.js";
import type { RetrievalOptions } from "../options.js";
import { SearchUnavailable } from "../port.js";
import { databasePath } from "./database.js";
import { checkInProcess, type IndexVerdict } from "./index-check.js";
import { IndexDamaged } from "./index-damaged.js";
import type { SearchCalls } from "./search.child.js";

export interface EnginePoolDeps {
  readonly clock: Clock;
  readonly telemetry: Telemetry;
  readonly directory: string;
  readonly options: Pick<RetrievalOptions, "searchQueueLengthMax" | "searchProcesses">;
}

/** A call that runs longer gives the networks behind it to other processes, and is ended with its process at last. */
export const SLOW_CALL_MS = 250;
export const CALL_MS_MAX = 60_000;

/** The pause before a process that keeps dying is started again. The first time it is started at once. */
const RESTART_MS_MIN = 250;
const RESTART_MS_MAX = 30_000;

/** How long a network whose call ended a process is kept apart, although its file is sound. */
const QUARANTINE_MS = 600_000;

/** How often a call is made that ends its process. */
const ATTEMPTS_MAX = 2;

interface Job {
  readonly name: keyof SearchCalls;
  readonly input: unknown;
  readonly network: string;
  readonly origin: Origin;
  readonly resolve: (output: unknown) => void;
  readonly reject: (error: unknown) => void;
  attempts: number;
  /** Where it waits. */
  place: Place | undefined;
  isSettled: boolean;
}

/** A place for a process, and what waits for it. */
interface Place {
  readonly waiting: FairQueue<Job>;
  process: CallProcess<SearchCalls> | undefined;
  running: Job | undefined;
  /** Its call has been running for long. */
  isSlow: boolean;
  /** Processes in a row that died with a call. */
  deaths: number;
  /** Until it may start a process again. */
  pause: Timer | undefined;
}

export class EnginePool {
  readonly #places: readonly Place[];
  /** For networks that are kept apart. */
  readonly #quarantine: Place = emptyPlace();
  readonly #quarantined = new Map<string, { readonly untilMs: number }>();
  /** What is known to be damaged, and as which file. */
  readonly #damaged = new Map<string, { readonly file: string; readonly message: string }>();
  readonly #checks = new Map<string, Promise<void>>();
  readonly #jobs = new Set<Job>();
  readonly #ended = new AbortController();

  constructor(private readonly deps: EnginePoolDeps) {
    this.#places = Array.from({ length: deps.options.searchProcesses }, emptyPlace);
  }

  /** One call about a network. Rejects with `SearchUnavailable`, or with the signal's reason as soon as it aborts. */
  call<Name extends keyof SearchCalls>(
    name: Name,
    network: string,
    input: SearchCalls[Name]["input"],
    signal: AbortSignal,
  ): Promise<SearchCalls[Name]["output"]> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      if (this.#ended.signal.aborted) return reject(closed());
      const waiting = this.#waitingCount();
      if (waiting >= this.deps.options.searchQueueLengthMax)
        return reject(new SearchUnavailable(`${waiting} searches wait already`));
      const job = this.#job(name, network, input, signal, {
        resolve: (output) => resolve(output as SearchCalls[Name]["output"]),
        reject,
      });
      this.#jobs.add(job);
      this.#admit(job);
    });
  }

  /** Starts a process unless one is there; resolves when one answers. */
  async ready(signal: AbortSignal): Promise<void> {
    if (this.#ended.signal.aborted) throw closed();
    const started = this.#places.filter(({ process }) => process !== undefined);
    const answers = (started.length > 0 ? started : this.#places.slice(0, 1)).map((place) => {
      place.process ??= this.#start(place);
      return place.process.call("ready", undefined);
    });
    const aborted = new Promise<never>((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    });
    try {
      await Promise.race([Promise.any(answers), aborted]);
    } catch (error) {
      signal.throwIfAborted();
      const [first] = error instanceof AggregateError ? error.errors : [error];
      throw new SearchUnavailable((first as Error).message, { cause: first });
    }
  }

  /** Rejects what runs and what waits, and waits for the end of the processes, within bounds. */
  async close(): Promise<void> {
    this.#ended.abort();
    for (const job of this.#jobs) job.reject(closed());
    const places = [...this.#places, this.#quarantine];
    for (const { waiting, pause } of places) {
      waiting.drain();
      pause?.cancel();
    }
    await Promise.all([...places.map(({ process }) => process?.close()), ...this.#checks.values()]);
  }

  #job(
    name: keyof SearchCalls,
    network: string,
    input: unknown,
    signal: AbortSignal,
    { resolve, reject }: Pick<Job, "resolve" | "reject">,
  ): Job {
    const onAbort = () => job.reject(signal.reason);
    const settle = (tell: () => void) => {
      if (job.isSettled) return;
      job.isSettled = true;
      this.#jobs.delete(job);
      job.place?.waiting.remove(job.origin, job);
      signal.removeEventListener("abort", onAbort);
      tell();
    };
    const [peer, connection, user] = currentOrigin();
    const job: Job = {
      name,
      input,
      network,
      // Networks take turns first: one with many relays gets no more than another.
      origin: [network, JSON.stringify([peer, connection]), user],
      resolve: (output) => settle(() => resolve(output)),
      reject: (error) => settle(() => reject(error)),
      attempts: 0,
      place: undefined,
      isSettled: false,
    };
    signal.addEventListener("abort", onAbort, { once: true });
    return job;
  }

  #waitingCount(): number {
    const running = [...this.#places, this.#quarantine].filter((place) => place.running?.isSettled === false);
    return this.#jobs.size - running.length;
  }

  /** Gives a call its place, once it is known whether its network may be opened. */
  #admit(job: Job): void {
    if (job.isSettled) return;
    const check = this.#checks.get(job.network);
    if (check !== undefined) return void check.then(() => this.#admit(job));
    const message = this.#knownDamage(job.network);
    if (message !== undefined) return job.reject(new SearchUnavailable(message));
    const place = this.#placeFor(job.network);
    job.place = place;
    place.waiting.push(job.origin, job);
    this.#next(place);
  }

  /** Home, or the next place that is neither down nor held up. No process is started while another has nothing to do. */
  #placeFor(network: string): Place {
    if (this.#isQuarantined(network)) return this.#quarantine;
    const home = hashOf(network) % this.#places.length;
    const idle = this.#places.find((place) => place.process?.alive && place.running === undefined);
    if (this.#places[home]!.process === undefined && idle !== undefined) return idle;
    for (let i = 0; i < this.#places.length; i++) {
      const place = this.#places[(home + i) % this.#places.length]!;
      const isBehindOwn = i === 0 && place.running?.network === network;
      if (place.pause === undefined && (!place.isSlow || isBehindOwn)) return place;
    }
    return this.#places[home]!;
  }

  #next(place: Place): void {
    if (place.running !== undefined || place.pause !== undefined || this.#ended.signal.aborted) return;
    const job = place.waiting.shift();
    if (job === undefined) return;
    job.place = undefined;
    place.running = job;
    void this.#run(place, job);
  }

  async #run(place: Place, job: Job): Promise<void> {
    const { clock } = this.deps;
    job.attempts += 1;
    place.process ??= this.#start(place);
    const process = place.process;
    const slow = clock.after(SLOW_CALL_MS, () => this.#heldUp(place));
    const late = clock.after(CALL_MS_MAX, () => process.kill());
    try {
      const output = await process.call(job.name, job.input as never);
      place.deaths = 0;
      job.resolve(output);
    } catch (error) {
      if (error instanceof CallFailed) this.#failed(job, error);
      else this.#died(place, job, error as Error);
    } finally {
      slow.cancel();
      late.cancel();
      place.running = undefined;
      place.isSlow = false;
      this.#next(place);
    }
  }

  #start(place: Place): CallProcess<SearchCalls> {
    const { clock, directory } = this.deps;
    const url = workerUrl(import.meta.url, "./search.child.js");
    const process = new CallProcess<SearchCalls>({ url, name: "search", clock });
    // What it fails with, the first call after it fails with too.
    void Promise.allSettled([process.call("open", { directory })]);
    void process.ended.then((how) => {
      if (place.process === process) place.process = undefined;
      if (!this.#ended.signal.aborted) this.deps.telemetry.emit({ type: "search_process_ended", how });
    });
    return process;
  }

  /** The calls of other networks need not wait for this one. */
  #heldUp(place: Place): void {
    place.isSlow = true;
    if (place !== this.#quarantine) for (const job of place.waiting.drain()) this.#admit(job);
  }

  #failed(job: Job, error: CallFailed): void {
    if (error.errorName === IndexDamaged.name) this.#markDamaged(job.network, error.message);
    job.reject(new SearchUnavailable(error.message, { cause: error }));
  }

  #died(place: Place, job: Job, error: Error): void {
    place.process = undefined;
    if (this.#ended.signal.aborted) return;
    const pauseMs =
      place.deaths === 0 ? 0 : Math.min(RESTART_MS_MAX, RESTART_MS_MIN * 2 ** (place.deaths - 1));
    place.deaths += 1;
    if (pauseMs > 0)
      place.pause = this.deps.clock.after(pauseMs, () => {
        place.pause = undefined;
        this.#next(place);
      });
    this.#quarantined.set(job.network, { untilMs: this.deps.clock.monotonic() + QUARANTINE_MS });
    this.#check(job.network);
    for (const waiting of place.waiting.drain()) this.#admit(waiting);
    if (job.attempts >= ATTEMPTS_MAX)
      job.reject(
        new SearchUnavailable(`a search ended its process twice: ${error.message}`, { cause: error }),
      );
    else this.#admit(job);
  }

  /** Finds out whether the network's file is damaged; its calls wait for that. */
  #check(network: string): void {
    if (this.#checks.has(network)) return;
    const { clock, directory } = this.deps;
    const check = checkInProcess({ clock, directory, network }, this.#ended.signal)
      .then((verdict: IndexVerdict) => {
        if (verdict.type === "damaged") this.#markDamaged(network, verdict.message);
      })
      .finally(() => this.#checks.delete(network));
    this.#checks.set(network, check);
  }

  #markDamaged(network: string, message: string): void {
    if (this.#damaged.has(network)) return;
    const path = databasePath(this.deps.directory, network);
    this.#damaged.set(network, { file: fileOf(path), message });
    this.#quarantined.delete(network);
    this.deps.telemetry.emit({ type: "index_damaged", network, file: path, error: message });
  }

  /** Why the network's file cannot be used, as long as it is the same file. */
  #knownDamage(network: string): string | undefined {
    const known = this.#damaged.get(network);
    if (known === undefined) return undefined;
    if (known.file === fileOf(databasePath(this.deps.directory, network))) return known.message;
    this.#damaged.delete(network);
    this.deps.telemetry.emit({ type: "index_replaced", network });
    return undefined;
  }

  #isQuarantined(network: string): boolean {
    const known = this.#quarantined.get(network);
    if (known === undefined) return false;
    if (known.untilMs > this.deps.clock.monotonic()) return true;
    this.#quarantined.delete(network);
    return false;
  }
}

function emptyPlace(): Place {
  return {
    waiting: new FairQueue(),
    process: undefined,
    running: undefined,
    isSlow: false,
    deaths: 0,
    pause: undefined,
  };
}

/** Which file this is, and in which state; its log counts. */
function fileOf(path: string): string {
  return [path, `${path}-wal`]
    .map((part) => statSync(part, { throwIfNoEntry: false }))
    .map((status) => status && `${status.dev}:${status.ino}:${status.size}:${status.mtimeMs}`)
    .join();
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return hash;
}

function closed(): SearchUnavailable {
  return new SearchUnavailable("the search is closed");
}
