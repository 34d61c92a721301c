/** Metrics as rows of a table: each has its name and help, and the events that feed it. See `metric-rows.ts`. */
import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import type { EventOf, EventType, Subscriber, TelemetryEvent } from "./events.js";

export type Labels = Readonly<Record<string, string>>;

/** What one event adds to a counter or a histogram, or sets a gauge to. */
export interface Sample {
  readonly value: number;
  readonly labels?: Labels;
}

/** Which event feeds a metric, and with what. */
export interface Feed {
  readonly type: EventType;
  readonly labelNames: readonly string[];
  samples(event: TelemetryEvent): readonly Sample[];
}

/** Text fields of an event, by the label that takes each. */
type Fields<T extends EventType> = Readonly<Record<string, keyof EventOf<T>>>;

/**
 * One sample for each event of this type: `value` (1 when absent, no sample where it gives `undefined`), labelled with
 * the event's own `fields`.
 */
export function on<T extends EventType>(
  type: T,
  value: (event: EventOf<T>) => number | undefined = () => 1,
  fields: Fields<T> = {},
): Feed {
  const labels = Object.entries(fields);
  return onEach(
    type,
    labels.map(([name]) => name),
    (event) => {
      const given = value(event);
      if (given === undefined) return [];
      return [
        {
          value: given,
          labels: Object.fromEntries(labels.map(([name, field]) => [name, `${event[field]}`])),
        },
      ];
    },
  );
}

/** How often an event of this type happens, by its own `fields`. */
export function by<T extends EventType>(type: T, ...fields: (keyof EventOf<T> & string)[]): Feed {
  return on(type, () => 1, Object.fromEntries(fields.map((name) => [name, name])) as Fields<T>);
}

/** Any number of samples for each event of this type. */
export function onEach<T extends EventType>(
  type: T,
  labelNames: readonly string[],
  samples: (event: EventOf<T>) => readonly Sample[],
): Feed {
  return { type, labelNames, samples: (event) => samples(event as EventOf<T>) };
}

type Take = (labels: Labels, value: number) => void;

interface Shape {
  readonly name: string;
  readonly help: string;
  readonly labelNames: string[];
  readonly registers: Registry[];
}

/** A metric but for its name. */
export interface Row {
  readonly help: string;
  readonly feeds: readonly Feed[];
  /** Labels that are there with 0 from the start, so that a rate counts the first ones too. */
  readonly fromStart?: readonly Labels[];
  register(shape: Shape): Take;
}

/** Metrics by their names. */
export type Rows = Readonly<Record<string, Row>>;

export function counter(help: string, ...feeds: readonly Feed[]): Row {
  const register = (shape: Shape): Take => {
    const metric = new Counter(shape);
    return (labels, value) => metric.inc(labels, value);
  };
  return { help, feeds, register };
}

export function gauge(help: string, ...feeds: readonly Feed[]): Row {
  const register = (shape: Shape): Take => {
    const metric = new Gauge(shape);
    return (labels, value) => metric.set(labels, value);
  };
  return { help, feeds, register };
}

/** `buckets`: their upper ends. */
export function histogram(buckets: readonly number[], help: string, ...feeds: readonly Feed[]): Row {
  const register = (shape: Shape): Take => {
    const metric = new Histogram({ ...shape, buckets: [...buckets] });
    return (labels, value) => metric.observe(labels, value);
  };
  return { help, feeds, register };
}

/** Registers the metrics by their names, and gives back who feeds them. */
export function instrument(rows: Readonly<Record<string, Row>>, registry: Registry): Subscriber {
  const takers = new Map<EventType, ((event: TelemetryEvent) => void)[]>();
  for (const [name, { feeds, fromStart = [], help, register }] of Object.entries(rows)) {
    const labelNames = [...new Set(feeds.flatMap((feed) => feed.labelNames))];
    const record = register({ name, help, labelNames, registers: [registry] });
    for (const labels of fromStart) record(labels, 0);
    for (const feed of feeds) {
      const take = (event: TelemetryEvent) => {
        for (const { labels = {}, value } of feed.samples(event)) record(labels, value);
      };
      takers.set(feed.type, [...(takers.get(feed.type) ?? []), take]);
    }
  }
  return (event) => {
    for (const take of takers.get(event.type) ?? []) take(event);
  };
}
