/**
 * A queue whose places are shared out by origin: peers take turns, within a peer its connections, within a connection
 * its users; what one user put in leaves in the order in which it came.
 */
import type { Origin } from "./origin.js";

export class FairQueue<T> {
  readonly #peers = new Ring<Ring<Ring<T[]>>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  push([peer, connection, user]: Origin, item: T): void {
    const connections = this.#peers.at(peer, () => new Ring());
    const users = connections.at(connection, () => new Ring());
    users.at(user, () => []).push(item);
    this.#size++;
  }

  /** Takes out what is next. */
  shift(): T | undefined {
    const [peer, connections] = this.#peers.next() ?? [];
    const [connection, users] = connections?.next() ?? [];
    const [user, items] = users?.next() ?? [];
    if (peer === undefined || connection === undefined || user === undefined) return undefined;
    const item = items?.shift();
    this.#size--;
    this.#prune([peer, connection, user]);
    return item;
  }

  /** Takes `item` out of its place; false when it is not there. */
  remove(origin: Origin, item: T): boolean {
    const [peer, connection, user] = origin;
    const items = this.#peers.get(peer)?.get(connection)?.get(user);
    const at = items?.indexOf(item) ?? -1;
    if (at < 0) return false;
    items?.splice(at, 1);
    this.#size--;
    this.#prune(origin);
    return true;
  }

  /** Takes out everything, in no order that matters. */
  drain(): T[] {
    const items: T[] = [];
    for (let item = this.shift(); item !== undefined; item = this.shift()) items.push(item);
    return items;
  }

  /** What is empty keeps no place, so that names of strangers do not pile up. */
  #prune([peer, connection, user]: Origin): void {
    const connections = this.#peers.get(peer);
    const users = connections?.get(connection);
    if (users?.get(user)?.length === 0) users.delete(user);
    if (users?.size === 0) connections?.delete(connection);
    if (connections?.size === 0) this.#peers.delete(peer);
  }
}

/** Named values that take turns. */
class Ring<V> extends Map<string, V> {
  at(name: string, create: () => V): V {
    const found = this.get(name) ?? create();
    if (!this.has(name)) this.set(name, found);
    return found;
  }

  /** The one whose turn it is; it goes to the end. A map keeps the order in which its keys were set. */
  next(): readonly [name: string, value: V] | undefined {
    for (const entry of this) {
      this.delete(entry[0]);
      this.set(...entry);
      return entry;
    }
    return undefined;
  }
}
