/** The door for relays: accepts connections, shares the room for them out by address, and looks after them. */
import type { Server, Socket } from "node:net";
import { every, type Timer } from "../lib/clock.js";
import { type ListenAddress, listen } from "../lib/listen.js";
import { peerAddress } from "../lib/peer-address.js";
import { PortGate, peerName } from "../lib/port-gate.js";
import type { ConnectionEnd } from "../telemetry/events.js";
import { USER_ABSENCE_MS_MAX } from "../turn/line.js";
import { Connection, type ConnectionOptions } from "./connection.js";
import { type GuestLimits, Guests } from "./guests.js";
import { CARE_INTERVAL_MS, OUTBOX_BYTES_PER_ADDRESS_MAX } from "./limits.js";
import type { RelayToken } from "./options.js";
import type { DispatchDeps } from "./visit.js";

export interface RelayServerOptions extends ConnectionOptions, GuestLimits, ListenAddress {}

export class RelayServer {
  readonly #guests: Guests;
  /** Connections that ended with something waiting for them, which their users may still want back; when they ended. */
  readonly #departed = new Map<Connection, number>();
  readonly #server: Server;
  readonly #care: Timer;
  /** Set from the moment on which no relay is accepted any more. */
  #closed: Promise<void> | undefined;

  constructor(
    private readonly options: RelayServerOptions,
    private readonly deps: DispatchDeps,
    gate = new PortGate(),
  ) {
    this.#guests = new Guests(deps.clock, options);
    this.#server = gate.server((socket) => this.#accept(socket));
    if (gate.tls)
      gate.tls.onAuthorities = () => this.#endAll("untrusted", "other certificates are asked for");
    this.#care = every(deps.clock, CARE_INTERVAL_MS, () => this.#lookAfterAll());
  }

  /** Resolves with the port in use; rejects with `AddressUnavailable` or `TokensUnusable`. */
  async listen(): Promise<number> {
    await this.deps.tokens.read();
    const port = await listen(this.#server, this.options);
    this.#server.on("error", (error) =>
      this.deps.telemetry.emit({ type: "service_fault", where: "relay server", error: error.message }),
    );
    return port;
  }

  /** What relays may claim, in words. */
  get believes(): string {
    return this.deps.tokens.describe();
  }

  get connections(): number {
    return this.#guests.size;
  }

  /** Frames waiting in all outboxes: bytes in total, and the age of the oldest. */
  get backlog(): { readonly bytes: number; readonly oldestMs: number } {
    let bytes = 0;
    let oldestMs = 0;
    for (const { link } of this.#guests) {
      bytes += link.outbox.bytes;
      oldestMs = Math.max(oldestMs, link.outbox.ageMs);
    }
    return { bytes, oldestMs };
  }

  /** From here on new connections are refused; those that stand go on. */
  stopAccepting(): void {
    this.#closed ??= new Promise((resolve) => this.#server.close(() => resolve()));
  }

  /** Reads the tokens again, `given` in place of those of the settings. Rejects with `TokensUnusable`. */
  async readTokens(given?: readonly RelayToken[]): Promise<void> {
    await this.deps.tokens.read(given);
    for (const connection of [...this.#guests]) connection.reconsider();
  }

  /** Hangs up on every relay. Resolves when all sockets are closed. */
  async close(): Promise<void> {
    this.stopAccepting();
    this.#care.cancel();
    this.#departed.clear();
    this.#endAll("shutdown", "the service is shutting down");
    await this.#closed;
  }

  #accept(socket: Socket): void {
    const remote = peerName(socket);
    const address = peerAddress(socket);
    const refused = this.#closed === undefined ? this.#makeRoom(address) : "shutdown";
    if (refused !== undefined) {
      this.deps.telemetry.emit({ type: "relay_refused", remote, reason: refused });
      socket.destroy();
      return;
    }
    const origin = { id: this.deps.random.id(), address, addressInflow: this.#guests.inflowOf(address) };
    const onEnd = (ended: Connection) => this.#part(ended);
    this.#guests.add(new Connection(origin, socket, this.deps, this.options, onEnd));
    this.deps.telemetry.emit({ type: "relay_connected", connection: origin.id, remote });
  }

  /** Returns the limit that leaves no room. */
  #makeRoom(address: string): "connections_max" | "connections_per_address_max" | undefined {
    const room = this.#guests.roomFor(address);
    if (room.type === "taken") room.gives.end("displaced", `room was needed for a relay at ${address}`);
    return room.type === "full" ? room.limit : undefined;
  }

  #part(ended: Connection): void {
    this.#guests.delete(ended);
    if (ended.link.outbox.bytes > 0) this.#departed.set(ended, this.deps.clock.monotonic());
  }

  #endAll(reason: ConnectionEnd, detail: string): void {
    for (const connection of [...this.#guests]) connection.end(reason, detail);
  }

  #lookAfterAll(): void {
    for (const connection of [...this.#guests]) connection.care();
    this.#boundOutboxes();
    const forgottenMs = this.deps.clock.monotonic() - USER_ABSENCE_MS_MAX;
    for (const [connection, endedMs] of this.#departed) {
      if (endedMs > forgottenMs) break; // They are in the order in which they ended.
      this.#discard(connection);
    }
  }

  /** What waits for the relays of one address is bounded: what was left behind goes first, then the fullest outbox. */
  #boundOutboxes(): void {
    const byAddress = new Map<string, Connection[]>();
    for (const connection of [...this.#departed.keys(), ...this.#guests]) {
      const { address } = connection.origin;
      const waiting = byAddress.get(address) ?? [];
      if (connection.link.outbox.bytes > 0) waiting.push(connection);
      byAddress.set(address, waiting);
    }
    for (const connections of byAddress.values()) this.#bound(connections);
  }

  #bound(connections: Connection[]): void {
    const isHere = (connection: Connection) => Number(!this.#departed.has(connection));
    connections.sort(
      (one, other) => isHere(one) - isHere(other) || other.link.outbox.bytes - one.link.outbox.bytes,
    );
    let bytes = connections.reduce((sum, { link }) => sum + link.outbox.bytes, 0);
    for (const connection of connections) {
      if (bytes <= OUTBOX_BYTES_PER_ADDRESS_MAX) return;
      bytes -= connection.link.outbox.bytes;
      connection.end("slow", "the relays of this address do not read: too much waits for them");
      this.#discard(connection);
    }
  }

  #discard(connection: Connection): void {
    connection.link.outbox.discard();
    this.#departed.delete(connection);
  }
}
