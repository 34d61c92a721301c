/** Spans on their way to a server that takes OTLP over HTTP: OpenTelemetry's queue and exporter, bounded and counted. */
import { TraceFlags } from "@opentelemetry/api";
import {
  convertLegacyHttpOptions,
  createOtlpHttpExportDelegate,
} from "@opentelemetry/otlp-exporter-base/node-http";
import { BatchSpanProcessor, type ReadableSpan, type SpanExporter } from "@opentelemetry/sdk-trace-base";
import type { Clock } from "../../lib/clock.js";
import { withDeadline } from "../../lib/deadline.js";
import { type Key, textsOf } from "../../lib/secret.js";
import { SCHEMA_URL, SELF } from "./conventions.js";
import type { SinkReport } from "./sink-report.js";

/** Spans that wait or are on their way, about 2 kB each; further ones are dropped. */
export const SPANS_WAITING_MAX = 4_096;
/** One batch, with all attempts: what is not taken by then is dropped. */
export const EXPORT_MS_MAX = 5_000;
const BATCHES = { maxQueueSize: SPANS_WAITING_MAX, maxExportBatchSize: 512, scheduledDelayMillis: 2_000 };

const SAMPLED = { traceFlags: TraceFlags.SAMPLED };
const RESOURCE = {};

/** A span as the batches look at it, which is all that they look at. */
class Queued {
  readonly resource = RESOURCE;
  constructor(readonly text: string) {}

  spanContext() {
    return SAMPLED;
  }
}

const HEAD =
  `{"resourceSpans":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"${SELF}"}}]},` +
  `"scopeSpans":[{"scope":{"name":"${SELF}"},"schemaUrl":"${SCHEMA_URL}","spans":[`;
const SERIALIZER = {
  serializeRequest: (spans: readonly Queued[]) =>
    Buffer.from(`${HEAD}${spans.map(({ text }) => text).join()}]}]}]}`),
  deserializeResponse: () => ({}),
};
const COUNTED = { name: "span", countItems: (spans: readonly Queued[]) => spans.length } as const;
const EXPORTER = "otlp_http_json_span_exporter";
const JSON_BODY = { "Content-Type": "application/json" };

export interface SpanSink {
  /** Does no more than to queue it. */
  send(span: string): void;
  /** Sends what waits. */
  close(): Promise<void>;
}

export function openSpanSink(
  url: string,
  headers: () => Readonly<Record<string, Key>>,
  clock: Clock,
  report: SinkReport,
): SpanSink {
  let waiting = 0;
  const { signal } = new AbortController();
  const settings = { url, headers: async () => textsOf(headers()), timeoutMillis: EXPORT_MS_MAX };
  const options = convertLegacyHttpOptions(settings, "TRACES", "v1/traces", JSON_BODY);
  const sender = createOtlpHttpExportDelegate(options, SERIALIZER, EXPORTER, COUNTED, undefined);
  const counted: SpanExporter = {
    async export(spans, done) {
      const queued = spans as unknown as readonly Queued[];
      const exported = () =>
        new Promise<undefined>((resolve, reject) =>
          sender.export(queued, ({ code, error }) => (code === 0 ? resolve(undefined) : reject(error))),
        );
      // The exporter limits silence only; this is the limit on the whole.
      const error = await withDeadline(clock, "the export", EXPORT_MS_MAX, signal, exported).catch(reasonOf);
      waiting -= spans.length;
      report(spans.length, error === undefined ? "taken" : "not_taken", error);
      done({ code: 0 });
    },
    shutdown: () => sender.shutdown(),
  };
  const processor = new BatchSpanProcessor(counted, { ...BATCHES, exportTimeoutMillis: 2 * EXPORT_MS_MAX });
  return {
    send(text) {
      if (waiting >= SPANS_WAITING_MAX) return report(1, "crowded_out");
      waiting += 1;
      processor.onEnd(new Queued(text) as unknown as ReadableSpan);
    },
    close: () => processor.shutdown(),
  };
}

/** A status, or the code of a network error. */
function reasonOf({ code, message }: { readonly code?: unknown; readonly message: string }): string {
  return typeof code === "number" ? `it answers ${code}` : String(code ?? message);
}
