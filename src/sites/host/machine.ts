/** What readings take from the machine: the beginning of a file, names in a folder, what a command prints. */
import { closeSync, constants, existsSync, fstatSync, openSync, readdirSync, readSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../lib/clock.js";
import { withDeadline } from "../../lib/deadline.js";
import { runProgram } from "../../lib/run-program.js";
import { SiteFailure } from "../port.js";

const FILE_BYTES_MAX = 262_144;
const OUTPUT_BYTES_MAX = 4_194_304;
const NAMES_MAX = 20_000;

export class Machine {
  /** `root`: where its files begin. `commandMsMax`: after so long, in milliseconds, a command is killed. */
  constructor(
    private readonly root: string,
    private readonly commandMsMax: number,
  ) {}

  readonly path = (path: string): string => join(this.root, path);
  readonly has = (path: string): boolean => existsSync(this.path(path));

  /** The beginning of a regular file: a pipe is not waited for. "" where there is none, or none that may be read. */
  text(path: string, bytesMax = FILE_BYTES_MAX): string {
    let file: number | undefined;
    try {
      file = openSync(this.path(path), constants.O_RDONLY | constants.O_NONBLOCK);
      if (!fstatSync(file).isFile()) return "";
      const bytes = Buffer.allocUnsafe(bytesMax);
      let length = 0;
      // Files of /proc have no size and come in pieces.
      for (let read = -1; read !== 0 && length < bytesMax; length += read)
        read = readSync(file, bytes, length, bytesMax - length, length);
      return bytes.toString("utf8", 0, length);
    } catch {
      return "";
    } finally {
      if (file !== undefined) closeSync(file);
    }
  }

  /** Names in a folder; none where it is not there or may not be read. */
  names(path: string): readonly string[] {
    try {
      return readdirSync(this.path(path)).slice(0, NAMES_MAX);
    } catch {
      return [];
    }
  }

  /** What a program prints that ends with 0, or with `partly`; there is no shell. Rejects with `SiteFailure`. */
  async run(command: string, args: readonly string[], partly = 0): Promise<string> {
    const never = new AbortController().signal;
    const work = (signal: AbortSignal) => runProgram(command, args, OUTPUT_BYTES_MAX, signal);
    try {
      const { exitCode, output } = await withDeadline(systemClock, command, this.commandMsMax, never, work);
      if (exitCode === 0 || exitCode === partly) return output;
      throw new Error(`${command} ended with exit code ${exitCode}`);
    } catch (error) {
      throw SiteFailure.of(error, "EXECUTION_FAILED");
    }
  }
}
