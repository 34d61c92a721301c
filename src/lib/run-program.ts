/** One run of a program: no input, bounded output, killed when the signal aborts. It sees nothing of our environment. */
import { spawn } from "node:child_process";

export interface ProgramEnd {
  /** `undefined` when a signal ended it. */
  readonly exitCode: number | undefined;
  readonly output: string;
}

/** The program could not be started. */
export class ProgramMissing extends Error {
  override readonly name = "ProgramMissing";
}

/** The program wrote more than allowed. */
export class OutputTooLarge extends Error {
  override readonly name = "OutputTooLarge";
}

/** Where programs are, and an encoding; our own environment holds keys. */
const ENVIRONMENT = { PATH: "/usr/local/bin:/usr/bin:/bin", LC_ALL: "C.UTF-8" };

/** Rejects with `ProgramMissing`, `OutputTooLarge` or the signal's reason; the process is gone by then. */
export function runProgram(
  command: string,
  args: readonly string[],
  outputBytesMax: number,
  signal: AbortSignal,
): Promise<ProgramEnd> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason);
      return;
    }
    const child = spawn(command, args, { stdio: ["ignore", "pipe", "ignore"], env: ENVIRONMENT });
    const parts: Buffer[] = [];
    let bytes = 0;
    let failure: { readonly error: unknown } | undefined;
    const give = (error: unknown) => {
      failure ??= { error };
      child.kill("SIGKILL");
    };
    const onAbort = () => give(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    child.stdout.on("data", (part: Buffer) => {
      bytes += part.length;
      if (bytes > outputBytesMax)
        give(new OutputTooLarge(`${command} wrote more than ${outputBytesMax} bytes`));
      else parts.push(part);
    });
    child.once("error", (error) => {
      failure ??= { error: new ProgramMissing(`${command} does not start`, { cause: error }) };
    });
    child.once("close", (code) => {
      signal.removeEventListener("abort", onAbort);
      if (failure !== undefined) reject(failure.error);
      else resolve({ exitCode: code ?? undefined, output: Buffer.concat(parts).toString("utf8") });
    });
  });
}
