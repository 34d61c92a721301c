/** An MCP server over streamable HTTP: what it sends is counted before it is parsed. */
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { SiteFailure } from "../port.js";
import type { ByteLimits } from "./byte-limits.js";

/** Answers that may be on their way at once; a server that ends none of them has more. */
const OPEN_ANSWERS_MAX = 64;

export class HttpTransport extends StreamableHTTPClientTransport {
  /** `onFail` takes why it must end. */
  constructor(
    url: string,
    headers: Readonly<Record<string, string>>,
    limits: ByteLimits,
    onFail: (failure: SiteFailure) => void,
  ) {
    let open = 0;
    const fail = (error: unknown) => {
      // What else ends an answer the client finds by itself.
      if (error instanceof SiteFailure) onFail(error);
    };
    super(new URL(url), {
      requestInit: { headers },
      fetch: async (input, init) => {
        const response = await fetch(input, init);
        if (response.body === null) return response;
        open += 1;
        if (open > OPEN_ANSWERS_MAX)
          fail(new SiteFailure("TOO_LARGE", `it leaves more than ${OPEN_ANSWERS_MAX} answers open`));
        const isEvents = /^text\/event-stream\b/i.test(response.headers.get("content-type") ?? "");
        const count = limits.counter(isEvents ? "empty_line" : "stream");
        const counted = new TransformStream<Uint8Array, Uint8Array>({
          transform(chunk, body) {
            count(chunk);
            body.enqueue(chunk);
          },
        });
        const ended = response.body.pipeTo(counted.writable).catch(fail);
        void ended.finally(() => {
          open -= 1;
        });
        return new Response(counted.readable, response);
      },
    });
  }
}
