/** Files that were changed lately, by name and time: what is in them is not read. */
import { realpathSync } from "node:fs";
import { SiteFailure } from "../port.js";
import type { Machine } from "./machine.js";

/** Folders that may be asked about, with all in them. */
const FOLDERS = ["/etc", "/opt", "/srv", "/usr/local", "/var/log", "/var/www"];
const DEPTH_MAX = 8;
const SHOWN_MAX = 50;

export interface FileChangeArguments {
  readonly folder: string;
  readonly within_minutes: number;
}

/** Rejects with `POLICY_BLOCKED` for any other folder, and where a link leads out of these. */
export async function fileChanges(machine: Machine, args: FileChangeArguments): Promise<object> {
  const real = realFolder(machine, args.folder);
  const options = ["-xdev", "-maxdepth", `${DEPTH_MAX}`, "-type", "f", "-mmin", `-${args.within_minutes}`];
  const text = await machine.run("find", ["-P", real, ...options, "-printf", "%T@ %P\\0"], 1);
  const files = text.split("\0").flatMap((row) => {
    const blank = row.indexOf(" ");
    if (blank < 0) return [];
    const changedMs = Math.round(Number(row.slice(0, blank)) * 1_000);
    return { path: row.slice(blank + 1), changed_at: new Date(changedMs).toISOString() };
  });
  files.sort((a, b) => (a.changed_at < b.changed_at ? 1 : -1));
  return {
    folder: args.folder,
    within_minutes: args.within_minutes,
    changed_count: files.length,
    recent_files: files.slice(0, SHOWN_MAX),
  };
}

function realFolder(machine: Machine, folder: string): string {
  const real = realOf(machine, folder.includes("\0") ? "" : folder);
  const allowed = FOLDERS.map((one) => realOf(machine, one) ?? machine.path(one));
  if (!folder.split("/").includes("..") && FOLDERS.some((one) => `${folder}/`.startsWith(`${one}/`))) {
    if (real === undefined) throw new SiteFailure("NOT_FOUND", `there is no ${folder}`);
    if (allowed.some((one) => `${real}/`.startsWith(`${one}/`))) return real;
  }
  throw new SiteFailure("POLICY_BLOCKED", `may be asked about: ${FOLDERS.join(", ")}`);
}

function realOf(machine: Machine, folder: string): string | undefined {
  try {
    return realpathSync(machine.path(folder));
  } catch {
    return undefined;
  }
}
