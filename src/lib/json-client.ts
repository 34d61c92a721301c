/**
 * JSON requests to a model server that speaks OpenAI's API or its relatives, by plain `fetch`: a time limit for the
 * whole exchange, a bound on the answer, and failures in words that quote neither the key nor what was sent.
 */
import type { Clock } from "./clock.js";
import { DeadlineExceeded, withDeadline } from "./deadline.js";
import { BodyTooLarge, idleFetch } from "./idle-fetch.js";
import type { Key } from "./secret.js";

export interface JsonClientOptions {
  /** Who answers, for messages, such as `the embedding server`. */
  readonly server: string;
  /** Up to and including `/v1`. */
  readonly baseUrl: string;
  /** Servers at home often need none. */
  readonly apiKey?: Key | undefined;
  /** In place of a key. */
  authorization?(): string;
  /** From the request to the last byte of the answer. */
  readonly timeoutMs: number;
  readonly bodyBytesMax: number;
}

/** The request failed; the message says how, without a word of what was sent. */
export class RequestFailure extends Error {
  override readonly name = "RequestFailure";
  constructor(
    message: string,
    /** Whether the same request may succeed a little later. */
    readonly passing: boolean,
    /** How long the server asks to be left alone. */
    readonly retryAfterMs?: number,
  ) {
    super(message);
  }
}

export class JsonClient {
  readonly #fetch: typeof fetch;

  constructor(
    private readonly clock: Clock,
    private readonly options: JsonClientOptions,
  ) {
    const { timeoutMs, bodyBytesMax } = options;
    this.#fetch = idleFetch(clock, { firstByteMs: timeoutMs, idleMs: timeoutMs, bodyBytesMax });
  }

  /** The parsed answer to a POST. Rejects with `RequestFailure` or the signal's reason. */
  async post(path: string, body: object, signal: AbortSignal): Promise<unknown> {
    const { server, timeoutMs } = this.options;
    try {
      return await withDeadline(this.clock, `the answer of ${server}`, timeoutMs, signal, (within) =>
        this.#exchange(path, body, within),
      );
    } catch (error) {
      signal.throwIfAborted();
      throw failureOf(error, server);
    }
  }

  async #exchange(path: string, body: object, signal: AbortSignal): Promise<unknown> {
    const { baseUrl, apiKey, server, authorization = () => apiKey && `Bearer ${apiKey}` } = this.options;
    const credential = authorization();
    const response = await this.#fetch(endpoint(baseUrl, path), {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json",
        ...(credential && { authorization: credential }),
      },
      body: JSON.stringify(body),
      signal,
    });
    if (!response.ok) {
      await response.body?.cancel();
      throw statusFailure(response, server);
    }
    return JSON.parse(await response.text());
  }
}

/** The address of `path` below a base, which goes up to and including `/v1`. */
export function endpoint(baseUrl: string, path: string): string {
  return `${baseUrl.replace(/(?<!\/)\/+$/, "")}${path}`;
}

/** Why a connection failed or broke, to stand behind the words for that: ` (ECONNREFUSED)`. */
export function connectionCode({ cause }: TypeError): string {
  return cause instanceof Error && "code" in cause ? ` (${String(cause.code)})` : "";
}

/** Statuses after which a while may help: too early, a conflict, too many requests, and the server's own troubles. */
function isPassing(status: number): boolean {
  return status >= 500 || [408, 409, 425, 429].includes(status);
}

function statusFailure({ status, headers }: Response, server: string): RequestFailure {
  const hint = isPassing(status)
    ? ""
    : (STATUS_HINTS[status] ?? "; check the address, the model and its settings");
  return new RequestFailure(`${server} answers ${status}${hint}`, isPassing(status), retryAfterMs(headers));
}

/** What to do about a status, behind the words that name it. */
export const STATUS_HINTS: Readonly<Record<number, string>> = {
  401: ": it refuses the key",
  403: ": the key does not allow this",
  404: ": it knows no such path or model",
};

/** `retry-after` in seconds, or OpenAI's finer `retry-after-ms`. */
export function retryAfterMs(headers: Headers): number | undefined {
  const ms = Number.parseFloat(headers.get("retry-after-ms") ?? "");
  const seconds = Number.parseFloat(headers.get("retry-after") ?? "");
  const waitMs = Number.isNaN(ms) ? seconds * 1_000 : ms;
  return Number.isNaN(waitMs) || waitMs < 0 ? undefined : waitMs;
}

function failureOf(error: unknown, server: string): unknown {
  if (error instanceof DeadlineExceeded) return new RequestFailure(error.message, true);
  if (error instanceof BodyTooLarge)
    return new RequestFailure(`the answer of ${server}: ${error.message}`, false);
  if (error instanceof SyntaxError) return new RequestFailure(`the answer of ${server} is not JSON`, true);
  if (!(error instanceof TypeError)) return error;
  return new RequestFailure(`no connection to ${server}, or it broke${connectionCode(error)}`, true);
}
