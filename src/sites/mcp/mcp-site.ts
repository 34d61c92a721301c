/**
 * A system of a site that speaks MCP, and is offered nothing: no sampling, no elicitation, no roots. A server that crashes,
 * hangs or breaks a limit is connected again, after pauses.
 */
import type { CallToolResult, ConnectOptions, Tool, Transport } from "@modelcontextprotocol/client";
import { Client, ProtocolError, SdkErrorCode } from "@modelcontextprotocol/client";
import { backoffMs } from "../../lib/backoff.js";
import { type Clock, every, sleep } from "../../lib/clock.js";
import { abortable, withDeadline } from "../../lib/deadline.js";
import type { Random } from "../../lib/random.js";
import { textsOf } from "../../lib/secret.js";
import type { Telemetry } from "../../telemetry/events.js";
import type { SiteOptions } from "../options.js";
import type { Site, SiteArguments, SiteReply, SiteStatus, ToolStatus } from "../port.js";
import { SiteFailure } from "../port.js";
import { contentCheck, toolStatuses } from "./tools.js";
import { ByteLimits, ChildTransport, httpTransport, TOO_LARGE_CODE } from "./transports.js";

export interface McpDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly telemetry: Telemetry;
  /** PATH and HOME of the service: all that a server's process has beside its own settings. */
  readonly environment: Readonly<Record<string, string>>;
}

export type McpSiteOptions = SiteOptions & { readonly server: { readonly type: "mcp" } };

const BACKOFF = { delayMs: 1_000, delayMaxMs: 60_000 };
/** A connection that lasted so long was a good one: the next pause is a short one again. */
const LASTING_MS = 60_000;
/** How often the tools are looked at though nobody told of a change: a server that hangs or is gone is found so, too. */
const LOOK_INTERVAL_MS = 30_000;
/** A server may have to be loaded first. */
const CONNECT_MS_MAX = 30_000;
/** How long an older server may leave a question of the newer protocol unanswered until it counts as one. */
const PROBE_MS_MAX = 2_000;
const TOOL_PAGES_MAX = 16;
const TEXT_CHARS_SHOWN = 300;
/** Of its own accord: what its error output and its mistakes may add to the log. */
const SAID_MAX = 500;

export class McpSite implements Site {
  readonly #stop = new AbortController();
  #connection: McpConnection | undefined;
  #state: Omit<SiteStatus, "tools"> = { state: "connecting" };
  #running: Promise<void> | undefined;

