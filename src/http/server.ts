/** A port for HTTP: an express application with limits on time and an orderly close. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { Socket } from "node:net";
import express, { type ErrorRequestHandler, type RequestHandler, type Router } from "express";
import type { Clock } from "../lib/clock.js";
import { ConnectionRoster } from "../lib/connection-roster.js";
import { type ListenAddress, listen } from "../lib/listen.js";
import { PortGate } from "../lib/port-gate.js";
import type { Telemetry } from "../telemetry/events.js";

/** How long a client may take for its headers, and for sending the whole request; an answer may take longer. */
export const HEADERS_TIMEOUT_MS = 10_000;
export const REQUEST_TIMEOUT_MS = 30_000;
/** How often it is looked whether one took longer. */
const TIMEOUTS_LOOK_MS = 1_000;
/** How long a connection may rest between two requests. */
export const KEEP_ALIVE_MS = 5_000;

export const CONNECTIONS_MAX = 1_024;
/** Of one address; a proxy is one. */
export const CONNECTIONS_PER_ADDRESS_MAX = 256;

/** How long requests under way may take to finish when the door closes. */
export const CLOSE_GRACE_MS = 1_000;

/** What every reply says to browsers; pages, which show and load something, say it otherwise. */
const HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};
const SECURE_HEADERS = { ...HEADERS, "strict-transport-security": "max-age=31536000" };

export interface HttpServerDeps {
  readonly clock: Clock;
  readonly telemetry: Telemetry;
}

export class HttpServer {
  readonly #server: Server;

  constructor(
    private readonly address: ListenAddress,
    routers: readonly Router[],
    private readonly deps: HttpServerDeps,
    gate = new PortGate(),
  ) {
    const fault = (error: unknown) => this.#tellFault(error);
    const application = express()
      .disable("x-powered-by")
      .use((_request, response, next) => {
        response.set(gate.tls === undefined ? HEADERS : SECURE_HEADERS);
        next();
      })
      .use(...routers, notFound, failed(fault));
    const timeouts = {
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUTS_LOOK_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
    };
    this.#server =
      gate.tls === undefined
        ? createServer(timeouts, application)
        : createSecureServer({ ...timeouts, ...gate.tls.options }, application);
    limitConnections(this.#server, gate);
  }

  /** Resolves with the port in use; rejects with `AddressUnavailable`. */
  async listen(): Promise<number> {
    const port = await listen(this.#server, this.address);
    this.#server.on("error", (error) => this.#tellFault(error));
    return port;
  }

  /** Takes no more requests, and lets those under way finish for a while. */
  async close(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = once(this.#server, "close");
    this.#server.close();
    const timer = this.deps.clock.after(CLOSE_GRACE_MS, () => this.#server.closeAllConnections());
    await closed;
    timer.cancel();
  }

  #tellFault(error: unknown): void {
    this.deps.telemetry.emit({ type: "service_fault", where: "http", error: String(error) });
  }
}

/** Whoever is being served stays; whoever is waited for gives way to newcomers. */
function limitConnections(server: Server, gate: PortGate): void {
  const roster = new ConnectionRoster<Socket>({
    connectionsMax: CONNECTIONS_MAX,
    connectionsPerAddressMax: CONNECTIONS_PER_ADDRESS_MAX,
  });
  const latest = new WeakMap<Socket, ServerResponse>();
  gate.guard(server, (socket) => roster.add(socket, () => waitsForClient(latest.get(socket))));
  server.on("request", ({ socket }: IncomingMessage, response: ServerResponse) => {
    latest.set(socket, response);
    roster.touch(socket);
  });
}

/** For a request, the rest of one, or a reply to be read; `response` is to the latest request. */
function waitsForClient(response: ServerResponse | undefined): boolean {
  if (response === undefined || response.writableEnded) return true;
  return !response.req.complete || response.writableNeedDrain;
}

const notFound: RequestHandler = (_request, response) => {
  response.status(404).json({ status: "not_found" });
};

/** Answers requests that failed, without a word on how: a bad request is the client's fault, all else is ours. */
function failed(tell: (error: unknown) => void): ErrorRequestHandler {
  return (error: { readonly status?: unknown }, _request, response, next) => {
    const bad = error.status === 400;
    if (!bad) tell(error);
    if (response.headersSent) next(error);
    else response.status(bad ? 400 : 500).json({ status: bad ? "bad_request" : "failed" });
  };
}
