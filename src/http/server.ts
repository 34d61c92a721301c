/** An HTTP door: an express application on a port of its own, with limits on time and an orderly close. */
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import express, { type Router } from "express";

/** How long a client may take for its headers, and for the whole request. */
export const HEADERS_TIMEOUT_MS = 10_000;
export const REQUEST_TIMEOUT_MS = 30_000;
export const CONNECTIONS_MAX = 256;

export class HttpServer {
  readonly #server: Server;

  constructor(
    private readonly address: { readonly host: string; readonly port: number },
    router: Router,
  ) {
    const application = express().disable("x-powered-by").use(router);
    this.#server = createServer(
      { headersTimeout: HEADERS_TIMEOUT_MS, requestTimeout: REQUEST_TIMEOUT_MS },
      application,
    );
    this.#server.maxConnections = CONNECTIONS_MAX;
  }

  /** Resolves with the port in use; rejects when the address cannot be had. */
  async listen(): Promise<number> {
    this.#server.listen(this.address.port, this.address.host);
    await once(this.#server, "listening");
    return (this.#server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = once(this.#server, "close");
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }
}
