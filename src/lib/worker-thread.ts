/**
 * The inside of a worker thread: answers the calls of a `WorkerClient` (see worker.ts), one at a time, in order.
 * A call may send bytes before its answer; the next bytes leave when the caller has room for them.
 */
import { type MessagePort, parentPort } from "node:worker_threads";

/** The calls that a worker answers (a `type`, not an `interface`): name, input, output; all structured-cloneable. */
export type WorkerCalls = Record<string, { readonly input: unknown; readonly output: unknown }>;

/** What a handler gets besides its input. */
export interface CallContext {
  /** Aborts when the caller gave up. It can fire only while the handler awaits something. */
  readonly signal: AbortSignal;
  /** Moves `bytes` to the caller (their buffer is gone here afterwards); resolves when there is room for more. */
  send(bytes: Uint8Array<ArrayBuffer>): Promise<void>;
}

export type CallHandlers<Calls extends WorkerCalls> = {
  readonly [Name in keyof Calls]: (
    input: Calls[Name]["input"],
    context: CallContext,
  ) => Promise<Calls[Name]["output"]> | Calls[Name]["output"];
};

/** Main thread to worker. */
export type ToWorker =
  | { readonly type: "call"; readonly id: number; readonly name: string; readonly input: unknown }
  | { readonly type: "abort"; readonly id: number }
  | { readonly type: "taken"; readonly id: number }
  | { readonly type: "close" };

/** Worker to main thread. */
export type FromWorker =
  | { readonly type: "bytes"; readonly id: number; readonly bytes: Uint8Array }
  | { readonly type: "result"; readonly id: number; readonly output: unknown }
  | {
      readonly type: "error";
      readonly id: number;
      readonly name: string;
      readonly message: string;
      readonly stack: string | undefined;
    };

/** Answers calls until the client closes; then `onClose` lets go of what the worker holds and the thread ends. */
export function serveCalls<Calls extends WorkerCalls>(
  handlers: CallHandlers<Calls>,
  onClose: () => Promise<void> | void = () => {},
): void {
  if (parentPort === null) throw new Error("this module runs in a worker thread only");
  const port = parentPort;
  let current: RunningCall | undefined;
  port.on("message", async (message: ToWorker) => {
    switch (message.type) {
      case "call": {
        current = new RunningCall(message.id, port);
        port.postMessage(await outcome(handlers, message, current));
        return;
      }
      case "abort":
        if (current?.id === message.id) current.abort();
        return;
      case "taken":
        if (current?.id === message.id) current.taken();
        return;
      case "close":
        await onClose();
        port.close();
    }
  });
}

async function outcome<Calls extends WorkerCalls>(
  handlers: CallHandlers<Calls>,
  { id, name, input }: Extract<ToWorker, { type: "call" }>,
  context: CallContext,
): Promise<FromWorker> {
  try {
    const handler = handlers[name];
    if (handler === undefined) throw new Error(`this worker has no call named ${name}`);
    return { type: "result", id, output: await handler(input as Calls[string]["input"], context) };
  } catch (error) {
    const { name: errorName, message, stack } = error instanceof Error ? error : new Error(String(error));
    return { type: "error", id, name: errorName, message, stack };
  }
}

class RunningCall implements CallContext {
  readonly #controller = new AbortController();
  #onTaken: (() => void) | undefined;

  constructor(
    readonly id: number,
    private readonly port: MessagePort,
  ) {}

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  send(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    this.signal.throwIfAborted();
    return new Promise((resolve) => {
      this.#onTaken = resolve;
      this.port.postMessage({ type: "bytes", id: this.id, bytes } satisfies FromWorker, [bytes.buffer]);
    });
  }

  taken(): void {
    this.#onTaken?.();
  }

  abort(): void {
    this.#controller.abort(new Error("the caller gave up"));
    this.taken();
  }
}
