/**
 * Who is connected, by address. When there is no room for a newcomer, somebody goes of the address that has most
 * connections: an address with many cannot shut out one with few.
 */
import type { Clock } from "../lib/clock.js";
import { ExpiringCache } from "../lib/expiring-cache.js";
import { Holders } from "../lib/holders.js";
import { Inflow } from "./budget.js";
import type { Connection } from "./connection.js";

export interface GuestLimits {
  readonly connectionsMax: number;
  readonly connectionsPerAddressMax: number;
  readonly framesPerSecondPerAddressMax: number;
  readonly bytesPerSecondPerAddressMax: number;
}

/**
 * For how long the budget of an address is remembered after its last connection, reconnecting renews nothing; and of how
 * many addresses at the most.
 */
const REMEMBERED = { ageMsMax: 60_000, entriesMax: 10_000 };

/** There is room, or there is if `gives` goes, or none for this newcomer. */
export type Room =
  | { readonly type: "free" }
  | { readonly type: "taken"; readonly gives: Connection }
  | { readonly type: "full"; readonly limit: "connections_max" | "connections_per_address_max" };

export class Guests {
  readonly #all = new Set<Connection>();
  /** Of each address, the oldest first. */
  readonly #byAddress = new Holders<Connection>();
  /** Of addresses without a connection. */
  readonly #left: ExpiringCache<Inflow>;

  constructor(
    private readonly clock: Clock,
    private readonly limits: GuestLimits,
  ) {
    this.#left = new ExpiringCache(clock, REMEMBERED);
  }

  get size(): number {
    return this.#all.size;
  }

  [Symbol.iterator](): Iterator<Connection> {
    return this.#all.values();
  }

  /** Room for one more connection from `address`. */
  roomFor(address: string): Room {
    const { connectionsMax, connectionsPerAddressMax } = this.limits;
    const own = this.#byAddress.count(address);
    if (own >= connectionsPerAddressMax)
      return roomOf(this.#oldestUnproven(address), "connections_per_address_max");
    if (this.size < connectionsMax) return { type: "free" };
    const largest = this.#byAddress.largest() ?? "";
    const gives =
      this.#oldestUnproven(largest) ??
      (this.#byAddress.count(largest) > own + 1 ? this.#longestSilent(largest) : undefined);
    return roomOf(gives, "connections_max");
  }

  /** What the connections of `address` may send together. */
  inflowOf(address: string): Inflow {
    const { bytesPerSecondPerAddressMax, framesPerSecondPerAddressMax } = this.limits;
    const known = this.#byAddress.oldestOf(address)?.origin.addressInflow ?? this.#left.get(address);
    const limits = {
      framesPerSecondMax: framesPerSecondPerAddressMax,
      bytesPerSecondMax: bytesPerSecondPerAddressMax,
    };
    return known ?? new Inflow(this.clock, limits);
  }

  add(connection: Connection): void {
    this.#all.add(connection);
    this.#byAddress.use(connection.origin.address, connection);
  }

  delete(connection: Connection): void {
    if (!this.#all.delete(connection)) return;
    const { address, addressInflow } = connection.origin;
    this.#byAddress.drop(address, connection);
    this.#left.set(address, addressInflow);
  }

  /** The one that has been here longest without a frame. */
  #oldestUnproven(address: string): Connection | undefined {
    return this.#byAddress.oldestOf(address, ({ proven }) => !proven);
  }

  #longestSilent(address: string): Connection | undefined {
    const own = [...this.#all].filter(({ origin }) => origin.address === address);
    return own.sort((one, other) => one.lastFrameMs - other.lastFrameMs)[0];
  }
}

function roomOf(gives: Connection | undefined, limit: (Room & { type: "full" })["limit"]): Room {
  return gives === undefined ? { type: "full", limit } : { type: "taken", gives };
}
