/** The directory of everything that is kept on disk, made and tried before anything is opened in it. */
import { accessSync, constants, existsSync, mkdirSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { variableOf } from "../config/settings.js";
import { type ProcessLock, takeProcessLock } from "../lib/process-lock.js";

/** A socket that whoever uses the directory alone listens on. */
const LOCK = "service.lock";

/** What is there while a restore takes files away and puts others in their place. */
export const SWAPPING = ".swapping";

/** Throws a readable error, which names the setting, when `path` cannot be made or used. */
export function prepareDataDirectory(path: string): void {
  try {
    makeDirectory(resolve(path));
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const remedy = `Set data_dir (${variableOf(["data_dir"])}) to a directory that this user may write to`;
    throw new Error(`${path} cannot be used: ${(error as Error).message}. ${remedy}.`, { cause: error });
  }
}

/**
 * Prepares the directory, and keeps other services and restores out of it until it is released. Rejects with a readable
 * error where one has it, or where a restore was cut off in it.
 */
export async function claimDataDirectory(path: string): Promise<ProcessLock> {
  prepareDataDirectory(path);
  const lock = await lockDataDirectory(path);
  if (!existsSync(join(path, SWAPPING))) return lock;
  lock.release();
  throw new Error(
    `A restore was cut off in ${path}, which has only a part of its files. Run it again: npx readback restore --force`,
  );
}

/** The lock alone. */
export async function lockDataDirectory(path: string): Promise<ProcessLock> {
  try {
    return await takeProcessLock(join(path, LOCK));
  } catch (error) {
    throw new Error(`${(error as Error).message}: one service, or one restore, at a time uses ${path}`, {
      cause: error,
    });
  }
}

/** Level by level: Node's own recursion does not end where the system says that a parent is missing which is there. */
function makeDirectory(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory()) return;
  if (found !== undefined) throw new Error("it is a file");
  makeDirectory(dirname(path));
  mkdirSync(path);
}
