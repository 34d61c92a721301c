/**
 * A worker thread behind typed calls, for work that would hold up the event loop. Calls run one at a time; those that
 * wait are a bounded number, and their origins take turns. A thread that dies takes only the call that it was running
 * with it: the next call gets a new thread. worker-thread.ts is the other side.
 */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { Channel } from "./channel.js";
import type { Clock, Timer } from "./clock.js";
import { FairQueue } from "./fair-queue.js";
import { currentOrigin, type Origin } from "./origin.js";
import type { FromWorker, ToWorker, WorkerCalls } from "./worker-thread.js";

export type WorkerFailureKind =
  /** Too many calls waited, and this one was the oldest of the origin that had most of them. */
  | "busy"
  /** The handler threw; the message is its own. */
  | "failed"
  /** The thread died, could not start, or had to be ended because it ignored an abort. */
  | "crashed"
  /** The client is closed. */
  | "closed";

export class WorkerFailure extends Error {
  override readonly name = "WorkerFailure";
  constructor(
    readonly kind: WorkerFailureKind,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

export interface WorkerOptions {
  /** The compiled module of the thread; see `workerUrl`. */
  readonly url: URL;
  /** For messages and for the thread's name. */
  readonly name: string;
  /** Handed to the thread as `workerData`. */
  readonly data: unknown;
  /** Calls that may wait for the one that is running. */
  readonly queueLengthMax: number;
  /**
   * How long an aborted call may go on before its thread is ended. Absent: it is not ended, because it runs native code
   * that would take the whole process with it; a call that does not come back then holds up those behind it.
   */
  readonly abortGraceMs?: number | undefined;
  readonly clock: Clock;
}

/** How long a thread that may not be ended is waited for when the client closes. */
export const CLOSE_GRACE_MS = 2_000;

/** Bytes of one stream that may wait for their reader; the thread pauses beyond that. */
export const STREAM_BYTES_MAX = 1_048_576;

interface Call {
  readonly id: number;
  readonly name: string;
  readonly origin: Origin;
  readonly input: unknown;
  readonly signal: AbortSignal;
  readonly onBytes: (bytes: Uint8Array) => Promise<void>;
  readonly resolve: (output: unknown) => void;
  readonly reject: (error: unknown) => void;
}

type State =
  | { readonly type: "idle" }
  | { readonly type: "running"; readonly call: Call }
  /** The caller is gone, the thread still works; the timer ends the thread, where it may be ended. */
  | { readonly type: "abandoned"; readonly call: Call; readonly timer: Timer | undefined };

export class WorkerClient<Calls extends WorkerCalls> {
  readonly #waiting = new FairQueue<Call>();
  #state: State = { type: "idle" };
  #thread: Worker | undefined;
  #callsMade = 0;
  #closed = false;

  constructor(private readonly options: WorkerOptions) {}

  /** One call. Rejects with `WorkerFailure`, or with the signal's reason as soon as it aborts. */
  call<Name extends keyof Calls & string>(
    name: Name,
    input: Calls[Name]["input"],
    signal: AbortSignal,
  ): Promise<Calls[Name]["output"]> {
    return this.#submit(name, input, signal, async () => {});
  }

  /** One call that answers in bytes. Throws what `call` rejects with; breaking off the iteration aborts the call. */
  async *stream<Name extends keyof Calls & string>(
    name: Name,
    input: Calls[Name]["input"],
    signal: AbortSignal,
  ): AsyncGenerator<Uint8Array, void, undefined> {
    const ended = new AbortController();
    const either = AbortSignal.any([signal, ended.signal]);
    const channel = new Channel<Uint8Array>(STREAM_BYTES_MAX);
    this.#submit(name, input, either, (bytes) => channel.send(bytes, bytes.byteLength, either)).then(
      () => channel.close(),
      (error) => channel.fail(error),
    );
    try {
      yield* channel;
    } finally {
      ended.abort();
    }
  }

  /** Rejects what runs and what waits, lets the thread clean up, and waits for its end, within bounds. */
  async close(): Promise<void> {
    this.#closed = true;
    const failure = new WorkerFailure("closed", `the ${this.options.name} worker is closed`);
    for (const call of this.#waiting.drain()) call.reject(failure);
    const thread = this.#thread;
    if (thread === undefined) return;
    if (this.#state.type === "running") {
      this.#state.call.reject(failure);
      this.#post(thread, { type: "abort", id: this.#state.call.id });
    }
    const { abortGraceMs, clock } = this.options;
    await new Promise<void>((resolve) => {
      const timer = clock.after(abortGraceMs ?? CLOSE_GRACE_MS, () => {
        if (abortGraceMs !== undefined) return void thread.terminate();
        thread.unref();
        resolve();
      });
      thread.once("exit", () => {
        timer.cancel();
        resolve();
      });
      thread.ref();
      this.#post(thread, { type: "close" });
    });
  }

  #submit(
    name: string,
    input: unknown,
    signal: AbortSignal,
    onBytes: (bytes: Uint8Array) => Promise<void>,
  ): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      if (this.#closed) {
        return reject(new WorkerFailure("closed", `the ${this.options.name} worker is closed`));
      }
      const onAbort = () => this.#abort(call);
      const settled = () => signal.removeEventListener("abort", onAbort);
      const call: Call = {
        id: ++this.#callsMade,
        name,
        origin: currentOrigin(),
        input,
        signal,
        onBytes,
        resolve: (output) => {
          settled();
          resolve(output);
        },
        reject: (error) => {
          settled();
          reject(error);
        },
      };
      signal.addEventListener("abort", onAbort, { once: true });
      this.#waiting.push(call.origin, call);
      this.#startNext();
      if (this.#waiting.size > this.options.queueLengthMax) this.#shed();
    });
  }

  #shed(): void {
    const { name, queueLengthMax } = this.options;
    const message = `more than ${queueLengthMax} calls wait for the ${name} worker`;
    this.#waiting.shed()?.reject(new WorkerFailure("busy", message));
  }

  #startNext(): void {
    if (this.#state.type !== "idle") return;
    const call = this.#waiting.shift();
    if (call === undefined) {
      this.#thread?.unref();
      return;
    }
    this.#state = { type: "running", call };
    const { id, name, input } = call;
    try {
      this.#thread ??= this.#startThread();
      this.#thread.ref();
      this.#post(this.#thread, { type: "call", id, name, input });
    } catch (error) {
      this.#settle(() => call.reject(new WorkerFailure("failed", messageOf(error), { cause: error })));
    }
  }

  #startThread(): Worker {
    const { url, name, data } = this.options;
    const thread = new Worker(url, { name, workerData: data });
    let cause: unknown;
    thread.on("message", (message: FromWorker) => this.#receive(thread, message));
    thread.on("messageerror", (error) => {
      cause = error;
      void thread.terminate();
    });
    thread.on("error", (error) => {
      cause = error;
    });
    thread.once("exit", () => this.#threadEnded(cause));
    return thread;
  }

  #receive(thread: Worker, message: FromWorker): void {
    if (this.#state.type === "idle" || this.#state.call.id !== message.id) return;
    const { call } = this.#state;
    switch (message.type) {
      case "bytes":
        // A send that fails was aborted, and the abort itself is on its way to the thread.
        call.onBytes(message.bytes).then(
          () => this.#post(thread, { type: "taken", id: call.id }),
          () => {},
        );
        return;
      case "result":
        this.#settle(() => call.resolve(message.output));
        return;
      case "error": {
        const cause = Object.assign(new Error(message.message), { name: message.name, stack: message.stack });
        this.#settle(() => call.reject(new WorkerFailure("failed", message.message, { cause })));
      }
    }
  }

  #abort(call: Call): void {
    call.reject(call.signal.reason);
    if (this.#waiting.remove(call.origin, call)) return;
    const thread = this.#thread;
    if (thread === undefined || this.#state.type !== "running") return;
    const { abortGraceMs, clock } = this.options;
    const timer =
      abortGraceMs === undefined ? undefined : clock.after(abortGraceMs, () => void thread.terminate());
    this.#state = { type: "abandoned", call, timer };
    this.#post(thread, { type: "abort", id: call.id });
  }

  /** The thread is done with its call, one way or the other; telling a caller that is gone does nothing. */
  #settle(tell: () => void): void {
    if (this.#state.type === "abandoned") this.#state.timer?.cancel();
    this.#state = { type: "idle" };
    tell();
    this.#startNext();
  }

  #threadEnded(cause: unknown): void {
    this.#thread = undefined;
    if (this.#state.type === "idle") return;
    const { call } = this.#state;
    const reason = cause === undefined ? "" : `: ${messageOf(cause)}`;
    const failure = new WorkerFailure("crashed", `the ${this.options.name} worker ended${reason}`, { cause });
    this.#settle(() => call.reject(failure));
  }

  #post(thread: Worker, message: ToWorker): void {
    thread.postMessage(message);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * The compiled file of a worker module that stands beside its caller: `workerUrl(import.meta.url, "./x.worker.js")`.
 * Threads run compiled code only; when the caller itself runs from its TypeScript source, as in tests, the build's
 * output is taken. Throws when it is missing.
 */
export function workerUrl(callerUrl: string, relativePath: string): URL {
  const beside = new URL(relativePath, callerUrl);
  const url = callerUrl.endsWith(".ts") ? compiledUrl(beside) : beside;
  if (!existsSync(url)) throw new Error(`${fileURLToPath(url)} is missing: run "npm run build" first`);
  return url;
}

/** `<root>/src/a/b.js` as `<root>/dist/src/a/b.js`; this file is `<root>/src/lib/worker.ts`. */
function compiledUrl(sourceUrl: URL): URL {
  const root = new URL("../../", import.meta.url);
  if (!sourceUrl.href.startsWith(root.href)) throw new Error(`${sourceUrl.href} lies outside ${root.href}`);
  return new URL(`dist/${sourceUrl.href.slice(root.href.length)}`, root);
}
