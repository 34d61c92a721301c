/**
 * What changes rarely about the machine, collected in the background, each part at its own pace and with its own date;
 * as a value, as text for a prompt, and as the things that can be asked about by name.
 */
import { type Clock, every, type Timer } from "../../lib/clock.js";
import { cutToChars } from "../../lib/cut.js";
import { printable } from "../../lib/printable.js";
import type { SiteResource } from "../port.js";
import { serviceNames } from "./names.js";
import type { SteadyPart } from "./steady-parts.js";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** How old a part becomes before it is collected again. */
export const CADENCE_MS: Readonly<Record<SteadyPart, number>> = {
  identity: DAY_MS,
  os: DAY_MS,
  hardware: DAY_MS,
  config: DAY_MS,
  network: HOUR_MS,
  packages: HOUR_MS,
  services: HOUR_MS,
  users: HOUR_MS,
};
/** How often it is looked whether one is due; one that failed is tried again then. */
const TICK_MS = 60_000;

const RESOURCES_MAX = 5_000;
/** Services that the value names: the gate looks at 5,000 values at the most. */
const SERVICES_MAX = 1_000;
/** Of a list, in text. */
const LISTED_MAX = 40;
const LINE_CHARS_MAX = 1_500;

export interface SteadyStateDeps {
  readonly clock: Clock;
  /** Those that may be told. */
  readonly parts: readonly SteadyPart[];
  readonly collect: (part: SteadyPart) => Promise<object>;
  /** Names of containers; where it rejects, the ones before stay. */
  readonly containers: () => Promise<readonly string[]>;
  readonly onFailure: (part: SteadyPart, error: Error) => void;
}

type Fields = Readonly<Record<string, unknown>> & {
  readonly packages?: readonly string[];
  readonly services?: readonly string[];
};

export class SteadyState {
  readonly #parts = new Map<SteadyPart, { readonly fields: Fields; readonly collectedAtMs: number }>();
  #containers: readonly string[] = [];
  #timer: Timer | undefined;
  #refreshing: Promise<void> | undefined;

  constructor(private readonly deps: SteadyStateDeps) {}

  /** Resolves when all was collected, or failed, once; goes on until it is stopped. */
  start(): Promise<void> {
    this.#timer = every(this.deps.clock, TICK_MS, () => void this.refresh());
    return this.refresh();
  }

  stop(): void {
    this.#timer?.cancel();
  }

  /** Collects what is due, one part after the other. Never rejects. */
  refresh(): Promise<void> {
    this.#refreshing ??= this.#refresh().finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  /** All parts as one value, as old as the oldest of them; undefined before the first is there. */
  value(): Readonly<Record<string, unknown>> | undefined {
    if (this.#parts.size === 0) return undefined;
    const { packages: _, services = [], ...fields } = this.#fields();
    const collectedAt = Math.min(...[...this.#parts.values()].map(({ collectedAtMs }) => collectedAtMs));
    const available = services.slice(0, SERVICES_MAX).map((name) => `${name}.service`);
    return { ...fields, available_services: available, collectedAt };
  }

  /** For a prompt: a line a part with its date, together at most so many characters. */
  text(charsMax: number): string {
    const lines = [...this.#parts].map(([part, { collectedAtMs, fields }]) => {
      const { machine_id: _, packages: __, ...told } = fields;
      const texts = Object.entries(told).map(
        ([key, value]) => `${key.replaceAll("_", " ")}: ${listed(value)}`,
      );
      const line = `${part}, as of ${new Date(collectedAtMs).toISOString()}: ${texts.join("; ")}`;
      return printable(cutToChars(line, LINE_CHARS_MAX));
    });
    return cutToChars(lines.join("\n"), charsMax);
  }

  /** Containers, services and packages, by the names that people call them. */
  resources(): readonly SiteResource[] {
    const { packages = [], services = [] } = this.#fields();
    const taken = new Set(services);
    const all = [
      ...this.#containers.map((name) => resource("container", name)),
      ...services.map((name) =>
        resource(
          "service",
          name,
          serviceNames(name).filter((one) => !taken.has(one)),
        ),
      ),
      ...packages.map((name) => resource("package", name)),
    ];
    return all.slice(0, RESOURCES_MAX);
  }

  async #refresh(): Promise<void> {
    const { clock, collect, containers, onFailure, parts } = this.deps;
    for (const part of parts) {
      const { collectedAtMs = Number.NEGATIVE_INFINITY } = this.#parts.get(part) ?? {};
      if (clock.now() - collectedAtMs < CADENCE_MS[part]) continue;
      try {
        this.#parts.set(part, { fields: (await collect(part)) as Fields, collectedAtMs: clock.now() });
        if (part === "services") this.#containers = await containers().catch(() => this.#containers);
      } catch (error) {
        onFailure(part, error as Error);
      }
    }
  }

  #fields(): Fields {
    return Object.assign({}, ...[...this.#parts.values()].map(({ fields }) => fields));
  }
}

/** `redis-server` is said as "redis server". */
function resource(kind: string, address: string, others: readonly string[] = []): SiteResource {
  const spoken = address.replace(/[-_.:@+]+/g, " ").trim();
  return { kind, address, names: [...new Set([spoken, address, ...others])] };
}

/** `eth0 10.0.0.2, lo 127.0.0.1` */
function listed(value: unknown): string {
  if (!Array.isArray(value)) return String(value);
  const row = (one: unknown) =>
    typeof one === "object"
      ? Object.values(one ?? {})
          .flat()
          .join(" ")
      : one;
  const rows = value.slice(0, LISTED_MAX).map(row);
  return `${rows.join(", ")}${value.length > LISTED_MAX ? `, and ${value.length - LISTED_MAX} more` : ""}`;
}
