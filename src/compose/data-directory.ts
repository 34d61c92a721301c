/** The directory of everything that is kept on disk, made and tried before anything is opened in it. */
import { accessSync, constants, mkdirSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { variableOf } from "../config/settings.js";

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

/** Level by level: Node's own recursion does not end where the system says that a parent is missing which is there. */
function makeDirectory(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory()) return;
  if (found !== undefined) throw new Error("it is a file");
  makeDirectory(dirname(path));
  mkdirSync(path);
}
