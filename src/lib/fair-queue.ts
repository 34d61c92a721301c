/**
 * A queue whose places are shared out by origin: peers take turns, within a peer its connections, within a connection
 * its users; what one user put in leaves in the order in which it came. Where there is no room, who has most gives way.
 */

/** Names from coarse to fine, all of them or the first few; an `Origin` is one. */
export type Path = readonly string[];

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

  /** The names right below `path` that have something here, with how much; of none: the peers. */
  *parts(...path: readonly string[]): Generator<readonly [name: string, size: number], void, undefined> {
    for (const [name, { size }] of this.#at(path)?.parts ?? []) yield [name, size];
  }

  /** How much there is of all whose names begin with `path`. */
  sizeOf(path: Path): number {
    return this.#at(path)?.size ?? 0;
  }

  /** All names of one queue are of the same length. */
  push(origin: Path, item: T): void {
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
   * Takes out what is next. Where `held` tells what all whose names begin with a path hold already, next is the peer that
   * holds least, within it the connection that holds least, and so on; who holds `Infinity` never is.
   */
  shift(held?: (path: Path) => number): T | undefined {
    return take(this.#all, [], held === undefined ? nextOf : (share, path) => leastOf(share, path, held));
  }

  /** Takes out the oldest item of the user that has most, of the connection that has most, of the peer that has most. */
  shed(): T | undefined {
    return take(this.#all, [], mostOf);
  }

  /** Takes `item` out of its place; false when it is not there. */
  remove(origin: Path, item: T): boolean {
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

  #at(path: Path): Share<T> | undefined {
    return path.reduce<Share<T> | undefined>((share, name) => share?.parts.get(name), this.#all);
  }
}

function emptyShare<T>(): Share<T> {
  return { size: 0, parts: new Map(), items: [] };
}

type Choice = (share: Share<unknown>, path: Path) => string | undefined;

/** Takes an item out of `share`, going down by `choose`; each part that is passed goes to the end of its row. */
function take<T>(share: Share<T>, path: Path, choose: Choice): T | undefined {
  const name = choose(share, path);
  if (name === undefined) return undefined;
  const part = share.parts.get(name)!;
  const isLast = part.parts.size === 0;
  const item = isLast ? part.items.shift() : take(part, [...path, name], choose);
  if (item === undefined) return undefined;
  share.parts.delete(name);
  share.parts.set(name, part);
  if (isLast) part.size--;
  share.size--;
  prune(share, name);
  return item;
}

/** What is empty keeps no place, so that names of strangers do not pile up. */
function prune<T>(share: Share<T>, name: string): void {
  if (share.parts.get(name)?.size === 0) share.parts.delete(name);
}

const nextOf: Choice = ({ parts }) => parts.keys().next().value;

const mostOf: Choice = (share, path) =>
  leastOf(share, path, (names) => -share.parts.get(names.at(-1)!)!.size);

function leastOf({ parts }: Share<unknown>, path: Path, weigh: (path: Path) => number): string | undefined {
  let least: { readonly name: string | undefined; readonly weight: number } = {
    name: undefined,
    weight: Number.POSITIVE_INFINITY,
  };
  for (const name of parts.keys()) {
    const weight = weigh([...path, name]);
    if (weight < least.weight) least = { name, weight };
  }
  return least.name;
}
