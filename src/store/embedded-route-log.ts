/** The router's decisions, kept in a database file of the data folder. */
import type { RouteLayer } from "../domain/answer.js";
import type { Clock } from "../lib/clock.js";
import type { Telemetry } from "../telemetry/events.js";
import type { DecidedRoute, LoggedRoute, RouteLog } from "./route-log.js";
import { WriteBehindLog } from "./write-behind-log.js";

const FIRST_LAYOUT = `
  CREATE TABLE routes (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    network TEXT NOT NULL,
    topic TEXT NOT NULL,
    route TEXT NOT NULL,
    layer TEXT NOT NULL,
    confidence REAL NOT NULL,
    at INTEGER NOT NULL
  ) STRICT
`;

const LAYOUTS = { first: 1, steps: [FIRST_LAYOUT] };

export interface RouteLogDeps {
  readonly clock: Pick<Clock, "now">;
  readonly telemetry: Telemetry;
}

export class EmbeddedRouteLog extends WriteBehindLog<LoggedRoute> implements RouteLog {
  constructor(
    dataDirectory: string,
    private readonly deps: RouteLogDeps,
    routesMax?: number,
  ) {
    const table = {
      name: "routes",
      layouts: LAYOUTS,
      columns: ["topic", "route", "layer", "confidence"],
      values: ({ topic, route, layer, confidence }: LoggedRoute) => [topic, route, layer, confidence],
      entry: (row: Readonly<Record<string, unknown>>) => ({
        network: row.network as string,
        topic: row.topic as string,
        route: row.route as string,
        layer: row.layer as RouteLayer,
        confidence: Number(row.confidence),
        atMs: Number(row.at),
      }),
      lost: (lost: number, error: string) => deps.telemetry.emit({ type: "route_log_failed", lost, error }),
    } as const;
    super(dataDirectory, table, routesMax);
  }

  add(route: DecidedRoute): void {
    this.put({ ...route, atMs: Math.trunc(this.deps.clock.now()) });
  }
}
