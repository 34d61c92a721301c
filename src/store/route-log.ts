/** Decisions of the router, kept as labelled data to train its classifier with: only where an operator asks for it. */
import type { RouteDecision, RouteLayer } from "../domain/answer.js";
import { type LogDeps, WriteBehindLog } from "./write-behind-log.js";

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

export const LAYOUTS = { first: 1, steps: [FIRST_LAYOUT] };

export interface DecidedRoute extends RouteDecision {
  readonly network: string;
  /** The beginning of the message. */
  readonly topic: string;
}

export interface LoggedRoute extends DecidedRoute {
  /** Milliseconds since the Unix epoch. */
  readonly atMs: number;
}

export class RouteLog extends WriteBehindLog<LoggedRoute> {
  constructor(
    dataDirectory: string,
    private readonly deps: LogDeps,
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

  /** Takes no time and does not throw: it is written later, and what could not be written is told as an event. */
  add(route: DecidedRoute): void {
    this.put({ ...route, atMs: Math.trunc(this.deps.clock.now()) });
  }
}
