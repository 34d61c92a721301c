/** How an MCP server is reached: what it sends is counted before it is parsed, by its bytes and its messages. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { deserializeMessage, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { Clock } from "../../lib/clock.js";
import { type Key, textsOf } from "../../lib/secret.js";
import { TokenBucket } from "../../lib/token-bucket.js";
import { SiteFailure } from "../port.js";

/** Replies of the largest size that a server may send in a second, whoever asked for them. */
const REPLIES_PER_SECOND_MAX = 8;

/** Messages that a server may send in a second, and at once after a rest: each takes longer to read than its bytes. */
const MESSAGES = { perSecond: 200, burst: 400 };

/** A message that is too large is passed over, up to so many times what it may have; its ends are kept: they tell whose it is. */
const PASSED_OVER_TIMES_MAX = 256;
const END_CHARS = 200;

/** What answers a call in place of a reply that is too large; the code is none of the protocol's. */
export const TOO_LARGE_CODE = -32_050;

/** The limits of one connection. What breaks one of the whole connection throws `SiteFailure`. */
export class ByteLimits {
  readonly #bytes: TokenBucket;
  readonly #messages: TokenBucket;

  constructor(
    clock: Clock,
    /** Of one message. */
    private readonly replyBytesMax: number,
    /** Takes why the connection ended, or must end. */
    readonly onFail: (failure: SiteFailure) => void,
  ) {
    const perSecond = REPLIES_PER_SECOND_MAX * replyBytesMax;
    this.#bytes = new TokenBucket(clock, { perSecond, burst: perSecond });
    this.#messages = new TokenBucket(clock, MESSAGES);
  }

  /** Counts bytes that arrived. */
  take(bytes: number): void {
    const perSecondMax = REPLIES_PER_SECOND_MAX * this.replyBytesMax;
    if (this.#bytes.take(bytes) > 0) refuse(`it sends more than ${perSecondMax} bytes a second`);
  }

  /**
   * Cuts a stream, chunk by chunk, into messages. Each ends with its line, with an empty line, or with the stream. Of one that
   * is too large only the ends are kept; unless it is a line, it is given as soon as that is known. Characters count as bytes.
   */
  cutter(end: "line" | "empty_line" | "stream") {
    const decoder = new TextDecoder();
    let [text, passedOver, isLineEmpty] = ["", 0, true];
    const add = (part: string) => {
      text += part;
      if (passedOver === 0 && text.length <= this.replyBytesMax) return;
      passedOver += part.length;
      const max = PASSED_OVER_TIMES_MAX * this.replyBytesMax;
      if (passedOver > max) refuse(`a message of it has more than ${max} bytes`);
      text = text.slice(0, END_CHARS) + text.slice(-END_CHARS);
    };
    return (chunk: Uint8Array) => {
      if (passedOver === 0) this.take(chunk.length);
      const messages: { readonly text: string; readonly isTooLarge: boolean }[] = [];
      const lines = decoder.decode(chunk, { stream: true }).split("\n");
      for (const [at, line] of lines.entries()) {
        const isEnded = at < lines.length - 1;
        add(isEnded ? `${line}\n` : line);
        isLineEmpty &&= line === "" || line === "\r";
        const isOver = isEnded && (end === "line" || (end === "empty_line" && isLineEmpty));
        const isTooLarge = passedOver > 0;
        if (isOver || (isTooLarge && end !== "line")) messages.push({ text, isTooLarge });
        if (isOver) {
          if (this.#messages.take(1) > 0)
            refuse(`it sends more than ${MESSAGES.perSecond} messages a second`);
          [text, passedOver] = ["", 0];
        }
        isLineEmpty ||= isEnded;
      }
      return messages;
    };
  }

  /** What the call of this id is answered in place of a message that is too large. */
  refusal(id: string | number): JSONRPCMessage {
    const message = `a message of it has more than ${this.replyBytesMax} bytes (reply_bytes_max)`;
    return { jsonrpc: "2.0", id, error: { code: TOO_LARGE_CODE, message } };
  }
}

function refuse(why: string): never {
  throw new SiteFailure("TOO_LARGE", why);
}

/** After what time it is told to end when its input ended, and after what time it is ended. */
const TERM_MS = 1_000;
const KILL_MS = 2_000;

/** Characters that are kept of what it wrote at once to its error output: the last ones. */
const SAID_CHARS_MAX = 300;

/** A server as a child process, a message a line. What it started ends with it. */
export class ChildTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** The client takes what has these two for a process: such a server may leave a question unanswered. */
  readonly pid = undefined;
  readonly stderr = null;
  #child: ChildProcess | undefined;
  #gone: Promise<void> = Promise.resolve();

  /** `onSaid` takes what it wrote to its error output, cut. */
  constructor(
    private readonly command: readonly string[],
    private readonly env: Readonly<Record<string, string>>,
    private readonly clock: Clock,
    private readonly limits: ByteLimits,
    private readonly onSaid: (text: string) => void,
  ) {}

  /** Rejects when the program cannot be started. */
  async start(): Promise<void> {
    const [program = "", ...args] = this.command;
    // A group of its own, so that what it starts can be ended with it.
    const child = spawn(program, args, { env: this.env, stdio: "pipe", detached: true });
    this.#child = child;
    const messagesIn = this.limits.cutter("line");
    let lastWords = "";
    this.#listen(child.stdout, (chunk) => {
      for (const { isTooLarge, text } of messagesIn(chunk)) this.#receive(text, isTooLarge);
    });
    this.#listen(child.stderr, (chunk) => {
      this.limits.take(chunk.length);
      const words = chunk.toString("utf8").trim().slice(-SAID_CHARS_MAX);
      if (words === "") return;
      lastWords = `: ${words}`;
      this.onSaid(words);
    });
    const fail = (why: string) => this.limits.onFail(new SiteFailure("UNAVAILABLE", why));
    child.on("error", (error) => fail(`${program} cannot be started: ${error}`));
    child.stdin.on("error", (error) => this.onerror?.(error));
    child.once("exit", () => this.#signalGroup("SIGKILL"));
    this.#gone = new Promise((resolve) => {
      child.once("close", (code, signal) => {
        fail(`its server ended (${signal ?? `exit code ${code}`})${lastWords}`);
        resolve();
        this.onclose?.();
      });
    });
    await once(child, "spawn");
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const input = this.#child?.stdin;
    if (!input?.writable) throw new SiteFailure("UNAVAILABLE", "its server does not listen any more");
    input.write(`${JSON.stringify(message)}\n`);
  }

  /** Lets it end by itself, and ends it when it does not. Resolves when it is gone. */
  async close(): Promise<void> {
    if (this.#child?.pid === undefined) return;
    this.#child.stdin?.end();
    const late = (ms: number, signal: NodeJS.Signals) =>
      this.clock.after(ms, () => this.#signalGroup(signal));
    const timers = [late(TERM_MS, "SIGTERM"), late(KILL_MS, "SIGKILL")];
    await this.#gone;
    for (const timer of timers) timer.cancel();
  }

  #receive(text: string, isTooLarge: boolean): void {
    try {
      if (!isTooLarge) return this.onmessage?.(deserializeMessage(text));
      const id = ID.exec(text)?.slice(1).find(Boolean);
      if (id !== undefined) this.onmessage?.(this.limits.refusal(Number(id)));
    } catch (error) {
      this.onerror?.(error as Error);
    }
  }

  /** Takes what it sends; a limit that is broken by it ends the server at once. */
  #listen(stream: Readable, take: (chunk: Buffer) => void): void {
    stream.on("error", (error) => this.onerror?.(error));
    stream.on("data", (chunk: Buffer) => {
      try {
        take(chunk);
      } catch (error) {
        this.limits.onFail(SiteFailure.of(error, "MALFORMED"));
        stream.destroy();
        this.#signalGroup("SIGKILL");
      }
    });
  }

  #signalGroup(signal: NodeJS.Signals): void {
    try {
      process.kill(-this.#child!.pid!, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") this.onerror?.(error as Error);
    }
  }
}

