/** Files and folders that only this user may read: 0600 and 0700, whatever the umask. */
import { chmodSync, closeSync, lstatSync, mkdirSync, openSync, readdirSync } from "node:fs";
import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";

const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

/** The permissions of everybody but the owner. */
const OTHERS = 0o077;

/** Makes the folder, and those above it that are missing. Throws as `mkdir` does. */
export function makePrivateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: FOLDER_MODE });
}

/**
 * Makes an empty file when it is missing. Throws as `open` does. SQLite gives a database's log and shared memory the
 * permissions of the database.
 */
export function makePrivateFile(path: string): void {
  closeSync(openSync(path, "a", FILE_MODE));
}

/** Writes a file that a command leaves behind, in place of what was there. Rejects as `writeFile` does. */
export async function writePrivateFile(path: string, content: string | Uint8Array): Promise<void> {
  await writeFile(path, "", { mode: FILE_MODE });
  // What was there before keeps its permissions otherwise.
  await chmod(path, FILE_MODE);
  await writeFile(path, content);
}

/**
 * Takes the permissions of others off a folder and off those files and folders in it that `isOurs` says yes to; off
 * nothing where there is no such folder. `onExposed` is told where that fails.
 */
export function narrowFolder(
  path: string,
  isOurs: (name: string) => boolean,
  onExposed: (path: string, error: Error) => void,
): void {
  try {
    const status = lstatSync(path, { throwIfNoEntry: false });
    if (status === undefined || !status.isDirectory()) return;
    narrow(path, onExposed);
    for (const name of readdirSync(path).filter(isOurs)) narrow(join(path, name), onExposed);
  } catch (error) {
    onExposed(path, error as Error);
  }
}

function narrow(path: string, onExposed: (path: string, error: Error) => void): void {
  try {
    const status = lstatSync(path, { throwIfNoEntry: false });
    if (status === undefined || status.isSymbolicLink() || (status.mode & OTHERS) === 0) return;
    chmodSync(path, status.isDirectory() ? FOLDER_MODE : FILE_MODE);
  } catch (error) {
    onExposed(path, error as Error);
  }
}
