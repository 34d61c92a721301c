/** A port for HTTP: an express application with limits on time and an orderly close. */
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import express, { type ErrorRequestHandler, type RequestHandler, type Router } from "express";
import type { Clock } from "../lib/clock.js";
import { type ListenAddress, listen } from "../lib/listen.js";
import type { Telemetry } from "../telemetry/events.js";

/** How long a client may take for its headers, and for sending the whole request; an answer may take longer. */
export const HEADERS_TIMEOUT_MS = 10_000;
export const REQUEST_TIMEOUT_MS = 30_000;
export const CONNECTIONS_MAX = 256;

/** How long requests under way may take to finish when the door closes. */
export const CLOSE_GRACE_MS = 1_000;

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
  ) {
    const fault = (error: unknown) => this.#tellFault(error);
    const application = express()
      .disable("x-powered-by")
      .use(...routers, notFound, failed(fault));
    this.#server = createServer(
      { headersTimeout: HEADERS_TIMEOUT_MS, requestTimeout: REQUEST_TIMEOUT_MS },
      application,
    );
    this.#server.maxConnections = CONNECTIONS_MAX;
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
