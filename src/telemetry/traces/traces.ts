/**
 * Sends traces of turns by OTLP, and scores of evaluations to Langfuse, beside the turns: what is not taken is dropped
 * and counted. Loaded only where it is wanted, as all of OpenTelemetry is.
 */
import { AsyncResource } from "node:async_hooks";
import { withDeadline } from "../../lib/deadline.js";
import type { Subscriber, Telemetry, TelemetryEvent } from "../events.js";
import type { TracesOptions } from "./options.js";
import { ScoreSink } from "./score-sink.js";
import { sinkReport } from "./sink-report.js";
import { openSpanSink } from "./span-sink.js";
import { TurnSpans, type TurnSpansDeps } from "./turn-spans.js";

/** Where Langfuse takes OTLP, and what makes it show spans at once. */
const LANGFUSE_PATH = "/api/public/otel/v1/traces";
const LANGFUSE_VERSION = { "x-langfuse-ingestion-version": "4" };

export interface Traces {
  readonly subscriber: Subscriber;
  /** Sends what waits, as far as that takes no longer than `withinMs`. */
  close(withinMs: number): Promise<void>;
}

export type TracesDeps = Omit<TurnSpansDeps, "sampleRatio"> & { readonly telemetry: Telemetry };

/** The options have an endpoint, or Langfuse, or both. */
export function openTraces(options: TracesOptions, deps: TracesDeps): Traces {
  const { clock, telemetry } = deps;
  const { langfusePublicKey, langfuseSecretKey } = options;
  const langfuse = options.langfuseHost?.replace(/\/$/, "");
  const authorization = () =>
    `Basic ${Buffer.from(`${langfusePublicKey}:${langfuseSecretKey}`).toString("base64")}`;
  const { endpoint = langfuse + LANGFUSE_PATH } = options;
  const headers = () =>
    options.endpoint === undefined
      ? { authorization: authorization(), ...LANGFUSE_VERSION }
      : options.headers;
  const sink = openSpanSink(endpoint, headers, clock, sinkReport("spans", telemetry));
  const scores =
    langfuse === undefined
      ? undefined
      : new ScoreSink(langfuse, authorization, clock, sinkReport("scores", telemetry));
  const spans = new TurnSpans({ ...deps, ...options }, sink.send);
  // What is sent later belongs to no turn.
  const subscriber = AsyncResource.bind((event: TelemetryEvent) =>
    event.type === "turn_scored" ? scores?.add(event) : spans.subscriber(event),
  );
  const { signal } = new AbortController();
  const close = async (within: AbortSignal) =>
    void (await Promise.all([sink.close(), scores?.close(within)]));
  return {
    subscriber,
    close: (withinMs) =>
      withDeadline(clock, "the last traces", withinMs, signal, close).catch((error: unknown) =>
        telemetry.emit({ type: "service_fault", where: "the last traces", error: String(error) }),
      ),
  };
}
