/**
 * Events as Prometheus metrics: `metric-rows.ts` is the table of what is counted. The names without prefix, their labels
 * and the ends of their buckets are those of the reference system, so that its dashboards keep working; what is new
 * begins with `readback_`.
 */
import { collectDefaultMetrics, Gauge, Registry } from "prom-client";
import type { Subscriber } from "./events.js";
import { instrument } from "./instruments.js";
import { metricRows } from "./metric-rows.js";

/** What gauges read when they are scraped. */
export interface GaugeSources {
  chats(): number;
  networks(): number;
  /** Spoken questions that are held until they are understood. */
  voices(): { readonly count: number; readonly bytes: number };
  connections(): number;
  backlog(): { readonly bytes: number; readonly oldestMs: number };
  longestBlockMs(): number;
}

const MS_PER_SECOND = 1_000;

export interface Metrics {
  readonly subscriber: Subscriber;
  /** The text that Prometheus scrapes, and its content type. */
  scrape(): Promise<{ readonly contentType: string; readonly text: string }>;
  /** Connects the gauges with what they measure. */
  observe(readings: GaugeSources): void;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const networks = new NetworkLabels();
  return {
    subscriber: instrument(
      metricRows((network) => networks.label(network)),
      registry,
    ),
    scrape: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
    observe: (readings) => createGauges(registry, readings),
  };
}

type Reading = readonly [name: string, help: string, read: (readings: GaugeSources) => number];

const READINGS: readonly Reading[] = [
  ["chats_size", "Active chat sessions", ({ chats }) => chats()],
  ["networks_size", "Unique networks with active chats", ({ networks }) => networks()],
  ["supernode_connections", "Active TCP connections", ({ connections }) => connections()],
  [
    "readback_voices_held",
    "Spoken questions that are held until they are understood",
    ({ voices }) => voices().count,
  ],
  ["readback_voice_bytes", "Bytes of these", ({ voices }) => voices().bytes],
  [
    "readback_outbox_bytes",
    "Bytes that wait in the outboxes of all relays",
    ({ backlog }) => backlog().bytes,
  ],
  [
    "readback_outbox_oldest_seconds",
    "Age of the oldest frame that waits in an outbox",
    ({ backlog }) => backlog().oldestMs / MS_PER_SECOND,
  ],
  [
    "readback_loop_longest_block_seconds",
    "The longest that the event loop has stood still since the start",
    ({ longestBlockMs }) => longestBlockMs() / MS_PER_SECOND,
  ],
];

function createGauges(registry: Registry, readings: GaugeSources): void {
  for (const [name, help, read] of READINGS) {
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read(readings));
      },
    });
  }
}

/** Networks that are counted by their own name; all further ones count as `other`. */
export const NETWORK_LABELS_MAX = 100;

/** The first networks that turn up keep their names as labels: each name costs memory here and at Prometheus. */
class NetworkLabels {
  readonly #names = new Set<string>();

  label(network: string): string {
    if (this.#names.has(network)) return network;
    if (this.#names.size >= NETWORK_LABELS_MAX) return "other";
    this.#names.add(network);
    return network;
  }
}