  constructor(
    private readonly options: McpSiteOptions,
    private readonly deps: McpDeps,
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

  async call(name: string, args: SiteArguments, signal: AbortSignal): Promise<SiteReply> {
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
    const { name: site } = this.options;
    const { signal } = this.#stop;
    for (let attempt = 1; !signal.aborted; attempt++) {
      const sinceMs = clock.monotonic();
      const looks = every(clock, LOOK_INTERVAL_MS, () => void this.#connection?.look());
      try {
        this.#connection = await McpConnection.open(this.options, this.deps, signal);
        this.#state = { state: "connected" };
        const toolsOn = this.#connection.tools.filter(({ isOn }) => isOn).length;
        telemetry.emit({ type: "site_connected", site, toolsOn, ms: clock.monotonic() - sinceMs });
        onTried();
        await this.#connection.ended;
      } catch (why) {
        looks.cancel();
        const lost = this.#connection;
        this.#connection = undefined;
        if (lost !== undefined && clock.monotonic() - sinceMs >= LASTING_MS) attempt = 1;
        const retryInMs = backoffMs(attempt, BACKOFF, random);
        if (!signal.aborted) {
          const { message: error } = SiteFailure.of(why, "UNAVAILABLE");
          this.#state = { state: "failed", error };
          telemetry.emit({ type: "site_lost", site, error, attempt, retryInMs });
        }
        await lost?.close();
        onTried();
        await Promise.allSettled([sleep(clock, retryInMs, signal)]);
      }
    }
  }
}

/** One connection to a server. It is not reused. */
class McpConnection {
  tools: readonly ToolStatus[] = [];
  readonly #client: Client;
  readonly #transport: Transport;
  readonly #end = new AbortController();
  readonly #life: AbortSignal;
  #offered: readonly Tool[] = [];
  /** By tool: one that may be called has the schema that is declared, whenever it is looked at. */
  readonly #checks = new Map<string, ReturnType<typeof contentCheck>>();
  #look: Promise<void> = Promise.resolve();
  #nextLook: Promise<void> | undefined;
  #said = 0;

  private constructor(
    private readonly options: McpSiteOptions,
    private readonly deps: McpDeps,
    signal: AbortSignal,
  ) {
    this.#life = AbortSignal.any([signal, this.#end.signal]);
    const { replyBytesMax, server } = options;
    const env = { ...deps.environment, ...textsOf(server.env) };
    const limits = new ByteLimits(deps.clock, replyBytesMax, (failure) => this.#end.abort(failure));
    const say = (text: string) => this.#say(text);
    this.#transport =
      server.url === undefined
        ? new ChildTransport(server.command ?? [], env, deps.clock, limits, say)
        : httpTransport(server.url, server.headers, limits);
    this.#client = new Client(
      { name: "readback", version: "1" },
      {
        capabilities: {},
        versionNegotiation: { mode: "auto", probe: { timeoutMs: PROBE_MS_MAX } },
        inputRequired: { autoFulfill: false },
        listMaxPages: TOOL_PAGES_MAX,
        listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: () => void this.look() } },
      },
    );
    this.#client.onerror = ({ message }) => this.#say(message);
  }

  /** Connects until the signal aborts, and looks at the tools. Rejects with `SiteFailure`, or with the signal's reason. */
  static open(options: McpSiteOptions, deps: McpDeps, signal: AbortSignal): Promise<McpConnection> {
    const open = (generation: ConnectOptions) => new McpConnection(options, deps, signal).#open(generation);
    return open({}).catch((error: unknown) => {
      // Some older servers end when they are asked in the newer protocol first.
      if (signal.aborted || SiteFailure.of(error, "MALFORMED").code !== "UNAVAILABLE") throw error;
      return open({ prior: { kind: "legacy" } });
    });
  }

