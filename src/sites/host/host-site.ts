/** The machine itself as a site: its readings are taken in a process of its own, which is started again when it ends. */
import { CallFailed, CallProcess, ProcessEnded } from "../../lib/call-process.js";
import type { Clock } from "../../lib/clock.js";
import { DeadlineExceeded, withDeadline } from "../../lib/deadline.js";
import { workerUrl } from "../../lib/worker.js";
import type { Telemetry } from "../../telemetry/events.js";
import type { SiteOptions } from "../options.js";
import {
  type Site,
  SiteFailure,
  type SiteFailureCode,
  type SiteReply,
  type SiteResource,
  type SiteState,
  type SiteStatus,
} from "../port.js";
import { toolStatuses } from "../tools.js";
import type { HostCalls } from "./host.child.js";
import type { SteadyPart } from "./steady-parts.js";
import { SteadyState } from "./steady-state.js";
import { checkedArguments, HOST_OFFER, HOST_TOOLS } from "./tools.js";

export interface HostDeps {
  readonly clock: Clock;
  readonly telemetry: Telemetry;
}

export interface HostSite extends Site {
  /** What changes rarely. */
  readonly steadyState: SiteState & Pick<SteadyState, "refresh">;
  resources(): readonly SiteResource[];
}

/** How long the collection of one part may take. */
const COLLECT_MS_MAX = 30_000;
/** How much longer than its commands a reading may take before its process is ended. */
const GRACE_MS = 1_000;
/** Readings and collections that may be under way. */
const CALLS_MAX = 16;

const ALWAYS_TOLD: readonly SteadyPart[] = ["identity", "os", "hardware", "network", "packages", "services"];

export function createHostSite(options: SiteOptions, deps: HostDeps): HostSite {
  return new MachineSite(options, deps);
}

class MachineSite implements HostSite {
  readonly name: string;
  readonly steadyState: SteadyState;
  readonly #closed = new AbortController();
  #state: Pick<SiteStatus, "state" | "error"> = { state: "connecting" };
  #process: CallProcess<HostCalls> | undefined;
  #calls = 0;

  constructor(
    private readonly options: SiteOptions,
    private readonly deps: HostDeps,
  ) {
    this.name = options.name;
    this.steadyState = new SteadyState({
      clock: deps.clock,
      parts: partsToldBy(options),
      collect: (part) => this.#collect(part),
      containers: () => this.#containerNames(),
      onFailure: (part, error) => {
        if (this.#closed.signal.aborted) return;
        deps.telemetry.emit({ type: "host_part_failed", site: this.name, part, error: error.message });
      },
    });
  }

  async start(): Promise<void> {
    try {
      if (process.platform !== "linux") throw new Error("only a machine with Linux can be read");
      await this.#collect("identity");
      this.#state = { state: "connected" };
      void this.steadyState.start();
    } catch (error) {
      if (!this.#closed.signal.aborted) this.#state = { state: "failed", error: (error as Error).message };
    }
  }

  status(): SiteStatus {
    const configured = { ...HOST_TOOLS, ...this.options.tools };
    return { ...this.#state, tools: toolStatuses(configured, HOST_OFFER, { isOwn: true }) };
  }

  async call(tool: string, args: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<SiteReply> {
    const { callMsMax: msMax, replyBytesMax: bytesMax } = this.options;
    const input = { tool, args: checkedArguments(tool, args), bytesMax, msMax };
    const content = await this.#ask("read", input, signal);
    return { content, takenAtMs: this.deps.clock.now() };
  }

  resources(): readonly SiteResource[] {
    return this.steadyState.resources();
  }

  async close(): Promise<void> {
    this.#state = { state: "closed" };
    this.#closed.abort(new SiteFailure("UNAVAILABLE", "the site is closed"));
    this.steadyState.stop();
    await this.#process?.close();
  }

  #collect(part: SteadyPart): Promise<object> {
    return this.#ask("collect", { part, msMax: COLLECT_MS_MAX }, this.#closed.signal);
  }

  async #containerNames(): Promise<readonly string[]> {
    const { content } = await this.call("linux_containers", {}, this.#closed.signal);
    return (content as { containers: readonly { name: string }[] }).containers.map(({ name }) => name);
  }

  /** What hangs beyond its time ends with the process, and so do the other calls that it was answering. */
  async #ask<Name extends keyof HostCalls>(
    name: Name,
    input: HostCalls[Name]["input"],
    signal: AbortSignal,
  ): Promise<object> {
    this.#closed.signal.throwIfAborted();
    if (this.#calls >= CALLS_MAX) throw new SiteFailure("UNAVAILABLE", `${CALLS_MAX} readings are under way`);
    const process = this.#running();
    this.#calls += 1;
    const answered = process.call(name, input).finally(() => {
      this.#calls -= 1;
    });
    try {
      const msMax = input.msMax + GRACE_MS;
      return await withDeadline(this.deps.clock, `reading ${this.name}`, msMax, signal, () => answered);
    } catch (error) {
      if (error instanceof DeadlineExceeded) {
        process.kill();
        // It takes a moment to die; the next call does not go to it.
        if (this.#process === process) this.#process = undefined;
      }
      throw failureOf(error);
    }
  }

  #running(): CallProcess<HostCalls> {
    if (this.#process?.alive) return this.#process;
    const url = workerUrl(import.meta.url, "./host.child.js");
    this.#process = new CallProcess<HostCalls>({ url, name: "host", clock: this.deps.clock });
    return this.#process;
  }
}

/** Users and settings of the machine are not even collected where they may not be told. */
function partsToldBy({ server }: SiteOptions): readonly SteadyPart[] {
  if (server.type !== "host") return ALWAYS_TOLD;
  const users = server.tellUsers ? (["users"] as const) : [];
  return [...ALWAYS_TOLD, ...users, ...(server.tellConfig ? (["config"] as const) : [])];
}

/** The reason of an abort stays as it is. */
function failureOf(error: unknown): unknown {
  const told = (code: SiteFailureCode) => new SiteFailure(code, (error as Error).message, { cause: error });
  if (error instanceof DeadlineExceeded) return told("TIMEOUT");
  if (error instanceof ProcessEnded) return told("UNAVAILABLE");
  if (!(error instanceof CallFailed)) return error;
  return told(error.errorName === "SiteFailure" ? (error.code as SiteFailureCode) : "EXECUTION_FAILED");
}
