/** A worker for the tests of `WorkerClient`: one call for each way in which a worker behaves, well or badly. */
import { type CallContext, serveCalls } from "../../src/lib/worker-thread.js";

export type EchoCalls = {
  echo: { input: string; output: string };
  fail: { input: string; output: never };
  /** Ends when it is aborted, and says so to nobody. */
  waitForAbort: { input: undefined; output: string };
  /** Does not give the thread back before the number is no longer 0. */
  hold: { input: Int32Array<SharedArrayBuffer>; output: string };
  /** Never gives the thread back. */
  spin: { input: undefined; output: never };
  crash: { input: string; output: never };
  /** Sends `count` pieces of `size` bytes; the answer is the number that was sent. */
  pieces: { input: { count: number; size: number }; output: number };
  piecesSent: { input: undefined; output: number };
  uncloneable: { input: undefined; output: unknown };
};

let sent = 0;

serveCalls<EchoCalls>({
  echo: (text) => text,
  fail: (message) => {
    throw new RangeError(message);
  },
  waitForAbort: (_input, { signal }) =>
    new Promise((resolve) => signal.addEventListener("abort", () => resolve("aborted"))),
  hold: (gate) => {
    Atomics.wait(gate, 0, 0);
    return "released";
  },
  spin: () => {
    for (;;);
  },
  crash: (message) => {
    setImmediate(() => {
      throw new Error(message);
    });
    return new Promise<never>(() => {});
  },
  pieces: sendPieces,
  piecesSent: () => sent,
  uncloneable: () => () => {},
});

async function sendPieces({ count, size }: { count: number; size: number }, context: CallContext) {
  for (sent = 0; sent < count; sent++) await context.send(new Uint8Array(size).fill(sent));
  return sent;
}
