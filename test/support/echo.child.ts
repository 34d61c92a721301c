/** A child process for the tests of `CallProcess`: one call for each way in which a process behaves, well or badly. */
import { serveProcessCalls } from "../../src/lib/call-process-child.js";

export type EchoChildCalls = {
  echo: { input: string; output: string };
  fail: { input: string; output: never };
  /** The names of the variables of its environment. */
  environment: { input: undefined; output: readonly string[] };
  /** Never answers, and lets other calls be answered. */
  hang: { input: undefined; output: never };
  /** Never answers, nor anything else. */
  spin: { input: undefined; output: never };
  crash: { input: string; output: never };
};

serveProcessCalls<EchoChildCalls>({
  echo: (text) => text,
  fail: (message) => {
    throw new RangeError(message);
  },
  environment: () => Object.keys(process.env),
  hang: () => new Promise<never>(() => {}),
  spin: () => {
    for (;;);
  },
  crash: (message) => {
    setImmediate(() => {
      throw new Error(message);
    });
    return new Promise<never>(() => {});
  },
});
