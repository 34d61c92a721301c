/** An MCP server as a child process, a message a line. What it sends is counted first; what it started ends with it. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import {
  deserializeMessage,
  type JSONRPCMessage,
  serializeMessage,
  type Transport,
} from "@modelcontextprotocol/client";
import type { Clock } from "../../lib/clock.js";
import { SiteFailure } from "../port.js";
import type { ByteLimits } from "./byte-limits.js";

/** After what time it is told to end when its input ended, and after what time it is ended. */
const TERM_MS = 1_000;
const KILL_MS = 2_000;

/** Characters that are kept of what it wrote at once to its error output: the last ones. */
const SAID_CHARS_MAX = 300;

export class ChildTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** The client takes what has these two for a process: such a server may leave a question unanswered. */
  readonly pid = undefined;
  readonly stderr = null;
  #child: ChildProcess | undefined;
  #gone: Promise<void> = Promise.resolve();

  /** `onSaid` takes what it wrote to its error output, cut; `onFail`, why it ended or must end. */
  constructor(
    private readonly command: readonly string[],
    private readonly env: Readonly<Record<string, string>>,
    private readonly clock: Clock,
    private readonly limits: ByteLimits,
    private readonly onSaid: (text: string) => void,
    private readonly onFail: (failure: SiteFailure) => void,
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
    const fail = (why: string) => this.onFail(new SiteFailure("UNAVAILABLE", why));
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
    input.write(serializeMessage(message));
  }

  /** Lets it end by itself, and ends it when it does not. Resolves when it is gone. */
  async close(): Promise<void> {
    if (this.#child?.pid === undefined) return;
    this.#child.stdin?.end();
    const timers = [
      this.clock.after(TERM_MS, () => this.#signalGroup("SIGTERM")),
      this.clock.after(KILL_MS, () => this.#signalGroup("SIGKILL")),
    ];
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
        this.onFail(SiteFailure.of(error, "MALFORMED"));
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
