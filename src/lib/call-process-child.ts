/** The inside of a child process that answers the calls of a `CallProcess` (see call-process.ts). */
import { endWithParent } from "./child-life.js";
import type { WorkerCalls } from "./worker-thread.js";

/** Parent to child. */
export type ToChild =
  | { readonly type: "call"; readonly id: number; readonly name: string; readonly input: unknown }
  | { readonly type: "close" };

/** Child to parent. */
export type FromChild =
  | { readonly type: "result"; readonly id: number; readonly output: unknown }
  | {
      readonly type: "error";
      readonly id: number;
      readonly name: string;
      readonly code: string | undefined;
      readonly message: string;
    };

export type ProcessCallHandlers<Calls extends WorkerCalls> = {
  readonly [Name in keyof Calls]: (input: Calls[Name]["input"]) =>
    | Promise<Calls[Name]["output"]>
    | Calls[Name]["output"]
    // A handler that answers nothing needs no `return undefined`.
    | (undefined extends Calls[Name]["output"] ? Promise<void> : never);
};

/** Answers calls until the parent closes it or goes away; `onClose` lets go of what the process holds. */
export function serveProcessCalls<Calls extends WorkerCalls>(
  handlers: ProcessCallHandlers<Calls>,
  onClose: () => Promise<void> | void = () => {},
): void {
  endWithParent();
  const send = (message: FromChild) => process.send?.(message);
  process.on("message", async (message: ToChild) => {
    if (message.type === "call") return void send(await outcome(handlers, message));
    await onClose();
    process.exit();
  });
}

async function outcome<Calls extends WorkerCalls>(
  handlers: ProcessCallHandlers<Calls>,
  { id, name, input }: Extract<ToChild, { type: "call" }>,
): Promise<FromChild> {
  try {
    const handler = handlers[name];
    if (handler === undefined) throw new Error(`this process has no call named ${name}`);
    return { type: "result", id, output: await handler(input as Calls[string]["input"]) };
  } catch (error) {
    const { name: errorName, message } = error instanceof Error ? error : new Error(String(error));
    const code = error instanceof Error && "code" in error ? String(error.code) : undefined;
    return { type: "error", id, name: errorName, code, message };
  }
}
