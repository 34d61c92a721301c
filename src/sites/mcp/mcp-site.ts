/** A system of a site that speaks MCP. A server that crashes, hangs or breaks a limit is connected again, after pauses. */
import { backoffMs } from "../../lib/backoff.js";
import { every, sleep } from "../../lib/clock.js";
import type { Random } from "../../lib/random.js";
import { type Site, SiteFailure, type SiteReply, type SiteStatus } from "../port.js";
import { McpConnection, type McpDeps, type McpSiteOptions } from "./connection.js";

const BACKOFF = { delayMs: 1_000, delayMaxMs: 60_000 };
/** A connection that lasted so long was a good one: the next pause is a short one again. */
const LASTING_MS = 60_000;
/** How often the tools are looked at though nobody told of a change: a server that hangs or is gone is found so, too. */
const LOOK_INTERVAL_MS = 30_000;

export class McpSite implements Site {
  readonly #stop = new AbortController();
  #connection: McpConnection | undefined;
  #state: Omit<SiteStatus, "tools"> = { state: "connecting" };
  #running: Promise<void> | undefined;

  constructor(
    private readonly options: McpSiteOptions,
    private readonly deps: McpDeps & { readonly random: Random },
  ) {}

  /** Resolves when it was tried once. */
  start(): Promise<void> {
    return new Promise((resolve) => {
      this.#running = this.#run(resolve);
    });
  }

  status(): SiteStatus {
    const off = { isOn: false, reason: "its system is not connected" };
    const without = () => Object.keys(this.options.tools).map((name) => ({ name, ...off }));
    return { ...this.#state, tools: this.#connection?.tools ?? without() };
  }

  async call(name: string, args: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<SiteReply> {
    const connection = this.#connection;
    if (connection === undefined)
      throw new SiteFailure("UNAVAILABLE", `${this.options.name} is not connected`);
    return { content: await connection.call(name, args, signal), takenAtMs: this.deps.clock.now() };
  }

  async close(): Promise<void> {
    this.#stop.abort(new SiteFailure("UNAVAILABLE", `${this.options.name} is closed`));
    await this.#running;
    this.#state = { state: "closed", error: "it is closed" };
  }

  /** Connects, and again when that failed or is lost, until it is closed. */
  async #run(onTried: () => void): Promise<void> {
    const { clock, random, telemetry } = this.deps;
    const { signal } = this.#stop;
    for (let attempt = 1; !signal.aborted; attempt++) {
      const sinceMs = clock.monotonic();
      const looks = every(clock, LOOK_INTERVAL_MS, () => void this.#connection?.look());
      const over = this.#connect(sinceMs, onTried);
      const { message: error } = await over.catch((why: unknown) => SiteFailure.of(why, "UNAVAILABLE"));
      looks.cancel();
      const connection = this.#connection;
      this.#connection = undefined;
      if (connection !== undefined && clock.monotonic() - sinceMs >= LASTING_MS) attempt = 1;
      const retryInMs = backoffMs(attempt, BACKOFF, random);
      if (!signal.aborted) {
        this.#state = { state: "failed", error };
        telemetry.emit({ type: "site_lost", site: this.options.name, error, attempt, retryInMs });
      }
      await connection?.close();
      onTried();
      await Promise.allSettled([sleep(clock, retryInMs, signal)]);
    }
  }

  /** Rejects when there is no connection, or none any more. */
  async #connect(sinceMs: number, onTried: () => void): Promise<never> {
    const { clock, telemetry } = this.deps;
    const connection = await McpConnection.open(this.options, this.deps, this.#stop.signal);
    this.#connection = connection;
    this.#state = { state: "connected" };
    const toolsOn = connection.tools.filter(({ isOn }) => isOn).length;
    telemetry.emit({
      type: "site_connected",
      site: this.options.name,
      toolsOn,
      ms: clock.monotonic() - sinceMs,
    });
    onTried();
    return connection.ended;
  }
}
