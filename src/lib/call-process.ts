/**
 * A child process behind typed calls, for native code that may take its process with it. What dies with the process are
 * the calls that it was answering, and nothing else; who starts it decides what comes then. It has no environment, and
 * it ends with its parent. call-process-child.ts is the other side.
 */
import { type ChildProcess, fork } from "node:child_process";
import { Socket } from "node:net";
import type { FromChild, ToChild } from "./call-process-child.js";
import type { Clock } from "./clock.js";
import type { WorkerCalls } from "./worker-thread.js";

/** The process ended, could not be started, or was closed, with this call unanswered. */
export class ProcessEnded extends Error {
  override readonly name = "ProcessEnded";
}

/** The handler threw; the message is its own. */
export class CallFailed extends Error {
  override readonly name = "CallFailed";
  constructor(
    /** The name of the error that it threw, and its code, if it had one. */
    readonly errorName: string,
    readonly code: string | undefined,
    message: string,
  ) {
    super(message);
  }
}

export interface CallProcessOptions {
  /** The compiled module of the process; see `workerUrl`. It calls `serveProcessCalls`. */
  readonly url: URL;
  /** For messages. */
  readonly name: string;
  readonly clock: Clock;
}

/** How long a process that was told to end is waited for before it is killed, and then until it is gone. */
const CLOSE_GRACE_MS = 2_000;
const KILL_GRACE_MS = 2_000;

/** What is kept of its error output, to tell why it died. */
const STDERR_CHARS_MAX = 4_096;

interface Call {
  readonly resolve: (output: unknown) => void;
  readonly reject: (error: Error) => void;
}

export class CallProcess<Calls extends WorkerCalls> {
  readonly #child: ChildProcess;
  readonly #calls = new Map<number, Call>();
  #callsMade = 0;
  #stderr = "";
  #how: string | undefined;
  /** Resolves when it is gone, with how it ended. */
  readonly ended: Promise<string>;

  /** Starts the process. */
  constructor(private readonly options: CallProcessOptions) {
    this.#child = fork(options.url, {
      execArgv: [],
      env: {},
      serialization: "advanced",
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    this.#child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-STDERR_CHARS_MAX);
    });
    this.#child.on("message", (message: FromChild) => this.#receive(message));
    this.ended = new Promise((resolve) => {
      this.#child.on("error", (error) => {
        if (this.#child.pid === undefined) resolve(this.#gone(error.message));
      });
      // Not "exit": what it sent last may still be on its way.
      this.#child.once("close", (code, signal) => resolve(this.#gone(signal ?? `exit code ${code}`)));
    });
    this.#holdParent(false);
  }

  get alive(): boolean {
    return this.#how === undefined;
  }

  /** One call; several may be under way. Rejects with `ProcessEnded` or `CallFailed`. */
  call<Name extends keyof Calls & string>(
    name: Name,
    input: Calls[Name]["input"],
  ): Promise<Calls[Name]["output"]> {
    return new Promise((resolve, reject) => {
      if (this.#how !== undefined) return reject(this.#failure(this.#how));
      const id = ++this.#callsMade;
      this.#calls.set(id, { resolve, reject });
      this.#holdParent(true);
      // What cannot be sent any more goes to a process that is gone, and `#gone` tells of it.
      this.#child.send({ type: "call", id, name, input } satisfies ToChild, () => undefined);
    });
  }

  /** Ends it at once, whatever it does. */
  kill(): void {
    this.#child.kill("SIGKILL");
  }

  /** Lets it put away what it holds, and waits until it is gone, within bounds. */
  async close(): Promise<void> {
    if (this.#how !== undefined) return;
    const { clock } = this.options;
    this.#holdParent(true);
    this.#child.send({ type: "close" } satisfies ToChild, () => undefined);
    const late = clock.after(CLOSE_GRACE_MS, () => this.kill());
    let lost = late;
    const given = new Promise<void>((resolve) => {
      lost = clock.after(CLOSE_GRACE_MS + KILL_GRACE_MS, resolve);
    });
    await Promise.race([this.ended, given]);
    for (const timer of [late, lost]) timer.cancel();
    this.#holdParent(false);
  }

  #receive(message: FromChild): void {
    const call = this.#calls.get(message.id);
    if (call === undefined) return;
    this.#calls.delete(message.id);
    if (this.#calls.size === 0) this.#holdParent(false);
    if (message.type === "result") return call.resolve(message.output);
    call.reject(new CallFailed(message.name, message.code, message.message));
  }

  #gone(how: string): string {
    this.#how ??= this.#lastWords() === undefined ? how : `${how}: ${this.#lastWords()}`;
    this.#holdParent(false);
    for (const call of this.#calls.values()) call.reject(this.#failure(this.#how));
    this.#calls.clear();
    return this.#how;
  }

  /** The error or panic that it wrote last. */
  #lastWords(): string | undefined {
    return this.#stderr.split("\n").find((line) => /^(?:[A-Za-z]{0,40}Error\b|thread ')/.test(line));
  }

  #failure(how: string): ProcessEnded {
    return new ProcessEnded(`the ${this.options.name} process ended (${how})`);
  }

  /** Whether the parent stays alive for it. */
  #holdParent(hold: boolean): void {
    const { channel, stderr } = this.#child;
    const verb = hold ? "ref" : "unref";
    this.#child[verb]();
    channel?.[verb]();
    if (stderr instanceof Socket) stderr[verb]();
  }
}
