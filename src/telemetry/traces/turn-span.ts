/** A span as OpenTelemetry's exporter reads it: what is derived is not kept while the span waits. */
import { type HrTime, SpanKind, SpanStatusCode, TraceFlags } from "@opentelemetry/api";
import { resourceFromAttributes } from "@opentelemetry/resources";
import type { ReadableSpan } from "@opentelemetry/sdk-trace-base";
import { type AttributeValue, SCHEMA_URL, SELF, type SpanFields } from "./conventions.js";

const RESOURCE = resourceFromAttributes({ "service.name": SELF });
const SCOPE = { name: SELF, schemaUrl: SCHEMA_URL };
const NONE: never[] = [];

/** Times are Unix milliseconds, with fractions. */
export class TurnSpan implements ReadableSpan {
  readonly resource = RESOURCE;
  readonly instrumentationScope = SCOPE;
  readonly links = NONE;
  readonly ended = true;
  readonly droppedAttributesCount = 0;
  readonly droppedEventsCount = 0;
  readonly droppedLinksCount = 0;
  readonly name: string;
  readonly kind: SpanKind;
  readonly attributes: ReadableSpan["attributes"];

  /** Without `parentId` it is a turn as a whole; `marksMs`: when it came past which point, since its start. */
  constructor(
    { isRemote, name }: SpanFields,
    private readonly ids: Readonly<Record<"traceId" | "spanId", string>> & {
      readonly parentId: string | undefined;
    },
    private readonly startMs: number,
    private readonly endMs: number,
    attributes: Readonly<Record<string, AttributeValue>>,
    private readonly isError: boolean,
    private readonly marksMs: Readonly<Record<string, number>>,
  ) {
    this.name = name;
    this.kind = isRemote === true ? SpanKind.CLIENT : SpanKind.INTERNAL;
    this.attributes = attributes as ReadableSpan["attributes"];
  }

  spanContext() {
    return this.#context(this.ids.spanId);
  }

  get parentSpanContext() {
    return this.#context(this.ids.parentId ?? "");
  }

  get startTime(): HrTime {
    return hrTime(this.startMs);
  }

  get endTime(): HrTime {
    return hrTime(this.endMs);
  }

  get duration(): HrTime {
    return hrTime(this.endMs - this.startMs);
  }

  get status() {
    return { code: this.isError ? SpanStatusCode.ERROR : SpanStatusCode.UNSET };
  }

  get events() {
    return Object.entries(this.marksMs).map(([name, ms]) => ({ name, time: hrTime(this.startMs + ms) }));
  }

  #context(spanId: string) {
    return { traceId: this.ids.traceId, spanId, traceFlags: TraceFlags.SAMPLED };
  }
}

/** Seconds and nanoseconds. */
function hrTime(ms: number): HrTime {
  return [Math.floor(ms / 1_000), Math.floor((ms % 1_000) * 1_000_000)];
}
