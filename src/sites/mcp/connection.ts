/**
 * One connection to an MCP server: the tools that it offers at this moment, and calls of them. It offers the server
 * nothing: no sampling, no elicitation, no roots. When it ends it says why, and is of no use any more.
 */
import {
  type CallToolResult,
  Client,
  type ConnectOptions,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  type Tool,
} from "@modelcontextprotocol/client";
import type { Clock } from "../../lib/clock.js";
import { DeadlineExceeded, withDeadline } from "../../lib/deadline.js";
import { SiteFailure } from "../port.js";
import { schemaDigest } from "../schema-digest.js";
import { checkContent } from "./output-schema.js";
import type { LimitedTransport } from "./transport.js";

export interface ConnectionDeps {
  readonly clock: Clock;
  readonly callMsMax: number;
  /** A way to the server that was not used yet. */
  createTransport(): LimitedTransport;
  /** Is told what is offered now, whenever that was asked for. */
  onTools(tools: readonly Tool[]): void;
  /** Is told of what the client cannot use. */
  onSaid(text: string): void;
}

/** A server may have to be loaded first. */
const CONNECT_MS_MAX = 30_000;
/** How long an older server may leave a question of the newer protocol unanswered until it counts as one. */
const PROBE_MS_MAX = 2_000;
const TOOL_PAGES_MAX = 16;
/** Beyond the deadline that is ours, so that ours comes first. */
const CLIENT_TIMER_MS = 1_000;
const TEXT_CHARS_SHOWN = 200;

export class McpConnection {
  readonly #client: Client;
  readonly #ended = new AbortController();
  #tools = new Map<string, { readonly tool: Tool; readonly digest: string | undefined }>();
  #isStale = false;
  #looking: Promise<void> | undefined;

  private constructor(
    private readonly transport: LimitedTransport,
    private readonly deps: ConnectionDeps,
  ) {
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
    this.#client.onerror = (error) => deps.onSaid(error.message.slice(0, TEXT_CHARS_SHOWN));
  }

  /** Connects and looks at the tools. Rejects with `SiteFailure`, or with the signal's reason. */
  static async open(deps: ConnectionDeps, signal: AbortSignal): Promise<McpConnection> {
    try {
      return await McpConnection.#open(deps, {}, signal);
    } catch (error) {
      // Some older servers end when they are asked in the newer protocol first.
      if (!(error instanceof SiteFailure) || error.code !== "UNAVAILABLE") throw error;
      return await McpConnection.#open(deps, { prior: { kind: "legacy" } }, signal);
    }
  }

