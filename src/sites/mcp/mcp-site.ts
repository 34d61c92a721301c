/**
 * A system of a site that speaks MCP. Its connection is kept: a server that crashed, hangs or breaks a limit is started
 * or connected again, after pauses that grow. It may call what the settings declare, and only as long as that is what
 * the server offers.
 */
import { backoffMs } from "../../lib/backoff.js";
import { every, type Timer } from "../../lib/clock.js";
import type { Random } from "../../lib/random.js";
import { type Site, SiteFailure, type SiteReply, type SiteStatus } from "../port.js";
import { McpConnection, type McpDeps, type McpSiteOptions } from "./connection.js";

const BACKOFF = { delayMs: 1_000, delayMaxMs: 60_000 };
/** A connection that lasted so long was a good one: the next pause is a short one again. */
const LASTING_MS = 60_000;
/** How often the tools are looked at though nobody told of a change: a server that hangs or is gone is found so, too. */
const LOOK_INTERVAL_MS = 30_000;

export class McpSite implements Site {
  readonly name: string;
  readonly #stop = new AbortController();
  #connection: McpConnection | undefined;
  #state: Omit<SiteStatus, "tools"> = { state: "connecting" };
  /** Connecting, or closing what was lost. */
  #work: Promise<void> | undefined;
  #retry: Timer | undefined;

  constructor(
    private readonly options: McpSiteOptions,
    private readonly deps: McpDeps & { readonly random: Random },
  ) {
    this.name = options.name;
  }

  start(): Promise<void> {
    this.#work ??= this.#connect(1);
    return this.#work;
  }

  status(): SiteStatus {
    const off = { isOn: false, reason: "its system is not connected" };
    const without = () => Object.keys(this.options.tools).map((name) => ({ name, ...off }));
    return { ...this.#state, tools: this.#connection?.tools ?? without() };
  }

  async call(name: string, args: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<SiteReply> {
    const connection = this.#connection;
    if (connection === undefined) throw new SiteFailure("UNAVAILABLE", `${this.name} is not connected`);
    try {
      return { content: await connection.call(name, args, signal), takenAtMs: this.deps.clock.now() };
    } catch (error) {
      // Whether its server is well: one that is not is given up.
      if (error instanceof SiteFailure && error.retryable) void connection.look();
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
      const connection = await McpConnection.open(this.options, this.deps, this.#stop.signal);
      this.#connection = connection;
      this.#state = { state: "connected" };
      const toolsOn = connection.tools.filter(({ isOn }) => isOn).length;
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
    const { signal } = this.#stop;
    const connection = this.#connection;
    this.#connection = undefined;
    if (signal.aborted) return connection?.close();
    const { message: error } = SiteFailure.of(reason, "UNAVAILABLE");
    const retryInMs = backoffMs(attempt, BACKOFF, random);
    this.#state = { state: "failed", error };
    telemetry.emit({ type: "site_lost", site: this.name, error, attempt, retryInMs });
    await connection?.close();
    if (signal.aborted) return;
    this.#retry = clock.after(retryInMs, () => {
      this.#work = this.#connect(attempt + 1);
    });
  }
}
