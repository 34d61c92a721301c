/** The life of a child process: it ends with its parent, even in the middle of a call that never comes back. */
import { Worker } from "node:worker_threads";
import type { OrphanWatchData } from "./orphan-watch.worker.js";
import { workerUrl } from "./worker.js";

const WATCH_HEAP_MIB = 16;

/** To be called once, at the start of a child that was forked. */
export function endWithParent(): void {
  process.once("disconnect", () => process.exit());
  const watch = new Worker(workerUrl(import.meta.url, "./orphan-watch.worker.js"), {
    workerData: { parentPid: process.ppid } satisfies OrphanWatchData,
    resourceLimits: { maxOldGenerationSizeMb: WATCH_HEAP_MIB },
  });
  watch.unref();
}
