/**
 * The turns that run and those that wait, as p-queue's queue. Places are shared out at each level, from peer over network
 * and connection to user: next is a turn of the peer that runs the fewest, of its network that runs the fewest, and so
 * on, so that under load all that have work run equally much; and the last places are kept for a peer that comes. From
 * how long turns held their places lately the line says how long another one would wait.
 */
import type { Queue, QueueAddOptions } from "p-queue";
import type { ResponseType } from "../domain/turn.js";
import { FairQueue } from "../lib/fair-queue.js";

/** Whose turn it is, from coarse to fine. */
export type TurnShares = readonly [peer: string, network: string, connection: string, user: string];

/** What p-queue calls to begin a turn. */
type Begin = () => Promise<unknown>;

export interface TurnOptions extends QueueAddOptions {
  readonly shares: TurnShares;
  /** Takes the turn out of the line, with an error to its user. */
  readonly giveUp: () => void;
}

interface Waiting {
  readonly id: string | undefined;
  readonly begin: Begin;
  readonly shares: TurnShares;
  readonly giveUp: () => void;
}

/** How much of all places one peer may take: the rest is there for another that comes. */
const PEER_SHARE_MAX = 0.75;

/** What the last turn counts in the mean of the times for which turns held their places. */
const LAST_WEIGHT = 1 / 8;

export class TurnLine implements Queue<Begin, TurnOptions> {
  readonly #waiting = new FairQueue<Waiting>();
  readonly #byId = new Map<string | undefined, Waiting>();
  /** By peer, by peer and network, and so on. */
  readonly #running = new Map<string, number>();
  readonly #runningAs: Record<ResponseType, number> = { audio: 0, text: 0 };
  /** For how long a turn held its place lately, in milliseconds; 0: not known yet. */
  readonly #heldMs: Record<ResponseType, number> = { audio: 0, text: 0 };
  readonly #perPeerMax: number;

  constructor(private readonly placesMax: number) {
    this.#perPeerMax = Math.ceil(PEER_SHARE_MAX * placesMax);
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** Turns that may begin as soon as there is a place; p-queue asks no more than whether there are any. */
  get size(): number {
    let size = 0;
    for (const [peer, waiting] of this.#waiting.parts()) if (!this.#isFull(peer)) size += waiting;
    return size;
  }

  enqueue(begin: Begin, options?: Partial<TurnOptions>): void {
    const { id, shares, giveUp } = options as TurnOptions;
    const waiting = { id, begin, shares, giveUp };
    this.#waiting.push(shares, waiting);
    this.#byId.set(id, waiting);
  }

  dequeue(): Begin | undefined {
    const next = this.#waiting.shift((path) =>
      path.length === 1 && this.#isFull(path[0]!) ? Number.POSITIVE_INFINITY : this.#held(path),
    );
    this.#byId.delete(next?.id);
    return next?.begin;
  }

  remove(id: string): void {
    const waiting = this.#byId.get(id);
    if (waiting === undefined) return;
    this.#byId.delete(id);
    this.#waiting.remove(waiting.shares, waiting);
  }

  /** Gives up the turn that has waited longest of whoever has most of them waiting. */
  shed(): void {
    const shed = this.#waiting.shed();
    this.#byId.delete(shed?.id);
    shed?.giveUp();
  }

  /** Counts a turn as running; the caller tells when it is over, and for how long it held its place then. */
  begun(shares: TurnShares, as: ResponseType): (heldMs: number) => void {
    this.#count(shares, as, 1);
    return (heldMs) => {
      this.#count(shares, as, -1);
      const before = this.#heldMs[as];
      this.#heldMs[as] = before === 0 ? heldMs : before + LAST_WEIGHT * (heldMs - before);
    };
  }

  /**
   * For how long one more turn of `shares` would wait, in milliseconds, if all that wait are answered in this way: it needs
   * its place, and one for each turn that is before it. Places come free as fast as turns ended lately, first those
   * of the turns that run, then those of the turns that begin meanwhile. What is not known yet takes no time.
   */
  waitMs(shares: TurnShares, answeredAs: ResponseType): number {
    const [peer] = shares;
    const ownOnly = this.#isFull(peer);
    const { audio, text } = this.#runningAs;
    const running = ownOnly ? this.#held([peer]) : audio + text;
    const places = ownOnly ? this.#perPeerMax : this.placesMax;
    const needed = this.#before(shares, ownOnly) + 1 - Math.max(0, places - running);
    if (needed <= 0) return 0;
    const fromRunning = Math.min(needed, running);
    const meanMs = (audio * this.#heldMs.audio + text * this.#heldMs.text) / Math.max(1, audio + text);
    return (fromRunning * meanMs + (needed - fromRunning) * this.#heldMs[answeredAs]) / places;
  }

  /** All wait alike: there are no priorities. */
  filter(): Begin[] {
    return [...this.#byId.values()].map(({ begin }) => begin);
  }

  setPriority(): void {
    throw new Error("turns have no priority");
  }

  /**
   * How many turns begin before one more of `shares`, if no others come. At each level, every other share begins
   * its turns as long as it runs no more of them than the own share will by then.
   */
  #before(shares: TurnShares, withinPeer: boolean): number {
    let before = this.#waiting.sizeOf(shares);
    for (let depth = shares.length - 1; depth >= Number(withinPeer); depth--) {
      const path = shares.slice(0, depth);
      const reached = this.#held(shares.slice(0, depth + 1)) + before + 1;
      for (const [name, waiting] of this.#waiting.parts(...path))
        if (name !== shares[depth])
          before += Math.min(waiting, Math.max(0, reached - this.#held([...path, name])));
    }
    return before;
  }

  #isFull(peer: string): boolean {
    return this.#held([peer]) >= this.#perPeerMax;
  }

  #held(path: readonly string[]): number {
    return this.#running.get(path.join("\n")) ?? 0;
  }

  #count(shares: TurnShares, as: ResponseType, by: 1 | -1): void {
    this.#runningAs[as] += by;
    for (const depth of shares.keys()) {
      const path = shares.slice(0, depth + 1);
      const now = this.#held(path) + by;
      if (now > 0) this.#running.set(path.join("\n"), now);
      else this.#running.delete(path.join("\n"));
    }
  }
}
