/**
 * Connections to servers that are asked again and again, kept open through silence, so that the first question of a
 * while does not wait for TCP and TLS. Node's own `fetch` lets a connection go after 4 s unless the server names another
 * time; here it stays for minutes, and a small request now and then keeps servers and routers from closing it.
 */
import { type Clock, every, type Timer } from "./clock.js";
import { withDeadline } from "./deadline.js";

/** How long a connection stays open unused, on our side. */
export const KEPT_OPEN_MS = 5 * 60_000;

/** After so long a silence something is asked: many servers and load balancers close after 60 s. */
export const ASKED_EVERY_MS = 45_000;

/** How long such a request may take. */
export const ASK_MS_MAX = 5_000;

/** A connection to keep. Two of the same server are two connections: they are asked at the same time. */
export interface WarmTarget {
  /** Something that is small and costs nothing, such as the list of models. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

type Dispatcher = NonNullable<RequestInit["dispatcher"]>;

export class WarmConnections {
  #dispatcher: Promise<Dispatcher | undefined> | undefined;
  #timer: Timer | undefined;
  readonly #stop = new AbortController();
  #lastAskedMs = Number.NEGATIVE_INFINITY;

  /** `onFailed` is told when a server could not be asked. The next question finds out by itself. */
  constructor(
    private readonly clock: Clock,
    private readonly targets: readonly WarmTarget[],
    private readonly onFailed: (url: string, error: unknown) => void,
  ) {}

  /** Node's `fetch`, over connections that stay. */
  readonly fetch: typeof fetch = async (input, init) => {
    this.#lastAskedMs = this.clock.monotonic();
    return this.#send(input, init);
  };

  /** Opens the connections and keeps them, until `close`. Resolves when they are open, or could not be opened. */
  async start(): Promise<void> {
    this.#timer = every(this.clock, ASKED_EVERY_MS, () => {
      if (this.clock.monotonic() - this.#lastAskedMs >= ASKED_EVERY_MS) void this.#ask();
    });
    await this.#ask();
  }

  async close(): Promise<void> {
    this.#timer?.cancel();
    this.#stop.abort(new Error("the connections are closed"));
    await (await this.#dispatcher)?.destroy();
  }

  /** All at the same time: else one connection would serve them one after the other. Never rejects. */
  async #ask(): Promise<void> {
    await Promise.all(
      this.targets.map(({ url, headers }) =>
        withDeadline(this.clock, "the server's answer", ASK_MS_MAX, this.#stop.signal, async (signal) => {
          const response = await this.#send(url, { headers: { ...headers }, signal });
          await response.arrayBuffer();
        }).catch((error: unknown) => {
          if (!this.#stop.signal.aborted) this.onFailed(url, error);
        }),
      ),
    );
  }

  async #send(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
    this.#dispatcher ??= lastingDispatcher();
    const dispatcher = await this.#dispatcher;
    return fetch(input, dispatcher === undefined ? init : { ...init, dispatcher });
  }
}

/** Where undici, of every version, Node's own included, keeps the agent that serves `fetch`. */
const GLOBAL_DISPATCHER = Symbol.for("undici.globalDispatcher.1");

/**
 * An agent like the one behind Node's `fetch`, but for its patience; undefined where somebody has put another one there,
 * such as a proxy's, which then goes on serving. It is there as soon as `fetch` was used for anything.
 */
async function lastingDispatcher(): Promise<Dispatcher | undefined> {
  await fetch("data:,");
  const current = (globalThis as Readonly<Record<symbol, unknown>>)[GLOBAL_DISPATCHER];
  if (typeof current !== "object" || current === null || current.constructor.name !== "Agent")
    return undefined;
  const Agent = current.constructor as new (options: object) => Dispatcher;
  return new Agent({ keepAliveTimeout: KEPT_OPEN_MS, keepAliveMaxTimeout: KEPT_OPEN_MS });
}