/** The id of a reply, where it stands first or last. */
const ID =
  /^\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d+)|"id"\s*:\s*(\d+)\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/;

/** Answers that may be on their way at once; a server that ends none of them has more. */
const OPEN_ANSWERS_MAX = 64;

/** A server over streamable HTTP. */
export function httpTransport(url: string, headers: Readonly<Record<string, Key>>, limits: ByteLimits) {
  let open = 0;
  const counted: typeof fetch = async (input, init) => {
    const sent = new Headers(init?.headers);
    for (const [name, text] of Object.entries(textsOf(headers))) sent.set(name, text);
    const response = await fetch(input, { ...init, headers: sent });
    if (response.body === null) return response;
    open += 1;
    if (open > OPEN_ANSWERS_MAX)
      limits.onFail(new SiteFailure("TOO_LARGE", `it leaves more than ${OPEN_ANSWERS_MAX} answers open`));
    const isEvents = /^text\/event-stream\b/i.test(response.headers.get("content-type") ?? "");
    const messagesIn = limits.cutter(isEvents ? "empty_line" : "stream");
    const body = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, onward) {
        if (!messagesIn(chunk).some(({ isTooLarge }) => isTooLarge)) return onward.enqueue(chunk);
        // It costs its own call, and nobody else anything.
        const { id } = JSON.parse(String(init?.body ?? "{}")) as { readonly id?: string | number };
        if (id !== undefined) transport.onmessage?.(limits.refusal(id));
        onward.terminate();
      },
    });
    void response.body
      .pipeTo(body.writable)
      .catch((error: unknown) => {
        // What else ends an answer the client finds by itself.
        if (error instanceof SiteFailure) limits.onFail(error);
      })
      .finally(() => (open -= 1));
    return new Response(body.readable, response);
  };
  const transport: Transport = new StreamableHTTPClientTransport(new URL(url), { fetch: counted });
  return transport;
}
