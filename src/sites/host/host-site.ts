/** The machine itself as a site: its readings are taken in a process of its own, which is started again when it ends. */
import { CallFailed, CallProcess } from "../../lib/call-process.js";
import type { Clock } from "../../lib/clock.js";
import { DeadlineExceeded, withDeadline } from "../../lib/deadline.js";
import { workerUrl } from "../../lib/worker.js";
import type { Telemetry } from "../../telemetry/events.js";
import type { SiteOptions } from "../options.js";
import { type Site, SiteFailure, type SiteFailureCode, type SiteReply, type SiteStatus } from "../port.js";
import type { HostCalls } from "./host.child.js";
import type { SteadyPart } from "./steady-parts.js";
import { PARTS, SteadyState } from "./steady-state.js";
import { checkedTarget, HOST_TOOLS } from "./tools.js";

/** What the collection of one part may take. */
const COLLECTION = { msMax: 30_000, bytesMax: 4_194_304 };
/** How much longer than its commands a reading may take before its process is ended. */
const GRACE_MS = 1_000;
/** Readings and collections that may be under way. */
const CALLS_MAX = 16;
/** Of a tool in the settings. */
const NOT_ITS_OWN = "a machine has its own readings only";

export type HostSiteOptions = SiteOptions & { readonly server: { readonly type: "host" } };

export class HostSite implements Site {
  readonly name: string;
  readonly steadyState: SteadyState;
  readonly #closed = new AbortController();
  #state: Pick<SiteStatus, "state" | "error"> = { state: "connecting" };
  #process: CallProcess<HostCalls> | undefined;
  #calls = 0;

  constructor(
    private readonly options: HostSiteOptions,
    private readonly deps: { readonly clock: Clock; readonly telemetry: Telemetry },
  ) {
    this.name = options.name;
    const { tellConfig, tellUsers } = options.server;
    this.steadyState = new SteadyState({
      clock: deps.clock,
      // What may not be told is not even collected.
      parts: PARTS.filter((part) => (part !== "users" || tellUsers) && (part !== "config" || tellConfig)),
      collect: (part) => this.#collect(part),
      onFailure: (part, { message: error }) =>
        deps.telemetry.emit({ type: "host_part_failed", site: this.name, part, error }),
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
    const tools = Object.keys({ ...HOST_TOOLS, ...this.options.tools }).map((name) =>
      Object.hasOwn(HOST_TOOLS, name) ? { name, isOn: true } : { name, isOn: false, reason: NOT_ITS_OWN },
    );
    return { ...this.#state, tools };
  }

  async call(tool: string, args: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<SiteReply> {
    const { callMsMax: msMax, replyBytesMax: bytesMax } = this.options;
    const input = { what: tool, target: checkedTarget(tool, args), msMax, bytesMax };
    const content = await this.#ask(input, signal);
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
      const msMax = input.msMax + GRACE_MS;
      return await withDeadline(this.deps.clock, `reading ${this.name}`, msMax, signal, () => answered);
    } catch (error) {
      if (error instanceof DeadlineExceeded) {
        process.kill();
        // It takes a moment to die; the next call does not go to it.
        if (this.#process === process) this.#process = undefined;
      } else if (signal.aborted) throw error;
      if (error instanceof CallFailed && error.errorName === "SiteFailure")
        throw new SiteFailure(error.code as SiteFailureCode, error.message);
      throw SiteFailure.of(error, "EXECUTION_FAILED");
    }
  }
}
