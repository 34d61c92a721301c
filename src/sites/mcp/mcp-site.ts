/**
 * A system of a site that speaks MCP. Its connection is kept: a server that crashed, hangs or breaks a limit is started
 * or connected again, after pauses that grow. It may call what the settings declare, and only as long as that is what
 * the server offers.
 */
import type { Tool } from "@modelcontextprotocol/client";
import { backoffMs } from "../../lib/backoff.js";
import { type Clock, every, sleep } from "../../lib/clock.js";
import type { Random } from "../../lib/random.js";
import type { Telemetry } from "../../telemetry/events.js";
import type { SiteOptions } from "../options.js";
import { type Site, SiteFailure, type SiteReply, type SiteStatus, type ToolStatus } from "../port.js";
import { toolStatuses } from "../tools.js";
import { ByteLimits } from "./byte-limits.js";
import { ChildTransport } from "./child-transport.js";
import { McpConnection } from "./connection.js";
import { HttpTransport } from "./http-transport.js";
import type { LimitedTransport } from "./transport.js";

export interface McpSiteDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly telemetry: Telemetry;
  /** PATH and HOME of the service: all that a server's process has beside its own settings. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Settings of a site whose server is one of MCP. */
export type McpSiteOptions = SiteOptions & { readonly server: { readonly type: "mcp" } };

const BACKOFF = { delayMs: 1_000, delayMaxMs: 60_000 };
/** A connection that lasted so long was a good one: the next pause is a short one again. */
const LASTING_MS = 60_000;
/** How often the tools are looked at though nobody told of a change: a server that hangs or is gone is found so, too. */
const LOOK_INTERVAL_MS = 30_000;
/** Lines that a server's error output may add to the log, of one connection. */
const SAID_LINES_MAX = 500;

type Trouble =
  | { readonly state: "connecting" }
  | { readonly state: "failed" | "closed"; readonly error: string };

export class McpSite implements Site {
  readonly name: string;
  readonly #stop = new AbortController();
  #connection: McpConnection | undefined;
  #trouble: Trouble = { state: "connecting" };
  #tools: readonly ToolStatus[];
  #running: Promise<void> | undefined;

  constructor(
    private readonly options: McpSiteOptions,
    private readonly deps: McpSiteDeps,
  ) {
    this.name = options.name;
    this.#tools = this.#withoutConnection();
  }

  start(): Promise<void> {
    return new Promise((resolve) => {
      this.#running ??= this.#run(resolve);
    });
  }

