/**
 * An MCP server as a child process, one JSON message a line on its pipes. It has no environment but the one that it is
 * given; what it sends is counted before it is parsed; with it end all processes that it started.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { deserializeMessage, type JSONRPCMessage, serializeMessage } from "@modelcontextprotocol/client";
import type { Clock } from "../../lib/clock.js";
import { SiteFailure } from "../port.js";
import { type ByteLimits, LineReader } from "./byte-limits.js";
import type { LimitedTransport } from "./transport.js";

export interface ChildOptions {
  /** Program and arguments. */
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface ChildDeps {
  readonly clock: Clock;
  readonly limits: ByteLimits;
  /** Takes a line of its error output. */
  onSaid(text: string): void;
}

/** How long it may take to end by itself when its input ends, and then when it is told to. */
const END_GRACE_MS = 1_000;
const TERM_GRACE_MS = 1_000;

/** Lines of its error output that are looked at of what comes at once, and characters of what it wrote last. */
const SAID_LINES_MAX = 50;
const SAID_CHARS_MAX = 300;

export class ChildTransport implements LimitedTransport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  failure: SiteFailure | undefined;
  #child: ChildProcess | undefined;
  #gone: Promise<void> = Promise.resolve();
  #lastWords = "";

  constructor(
    private readonly options: ChildOptions,
    private readonly deps: ChildDeps,
  ) {}

  /** These two tell the client that it talks to a process: such a server may leave a question unanswered. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  get stderr(): ChildProcess["stderr"] {
    return this.#child?.stderr ?? null;
  }

  /** Rejects when the program cannot be started. */
  start(): Promise<void> {
    const [program = "", ...args] = this.options.command;
    // A group of its own, so that what it starts can be ended with it.
    const child = spawn(program, args, { env: { ...this.options.env }, stdio: "pipe", detached: true });
    this.#child = child;
    const lines = new LineReader(this.deps.limits);
    child.stdout.on("data", (chunk: Buffer) => this.#guard(() => this.#read(lines, chunk)));
    child.stderr.on("data", (chunk: Buffer) => this.#guard(() => this.#hear(chunk)));
    for (const pipe of [child.stdin, child.stdout, child.stderr])
      pipe.on("error", (error) => this.onerror?.(error));
    child.once("exit", () => this.#signalGroup("SIGKILL"));
    this.#gone = new Promise((resolve) => {
      child.once("close", (code, signal) => {
        const words = this.#lastWords === "" ? "" : `: ${this.#lastWords}`;
        this.failure ??= new SiteFailure(
          "UNAVAILABLE",
          `its server ended (${signal ?? `exit code ${code}`})${words}`,
        );
        resolve();
        this.onclose?.();
      });
    });
    return new Promise((resolve, reject) => {
      child.once("spawn", resolve);
      child.once("error", (error) => {
        this.failure = new SiteFailure("UNAVAILABLE", `${program} cannot be started: ${error.message}`);
        reject(this.failure);
      });
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const input = this.#child?.stdin;
    if (input === undefined || input === null || !input.writable)
      throw this.failure ?? new SiteFailure("UNAVAILABLE", "its server does not listen any more");
    input.write(serializeMessage(message));
  }

  /** Lets it end by itself; ends it when it does not, or when it broke a limit. Resolves when it is gone. */
  async close(): Promise<void> {
    const child = this.#child;
    if (child?.pid === undefined) return;
    const { clock } = this.deps;
    child.stdin?.end();
    const isPatient = this.failure === undefined;
    const [termMs, killMs] = isPatient ? [END_GRACE_MS, END_GRACE_MS + TERM_GRACE_MS] : [0, 0];
    const timers = [
      clock.after(termMs, () => this.#signalGroup("SIGTERM")),
      clock.after(killMs, () => this.#signalGroup("SIGKILL")),
    ];
    await this.#gone;
    for (const timer of timers) timer.cancel();
  }

  #read(lines: LineReader, chunk: Buffer): void {
    for (const line of lines.push(chunk)) {
      let message: JSONRPCMessage;
      try {
        message = deserializeMessage(line);
      } catch (error) {
        this.onerror?.(error as Error);
        continue;
      }
      this.onmessage?.(message);
    }
  }

  #hear(chunk: Buffer): void {
    this.deps.limits.take(chunk.length);
    for (const line of chunk.toString("utf8").split("\n", SAID_LINES_MAX)) {
      if (line.trim() === "") continue;
      this.#lastWords = line.slice(0, SAID_CHARS_MAX);
      this.deps.onSaid(this.#lastWords);
    }
  }

  /** Runs `work`; a limit that it finds broken ends the server at once. */
  #guard(work: () => void): void {
    if (this.failure !== undefined) return;
    try {
      work();
    } catch (error) {
      this.failure = SiteFailure.of(error, "MALFORMED");
      this.#child?.stdout?.destroy();
      this.#child?.stderr?.destroy();
      this.#signalGroup("SIGKILL");
    }
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
