/**
 * The turns that run and those that wait, as p-queue's queue: the next is of the peer that runs the fewest, so that
 * under load each peer that has work runs as many as the others; and the last places are kept for a peer that comes.
 */
import type { Queue, QueueAddOptions } from "p-queue";
import { FairQueue } from "../lib/fair-queue.js";
import type { Origin } from "../lib/origin.js";

/** What p-queue calls to begin a turn. */
type Begin = () => Promise<unknown>;

export interface TurnOptions extends QueueAddOptions {
  readonly origin: Origin;
  /** Takes the turn out of the line, with an error to its user. */
  readonly giveUp: () => void;
}

interface Waiting {
  readonly id: string | undefined;
  readonly begin: Begin;
  readonly origin: Origin;
  readonly giveUp: () => void;
}

/** How much of all places one peer may take: the rest is there for another that comes. */
const PEER_SHARE_MAX = 0.75;

export class TurnLine implements Queue<Begin, TurnOptions> {
  readonly #waiting = new FairQueue<Waiting>();
  readonly #byId = new Map<string | undefined, Waiting>();
  /** By peer. */
  readonly #running = new Map<string, number>();
  readonly #perPeerMax: number;

  constructor(placesMax: number) {
    this.#perPeerMax = Math.ceil(PEER_SHARE_MAX * placesMax);
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** Turns that may begin as soon as there is a place; p-queue asks no more than whether there are any. */
  get size(): number {
    let size = 0;
    for (const [peer, waiting] of this.#waiting.peers())
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
    const held = (peer: string) => {
      const running = this.#held(peer);
      return running < this.#perPeerMax ? running : Number.POSITIVE_INFINITY;
    };
    const next = this.#waiting.shift(held);
    this.#byId.delete(next?.id);
    return next?.begin;
  }

  remove(id: string): void {
    const waiting = this.#byId.get(id);
    if (waiting === undefined) return;
    this.#byId.delete(id);
    this.#waiting.remove(waiting.origin, waiting);
  }

  /** Gives up the turn that has waited longest of the origin that has most of them waiting. */
  shed(): void {
    const shed = this.#waiting.shed();
    this.#byId.delete(shed?.id);
    shed?.giveUp();
  }

  /** Does `work` as a turn of `peer`. */
  async run<T>([peer]: Origin, work: () => Promise<T>): Promise<T> {
    this.#running.set(peer, this.#held(peer) + 1);
    try {
      return await work();
    } finally {
      const left = this.#held(peer) - 1;
      if (left > 0) this.#running.set(peer, left);
      else this.#running.delete(peer);
    }
  }

  /** All wait alike: there are no priorities. */
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
