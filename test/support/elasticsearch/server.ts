/**
 * A small server that answers the calls that the product makes as Elasticsearch does, for what a real node cannot be
 * brought to do at a test's word: faults, broken connections, deaths, connectors, a model's endpoint. It answers from
 * the state that requests have built up, never from a script. What it does not know is answered with 501 and fails
 * `verify`. What Lucene does is not imitated: that is for the real node (`npm run test:elasticsearch:local`).
 *
 *   const server = await ElasticsearchServer.start();
 *   const client = new Client({ node: server.url, auth: { apiKey: server.apiKey } });
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Clock, systemClock } from "../../../src/lib/clock.js";
import { type Access, checkAuthorization, checkMediaTypes } from "./access.js";
import { Cluster } from "./cluster.js";
import { ElasticsearchError, NotSupported } from "./errors.js";
import { type FaultEffect, Faults } from "./faults.js";
import type { Json } from "./json.js";
import { type ApiRequest, apiRequest, type Reply, type Route, routeOf } from "./router.js";
import { allRoutes } from "./routes.js";

/** A request as it was received, and what it was answered with. */
export interface ReceivedRequest {
  readonly method: string;
  /** Without the query string. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
  /** The client's name of the endpoint; `undefined` for a request that no endpoint is for. */
  readonly endpoint: string | undefined;
  /** `undefined` while it is not answered, and where the connection broke first. */
  status: number | undefined;
}

export interface ElasticsearchServerOptions {
  readonly apiKey?: string;
  /** What `Authorization: Basic` has to say. */
  readonly basic?: { readonly username: string; readonly password: string };
  readonly version?: string;
  readonly clock?: Clock;
}

/** A request and the endpoint that it is for. */
interface RoutedRequest {
  readonly route: Route;
  readonly call: ApiRequest;
}

/** Longest body that is read, in bytes, as `http.max_content_length`. */
const BODY_BYTES_MAX = 100 * 1024 * 1024;

export class ElasticsearchServer {
  readonly cluster: Cluster;
  readonly faults = new Faults();
  /** Every request in order of arrival, refused ones included. */
  readonly requests: ReceivedRequest[] = [];
  readonly apiKey: string;
  readonly #access: Access;
  readonly #routes: readonly Route[];
  readonly #problems: string[] = [];
  readonly #server = createServer((request, response) => void this.#serve(request, response));
  #port = 0;

  private constructor(options: ElasticsearchServerOptions) {
    const { clock = systemClock, version = "8.19.2", apiKey = "a2V5LWlkOmtleS1zZWNyZXQ=" } = options;
    this.apiKey = apiKey;
    this.#access = { apiKey, basic: options.basic ?? { username: "elastic", password: "changeme" } };
    this.cluster = new Cluster(clock, version);
    this.#routes = allRoutes((operation) => this.faults.takeItem(operation));
  }

  static async start(options: ElasticsearchServerOptions = {}): Promise<ElasticsearchServer> {
    const server = new ElasticsearchServer(options);
    await new Promise<void>((resolve) => server.#server.listen(0, "127.0.0.1", resolve));
    server.#port = (server.#server.address() as AddressInfo).port;
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Throws when a request came that no endpoint is for or that has parts which are not known, or when a fault never came. */
  verify(): void {
    const problems = [...this.#problems, ...this.faults.unused];
    if (problems.length > 0) throw new Error(`the stand-in for Elasticsearch: ${problems.join("; ")}`);
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    await closed;
  }

  async #serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(message.url ?? "/", this.url);
    const method = message.method ?? "GET";
    const text = await readText(message);
    if (text === undefined) return;
    const routed = routeOf(this.#routes, method, url.pathname);
    const received: ReceivedRequest = {
      method,
      path: url.pathname,
      query: url.searchParams,
      headers: message.headers,
      body: text,
      endpoint: routed?.route.name,
      status: undefined,
    };
    this.requests.push(received);
    const request = routed && { route: routed.route, call: apiRequest(method, url, text, routed.params) };
    const effect = this.faults.take(received);
    if (effect?.kind === "hold") await effect.until;
    if (effect?.kind === "reset" && effect.when === "before") return void message.socket.destroy();
    const reply =
      effect?.kind === "answer"
        ? { status: effect.status, body: effect.body ?? "" }
        : await this.#answer(received, request);
    if (effect?.kind === "reset") return void message.socket.destroy();
    received.status = reply.status;
    send(message, response, reply, effect);
  }

  /** The real answer to a request, errors included. */
  async #answer(received: ReceivedRequest, request: RoutedRequest | undefined): Promise<Reply> {
    try {
      checkMediaTypes(received.headers, received.body !== "", this.cluster.version);
      checkAuthorization(received.headers.authorization, this.#access, received.path);
      if (request === undefined) throw new NotSupported(`${received.method} ${received.path}`);
      return await request.route.handle(request.call, this.cluster);
    } catch (error) {
      if (error instanceof ElasticsearchError) return { status: error.status, body: error.body };
      const problem = error instanceof NotSupported ? error.message : String((error as Error).stack ?? error);
      this.#problems.push(problem);
      const type = "not_supported_by_stand_in";
      return {
        status: error instanceof NotSupported ? 501 : 500,
        body: { error: { root_cause: [{ type, reason: problem }], type, reason: problem }, status: 501 },
      };
    }
  }
}

/** The body as text; `undefined` when the client went away before its end. */
async function readText(message: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of message) {
      bytes += (chunk as Buffer).length;
      if (bytes > BODY_BYTES_MAX) return void message.destroy();
      chunks.push(chunk as Buffer);
    }
  } catch {
    return undefined;
  }
  return Buffer.concat(chunks).toString("utf8");
}

function send(
  message: IncomingMessage,
  response: ServerResponse,
  reply: Reply,
  effect: FaultEffect | undefined,
): void {
  const versioned = /compatible-with=\d+/.exec(message.headers.accept ?? "")?.[0];
  const body = message.method === "HEAD" || reply.body === null ? "" : render(reply.body);
  response.writeHead(reply.status, {
    "x-elastic-product": "Elasticsearch",
    "content-type":
      versioned === undefined ? "application/json" : `application/vnd.elasticsearch+json;${versioned}`,
    "content-length": Buffer.byteLength(body),
    ...(reply.status === 401 ? { "www-authenticate": 'Basic realm="security" charset="UTF-8"' } : {}),
    ...(effect?.kind === "answer" ? effect.headers : {}),
  });
  if (effect?.kind === "half") {
    response.write(body.slice(0, Math.floor(body.length / 2)), () => message.socket.destroy());
  } else response.end(body);
}

function render(body: Json): string {
  return typeof body === "string" ? body : JSON.stringify(body);
}
