/**
 * `fetch` with the patience of a voice service: one limit until the first byte of the body, a shorter one for each
 * silence after it, and a bound on the body's size. The limits run on our clock, and only while somebody waits for
 * bytes: a slow reader is not a silent server.
 */
import type { Clock } from "./clock.js";
import { withDeadline } from "./deadline.js";
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
 * A `fetch` that keeps `limits`, and takes addresses with a user and a password. Rejects, or fails the body's stream, with `DeadlineExceeded` or `BodyTooLarge`; the
 * caller's abort comes through as its own reason. In each case the connection is let go.
 */
export function idleFetch(clock: Clock, limits: IdleLimits): typeof fetch {
  return async (input, init) => {
    const request = new AbortController();
    const signal = init?.signal ?? new AbortController().signal;
    const startMs = clock.monotonic();
    try {
      const response = await withDeadline(clock, "the first byte", limits.firstByteMs, signal, () =>
        fetch(...authorized(input, { ...init, signal: AbortSignal.any([signal, request.signal]) })),
      );
      if (response.body === null) return response;
      const firstByteByMs = startMs + limits.firstByteMs;
      return new Response(watched(response.body, clock, limits, firstByteByMs, signal, request), response);
    } catch (error) {
      request.abort(error);
      throw error;
    }
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

/** The same bytes, read on demand and under the limits. */
function watched(
  body: ReadableStream<Uint8Array>,
  clock: Clock,
  limits: IdleLimits,
  firstByteByMs: number,
  signal: AbortSignal,
  request: AbortController,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let received = 0;
  const read = () =>
    received === 0
      ? withDeadline(clock, "the first byte", firstByteByMs - clock.monotonic(), signal, () => reader.read())
      : withDeadline(clock, "the next byte", limits.idleMs, signal, () => reader.read());
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await read();
          if (done) {
            controller.close();
            return;
          }
          received += value.byteLength;
          if (received > limits.bodyBytesMax) throw new BodyTooLarge(limits.bodyBytesMax);
          controller.enqueue(value);
        } catch (error) {
          request.abort(error);
          throw error;
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
