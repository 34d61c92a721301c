/** The machine itself as a site: its readings are taken in a process of its own, which is started again when it ends. */
import { z } from "zod";
import { CallFailed, CallProcess } from "../../lib/call-process.js";
import type { Clock } from "../../lib/clock.js";
import { DeadlineExceeded, withDeadline } from "../../lib/deadline.js";
import { workerUrl } from "../../lib/worker.js";
import type { Telemetry } from "../../telemetry/events.js";
import type { ReadingToolOptions, ReadOptions, SiteOptions } from "../options.js";
import type { Site, SiteArguments, SiteFailureCode, SiteReply, SiteStatus } from "../port.js";
import { SiteFailure } from "../port.js";
import type { HostCalls } from "./host.child.js";
import type { SteadyPart } from "./readings.js";
import { NAME } from "./services.js";
import { PARTS, SteadyState } from "./steady-state.js";

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
    const answered = process.call("take", input).finally(() => {
      this.#calls -= 1;
    });
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
