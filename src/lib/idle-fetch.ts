/**
 * `fetch` with the patience of a voice service: one limit until the first byte of the body, a shorter one for each
 * silence after it, and a bound on the body's size. The limits run on our clock, and only while somebody waits for
 * bytes: a slow reader is not a silent server.
 */
import type { Clock } from "./clock.js";
import { DeadlineExceeded } from "./deadline.js";
import { decoded } from "./secrets.js";

export interface IdleLimits {
  /** From the request to the first byte of the body; headers alone do not count. */
  readonly firstByteMs: number;
  /** The longest silence after that. */
  readonly idleMs: number;
  readonly bodyBytesMax: number;
}

/** The body is larger than allowed. */
export class BodyTooLarge extends Error {
  override readonly name = "BodyTooLarge";
  constructor(readonly bytesMax: number) {
    super(`the body is larger than ${bytesMax} bytes`);
  }
}

/**
 * A `fetch` that keeps `limits`, and takes addresses with a user and a password. Rejects, or fails the body's stream,
 * with `DeadlineExceeded` or `BodyTooLarge`; the caller's abort comes through as its own reason. In each case the
 * connection is let go. `send` does the work; Node's own `fetch` unless given.
 */
export function idleFetch(clock: Clock, limits: IdleLimits, send: typeof fetch = fetch): typeof fetch {
  return async (input, init) => {
    const request = new PatientRequest(clock, limits, init?.signal ?? undefined);
    const response = await request.waitFor(() =>
      send(...authorized(input, { ...init, signal: request.signal })),
    );
    return response.body === null ? response : new Response(request.watched(response.body), response);
  };
}

/**
 * `fetch` refuses an address with a user and a password. They go into the `authorization` header, as every browser has
 * it (RFC 7617), in the place of what stands there.
 */
function authorized(input: string | URL | Request, init: RequestInit): [string | URL | Request, RequestInit] {
  if (input instanceof Request) return [input, init];
  const url = new URL(input);
  if (url.username === "" && url.password === "") return [input, init];
  const pair = `${decoded(url.username)}:${decoded(url.password)}`;
  const headers = new Headers(init.headers);
  headers.set("authorization", `Basic ${Buffer.from(pair).toString("base64")}`);
  url.username = "";
  url.password = "";
  return [url, { ...init, headers }];
}

/** One request and its body. A wait costs a timer and nothing else: there is one for each piece of a body. */
class PatientRequest {
  /** Aborts when the caller does, or when patience or room is at an end. */
  readonly signal: AbortSignal;
  readonly #giveUp = new AbortController();
  readonly #firstByteByMs: number;
  #received = 0;

  constructor(
    private readonly clock: Clock,
    private readonly limits: IdleLimits,
    caller: AbortSignal | undefined,
  ) {
    this.signal = caller === undefined ? this.#giveUp.signal : AbortSignal.any([caller, this.#giveUp.signal]);
    this.#firstByteByMs = clock.monotonic() + limits.firstByteMs;
  }

  /** The result of `work`, which ends when the signal aborts. Rejects with the signal's reason then. */
  async waitFor<T>(work: () => Promise<T>): Promise<T> {
    const { clock, limits } = this;
    const begun = this.#received > 0;
    const patienceMs = begun ? limits.idleMs : this.#firstByteByMs - clock.monotonic();
    const timer = clock.after(patienceMs, () =>
      this.#giveUp.abort(
        begun
          ? new DeadlineExceeded("the next byte", limits.idleMs)
          : new DeadlineExceeded("the first byte", limits.firstByteMs),
      ),
    );
    try {
      return await work();
    } catch (error) {
      this.#giveUp.abort(error);
      // What `fetch` rejects with may be a copy of the reason.
      throw this.signal.reason;
    } finally {
      timer.cancel();
    }
  }

  /** The same bytes, read on demand and under the limits. */
  watched(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
    const reader = body.getReader();
    const read = () => reader.read();
    return new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          const { done, value } = await this.waitFor(read);
          if (done) {
            controller.close();
            return;
          }
          this.#received += value.byteLength;
          if (this.#received > this.limits.bodyBytesMax) throw this.#tooLarge();
          controller.enqueue(value);
        },
        cancel: (reason) => reader.cancel(reason),
      },
      { highWaterMark: 0 },
    );
  }

  #tooLarge(): BodyTooLarge {
    const error = new BodyTooLarge(this.limits.bodyBytesMax);
    this.#giveUp.abort(error);
    return error;
  }
}
