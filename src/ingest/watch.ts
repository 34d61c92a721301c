/** Keeps the knowledge of a network up to date with a folder that is watched. */
import { relative, sep } from "node:path";
import { type FSWatcher, watch } from "chokidar";
import { every } from "../lib/clock.js";
import type { FolderSource } from "./folder-source.js";
import { Changes, type FollowEvents, follow } from "./follow.js";
import type { IngestDeps, IngestRequest } from "./ingest.js";
import { isManifestName } from "./source.js";

/** Everything is looked at anew this often: the system may have dropped a notice. */
export const RESCAN_MS = 600_000;

export interface WatchRequest extends Omit<IngestRequest, "only"> {
  readonly source: FolderSource;
}

/**
 * Ingests a folder or a document, and again whenever something in it changes. Resolves when the signal aborts, with
 * the watcher closed.
 */
export async function watchFolder(
  request: WatchRequest,
  deps: IngestDeps,
  events: FollowEvents,
  signal: AbortSignal,
): Promise<void> {
  const changes = new Changes();
  const watcher = await startWatcher(request.source, changes, events);
  const rescan = every(deps.clock, RESCAN_MS, () => changes.addEverything());
  try {
    // What changed before the watcher stood.
    changes.addEverything();
    await follow(request, deps, changes, events, signal);
  } finally {
    rescan.cancel();
    await watcher.close();
  }
}

/** Resolves when the watcher sees everything that happens from then on. */
async function startWatcher(
  { root, folder, kind }: FolderSource,
  changes: Changes,
  { onError }: FollowEvents,
): Promise<FSWatcher> {
  const watcher = watch(folder, {
    ignoreInitial: true,
    // Links are followed by the scan, by its own rules.
    followSymlinks: false,
    ...(kind === "folder" ? {} : { depth: 0 }),
    ignored: (path) => isPassedOver(relative(folder, path)),
  });
  watcher.on("all", (_event, path) => {
    // A mounted volume swaps what its links lead to, all at once.
    if (relative(folder, path).split(sep).some(isMounted)) changes.addEverything();
    else if (kind === "folder" || path === root || isManifestName(path)) changes.add(path);
  });
  watcher.on("error", (error) => {
    onError(new Error(`Not everything is watched, but looked at from time to time: ${String(error)}`));
  });
  await new Promise<void>((resolve) => watcher.once("ready", () => resolve()));
  return watcher;
}

/** Hidden entries are not ingested, so what happens to them is of no interest. */
function isPassedOver(path: string): boolean {
  return path !== "" && path.split(sep).some((name) => name.startsWith(".") && !isMounted(name));
}

/** As Kubernetes names the folders behind a mounted configuration: `..data`, `..2026_03_01_10_00`. */
function isMounted(name: string): boolean {
  return name.startsWith("..") && name !== "..";
}
