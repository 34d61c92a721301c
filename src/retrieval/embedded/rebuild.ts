/**
 * Builds a network's index anew. The new one grows in a folder beside the old one, which answers meanwhile as far as it
 * can; in the end it takes its place, and the old file is set aside.
 */
import { existsSync, readdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { makePrivateFolder } from "../../lib/private-files.js";
import { databasePath } from "./database.js";
import { recordPath } from "./index-record.js";

/** Files of a network that are kept aside; the oldest go. */
export const SET_ASIDE_MAX = 3;

const PARTS = ["-wal", "-shm", ""];

/** An empty folder in which a writer may build the network's new index. */
export function rebuildDirectory(directory: string, network: string): string {
  const path = join(directory, `${basename(databasePath(directory, network), ".db")}.rebuild`);
  rmSync(path, { recursive: true, force: true });
  makePrivateFolder(path);
  return path;
}

/**
 * Puts the index that was built in `from` in the place of the network's, with what is known of it; `date` names what is
 * set aside. Returns where the old file is now, `undefined` where there was none. Throws as the file system does.
 */
export function takePlace(from: string, directory: string, network: string, date: Date): string | undefined {
  const path = databasePath(directory, network);
  const aside = `${path}.damaged-${date.toISOString().replaceAll(/[:.]/g, "-")}`;
  const hadFile = existsSync(path);
  for (const part of PARTS) if (existsSync(path + part)) renameSync(path + part, aside + part);
  renameSync(databasePath(from, network), path);
  renameSync(recordPath(from, network), recordPath(directory, network));
  rmSync(from, { recursive: true, force: true });
  dropOldest(path);
  return hadFile ? aside : undefined;
}

function dropOldest(path: string): void {
  const [directory, prefix] = [dirname(path), `${basename(path)}.damaged-`];
  const aside = readdirSync(directory).filter((name) => name.startsWith(prefix));
  const dates = [
    ...new Set(aside.map((name) => name.slice(prefix.length).replace(/-(?:wal|shm)$/, ""))),
  ].sort();
  for (const date of dates.slice(0, Math.max(0, dates.length - SET_ASIDE_MAX)))
    for (const part of PARTS) rmSync(join(directory, prefix + date + part), { recursive: true, force: true });
}
