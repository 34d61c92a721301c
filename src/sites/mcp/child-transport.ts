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

/** A line that is too long is passed over, up to so many times what it may have; its ends are kept: they tell whose it is. */
const PASSED_OVER_TIMES_MAX = 256;
const END_CHARS = 200;

export class ChildTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** The client takes what has these two for a process: such a server may leave a question unanswered. */
  readonly pid = undefined;
  readonly stderr = null;
  #child: ChildProcess | undefined;
  #gone: Promise<void> = Promise.resolve();
  #lastWords = "";
  /** The beginning of a line that has no end yet. */
  #rest = "";
  /** Of a line that is too long, bytes that were passed over. */
  #passedOver = 0;

  /** `onSaid` takes what it wrote to its error output, cut; `onFail`, why it ended or must end. */
  constructor(
    private readonly command: readonly string[],
    private readonly env: Readonly<Record<string, string>>,
    private readonly clock: Clock,
    private readonly limits: ByteLimits,
    private readonly onSaid: (text: string) => void,
    private readonly onFail: (failure: SiteFailure) => void,
  ) {}

  /** Rejects with `SiteFailure` when the program cannot be started. */
  async start(): Promise<void> {
    const [program = "", ...args] = this.command;
    // A group of its own, so that what it starts can be ended with it.
    const child = spawn(program, args, { env: this.env, stdio: "pipe", detached: true });
    this.#child = child;
    const decoder = new TextDecoder();
    this.#listen(child.stdout, (chunk) => this.#read(decoder.decode(chunk, { stream: true })));
    this.#listen(child.stderr, (chunk) => {
      this.limits.take(chunk.length);
      const words = chunk.toString("utf8").trim().slice(-SAID_CHARS_MAX);
      if (words === "") return;
      this.#lastWords = `: ${words}`;
      this.onSaid(words);
    });
    for (const part of [child, child.stdin, child.stdout, child.stderr])
      part.on("error", (error) => this.onerror?.(error));
    child.once("exit", () => this.#signalGroup("SIGKILL"));
    this.#gone = new Promise((resolve) => {
      child.once("close", (code, signal) => {
        const end = `its server ended (${signal ?? `exit code ${code}`})`;
        this.onFail(new SiteFailure("UNAVAILABLE", end + this.#lastWords));
        resolve();
        this.onclose?.();
      });
    });
    try {
      await once(child, "spawn");
    } catch (error) {
      const failure = new SiteFailure("UNAVAILABLE", `${program} cannot be started: ${error}`);
      this.onFail(failure);
      throw failure;
    }
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

  /** Lines, each a message. Characters count as bytes here: there are not more of them. */
  #read(text: string): void {
    const max = this.limits.replyBytesMax;
    const lines = (this.#rest + text).split("\n");
    const rest = lines.pop()!;
    for (const line of lines) this.#receive(line);
    this.#rest = rest;
    if (this.#passedOver === 0) this.limits.take(text.length);
    if (this.#passedOver === 0 && rest.length <= max) return;
    this.#passedOver += text.length;
    if (this.#passedOver > PASSED_OVER_TIMES_MAX * max)
      throw new SiteFailure(
        "TOO_LARGE",
        `a message of it has more than ${PASSED_OVER_TIMES_MAX * max} bytes`,
      );
    this.#rest = rest.slice(0, END_CHARS) + rest.slice(-END_CHARS);
  }

  #receive(line: string): void {
    const isTooLong = this.#passedOver > 0 || line.length > this.limits.replyBytesMax;
    this.#passedOver = 0;
    this.limits.message();
    try {
      const id = isTooLong ? ID.exec(line)?.slice(1).find(Boolean) : undefined;
      if (!isTooLong) this.onmessage?.(deserializeMessage(line));
      else if (id !== undefined) this.onmessage?.(this.limits.refusal(Number(id)));
    } catch (error) {
      this.onerror?.(error as Error);
    }
  }

  /** Takes what it sends; a limit that is broken by it ends the server at once. */
  #listen(stream: Readable, take: (chunk: Buffer) => void): void {
    stream.on("data", (chunk: Buffer) => {
      try {
        take(chunk);
      } catch (error) {
        this.onFail(SiteFailure.of(error, "MALFORMED"));
        this.#child?.stdout?.destroy();
        this.#child?.stderr?.destroy();
        this.#signalGroup("SIGKILL");
      }
    });
  }

  #signalGroup(signal: NodeJS.Signals): void {
    const pid = this.#child?.pid;
    if (pid === undefined) return;
    try {
      process.kill(-pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") this.onerror?.(error as Error);
    }
  }
}

/** The id of a reply, where it stands first or last. */
const ID =
  /^\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d+)|"id"\s*:\s*(\d+)\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/;