  static async #open(
    deps: ConnectionDeps,
    generation: Pick<ConnectOptions, "prior">,
    signal: AbortSignal,
  ): Promise<McpConnection> {
    const connection = new McpConnection(deps.createTransport(), deps);
    try {
      await connection.#under("connecting", CONNECT_MS_MAX, signal, (inTime) =>
        connection.#client.connect(connection.transport, {
          ...generation,
          signal: inTime,
          timeout: CONNECT_MS_MAX,
        }),
      );
      // Not before: while it connects, the client closes what failed, and then says why.
      connection.#client.onclose = () =>
        connection.end(new SiteFailure("UNAVAILABLE", "its server closed the connection"));
      await connection.look();
      connection.#ended.signal.throwIfAborted();
      return connection;
    } catch (error) {
      await connection.close();
      throw error;
    }
  }

  /** Resolves with the reason when it is of no use any more. */
  get ended(): Promise<SiteFailure> {
    const { signal } = this.#ended;
    return new Promise((resolve) => {
      if (signal.aborted) resolve(signal.reason);
      else signal.addEventListener("abort", () => resolve(signal.reason), { once: true });
    });
  }

  /** Gives it up. What is under way is rejected with the reason; of several reasons the first counts. */
  end(reason: SiteFailure): void {
    this.#ended.abort(this.transport.failure ?? reason);
  }

  /** Ends it, and the server where that is a process of ours. */
  async close(): Promise<void> {
    this.end(new SiteFailure("UNAVAILABLE", "it is closed"));
    await this.transport.close();
  }

  /** Looks at what is offered now, and once more if that changed meanwhile. A server that does not answer is given up. */
  look(): Promise<void> {
    this.#isStale = true;
    this.#looking ??= this.#lookOn().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  /** The tool as it is offered; a change that was told of is looked at first. */
  async offered(name: string): Promise<Tool | undefined> {
    await this.#looking;
    return this.#tools.get(name)?.tool;
  }

  /** `work` in the time that a call may take. Rejects with `SiteFailure`, or with the signal's reason. */
  within<T>(what: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    return this.#under(what, this.deps.callMsMax, signal, work);
  }

  /** Calls a tool, within the time of `within`. Resolves with its content. */
  async call(tool: Tool, args: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<unknown> {
    const { outputSchema: _ours, ...definition } = tool;
    const result = await this.#client.callTool(
      { name: tool.name, arguments: { ...args } },
      // Without an output schema: the content is held to that here, with less trust in the schema.
      { signal, timeout: this.deps.callMsMax + CLIENT_TIMER_MS, toolDefinition: definition },
    );
    return contentOf(tool, result);
  }

  async #lookOn(): Promise<void> {
    const { onTools } = this.deps;
    while (this.#isStale && !this.#ended.signal.aborted) {
      this.#isStale = false;
      try {
        const tools = await this.within("the list of tools", this.#ended.signal, (inTime) =>
          this.#list(inTime),
        );
        this.#adopt(tools);
        onTools(tools);
      } catch (error) {
        this.end(SiteFailure.of(error, "UNAVAILABLE"));
      }
    }
  }

  async #list(signal: AbortSignal): Promise<readonly Tool[]> {
    if (this.#client.getServerCapabilities()?.tools === undefined) return [];
    const timeout = this.deps.callMsMax + CLIENT_TIMER_MS;
    return (await this.#client.listTools({}, { signal, timeout, cacheMode: "bypass" })).tools;
  }

  /** A tool that did not change stays the same value: what is compiled for it is kept with it. */
  #adopt(tools: readonly Tool[]): void {
    const before = this.#tools;
    this.#tools = new Map(
      tools.map((tool) => {
        const [known, digest] = [before.get(tool.name), schemaDigest(tool)];
        return [tool.name, known?.digest === digest && known !== undefined ? known : { tool, digest }];
      }),
    );
  }

  /** `work` under a deadline, as long as the connection lasts. */
  async #under<T>(
    what: string,
    limitMs: number,
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const either = AbortSignal.any([signal, this.#ended.signal]);
    try {
      return await withDeadline(this.deps.clock, what, limitMs, either, work);
    } catch (error) {
      signal.throwIfAborted();
      throw this.transport.failure ?? failureOf(error);
    }
  }
}

function failureOf(error: unknown): SiteFailure {
  if (error instanceof SiteFailure) return error;
  if (error instanceof DeadlineExceeded) return SiteFailure.of(error, "TIMEOUT");
  if (error instanceof ProtocolError) return SiteFailure.of(error, "EXECUTION_FAILED");
  if (error instanceof SdkError) {
    if (error.code === SdkErrorCode.RequestTimeout) return SiteFailure.of(error, "TIMEOUT");
    if (error.code === SdkErrorCode.InvalidResult) return SiteFailure.of(error, "MALFORMED");
    if (error.code === SdkErrorCode.UnsupportedResultType)
      return new SiteFailure("POLICY_BLOCKED", "it asks for something before it answers", { cause: error });
  }
  // What `fetch` throws says why in its cause only.
  const { cause } = Object(error) as { readonly cause?: unknown };
  return SiteFailure.of(cause instanceof Error ? cause : error, "UNAVAILABLE");
}

/** What a reply tells: structured content, else its text. Everything else in it is left alone. */
function contentOf(tool: Tool, { content, isError, structuredContent }: CallToolResult): unknown {
  const text = content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
  if (isError === true)
    throw new SiteFailure("EXECUTION_FAILED", text === "" ? "it failed" : text.slice(0, TEXT_CHARS_SHOWN));
  if (structuredContent === undefined && tool.outputSchema !== undefined)
    throw new SiteFailure("MALFORMED", "its reply has no structured content");
  const told = structuredContent ?? text;
  checkContent(tool, told);
  return told;
}
