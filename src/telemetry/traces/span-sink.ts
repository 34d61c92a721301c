/** Spans on their way to a server that takes OTLP over HTTP: OpenTelemetry's queue and exporter, bounded and counted. */
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { BatchSpanProcessor, type ReadableSpan } from "@opentelemetry/sdk-trace-base";
import type { Clock } from "../../lib/clock.js";
import { withDeadline } from "../../lib/deadline.js";
import type { SinkReport } from "./sink-report.js";

/** Spans that wait or are on their way, about 1 kB each; further ones are dropped. */
export const SPANS_WAITING_MAX = 4_096;
/** One batch, with all attempts: what is not taken by then is dropped. */
export const EXPORT_MS_MAX = 5_000;
const BATCHES = { maxQueueSize: SPANS_WAITING_MAX, maxExportBatchSize: 512, scheduledDelayMillis: 2_000 };

type Exporter = Pick<OTLPTraceExporter, "export" | "shutdown">;

export interface SpanSink {
  /** Does no more than to queue it. */
  send(span: ReadableSpan): void;
  /** Sends what waits. */
  close(): Promise<void>;
}

export function openSpanSink(
  url: string,
  headers: Record<string, string>,
  clock: Clock,
  report: SinkReport,
): SpanSink {
  let waiting = 0;
  const { signal } = new AbortController();
  const exporter = new OTLPTraceExporter({ url, headers, timeoutMillis: EXPORT_MS_MAX });
  const counted: Exporter = {
    async export(spans, done) {
      const exported = () =>
        new Promise<undefined>((resolve, reject) =>
          exporter.export(spans, ({ code, error }) => (code === 0 ? resolve(undefined) : reject(error))),
        );
      // The exporter limits silence only; this is the limit on the whole.
      const error = await withDeadline(clock, "the export", EXPORT_MS_MAX, signal, exported).catch(reasonOf);
      waiting -= spans.length;
      report(spans.length, error === undefined ? "taken" : "not_taken", error);
      done({ code: 0 });
    },
    shutdown: () => exporter.shutdown(),
  };
  const processor = new BatchSpanProcessor(counted, { ...BATCHES, exportTimeoutMillis: 2 * EXPORT_MS_MAX });
  return {
    send(span) {
      if (waiting >= SPANS_WAITING_MAX) return report(1, "crowded_out");
      waiting += 1;
      processor.onEnd(span);
    },
    close: () => processor.shutdown(),
  };
}

/** A status, or the code of a network error. */
function reasonOf({ code, message }: { readonly code?: unknown; readonly message: string }): string {
  return typeof code === "number" ? `it answers ${code}` : String(code ?? message);
}
