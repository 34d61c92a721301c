/** A server that takes what a trace sink gets: OTLP spans as JSON, and Langfuse's scores. Real HTTP, on a free port. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gunzipSync } from "node:zlib";
import { onTestFinished } from "vitest";

/** OTLP's JSON form of a span: ids in hexadecimal digits, times as decimal strings, enumerations as numbers. */
export interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
  readonly events: readonly { readonly name: string; readonly timeUnixNano: string }[];
  readonly status: { readonly code: number };
}

export interface ReceivedRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** What to do with the `n`th request, from 1 on: a status, or no answer at all. */
export type Behaviour = (n: number, request: ReceivedRequest) => number | "hang" | "trickle";

export class OtlpReceiver {
  readonly requests: ReceivedRequest[] = [];
  behave: Behaviour = () => 200;

  private constructor(readonly url: string) {}

  /** Closed when the test ends. */
  static async start(behave?: Behaviour): Promise<OtlpReceiver> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const bytes = Buffer.concat(chunks);
        const body = (request.headers["content-encoding"] === "gzip" ? gunzipSync(bytes) : bytes).toString();
        const received = { path: request.url ?? "", headers: request.headers, body };
        receiver.requests.push(received);
        answer(response, receiver.behave(receiver.requests.length, received));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const receiver = new OtlpReceiver(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    if (behave !== undefined) receiver.behave = behave;
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    return receiver;
  }

  /** Every span of the requests so far. */
  get spans(): readonly OtlpSpan[] {
    return this.requests
      .filter(({ path }) => path.endsWith("/v1/traces"))
      .flatMap(
        ({ body }) =>
          (JSON.parse(body) as { resourceSpans: { scopeSpans: { spans: OtlpSpan[] }[] }[] }).resourceSpans,
      )
      .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));
  }
}

function answer(response: ServerResponse, what: number | "hang" | "trickle"): void {
  if (what === "hang") return;
  if (what === "trickle") {
    response.writeHead(200);
    const timer = setInterval(() => response.write(" "), 50);
    response.on("close", () => clearInterval(timer));
    return;
  }
  response.writeHead(what, { "content-type": "application/json" });
  response.end(what < 300 ? '{"id":"s"}' : "{}");
}

/** An attribute's value as a plain one; undefined where it has none. */
export function attributeOf(span: OtlpSpan, key: string): unknown {
  const value = span.attributes.find((attribute) => attribute.key === key)?.value;
  return value && Object.values(value)[0];
}

/** Start and end in Unix milliseconds. */
export function timesOf(span: OtlpSpan): readonly [startMs: number, endMs: number] {
  return [Number(span.startTimeUnixNano) / 1e6, Number(span.endTimeUnixNano) / 1e6];
}

/** What OTLP's JSON form requires of a span, and what this one breaks. */
export function shapeProblems(span: OtlpSpan): string[] {
  const rules: readonly [what: string, holds: boolean][] = [
    ["traceId is 32 hexadecimal digits, not all 0", /^(?!0+$)[0-9a-f]{32}$/.test(span.traceId)],
    ["spanId is 16 hexadecimal digits, not all 0", /^(?!0+$)[0-9a-f]{16}$/.test(span.spanId)],
    ["parentSpanId is one too, or absent", /^[0-9a-f]{16}$/.test(span.parentSpanId ?? "0".repeat(16))],
    ["it has a name", span.name.length > 0],
    ["kind is internal or client", span.kind === 1 || span.kind === 3],
    [
      "times are decimal strings",
      [span.startTimeUnixNano, span.endTimeUnixNano].every((time) => /^\d{16,20}$/.test(time)),
    ],
    ["it does not end before it begins", BigInt(span.endTimeUnixNano) >= BigInt(span.startTimeUnixNano)],
    ["its status is unset or error", span.status.code === 0 || span.status.code === 2],
    [
      "attributes are key and one value",
      span.attributes.every(({ key, value }) => key !== "" && Object.keys(value).length === 1),
    ],
  ];
  return rules.filter(([, holds]) => !holds).map(([what]) => `${span.name}: ${what}`);
}

/**
 * What the GenAI conventions (1.41.1) require of spans by `gen_ai.operation.name`: attributes that are required, and
 * the span's kind. The two operations on speech are ours.
 */
const REQUIRED: Readonly<Record<string, { readonly kind?: number; readonly attributes: readonly string[] }>> =
  {
    chat: { kind: 3, attributes: ["gen_ai.provider.name", "gen_ai.request.model"] },
    embeddings: { attributes: ["gen_ai.provider.name", "gen_ai.request.model"] },
    retrieval: { kind: 3, attributes: ["gen_ai.data_source.id"] },
    execute_tool: { kind: 1, attributes: ["gen_ai.tool.name"] },
    invoke_agent: { kind: 1, attributes: ["gen_ai.provider.name", "gen_ai.agent.name"] },
    speech_to_text: { attributes: ["gen_ai.provider.name", "gen_ai.request.model"] },
    text_to_speech: { attributes: ["gen_ai.provider.name", "gen_ai.request.model"] },
  };

/** What of the conventions a span breaks. */
export function conventionProblems(span: OtlpSpan): string[] {
  const operation = attributeOf(span, "gen_ai.operation.name");
  const isFailed = span.status.code === 2;
  const wrong =
    isFailed === (attributeOf(span, "error.type") !== undefined) ? [] : ["error.type goes with the status"];
  if (operation === undefined) return wrong.map((what) => `${span.name}: ${what}`);
  const required = REQUIRED[String(operation)];
  if (required === undefined) return [`${span.name}: unknown operation ${operation}`];
  const missing = required.attributes.filter((key) => attributeOf(span, key) === undefined);
  if (required.kind !== undefined && span.kind !== required.kind) wrong.push(`its kind is ${span.kind}`);
  if (!span.name.startsWith(`${operation} `)) wrong.push("its name does not begin with the operation");
  return [...missing.map((key) => `${key} is missing`), ...wrong].map((what) => `${span.name}: ${what}`);
}