  async #open(generation: ConnectOptions): Promise<this> {
    try {
      await this.#under("connecting", CONNECT_MS_MAX, this.#life, (signal) =>
        this.#client.connect(this.#transport, { ...generation, signal }),
      );
      // Not before: while it connects, the client closes what failed, and then says why.
      const closed = new SiteFailure("UNAVAILABLE", "its server closed the connection");
      this.#client.onclose = () => this.#end.abort(closed);
      await this.look();
      this.#life.throwIfAborted();
      return this;
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  /** Rejects when it is of no use any more, with the reason. */
  get ended(): Promise<never> {
    return abortable(new Promise<never>(() => {}), this.#life);
  }

  /** Ends it, and the server where that is a process of ours. What is under way is rejected. */
  close(): Promise<void> {
    this.#end.abort(new SiteFailure("UNAVAILABLE", "it is closed"));
    return this.#transport.close();
  }

  /** Looks at what is offered, once for all who ask while a look is under way. A server without an answer is given up. */
  look(): Promise<void> {
    this.#nextLook ??= this.#look.then(() => {
      this.#nextLook = undefined;
      this.#look = this.#list();
      return this.#look;
    });
    return this.#nextLook;
  }

  /** Calls a tool that is on before it and after it. Rejects with `SiteFailure`, or with the signal's reason. */
  call(name: string, args: SiteArguments, signal: AbortSignal): Promise<unknown> {
    return this.#under(name, this.options.callMsMax, signal, async (inTime) => {
      // Without an output schema: the content is held to that here, with less trust in the schema.
      const { outputSchema, ...toolDefinition } = await this.#allowed(name);
      const options = { signal: inTime, toolDefinition };
      const result = await this.#client.callTool({ name, arguments: args }, options);
      const content = contentOf(result, outputSchema !== undefined);
      const check = this.#checks.get(name) ?? contentCheck(outputSchema);
      this.#checks.set(name, check);
      check(content);
      await this.#allowed(name);
      return content;
    });
  }

  /** The tool as it is offered, where it is on; a change that was told of is looked at first. */
  async #allowed(name: string): Promise<Tool> {
    await (this.#nextLook ?? this.#look);
    const tool = this.#offered.find((one) => one.name === name);
    const { isOn, reason = "nobody knows it" } = this.tools.find((one) => one.name === name) ?? {};
    if (tool !== undefined && isOn === true) return tool;
    throw new SiteFailure("POLICY_BLOCKED", `${name} is off: ${reason}`);
  }

  /** Takes what is offered now; tells of each tool of the settings that is off and was not, or for another reason. */
  async #list(): Promise<void> {
    const { callMsMax, name: site, tools } = this.options;
    try {
      const listed = await this.#under("the list of tools", callMsMax, this.#life, (signal) =>
        this.#client.listTools({}, { signal, cacheMode: "bypass" }),
      );
      const before = new Map(this.tools.map(({ name, reason }) => [name, reason]));
      this.#offered = listed.tools;
      this.tools = toolStatuses(tools, listed.tools);
      for (const { name: tool, reason } of this.tools)
        if (reason !== undefined && reason !== before.get(tool) && Object.hasOwn(tools, tool))
          this.deps.telemetry.emit({ type: "site_tool_off", site, tool, reason });
    } catch (error) {
      this.#end.abort(error);
    }
  }

  #say(text: string): void {
    this.#said += 1;
    if (this.#said > SAID_MAX) return;
    const site = this.options.name;
    this.deps.telemetry.emit({ type: "site_server_said", site, text: text.slice(0, TEXT_CHARS_SHOWN) });
  }

  async #under<T>(what: string, limitMs: number, signal: AbortSignal, work: Work<T>): Promise<T> {
    const either = AbortSignal.any([signal, this.#life]);
    try {
      return await withDeadline(this.deps.clock, what, limitMs, either, work);
    } catch (error) {
      signal.throwIfAborted();
      const failure = failureOf(this.#life.aborted ? this.#life.reason : error);
      // Whether a server that did not answer a call is well: one that is not is given up.
      if (failure.retryable && signal !== this.#life) void this.look();
      throw failure;
    }
  }
}

type Work<T> = (signal: AbortSignal) => Promise<T>;

function failureOf(error: unknown): SiteFailure {
  if (error instanceof SiteFailure) return error;
  if (error instanceof ProtocolError)
    return SiteFailure.of(error, error.code === TOO_LARGE_CODE ? "TOO_LARGE" : "EXECUTION_FAILED");
  // What `fetch` throws says why in its cause only.
  const { cause, code } = Object(error) as { readonly cause?: unknown; readonly code?: unknown };
  if (code === SdkErrorCode.InvalidResult) return SiteFailure.of(error, "MALFORMED");
  // It asks for something before it answers.
  if (code === SdkErrorCode.UnsupportedResultType) return SiteFailure.of(error, "POLICY_BLOCKED");
  return SiteFailure.of(cause instanceof Error ? cause : error, "UNAVAILABLE");
}

/** What a reply tells: structured content, which may be promised, else its text. Everything else in it is left alone. */
function contentOf({ content, isError, structuredContent }: CallToolResult, isStructured: boolean): unknown {
  const text = content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
  if (isError === true) throw new SiteFailure("EXECUTION_FAILED", text || "it failed");
  if (structuredContent === undefined && isStructured)
    throw new SiteFailure("MALFORMED", "its reply has no structured content");
  return structuredContent ?? text;
}
