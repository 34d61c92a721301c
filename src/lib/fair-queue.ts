/**
 * A queue whose places are shared out by origin: peers take turns, within a peer its connections, within a connection
 * its users; what one user put in leaves in the order in which it came. Where there is no room, who has most gives way.
 */
import type { Origin } from "./origin.js";

/** What waits of all that begins with the same names of an origin; at the last name, the items themselves. */
interface Share<T> {
  size: number;
  /** Those whose turn is next first. */
  readonly parts: Map<string, Share<T>>;
  readonly items: T[];
}

export class FairQueue<T> {
  readonly #all: Share<T> = emptyShare();

  get size(): number {
    return this.#all.size;
  }

  /** The peers that have something here, with how much. */
  *peers(): Generator<readonly [peer: string, size: number], void, undefined> {
    for (const [peer, { size }] of this.#all.parts) yield [peer, size];
  }

  push(origin: Origin, item: T): void {
    let share = this.#all;
    share.size++;
    for (const name of origin) {
      const part = share.parts.get(name) ?? emptyShare();
      if (part.size === 0) share.parts.set(name, part);
      part.size++;
      share = part;
    }
    share.items.push(item);
  }

  /**
   * Takes out what is next. Where `held` tells what each peer holds already, a peer that holds least is next, and one
   * that holds `Infinity` never is.
   */
  shift(held?: (peer: string) => number): T | undefined {
    const peer = held === undefined ? nextOf(this.#all) : leastOf(this.#all, held);
    return peer === undefined ? undefined : take(this.#all, peer, nextOf);
  }

  /** Takes out the oldest item of the user that has most, of the connection that has most, of the peer that has most. */
  shed(): T | undefined {
    const peer = mostOf(this.#all);
    return peer === undefined ? undefined : take(this.#all, peer, mostOf);
  }

  /** Takes `item` out of its place; false when it is not there. */
  remove(origin: Origin, item: T): boolean {
    const trail: Share<T>[] = [this.#all];
    for (const name of origin) {
      const part = trail.at(-1)!.parts.get(name);
      if (part === undefined) return false;
      trail.push(part);
    }
    const { items } = trail.at(-1)!;
    const at = items.indexOf(item);
    if (at < 0) return false;
    items.splice(at, 1);
    for (const share of trail) share.size--;
    for (const [depth, name] of origin.entries()) prune(trail[depth]!, name);
    return true;
  }

  /** Takes out everything, in no order that matters. */
  drain(): T[] {
    const items: T[] = [];
    for (let item = this.shift(); item !== undefined; item = this.shift()) items.push(item);
    return items;
  }
}

function emptyShare<T>(): Share<T> {
  return { size: 0, parts: new Map(), items: [] };
}

type Choice = (share: Share<unknown>) => string | undefined;

/** Takes an item out of the part `name`, going down by `choose`; each part that is passed goes to the end of its row. */
function take<T>(share: Share<T>, name: string, choose: Choice): T | undefined {
  const part = share.parts.get(name)!;
  const inner = choose(part);
  const item = inner === undefined ? part.items.shift() : take(part, inner, choose);
  share.parts.delete(name);
  share.parts.set(name, part);
  if (inner === undefined) part.size--;
  share.size--;
  prune(share, name);
  return item;
}

/** What is empty keeps no place, so that names of strangers do not pile up. */
function prune<T>(share: Share<T>, name: string): void {
  if (share.parts.get(name)?.size === 0) share.parts.delete(name);
}

const nextOf: Choice = ({ parts }) => parts.keys().next().value;

const mostOf: Choice = (share) => leastOf(share, (name) => -share.parts.get(name)!.size);

function leastOf({ parts }: Share<unknown>, weigh: (name: string) => number): string | undefined {
  let least: { readonly name: string | undefined; readonly weight: number } = {
    name: undefined,
    weight: Number.POSITIVE_INFINITY,
  };
  for (const name of parts.keys()) {
    const weight = weigh(name);
    if (weight < least.weight) least = { name, weight };
  }
  return least.name;
}
