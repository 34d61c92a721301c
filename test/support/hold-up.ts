/**
 * For the service's own process, by `NODE_OPTIONS=--import`: holds it up at a signal. SIGUSR2 stops its event loop for
 * HOLD_UP_MS, or for good; SIGWINCH leaves something open, so that it does not end by itself.
 */
import { isMainThread } from "node:worker_threads";

const { HOLD_UP_MS } = process.env;
const HOUR_MS = 3_600_000;

if (isMainThread) {
  const cell = new Int32Array(new SharedArrayBuffer(4));
  process.on("SIGUSR2", () => {
    process.stderr.write("held up\n");
    Atomics.wait(cell, 0, 0, HOLD_UP_MS === undefined ? undefined : Number(HOLD_UP_MS));
  });
  process.on("SIGWINCH", () => {
    setInterval(() => {}, HOUR_MS);
    process.stderr.write("left open\n");
  });
}
