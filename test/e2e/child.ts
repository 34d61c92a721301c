/** The built `readback` command as a process of its own, with everything that it prints. Killed when the test ends. */
import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { onTestFailed, onTestFinished } from "vitest";
import type { Ports } from "../../src/compose/doors.js";
import { Changes } from "./changes.js";

const COMMAND = fileURLToPath(new URL("../../bin/readback.js", import.meta.url));

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export class Child {
  /** Standard output and standard error, as far as they have come. */
  stdout = "";
  stderr = "";
  readonly exited: Promise<Exit>;
  readonly #changes = new Changes();
  #ended = false;

  private constructor(private readonly process: ChildProcess) {
    const keep = (name: "stdout" | "stderr") => (chunk: Buffer) => {
      this[name] += chunk.toString("utf8");
      this.#changes.notify();
    };
    process.stdout?.on("data", keep("stdout"));
    process.stderr?.on("data", keep("stderr"));
    this.exited = new Promise((resolve) => {
      process.once("close", (code, signal) => resolve({ code, signal }));
    });
    void this.exited.then(() => {
      this.#ended = true;
      this.#changes.notify();
    });
  }

  /** `readback <args>` with these variables and no others of the project's. */
  static run(args: readonly string[], environment: Readonly<Record<string, string>> = {}): Child {
    return Child.spawn(process.execPath, [COMMAND, ...args], environment);
  }

  /** Another program, which runs the command as its child. */
  static runBy(file: string, args: readonly string[], environment: Readonly<Record<string, string>>): Child {
    return Child.spawn(file, args, environment);
  }

  /** `readback <args>` under `ulimit -f`: no file may grow beyond so many KiB, as on a disk that is full. */
  static runOnFullDisk(
    kibibytes: number,
    args: readonly string[],
    environment: Readonly<Record<string, string>>,
  ): Child {
    const script = `ulimit -f ${kibibytes} && exec "$0" "$@"`;
    return Child.spawn("bash", ["-c", script, process.execPath, COMMAND, ...args], environment);
  }

  private static spawn(
    file: string,
    args: readonly string[],
    environment: Readonly<Record<string, string>>,
  ): Child {
    const { PATH = "", HOME = "" } = process.env;
    const child = new Child(
      spawn(file, args, {
        env: { PATH, HOME, ...environment },
        stdio: ["ignore", "pipe", "pipe"],
        // A group of its own, so that what it started ends with it.
        detached: true,
      }),
    );
    onTestFailed(() => console.error(`${args.slice(1).join(" ")} printed:\n${child.stdout}${child.stderr}`));
    onTestFinished(async () => {
      if (child.running) process.kill(-child.process.pid!, "SIGKILL");
      await child.exited;
    });
    return child;
  }

  get running(): boolean {
    return !this.#ended;
  }

  /** Whether anything runs still that it started. */
  get groupRunning(): boolean {
    try {
      return process.kill(-this.pid, 0);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ESRCH") return false;
      throw error;
    }
  }

  get pid(): number {
    return this.process.pid!;
  }

  kill(signal: NodeJS.Signals): void {
    this.process.kill(signal);
  }

  /** The first match of `pattern` in what was printed; fails when the process ends without, or after `waitMs`. */
  async printed(pattern: RegExp, waitMs?: number): Promise<RegExpExecArray> {
    const look = () => pattern.exec(this.stdout) ?? pattern.exec(this.stderr);
    const tell = () => `waited for ${pattern} in vain; printed:\n${this.stdout}${this.stderr}`;
    const match = await this.#changes.until(() => look() ?? this.#ended, tell, waitMs);
    if (match === true) throw new Error(tell());
    return match;
  }
}

/** Variables for a service on free ports. */
export const FREE_PORTS = {
  READBACK_RELAY_PORT: "0",
  READBACK_HTTP_PORT: "0",
  READBACK_METRICS_PORT: "0",
  READBACK_GRPC_PORT: "0",
} as const;

/** Nothing is prepared for a first answer: it takes seconds of each start. */
const UNHURRIED = {
  READBACK_LLM_KEEP_WARM: "false",
  READBACK_REHEARSAL_MS: "0",
  READBACK_SPEECH_SPEAK_AHEAD: "off",
} as const;

/** All but the kiosks' own, which is opened only where it is set. */
type ServedPorts = Required<Omit<Ports, "kiosk">>;

/** `readback serve`, once it listens. It asks its servers for nothing but what it needs for its turns. */
export async function serve(
  environment: Readonly<Record<string, string>>,
): Promise<{ readonly child: Child; readonly ports: ServedPorts }> {
  const child = Child.run(["serve"], { ...FREE_PORTS, ...UNHURRIED, ...environment });
  const [line] = await child.printed(/^.*"event":"service_started".*$/m);
  const { relay, http, metrics, grpc } = JSON.parse(line) as ServedPorts;
  return { child, ports: { relay, http, metrics, grpc } };
}
