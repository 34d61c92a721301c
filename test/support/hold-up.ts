/**
 * For the service's own process, by `NODE_OPTIONS=--import`: holds it up at a signal. SIGUSR2 stops its event loop for
 * HOLD_UP_MS, or for good; SIGWINCH leaves something open, so that it does not end by itself. With HOLD_UP_START_MS it is
 * stopped for so long once its first thread, which watches the loop, runs.
 */
import { isMainThread, type Worker } from "node:worker_threads";

const { HOLD_UP_MS, HOLD_UP_START_MS } = process.env;
const HOUR_MS = 3_600_000;

if (isMainThread) {
  const cell = new Int32Array(new SharedArrayBuffer(4));
  const holdUp = (ms: string | undefined) => {
    process.stderr.write("held up\n");
    Atomics.wait(cell, 0, 0, ms === undefined ? undefined : Number(ms));
  };
  process.on("SIGUSR2", () => holdUp(HOLD_UP_MS));
  if (HOLD_UP_START_MS !== undefined)
    process.once("worker", (worker: Worker) => worker.once("online", () => holdUp(HOLD_UP_START_MS)));
  process.on("SIGWINCH", () => {
    setInterval(() => {}, HOUR_MS);
    process.stderr.write("left open\n");
  });
}
