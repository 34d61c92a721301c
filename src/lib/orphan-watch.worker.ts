/**
 * A thread of a child process that ends the process when its parent is gone. The process itself could not: it may be
 * inside a call that never gives it back to its event loop.
 */
import { workerData } from "node:worker_threads";
import { every, systemClock } from "./clock.js";

export interface OrphanWatchData {
  readonly parentPid: number;
}

const LOOK_MS = 500;

const { parentPid } = workerData as OrphanWatchData;

every(systemClock, LOOK_MS, () => {
  if (process.ppid !== parentPid) process.kill(process.pid, "SIGKILL");
});
