/** An MCP server over streamable HTTP: what it sends is counted before it is parsed. */
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { SiteFailure } from "../port.js";
import { BodyCounter, type ByteLimits } from "./byte-limits.js";
import type { LimitedTransport } from "./transport.js";

export interface HttpOptions {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Answers that may be on their way at once; a server that ends none of them has more. */
const OPEN_ANSWERS_MAX = 64;

export class HttpTransport extends StreamableHTTPClientTransport implements LimitedTransport {
  failure: SiteFailure | undefined;

  constructor({ headers, url }: HttpOptions, limits: ByteLimits) {
    let open = 0;
    const fail = (error: unknown) => {
      this.failure ??= SiteFailure.of(error, "UNAVAILABLE");
      void this.close();
    };
    super(new URL(url), {
      requestInit: { headers: { ...headers } },
      fetch: async (input, init) => {
        const response = await fetch(input, init);
        if (response.body === null) return response;
        open += 1;
        if (open > OPEN_ANSWERS_MAX)
          fail(new SiteFailure("TOO_LARGE", `it leaves more than ${OPEN_ANSWERS_MAX} answers open`));
        const isEvents = /^text\/event-stream\b/i.test(response.headers.get("content-type") ?? "");
        const counter = new BodyCounter(limits, isEvents);
        const body = counted(response.body, counter, fail, () => {
          open -= 1;
        });
        const { headers, status, statusText } = response;
        return new Response(body, { headers, status, statusText });
      },
    });
  }
}

/** The same body, which breaks off when it is too much. `onEnd` is called once. */
function counted(
  body: ReadableStream<Uint8Array>,
  counter: BodyCounter,
  onTooMuch: (error: unknown) => void,
  onEnd: () => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) {
          onEnd();
          return controller.close();
        }
        counter.take(value);
        controller.enqueue(value);
      } catch (error) {
        onEnd();
        if (error instanceof SiteFailure) onTooMuch(error);
        throw error;
      }
    },
    cancel(reason) {
      onEnd();
      return reader.cancel(reason);
    },
  });
}
