/**
 * How turns were let in before they had a time to begin by, as a peer: peers take turns, within a peer its connections and
 * users; a turn waits as long as its line has room for, and in a full line the oldest is given up of whoever has most.
 */
import PQueue, { type Queue, type QueueAddOptions } from "p-queue";
import { Admission } from "../../src/chat/admission.js";
import { TurnFailure } from "../../src/domain/failure.js";
import { FairQueue } from "../../src/lib/fair-queue.js";
import { currentOrigin, type Origin, workFor } from "../../src/lib/origin.js";

export interface OldestFirstLimits {
  readonly turnsRunningMax: number;
  readonly turnsWaitingMax: number;
}

/** From now on this process lets turns in as it used to. */
export function letInOldestFirst(limits: OldestFirstLimits): void {
  const admission = new OldestFirstAdmission(limits);
  Admission.prototype.run = (asked, signal, work) => admission.run(signal, () => work(asked.responseType));
}

type Begin = () => Promise<unknown>;

interface TurnOptions extends QueueAddOptions {
  readonly origin: Origin;
  readonly giveUp: () => void;
}

interface Waiting {
  readonly id: string | undefined;
  readonly begin: Begin;
  readonly origin: Origin;
  readonly giveUp: () => void;
}

class OldestFirstAdmission {
  readonly #line: OldestFirstLine;
  readonly #queue: PQueue<OldestFirstLine, TurnOptions>;

  constructor(private readonly limits: OldestFirstLimits) {
    const line = new OldestFirstLine(limits.turnsRunningMax);
    this.#line = line;
    const queueClass = function lineOf() {
      return line;
    } as unknown as new () => OldestFirstLine;
    this.#queue = new PQueue({ concurrency: limits.turnsRunningMax, queueClass });
  }

  async run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const origin = currentOrigin();
    const waiting = new AbortController();
    const onAbort = () => waiting.abort(signal.reason);
    const leave = () => signal.removeEventListener("abort", onAbort);
    signal.throwIfAborted();
    signal.addEventListener("abort", onAbort, { once: true });
    const begin = () => {
      leave();
      return workFor(origin, () => this.#line.run(origin, work));
    };
    const giveUp = () => waiting.abort(new TurnFailure("assistant_unavailable", "Too many."));
    try {
      const done = this.#queue.add(begin, { signal: waiting.signal, origin, giveUp });
      if (this.#line.waiting > this.limits.turnsWaitingMax) this.#line.shed();
      return await done;
    } finally {
      leave();
    }
  }
}

const PEER_SHARE_MAX = 0.75;

class OldestFirstLine implements Queue<Begin, TurnOptions> {
  readonly #waiting = new FairQueue<Waiting>();
  readonly #byId = new Map<string | undefined, Waiting>();
  readonly #running = new Map<string, number>();
  readonly #perPeerMax: number;

  constructor(placesMax: number) {
    this.#perPeerMax = Math.ceil(PEER_SHARE_MAX * placesMax);
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  get size(): number {
    let size = 0;
    for (const [peer, waiting] of this.#waiting.parts())
      if (this.#held(peer) < this.#perPeerMax) size += waiting;
    return size;
  }

  enqueue(begin: Begin, options?: Partial<TurnOptions>): void {
    const { id, origin, giveUp } = options as TurnOptions;
    const waiting = { id, begin, origin, giveUp };
    this.#waiting.push(origin, waiting);
    this.#byId.set(id, waiting);
  }

  dequeue(): Begin | undefined {
    const next = this.#waiting.shift(([peer, ...rest]) => {
      if (rest.length > 0) return 0;
      const running = this.#held(peer!);
      return running < this.#perPeerMax ? running : Number.POSITIVE_INFINITY;
    });
    this.#byId.delete(next?.id);
    return next?.begin;
  }

  remove(id: string): void {
    const waiting = this.#byId.get(id);
    if (waiting === undefined) return;
    this.#byId.delete(id);
    this.#waiting.remove(waiting.origin, waiting);
  }

  shed(): void {
    const shed = this.#waiting.shed();
    this.#byId.delete(shed?.id);
    shed?.giveUp();
  }

  async run<T>([peer]: Origin, work: () => Promise<T>): Promise<T> {
    this.#running.set(peer, this.#held(peer) + 1);
    try {
      return await work();
    } finally {
      this.#running.set(peer, this.#held(peer) - 1);
    }
  }

  filter(): Begin[] {
    return [...this.#byId.values()].map(({ begin }) => begin);
  }

  setPriority(): void {
    throw new Error("turns have no priority");
  }

  #held(peer: string): number {
    return this.#running.get(peer) ?? 0;
  }
}
