/** The machine itself as a site: its readings are taken in a process of its own, which is started again when it ends. */
import { z } from "zod";
import { CallFailed, CallProcess } from "../../lib/call-process.js";
import { type Clock, sleep } from "../../lib/clock.js";
import { cutToChars } from "../../lib/cut.js";
import { DeadlineExceeded, withDeadline } from "../../lib/deadline.js";
import { printable } from "../../lib/printable.js";
import { workerUrl } from "../../lib/worker.js";
import type { Telemetry } from "../../telemetry/events.js";
import type { ReadingToolOptions, ReadOptions, SiteOptions } from "../options.js";
import type { Site, SiteArguments, SiteFailureCode, SiteReply, SiteResource, SiteStatus } from "../port.js";
import { SiteFailure } from "../port.js";
import type { HostCalls } from "./host.child.js";
import type { SteadyPart } from "./readings.js";
import { NAME, serviceNames } from "./services.js";

const COLLECTION = { msMax: 30_000, bytesMax: 4_194_304 };
/** How much longer than its commands a reading may take before its process is ended. */
const GRACE_MS = 1_000;
/** Readings and collections that may be under way. */
const CALLS_MAX = 16;
export type HostSiteOptions = SiteOptions & { readonly server: { readonly type: "host" } };

export class HostSite implements Site {
  readonly steadyState: SteadyState;
  readonly #closed = new AbortController();
  #state: Pick<SiteStatus, "state" | "error"> = { state: "connecting" };
  #process: CallProcess<HostCalls> | undefined;
  #calls = 0;

  constructor(
    private readonly options: HostSiteOptions,
    private readonly deps: { readonly clock: Clock; readonly telemetry: Telemetry },
  ) {
    const { name: site, server } = options;
    const { tellConfig, tellUsers } = server;
    this.steadyState = new SteadyState({
      clock: deps.clock,
      // What may not be told is not even collected.
      parts: PARTS.filter((part) => (part !== "users" || tellUsers) && (part !== "config" || tellConfig)),
      collect: (part) => this.#collect(part),
      onFailure: (part, { message: error }) =>
        deps.telemetry.emit({ type: "host_part_failed", site, part, error }),
    });
  }

  async start(): Promise<void> {
    try {
      if (process.platform !== "linux") throw new Error("only a machine with Linux can be read");
      await this.#collect("identity");
      this.#state = { state: "connected" };
      void this.steadyState.run(this.#closed.signal);
    } catch (error) {
      if (!this.#closed.signal.aborted) this.#state = { state: "failed", error: (error as Error).message };
    }
  }

  /** Its readings need no declaration, and settings add none to them. */
  status(): SiteStatus {
    const own = Object.keys(HOST_TOOLS).map((name) => ({ name, isOn: true }));
    const others = Object.keys(this.options.tools).filter((name) => !Object.hasOwn(HOST_TOOLS, name));
    const reason = "a machine has its own readings only";
    return { ...this.#state, tools: [...own, ...others.map((name) => ({ name, isOn: false, reason }))] };
  }

  async call(tool: string, args: SiteArguments, signal: AbortSignal): Promise<SiteReply> {
    const limits = { msMax: this.options.callMsMax, bytesMax: this.options.replyBytesMax };
    const content = await this.#ask({ what: tool, target: checkedTarget(tool, args), ...limits }, signal);
    return { content, takenAtMs: this.deps.clock.now() };
  }

  resources() {
    return this.steadyState.resources;
  }

  async close(): Promise<void> {
    this.#state = { state: "closed" };
    this.#closed.abort(new SiteFailure("UNAVAILABLE", "the site is closed"));
    await this.#process?.close();
  }

  #collect(part: SteadyPart): Promise<object> {
    return this.#ask({ what: part, target: "", ...COLLECTION }, this.#closed.signal);
  }

  /** What hangs beyond its time ends with the process, and so do the other calls that it was answering. */
  async #ask(input: HostCalls["take"]["input"], signal: AbortSignal): Promise<object> {
    this.#closed.signal.throwIfAborted();
    if (this.#calls >= CALLS_MAX) throw new SiteFailure("UNAVAILABLE", `${CALLS_MAX} readings are under way`);
    const url = workerUrl(import.meta.url, "./host.child.js");
    if (!this.#process?.alive) this.#process = new CallProcess({ url, name: "host", clock: this.deps.clock });
    const process = this.#process;
    this.#calls += 1;
    const answered = process.call("take", input).finally(() => (this.#calls -= 1));
    try {
      const what = `reading ${this.options.name}`;
      return await withDeadline(this.deps.clock, what, input.msMax + GRACE_MS, signal, () => answered);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof DeadlineExceeded) {
        process.kill();
        // It takes a moment to die; the next call does not go to it.
        if (this.#process === process) this.#process = undefined;
      }
      if (error instanceof CallFailed && error.errorName === "SiteFailure")
        throw new SiteFailure(error.code as SiteFailureCode, error.message);
      throw SiteFailure.of(error, "EXECUTION_FAILED");
    }
  }
}

const maxAgeMs = 300_000;

/** `told`: signals, each with its unit if it has one; they stand in the reply by their names. */
function tool(told: string, more: Partial<ReadingToolOptions> = {}): ReadingToolOptions {
  const reads: Record<string, ReadOptions> = {};
  for (const [signal = "", unit] of told.split(", ").map((one) => one.split(" ")))
    reads[signal] = { value: `/${signal}`, maxAgeMs, ...(unit !== undefined && { unit }) };
  return { effect: "read", arguments: {}, kinds: [], reads, ...more };
}

const CONTAINERS = { status: { each: "/containers", name: "/name", value: "/status", maxAgeMs } };
const SOCKETS = { ...tool("connections").reads, ports: { each: "/ports", value: "", maxAgeMs } };

/** By the reference's names. What is no value of the machine or of a resource of it stands in the content alone. */
export const HOST_TOOLS: Readonly<Record<string, ReadingToolOptions>> = {
  linux_system_info: tool("load, cpu %, memory %, free_memory GB, total_memory GB, uptime s"),
  linux_processes: tool("processes"),
  linux_containers: tool("", { kinds: ["container"], reads: CONTAINERS }),
  linux_service_status: tool("status", { kinds: ["service"], target: "service" }),
  linux_disk_usage: tool("disk %, free_disk GB"),
  linux_network_info: tool("", { reads: SOCKETS }),
  linux_disk_io: tool("disk_read MB/s, disk_write MB/s"),
  linux_network_traffic: tool("received MB/s, sent MB/s"),
  linux_recent_logs: tool("log_errors"),
  linux_file_changes: tool("changed_files"),
};

/** What a reading is about; "": all of the machine. Throws `SiteFailure` where it is none, or not called as it must be. */
function checkedTarget(tool: string, args: SiteArguments): string {
  if (!Object.hasOwn(HOST_TOOLS, tool)) throw new SiteFailure("NOT_FOUND", "there is no such reading");
  const { target } = HOST_TOOLS[tool]!;
  const schema = z.strictObject(target === undefined ? {} : { [target]: z.string().regex(NAME) });
  const { data, error } = schema.safeParse(args);
  if (error !== undefined) throw SiteFailure.of(error, "MALFORMED");
  return Object.values(data)[0] ?? "";
}

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

/** What changes rarely about the machine, each part with its date: as text for a prompt, and as things with names. */
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
          this.resources = resourcesIn(
            Object.assign({}, ...[...this.#parts.values()].map((one) => one.fields)),
          );
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
