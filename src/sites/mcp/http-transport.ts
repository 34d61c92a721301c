/** An MCP server over streamable HTTP: what it sends is counted before it is parsed. */
import { StreamableHTTPClientTransport, type Transport } from "@modelcontextprotocol/client";
import { type Key, textsOf } from "../../lib/secret.js";
import { SiteFailure } from "../port.js";
import type { ByteLimits } from "./byte-limits.js";

/** Answers that may be on their way at once; a server that ends none of them has more. */
const OPEN_ANSWERS_MAX = 64;

/** `onFail` takes why it must end. */
export function httpTransport(
  url: string,
  headers: Readonly<Record<string, Key>>,
  limits: ByteLimits,
  onFail: (failure: SiteFailure) => void,
): Transport {
  let open = 0;
  const counted: typeof fetch = async (input, init) => {
    const sent = new Headers(init?.headers);
    for (const [name, text] of Object.entries(textsOf(headers))) sent.set(name, text);
    const response = await fetch(input, { ...init, headers: sent });
    if (response.body === null) return response;
    open += 1;
    if (open > OPEN_ANSWERS_MAX)
      onFail(new SiteFailure("TOO_LARGE", `it leaves more than ${OPEN_ANSWERS_MAX} answers open`));
    const isEvents = /^text\/event-stream\b/i.test(response.headers.get("content-type") ?? "");
    const messagesIn = limits.cutter(isEvents ? "empty_line" : "stream");
    const body = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, onward) {
        if (!messagesIn(chunk).some(({ isTooLarge }) => isTooLarge)) return onward.enqueue(chunk);
        // It costs its own call, and nobody else anything.
        const id = idOf(init?.body);
        if (id !== undefined) transport.onmessage?.(limits.refusal(id));
        onward.terminate();
      },
    });
    void response.body
      .pipeTo(body.writable)
      .catch((error: unknown) => {
        // What else ends an answer the client finds by itself.
        if (error instanceof SiteFailure) onFail(error);
      })
      .finally(() => {
        open -= 1;
      });
    return new Response(body.readable, response);
  };
  const transport: Transport = new StreamableHTTPClientTransport(new URL(url), { fetch: counted });
  return transport;
}

function idOf(body: unknown): string | number | undefined {
  return typeof body === "string" ? (JSON.parse(body) as { readonly id?: string | number }).id : undefined;
}
