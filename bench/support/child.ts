/**
 * A process of its own for each part of a benchmark, so that the parts do not share an event loop: calls by name over
 * Node's IPC channel. `Child` is the side that starts it, `serve` the side that answers.
 */
import { type ChildProcess, fork, type StdioOptions } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Calls that a process answers: input and output by name. */
export type Calls = Readonly<Record<string, { readonly input: unknown; readonly output: unknown }>>;

export type Handlers<C extends Calls> = {
  readonly [Name in keyof C]: (input: C[Name]["input"]) => C[Name]["output"] | Promise<C[Name]["output"]>;
};

/** Every process answers this too: the time for which it has kept processors busy, all its threads together. */
const CPU_CALL = "cpuMs";

interface Request {
  readonly id: number;
  readonly name: string;
  readonly input: unknown;
}

type Reply = { readonly id: number } & ({ readonly output: unknown } | { readonly error: string });

interface Pending {
  readonly resolve: (output: unknown) => void;
  readonly reject: (error: Error) => void;
}

export interface ChildOptions {
  readonly execArgv?: readonly string[];
  /** Whether its standard error is ours, or is read here and kept quiet unless the process dies. */
  readonly stderr?: "inherit" | "pipe";
  /** Where the module is; absent: in this folder. */
  readonly folder?: string | undefined;
}

/** Of Linux on all machines that are measured. */
const PAGE_BYTES = 4_096;

/** How much of the standard error is kept. */
const STDERR_KEPT_CHARS = 4_000;

export class Child<C extends Calls> {
  readonly #process: ChildProcess;
  readonly #pending = new Map<number, Pending>();
  #lastId = 0;
  #stderr = "";

  /** Starts the compiled module `name`. */
  constructor(
    private readonly name: string,
    { execArgv = [], folder = import.meta.url, stderr = "inherit" }: ChildOptions = {},
  ) {
    const path = fileURLToPath(new URL(`./${name}.js`, folder));
    const stdio: StdioOptions = ["ignore", "inherit", stderr, "ipc"];
    this.#process = fork(path, { execArgv: [...execArgv], stdio, serialization: "advanced" });
    this.#process.on("message", (reply: Reply) => this.#settle(reply));
    this.#process.on("exit", (code, signal) =>
      this.#fail(`ended early (${signal ?? code})\n${this.#stderr}`),
    );
    this.#process.stderr?.on("data", (text) => {
      this.#stderr = `${this.#stderr}${text}`.slice(-STDERR_KEPT_CHARS);
    });
  }

  call<Name extends keyof C & string>(name: Name, input: C[Name]["input"]): Promise<C[Name]["output"]> {
    return this.#call(name, input);
  }

  /** Milliseconds of processor time that it has used so far. */
  async cpuMs(): Promise<number> {
    return (await this.#call(CPU_CALL, undefined)) as number;
  }

  /** Bytes of its memory that are resident now; 0 where that cannot be read. */
  residentBytes(): number {
    if (process.platform !== "linux") return 0;
    return PAGE_BYTES * Number(readFileSync(`/proc/${this.#process.pid}/statm`, "utf8").split(" ")[1]);
  }

  /** Ends the process. */
  async stop(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const exited = once(this.#process, "exit");
    this.#process.disconnect();
    await exited;
  }

  #call(name: string, input: unknown): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#lastId += 1;
      this.#pending.set(this.#lastId, { resolve, reject });
      const request: Request = { id: this.#lastId, name, input };
      this.#process.send(request);
    });
  }

  #settle(reply: Reply): void {
    const pending = this.#pending.get(reply.id);
    this.#pending.delete(reply.id);
    if ("error" in reply) pending?.reject(new Error(`${this.name}: ${reply.error}`));
    else pending?.resolve(reply.output);
  }

  #fail(why: string): void {
    for (const { reject } of this.#pending.values()) reject(new Error(`${this.name} ${why}`));
    this.#pending.clear();
  }
}

/** Answers calls until the process that started this one lets go of it. */
export function serve<C extends Calls>(handlers: Handlers<C>): void {
  const byName: Readonly<Record<string, (input: unknown) => unknown>> = { ...handlers, [CPU_CALL]: cpuMs };
  process.on("message", async ({ id, name, input }: Request) => {
    process.send?.(await answer(id, () => byName[name]?.(input)));
  });
  process.on("disconnect", () => process.exit());
}

async function answer(id: number, work: () => unknown): Promise<Reply> {
  try {
    return { id, output: await work() };
  } catch (error) {
    return { id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
