/** The router's decisions in a database file of the data folder, written behind the turns. */
import { join } from "node:path";
import type { RouteLayer } from "../domain/answer.js";
import type { Clock } from "../lib/clock.js";
import type { Telemetry } from "../telemetry/events.js";
import { Database, type InStatement } from "./database.js";
import type { DecidedRoute, LoggedRoute, RouteLog } from "./route-log.js";

/** Decisions that are kept; beyond that the oldest go. */
export const LOGGED_ROUTES_MAX = 100_000;

/** Decisions that wait to be written; beyond that the newest are lost, and counted. */
const PENDING_MAX = 1_000;

/** Decisions in one transaction. */
const BATCH = 200;

const VERSION = 1;

const SCHEMA = `
  CREATE TABLE routes (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    network TEXT NOT NULL,
    topic TEXT NOT NULL,
    route TEXT NOT NULL,
    layer TEXT NOT NULL,
    confidence REAL NOT NULL,
    at INTEGER NOT NULL
  ) STRICT`;

const INSERT = "INSERT INTO routes (network, topic, route, layer, confidence, at) VALUES (?, ?, ?, ?, ?, ?)";
const DROP_OLDEST = "DELETE FROM routes WHERE id <= (SELECT max(id) FROM routes) - ?";

export interface RouteLogDeps {
  readonly clock: Pick<Clock, "now">;
  readonly telemetry: Telemetry;
}

export class EmbeddedRouteLog implements RouteLog {
  readonly #path: string;
  readonly #pending: LoggedRoute[] = [];
  #database: Promise<Database> | undefined;
  #writing: Promise<void> | undefined;

  /** Opens nothing yet: the first write or read does. */
  constructor(
    dataDirectory: string,
    private readonly deps: RouteLogDeps,
    private readonly routesMax: number = LOGGED_ROUTES_MAX,
  ) {
    this.#path = join(dataDirectory, "routes.db");
  }

  add(route: DecidedRoute): void {
    if (this.#pending.length >= PENDING_MAX) {
      this.#lose(1, "routes are decided faster than they can be written");
      return;
    }
    this.#pending.push({ ...route, atMs: Math.trunc(this.deps.clock.now()) });
    this.#writing ??= this.#writePending();
  }

  async list(network?: string): Promise<readonly LoggedRoute[]> {
    await this.#writing;
    const where = network === undefined ? "" : "WHERE network = ?";
    const database = await this.#open();
    const rows = await database.rows(
      `SELECT * FROM routes ${where} ORDER BY id`,
      network === undefined ? [] : [network],
    );
    return rows.map((row) => ({
      network: row.network as string,
      topic: row.topic as string,
      route: row.route as string,
      layer: row.layer as RouteLayer,
      confidence: Number(row.confidence),
      atMs: Number(row.at),
    }));
  }

  async clear(network?: string): Promise<void> {
    await this.#writing;
    const statement: InStatement =
      network === undefined
        ? "DELETE FROM routes"
        : { sql: "DELETE FROM routes WHERE network = ?", args: [network] };
    await (await this.#open()).writeAll([statement]);
  }

  async close(): Promise<void> {
    await this.#writing;
    await this.#shut();
  }

  /** Never rejects. */
  async #writePending(): Promise<void> {
    // The turn that brought the first of them goes first.
    await Promise.resolve();
    while (this.#pending.length > 0) {
      const batch = this.#pending.splice(0, BATCH);
      try {
        const inserts = batch.map(({ network, topic, route, layer, confidence, atMs }) => ({
          sql: INSERT,
          args: [network, topic, route, layer, confidence, atMs],
        }));
        const database = await this.#open();
        await database.writeAll([...inserts, { sql: DROP_OLDEST, args: [this.routesMax] }]);
      } catch (error) {
        this.#lose(batch.length, String(error));
        await this.#shut();
      }
    }
    this.#writing = undefined;
  }

  #lose(lost: number, error: string): void {
    this.deps.telemetry.emit({ type: "route_log_failed", lost, error });
  }

  #open(): Promise<Database> {
    this.#database ??= Database.open(this.#path, SCHEMA, VERSION);
    return this.#database;
  }

  async #shut(): Promise<void> {
    const opening = this.#database;
    this.#database = undefined;
    const [opened] = await Promise.allSettled([opening]);
    if (opened.status === "fulfilled") await opened.value?.close();
  }
}
