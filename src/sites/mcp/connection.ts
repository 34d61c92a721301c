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
  type Transport,
} from "@modelcontextprotocol/client";
import type { Clock } from "../../lib/clock.js";
import { abortable, DeadlineExceeded, withDeadline } from "../../lib/deadline.js";
import { SiteFailure, type SiteFailureCode } from "../port.js";
import { checkContent } from "./output-schema.js";

/** A way to a server that keeps to the limits of its site. */
export interface LimitedTransport extends Transport {
  /** Why it ended, or must end: the limit that was broken. */
  readonly failure: SiteFailure | undefined;
}

export interface ConnectionDeps {
  readonly clock: Clock;
  readonly callMsMax: number;
  /** A way to the server that was not used yet. */
  createTransport(): LimitedTransport;
  /** Is told what is offered now, whenever that was asked for. */
  onTools(tools: readonly Tool[]): void;
  /** Throws `SiteFailure` for a tool that may not be called as it was offered last. */
  permit(tool: string): void;
  /** Is told of what the client cannot use. */
  onSaid(text: string): void;
}

/** A server may have to be loaded first. */
const CONNECT_MS_MAX = 30_000;
/** How long an older server may leave a question of the newer protocol unanswered until it counts as one. */
const PROBE_MS_MAX = 2_000;
const TOOL_PAGES_MAX = 16;
const TEXT_CHARS_SHOWN = 200;

export class McpConnection {
  readonly #client: Client;
  readonly #end = new AbortController();
  readonly #life: AbortSignal;
  #tools: readonly Tool[] = [];
  #look: Promise<void> = Promise.resolve();
  #nextLook: Promise<void> | undefined;

  private constructor(
    private readonly transport: LimitedTransport,
    private readonly deps: ConnectionDeps,
    signal: AbortSignal,
  ) {
    this.#life = AbortSignal.any([signal, this.#end.signal]);
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

  /** Connects until the signal aborts, and looks at the tools. Rejects with `SiteFailure`, or with the signal's reason. */
  static async open(deps: ConnectionDeps, signal: AbortSignal): Promise<McpConnection> {
    try {
      return await McpConnection.#open(deps, {}, signal);
    } catch (error) {
      // Some older servers end when they are asked in the newer protocol first.
      if (signal.aborted || SiteFailure.of(error, "MALFORMED").code !== "UNAVAILABLE") throw error;
      return McpConnection.#open(deps, { prior: { kind: "legacy" } }, signal);
    }
  }

  static async #open(
    deps: ConnectionDeps,
    generation: ConnectOptions,
    signal: AbortSignal,
  ): Promise<McpConnection> {
    const connection = new McpConnection(deps.createTransport(), deps, signal);
    const client = connection.#client;
    try {
      await connection.#under("connecting", CONNECT_MS_MAX, signal, (inTime) =>
        client.connect(connection.transport, { ...generation, signal: inTime }),
      );
      // Not before: while it connects, the client closes what failed, and then says why.
      client.onclose = () => connection.#give("its server closed the connection");
      await connection.look();
      connection.#life.throwIfAborted();
      return connection;
    } catch (error) {
      await connection.close();
      throw error;
    }
  }

  /** Rejects when it is of no use any more, with the reason. */
  get ended(): Promise<never> {
    return abortable(new Promise<never>(() => {}), this.#life);
  }

  /** Ends it, and the server where that is a process of ours. What is under way is rejected. */
  close(): Promise<void> {
    this.#give("it is closed");
    return this.transport.close();
  }

  /**
   * Looks at what is offered now: after a look that is under way, once for all who ask meanwhile. A server that does
   * not answer is given up.
   */
  look(): Promise<void> {
    this.#nextLook ??= this.#look.then(() => {
      this.#nextLook = undefined;
      this.#look = this.#list();
      return this.#look;
    });
    return this.#nextLook;
  }

  /**
   * Calls a tool that is permitted as it is offered, before the call and after it. Resolves with its content; rejects
   * with `SiteFailure`, or with the signal's reason.
   */
  call(name: string, args: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<unknown> {
    return this.#under(name, this.deps.callMsMax, signal, async (inTime) => {
      const tool = await this.#permitted(name);
      const { outputSchema: _ours, ...toolDefinition } = tool;
      // Without an output schema: the content is held to that here, with less trust in the schema.
      const options = { signal: inTime, toolDefinition };
      const result = await this.#client.callTool({ name, arguments: args }, options);
      const content = contentOf(tool, result);
      await this.#permitted(name);
      return content;
    });
  }

  /** The tool as it is offered; a change that was told of is looked at first. */
  async #permitted(name: string): Promise<Tool> {
    await (this.#nextLook ?? this.#look);
    this.deps.permit(name);
    return this.#tools.find((tool) => tool.name === name)!;
  }

  async #list(): Promise<void> {
    const { callMsMax, onTools } = this.deps;
    try {
      const { tools } = await this.#under("the list of tools", callMsMax, this.#life, (signal) =>
        this.#client.listTools({}, { signal, cacheMode: "bypass" }),
      );
      this.#tools = tools;
      onTools(tools);
    } catch (error) {
      this.#end.abort(error);
    }
  }

  #give(up: string): void {
    this.#end.abort(this.transport.failure ?? new SiteFailure("UNAVAILABLE", up));
  }

  /** `work` under a deadline, as long as the connection lasts. */
  async #under<T>(
    what: string,
    limitMs: number,
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const either = AbortSignal.any([signal, this.#life]);
    try {
      return await withDeadline(this.deps.clock, what, limitMs, either, work);
    } catch (error) {
      signal.throwIfAborted();
      throw this.transport.failure ?? failureOf(error);
    }
  }
}

/** What the client's own errors come to; `UNAVAILABLE` otherwise. */
const CODES: Partial<Record<SdkErrorCode, SiteFailureCode>> = {
  [SdkErrorCode.RequestTimeout]: "TIMEOUT",
  [SdkErrorCode.InvalidResult]: "MALFORMED",
  /** It asks for something before it answers. */
  [SdkErrorCode.UnsupportedResultType]: "POLICY_BLOCKED",
};

function failureOf(error: unknown): SiteFailure {
  if (error instanceof SiteFailure) return error;
  if (error instanceof DeadlineExceeded) return SiteFailure.of(error, "TIMEOUT");
  if (error instanceof ProtocolError) return SiteFailure.of(error, "EXECUTION_FAILED");
  const code = (error instanceof SdkError && CODES[error.code]) || "UNAVAILABLE";
  // What `fetch` throws says why in its cause only.
  const { cause } = Object(error) as { readonly cause?: unknown };
  return SiteFailure.of(cause instanceof Error ? cause : error, code);
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
