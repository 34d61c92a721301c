/** The door for relays: accepts connections up to a limit and looks after them. */
import { createServer, type Server, type Socket } from "node:net";
import { every, type Timer } from "../lib/clock.js";
import { type ListenAddress, listen } from "../lib/listen.js";
import { boundHost } from "../lib/private-address.js";
import { USER_ABSENCE_MS_MAX } from "../turn/line.js";
import { Connection, type ConnectionDeps, type ConnectionOptions } from "./connection.js";
import { CARE_INTERVAL_MS } from "./limits.js";
import { TOKENS_FILE_CHECK_MS } from "./relay-tokens.js";

export interface RelayServerOptions extends ConnectionOptions, ListenAddress {
  readonly connectionsMax: number;
}

export class RelayServer {
  readonly #connections = new Set<Connection>();
  /** Connections that ended with something waiting for them, which their users may still want back; when they ended. */
  readonly #departed = new Map<Connection, number>();
  readonly #server: Server;
  readonly #care: Timer;
  readonly #tokensCheck: Timer;
  /** Set from the moment on which no relay is accepted any more. */
  #closed: Promise<void> | undefined;

  constructor(
    private readonly options: RelayServerOptions,
    private readonly deps: ConnectionDeps,
  ) {
    this.#server = createServer({ noDelay: true }, (socket) => this.#accept(socket));
    this.#care = every(deps.clock, CARE_INTERVAL_MS, () => this.#lookAfterAll());
    this.#tokensCheck = every(deps.clock, TOKENS_FILE_CHECK_MS, () => void this.#reconsiderAll());
  }

  /** Resolves with the port in use; rejects with `AddressUnavailable` or `TokensUnusable`. */
  async listen(): Promise<number> {
    await this.deps.tokens.open();
    const { host, port: wanted } = this.options;
    const port = await listen(this.#server, { host: boundHost(host), port: wanted });
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
    return this.#connections.size;
  }

  /** Frames waiting in all outboxes: bytes in total, and the age of the oldest. */
  get backlog(): { readonly bytes: number; readonly oldestMs: number } {
    let bytes = 0;
    let oldestMs = 0;
    for (const { link } of this.#connections) {
      bytes += link.outbox.bytes;
      oldestMs = Math.max(oldestMs, link.outbox.ageMs);
    }
    return { bytes, oldestMs };
  }

  /** From here on new connections are refused; those that stand go on. */
  stopAccepting(): void {
    this.#closed ??= new Promise((resolve) => this.#server.close(() => resolve()));
  }

  /** Hangs up on every relay. Resolves when all sockets are closed. */
  async close(): Promise<void> {
    this.stopAccepting();
    this.#care.cancel();
    this.#tokensCheck.cancel();
    this.#departed.clear();
    for (const connection of this.#connections) connection.end("shutdown", "the service is shutting down");
    await this.#closed;
  }

  #accept(socket: Socket): void {
    const remote = `${socket.remoteAddress}:${socket.remotePort}`;
    const full = this.#connections.size >= this.options.connectionsMax;
    if (full || this.#closed !== undefined) {
      const reason = full ? "connections_max" : "shutdown";
      this.deps.telemetry.emit({ type: "relay_refused", remote, reason });
      socket.destroy();
      return;
    }
    const id = this.deps.random.id();
    const onEnd = (ended: Connection) => this.#part(ended);
    this.#connections.add(new Connection(id, socket, this.deps, this.options, onEnd));
    this.deps.telemetry.emit({ type: "relay_connected", connection: id, remote });
  }

  #part(ended: Connection): void {
    this.#connections.delete(ended);
    if (ended.link.outbox.bytes > 0) this.#departed.set(ended, this.deps.clock.monotonic());
  }

  /** Tokens are rotated while relays are connected. */
  async #reconsiderAll(): Promise<void> {
    if (!(await this.deps.tokens.refresh())) return;
    for (const connection of this.#connections) connection.reconsider();
  }

  #lookAfterAll(): void {
    for (const connection of this.#connections) connection.care();
    const forgottenMs = this.deps.clock.monotonic() - USER_ABSENCE_MS_MAX;
    for (const [connection, endedMs] of this.#departed) {
      if (endedMs > forgottenMs) break; // They are in the order in which they ended.
      connection.link.outbox.discard();
      this.#departed.delete(connection);
    }
  }
}
