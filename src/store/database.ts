/**
 * A small database file of what must survive a restart, held by a process of its own: a damaged file may end the process
 * that reads it, and this must not be the service. After that, the file is found damaged, or the next call opens it anew.
 */
import { existsSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { CallFailed, CallProcess, ProcessEnded } from "../lib/call-process.js";
import { systemClock } from "../lib/clock.js";
import type { Layouts } from "../lib/layouts.js";
import { makePrivateFolder } from "../lib/private-files.js";
import { workerUrl } from "../lib/worker.js";
import type { DatabaseCalls } from "./database.child.js";
import type { DatabaseRow, InStatement, InValue } from "./database-file.js";
import { StoreUnusable } from "./dead-letters.js";

export type { InStatement, InValue };

/** After the end of a process, the file is left alone for so long. */
const REOPEN_MS = 5_000;

export class Database {
  #process: CallProcess<DatabaseCalls> | undefined;
  #opening: Promise<void> | undefined;
  #leftAloneUntilMs = 0;
  #isClosed = false;

  private constructor(
    readonly path: string,
    private readonly layouts: Layouts,
  ) {}

  /**
   * Opens the file if it is there, and brings it to the newest of its layouts; the first write makes one that is
   * missing. Rejects with `StoreUnusable`, as does every method.
   */
  static async open(path: string, layouts: Layouts): Promise<Database> {
    const database = new Database(path, layouts);
    try {
      await database.#attempt(async () => {
        if (existsSync(path)) await database.#opened();
        else makeFolderFor(path);
      });
    } catch (error) {
      await database.close();
      throw error;
    }
    return database;
  }

  /** Runs statements in one transaction in one go, so that no other write of this process can come in between. */
  writeAll(statements: InStatement[]): Promise<void> {
    return this.#attempt(async () => (await this.#opened()).call("writeAll", statements));
  }

  /** None where there is no file yet; no process is needed to know that. */
  async rows(sql: string, args: InValue[]): Promise<readonly DatabaseRow[]> {
    if (this.#process === undefined && !this.#isClosed && !existsSync(this.path)) return [];
    return this.#attempt(async () => (await this.#opened()).call("rows", { sql, args }));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const process = this.#process;
    this.#process = undefined;
    await process?.close();
  }

  async #opened(): Promise<CallProcess<DatabaseCalls>> {
    if (this.#isClosed) throw new StoreUnusable(`${this.path} is closed`);
    if (this.#process?.alive !== true) {
      if (systemClock.monotonic() < this.#leftAloneUntilMs)
        throw new StoreUnusable(`${this.path} cannot be used: the last process that read it just ended`);
      this.#process = start();
      this.#opening = this.#process.call("open", { path: this.path, layouts: this.layouts });
    }
    const process = this.#process;
    try {
      await this.#opening;
      return process;
    } catch (error) {
      if (this.#process === process) this.#process = undefined;
      await process.close();
      throw error;
    }
  }

  async #attempt<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw await this.#failure(error);
    }
  }

  async #failure(error: unknown): Promise<unknown> {
    if (error instanceof CallFailed)
      return new StoreUnusable(error.message, error.code === "damaged" ? "damaged" : "unusable", {
        cause: error,
      });
    if (!(error instanceof ProcessEnded) || this.#isClosed) return error;
    this.#leftAloneUntilMs = systemClock.monotonic() + REOPEN_MS;
    const kind = (await this.#isDamaged()) ? "damaged" : "unusable";
    const remedy = kind === "damaged" ? "It is damaged: move the file away." : "Try again.";
    return new StoreUnusable(`${this.path} cannot be used: ${error.message}. ${remedy}`, kind, {
      cause: error,
    });
  }

  /** Asks another process, which may end over it as well. */
  async #isDamaged(): Promise<boolean> {
    const process = start();
    try {
      await process.call("open", { path: this.path, layouts: this.layouts });
      await process.call("check", undefined);
      return false;
    } catch (error) {
      return error instanceof ProcessEnded || (error instanceof CallFailed && error.code === "damaged");
    } finally {
      await process.close();
    }
  }
}

/**
 * Writes what a database file holds to a new file at `to`, as of one moment; any process may use it meanwhile. Returns
 * its layout. Rejects with `StoreUnusable`.
 */
export async function copyDatabase(from: string, to: string): Promise<number> {
  const process = start();
  try {
    return await process.call("copy", { from, to });
  } catch (error) {
    throw new StoreUnusable(`${from} cannot be copied: ${(error as Error).message}`, "unusable", {
      cause: error,
    });
  } finally {
    await process.close();
    // Empty, and left there where the process ends before its connection.
    for (const part of ["-wal", "-shm"]) rmSync(to + part, { force: true });
  }
}

function makeFolderFor(path: string): void {
  try {
    makePrivateFolder(dirname(path));
  } catch (error) {
    throw new StoreUnusable(`${path} cannot be used: ${(error as Error).message}`, "unusable", {
      cause: error,
    });
  }
}

function start(): CallProcess<DatabaseCalls> {
  return new CallProcess<DatabaseCalls>({
    url: workerUrl(import.meta.url, "./database.child.js"),
    name: "store",
    clock: systemClock,
  });
}
