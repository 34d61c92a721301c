/**
 * A system of a site that speaks MCP. Its connection is kept: a server that crashed, hangs or breaks a limit is started
 * or connected again, after pauses that grow. It may call what the settings declare, and only as long as that is what
 * the server offers.
 */
import type { Tool } from "@modelcontextprotocol/client";
import { backoffMs } from "../../lib/backoff.js";
import { type Clock, every, type Timer } from "../../lib/clock.js";
import type { Random } from "../../lib/random.js";
import type { Telemetry } from "../../telemetry/events.js";
import type { SiteOptions } from "../options.js";
import { type Site, SiteFailure, type SiteReply, type SiteStatus, type ToolStatus } from "../port.js";
import { toolStatuses } from "../tools.js";
import { ByteLimits } from "./byte-limits.js";
import { ChildTransport } from "./child-transport.js";
import { type ConnectionDeps, type LimitedTransport, McpConnection } from "./connection.js";
import { HttpTransport } from "./http-transport.js";

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
/** What a server's error output may add to the log, of one connection. */
const SAID_MAX = 500;

export class McpSite implements Site {
  readonly name: string;
  readonly #stop = new AbortController();
  #connection: McpConnection | undefined;
  #state: Omit<SiteStatus, "tools"> = { state: "connecting" };
  #tools: readonly ToolStatus[] = [];
  /** Connecting, or closing what was lost. */
  #work: Promise<void> | undefined;
  #retry: Timer | undefined;

  constructor(
    private readonly options: McpSiteOptions,
    private readonly deps: McpSiteDeps,
  ) {
    this.name = options.name;
    this.#turnOff();
  }

  start(): Promise<void> {
    this.#work ??= this.#connect(1);
    return this.#work;
  }

  status(): SiteStatus {
    return { ...this.#state, tools: this.#tools };
  }

  async call(name: string, args: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<SiteReply> {
    const connection = this.#connection;
    if (connection === undefined) throw new SiteFailure("UNAVAILABLE", `${this.name} is not connected`);
    try {
      return { content: await connection.call(name, args, signal), takenAtMs: this.deps.clock.now() };
    } catch (error) {
      // Whether its server is well: one that is not is given up.
      const { code } = SiteFailure.of(error, "EXECUTION_FAILED");
      if (code === "TIMEOUT" || code === "UNAVAILABLE") void connection.look();
      throw error;
    }
  }

  async close(): Promise<void> {
    const connection = this.#connection;
    this.#stop.abort(new SiteFailure("UNAVAILABLE", `${this.name} is closed`));
    this.#retry?.cancel();
    await this.#work;
    await connection?.close();
    this.#state = { state: "closed", error: "it is closed" };
  }

  /** Connects, and again when that failed or is lost, until it is closed. Resolves when it was tried once. */
  async #connect(attempt: number): Promise<void> {
    const { clock, telemetry } = this.deps;
    const sinceMs = clock.monotonic();
    try {
      const connection = await McpConnection.open(this.#connecting(), this.#stop.signal);
      this.#connection = connection;
      this.#state = { state: "connected" };
      const toolsOn = this.#tools.filter(({ isOn }) => isOn).length;
      telemetry.emit({ type: "site_connected", site: this.name, toolsOn, ms: clock.monotonic() - sinceMs });
      const looks = every(clock, LOOK_INTERVAL_MS, () => void connection.look());
      connection.ended.catch((error) => {
        looks.cancel();
        const isLasting = clock.monotonic() - sinceMs >= LASTING_MS;
        this.#work = this.#lose(error, isLasting ? 1 : attempt);
      });
    } catch (error) {
      await this.#lose(error, attempt);
    }
  }

  /** Closes what is left of a connection, and plans the next one. */
  async #lose(reason: unknown, attempt: number): Promise<void> {
    const { clock, random, telemetry } = this.deps;
    const { message: error } = SiteFailure.of(reason, "UNAVAILABLE");
    const retryInMs = backoffMs(attempt, BACKOFF, random);
    const connection = this.#connection;
    this.#connection = undefined;
    this.#turnOff();
    if (!this.#stop.signal.aborted) {
      this.#state = { state: "failed", error };
      telemetry.emit({ type: "site_lost", site: this.name, error, attempt, retryInMs });
    }
    await connection?.close();
    if (this.#stop.signal.aborted) return;
    this.#retry = clock.after(retryInMs, () => {
      this.#work = this.#connect(attempt + 1);
    });
  }

  #connecting(): ConnectionDeps {
    const { callMsMax, name: site } = this.options;
    const { clock, telemetry } = this.deps;
    let said = 0;
    const onSaid = (text: string) => {
      said += 1;
      if (said <= SAID_MAX) telemetry.emit({ type: "site_server_said", site, text });
    };
    return {
      clock,
      callMsMax,
      createTransport: () => this.#createTransport(onSaid),
      onTools: (tools) => this.#adopt(tools),
      permit: (tool) => this.#permit(tool),
      onSaid,
    };
  }

  #createTransport(onSaid: (text: string) => void): LimitedTransport {
    const { command = [], env, headers, url } = this.options.server;
    const { clock, environment } = this.deps;
    const limits = new ByteLimits(clock, this.options.replyBytesMax);
    if (url !== undefined) return new HttpTransport(url, headers, limits);
    return new ChildTransport(command, { ...environment, ...env }, { clock, limits, onSaid });
  }

  /** Takes what is offered now; tells of each tool of the settings that is off and was not, or for another reason. */
  #adopt(tools: readonly Tool[]): void {
    const before = new Map(this.#tools.map(({ name, reason }) => [name, reason]));
    this.#tools = toolStatuses(this.options.tools, tools);
    for (const { name, reason } of this.#tools)
      if (reason !== undefined && reason !== before.get(name) && Object.hasOwn(this.options.tools, name))
        this.deps.telemetry.emit({ type: "site_tool_off", site: this.name, tool: name, reason });
  }

  #permit(name: string): void {
    const { isOn, reason = "nobody knows it" } = this.#tools.find((one) => one.name === name) ?? {};
    if (isOn !== true) throw new SiteFailure("POLICY_BLOCKED", `${name} is off: ${reason}`);
  }

  #turnOff(): void {
    const reason = "its system is not connected";
    this.#tools = Object.keys(this.options.tools).map((name) => ({ name, isOn: false, reason }));
  }
}