  status(): SiteStatus {
    const { state, ...error } =
      this.#connection === undefined ? this.#trouble : { state: "connected" as const };
    return { state, ...error, tools: this.#tools };
  }

  async call(name: string, args: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<SiteReply> {
    const connection = this.#connection;
    if (connection === undefined) throw new SiteFailure("UNAVAILABLE", `${this.name} is not connected`);
    try {
      return await connection.within(name, signal, async (inTime) => {
        const tool = await this.#allowed(connection, name);
        const content = await connection.call(tool, args, inTime);
        if ((await this.#allowed(connection, name)) !== tool)
          throw new SiteFailure("POLICY_BLOCKED", `${name} changed while it was called`);
        return { content, takenAtMs: this.deps.clock.now() };
      });
    } catch (error) {
      // Whether its server is well: one that is not is given up.
      if (error instanceof SiteFailure && error.retryable) void connection.look();
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#stop.abort(new SiteFailure("UNAVAILABLE", `${this.name} is closed`));
    await this.#running;
    this.#trouble = { state: "closed", error: "it is closed" };
  }

  /** The tool as it is offered, where it is on. */
  async #allowed(connection: McpConnection, name: string): Promise<Tool> {
    const tool = await connection.offered(name);
    const status = this.#tools.find((one) => one.name === name);
    if (tool !== undefined && status?.isOn === true) return tool;
    throw new SiteFailure("POLICY_BLOCKED", `${name} is off: ${status?.reason ?? "nobody knows it"}`);
  }

  /** Connects again and again until it is closed. `onTried` is called when it was tried once. */
  async #run(onTried: () => void): Promise<void> {
    const { clock, random, telemetry } = this.deps;
    const { signal } = this.#stop;
    for (let attempt = 1; !signal.aborted; attempt++) {
      const sinceMs = clock.monotonic();
      const failure = await this.#live(onTried);
      this.#connection = undefined;
      this.#tools = this.#withoutConnection();
      if (clock.monotonic() - sinceMs >= LASTING_MS) attempt = 1;
      if (!signal.aborted) {
        const retryInMs = backoffMs(attempt, BACKOFF, random);
        const error = failure.message;
        this.#trouble = { state: "failed", error };
        telemetry.emit({ type: "site_lost", site: this.name, error, attempt, retryInMs });
        onTried();
        await this.#rest(retryInMs);
      }
    }
    onTried();
  }

  /** One connection, from its beginning to its end, and why it ended. */
  async #live(onTried: () => void): Promise<SiteFailure> {
    const { clock, telemetry } = this.deps;
    const { signal } = this.#stop;
    const sinceMs = clock.monotonic();
    try {
      const connection = await McpConnection.open(this.#connecting(), signal);
      const closing = () => connection.end(signal.reason);
      signal.addEventListener("abort", closing, { once: true });
      if (signal.aborted) closing();
      const looks = every(clock, LOOK_INTERVAL_MS, () => void connection.look());
      try {
        this.#connection = connection;
        const toolsOn = this.#tools.filter(({ isOn }) => isOn).length;
        telemetry.emit({ type: "site_connected", site: this.name, toolsOn, ms: clock.monotonic() - sinceMs });
        onTried();
        return await connection.ended;
      } finally {
        looks.cancel();
        signal.removeEventListener("abort", closing);
        this.#connection = undefined;
        await connection.close();
      }
    } catch (error) {
      return SiteFailure.of(error, "UNAVAILABLE");
    }
  }

  #connecting() {
    const { callMsMax, name: site } = this.options;
    const { clock, telemetry } = this.deps;
    let said = 0;
    const onSaid = (text: string) => {
      said += 1;
      if (said <= SAID_LINES_MAX) telemetry.emit({ type: "site_server_said", site, text });
    };
    return {
      clock,
      callMsMax,
      createTransport: () => this.#createTransport(onSaid),
      onTools: (tools: readonly Tool[]) => this.#adopt(tools),
      onSaid,
    };
  }

  #createTransport(onSaid: (text: string) => void): LimitedTransport {
    const { replyBytesMax, server } = this.options;
    const { clock, environment } = this.deps;
    const limits = new ByteLimits(clock, replyBytesMax);
    if (server.url !== undefined)
      return new HttpTransport({ url: server.url, headers: server.headers }, limits);
    const env = { ...environment, ...server.env };
    return new ChildTransport({ command: server.command ?? [], env }, { clock, limits, onSaid });
  }

  /** Takes what is offered now; tells of each tool of the settings that is off and was not, or for another reason. */
  #adopt(tools: readonly Tool[]): void {
    const before = new Map(this.#tools.map(({ name, reason }) => [name, reason]));
    this.#tools = toolStatuses(this.options.tools, tools);
    for (const { name, reason } of this.#tools)
      if (reason !== undefined && reason !== before.get(name) && Object.hasOwn(this.options.tools, name))
        this.deps.telemetry.emit({ type: "site_tool_off", site: this.name, tool: name, reason });
  }

  #withoutConnection(): readonly ToolStatus[] {
    const reason = "its system is not connected";
    return Object.keys(this.options.tools).map((name) => ({ name, isOn: false, reason }));
  }

  async #rest(ms: number): Promise<void> {
    try {
      await sleep(this.deps.clock, ms, this.#stop.signal);
    } catch {
      return; // It is closed.
    }
  }
}
