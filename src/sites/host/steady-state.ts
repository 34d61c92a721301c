/** What changes rarely about the machine, each part with its date: as text for a prompt, and as things with names. */
import { type Clock, sleep } from "../../lib/clock.js";
import { cutToChars } from "../../lib/cut.js";
import { printable } from "../../lib/printable.js";
import type { SiteResource } from "../port.js";
import type { SteadyPart } from "./readings.js";
import { serviceNames } from "./services.js";

const HOUR_MS = 3_600_000;
/** Parts that are collected each day, and those that are collected each hour. */
const DAILY: readonly SteadyPart[] = ["identity", "os", "hardware", "config"];
const HOURLY: readonly SteadyPart[] = ["network", "packages", "services", "users"];
export const PARTS = [...DAILY, ...HOURLY];
/** How often it is looked whether one is due; one that failed is tried again then. */
const TICK_MS = 60_000;

const RESOURCES_MAX = 5_000;
/** Of a list, in text. */
const LISTED_MAX = 40;
const LINE_CHARS_MAX = 1_500;
/** A prompt has no use for thousands of packages, and containers come and go. */
const UNTOLD = ["packages", "containers"];

type Fields = Readonly<Record<string, unknown>> & {
  readonly containers?: readonly { readonly name: string }[];
  readonly packages?: readonly string[];
  readonly services?: readonly string[];
};

export class SteadyState {
  readonly #parts = new Map<SteadyPart, { readonly fields: object; readonly collectedAtMs: number }>();
  /** Containers, services and packages, by the names that people call them; the same list until they are collected again. */
  resources: readonly SiteResource[] = [];

  constructor(
    private readonly deps: {
      readonly clock: Clock;
      readonly parts: readonly SteadyPart[];
      readonly collect: (part: SteadyPart) => Promise<object>;
      readonly onFailure: (part: SteadyPart, error: Error) => void;
    },
  ) {}

  /** Collects what is due, one part after the other, and again every minute until the signal aborts. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, collect, onFailure, parts } = this.deps;
    for (; !signal.aborted; await Promise.allSettled([sleep(clock, TICK_MS, signal)]))
      for (const part of parts) {
        const { collectedAtMs = Number.NEGATIVE_INFINITY, fields } = this.#parts.get(part) ?? {};
        if (clock.now() - collectedAtMs < HOUR_MS * (DAILY.includes(part) ? 24 : 1)) continue;
        try {
          const told = { ...fields, ...(await collect(part)) };
          this.#parts.set(part, { fields: told, collectedAtMs: clock.now() });
          const all = [...this.#parts.values()].map((one) => one.fields);
          this.resources = resourcesIn(Object.assign({}, ...all));
        } catch (error) {
          if (!signal.aborted) onFailure(part, error as Error);
        }
      }
  }

  /** For a prompt: a line a part with its date, together at most so many characters. */
  text(charsMax: number): string {
    const lines = [...this.#parts].map(([part, { collectedAtMs, fields }]) => {
      const told = Object.entries(fields).filter(([key, value]) => !UNTOLD.includes(key) && value);
      const texts = told.map(([key, value]) => `${key.replaceAll("_", " ")}: ${listed(value)}`);
      const line = `${part}, as of ${new Date(collectedAtMs).toISOString()}: ${texts.join("; ")}`;
      return printable(cutToChars(line, LINE_CHARS_MAX));
    });
    return cutToChars(lines.join("\n"), charsMax);
  }
}

function resourcesIn({ containers = [], packages = [], services = [] }: Fields): readonly SiteResource[] {
  const taken = new Set(services);
  const others = (service: string) => serviceNames(service).filter((name) => !taken.has(name));
  return [
    ...containers.map(({ name }) => resource("container", name)),
    ...services.map((name) => resource("service", name, others(name))),
    ...packages.map((name) => resource("package", name)),
  ].slice(0, RESOURCES_MAX);
}

/** `redis-server` is said as "redis server". */
function resource(kind: string, address: string, others: readonly string[] = []): SiteResource {
  const spoken = address.replace(/[-_.:@+]+/g, " ").trim();
  return { kind, address, names: [...new Set([spoken, address, ...others])] };
}

/** `eth0 10.0.0.2, lo 127.0.0.1` */
function listed(value: unknown): string {
  if (!Array.isArray(value) || value.length <= LISTED_MAX) return [value].flat().join(", ");
  return `${value.slice(0, LISTED_MAX).join(", ")}, and ${value.length - LISTED_MAX} more`;
}
