/**
 * A thread of a reading process that ends the process when its parent is gone. The process itself could not: it may be
 * inside a file that never gives it back to its event loop.
 */
import { workerData } from "node:worker_threads";
import { every, systemClock } from "../lib/clock.js";

const LOOK_MS = 500;

every(systemClock, LOOK_MS, () => {
  if (process.ppid !== workerData) process.kill(process.pid, "SIGKILL");
});
