/** What readings take from the machine: the beginning or the end of a file, names in a folder, what a command prints. */
import { closeSync, constants, fstatSync, openSync, readdirSync, readSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../lib/clock.js";
import { DeadlineExceeded, withDeadline } from "../../lib/deadline.js";
import { OutputTooLarge, ProgramMissing, runProgram } from "../../lib/run-program.js";
import { SiteFailure } from "../port.js";

const FILE_BYTES_MAX = 262_144;
const OUTPUT_BYTES_MAX = 4_194_304;
const NAMES_MAX = 20_000;

const FAILURES = [
  [ProgramMissing, "NOT_FOUND"],
  [OutputTooLarge, "TOO_LARGE"],
  [DeadlineExceeded, "TIMEOUT"],
] as const;

/** All of it throws or rejects with `SiteFailure`. */
export class Machine {
  constructor(
    /** Where its files begin: `/`. */
    private readonly root: string,
    /** After so long, in milliseconds, a command is killed. */
    private readonly commandMsMax: number,
  ) {}

  path(path: string): string {
    return join(this.root, path);
  }

  /** The beginning of a regular file, or its end; a pipe is not waited for. */
  text(path: string, bytesMax = FILE_BYTES_MAX, part: "beginning" | "end" = "beginning"): string {
    let file: number | undefined;
    try {
      file = openSync(this.path(path), constants.O_RDONLY | constants.O_NONBLOCK);
      const status = fstatSync(file);
      if (!status.isFile()) throw new SiteFailure("EXECUTION_FAILED", `${path} is no regular file`);
      const from = part === "end" ? Math.max(0, status.size - bytesMax) : 0;
      const bytes = Buffer.allocUnsafe(bytesMax);
      let length = 0;
      // Files of /proc have no size and come in pieces.
      for (let read = -1; read !== 0 && length < bytesMax; length += read)
        read = readSync(file, bytes, length, bytesMax - length, from + length);
      return bytes.toString("utf8", 0, length);
    } catch (error) {
      throw error instanceof SiteFailure ? error : failureOf(error as NodeJS.ErrnoException, path);
    } finally {
      if (file !== undefined) closeSync(file);
    }
  }

  /** The same, or "" where the file is not there or may not be read. */
  textOrNone(path: string, bytesMax?: number): string {
    try {
      return this.text(path, bytesMax);
    } catch {
      return "";
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

  /** What a program prints that ends with 0, or with `partly`: it could not read everything. Without a shell. */
  async run(command: string, args: readonly string[], partly = 0): Promise<string> {
    const never = new AbortController().signal;
    try {
      const { exitCode, output } = await withDeadline(
        systemClock,
        command,
        this.commandMsMax,
        never,
        (signal) => runProgram(command, args, OUTPUT_BYTES_MAX, signal),
      );
      if (exitCode === 0 || exitCode === partly) return output;
      throw new SiteFailure("EXECUTION_FAILED", `${command} ended with exit code ${exitCode}`);
    } catch (error) {
      const code = FAILURES.find(([kind]) => error instanceof kind)?.[1];
      throw code === undefined ? error : new SiteFailure(code, (error as Error).message, { cause: error });
    }
  }
}

function failureOf(error: NodeJS.ErrnoException, path: string): SiteFailure {
  const isBlocked = error.code === "EACCES" || error.code === "EPERM";
  const code = isBlocked ? "POLICY_BLOCKED" : error.code === "ENOENT" ? "NOT_FOUND" : "EXECUTION_FAILED";
  return new SiteFailure(code, `${path} cannot be read: ${error.code}`, { cause: error });
}
