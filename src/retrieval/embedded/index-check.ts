/** Checks a network's index as a whole, in a process of its own: a damaged file may end the process that reads it. */
import { CallFailed, CallProcess, ProcessEnded } from "../../lib/call-process.js";
import type { Clock } from "../../lib/clock.js";
import { workerUrl } from "../../lib/worker.js";
import type { CheckCalls } from "./check.child.js";
import { databasePath, unusable } from "./database.js";
import { IndexDamaged } from "./index-damaged.js";

export type IndexVerdict =
  /** `documents` and `chunks` are 0 for a network that never had documents. */
  | { readonly type: "sound"; readonly documents: number; readonly chunks: number }
  /** The message says what is wrong, in which file, and what to do. */
  | { readonly type: "damaged"; readonly message: string }
  /** The check itself could not be made, or was ended. */
  | { readonly type: "unknown"; readonly message: string };

export interface IndexCheckRequest {
  readonly clock: Clock;
  readonly directory: string;
  readonly network: string;
}

/** Time for the check of one index; beyond that it is left undecided. */
const CHECK_MS_MAX = 600_000;

/** Processes that are tried: one that dies may have been killed by somebody, two of them were ended by the file. */
const ATTEMPTS_MAX = 2;

/** Never rejects. */
export async function checkInProcess(request: IndexCheckRequest, signal: AbortSignal): Promise<IndexVerdict> {
  const { directory, network } = request;
  let how = "";
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
    try {
      return await checkOnce(request, signal);
    } catch (error) {
      how = (error as Error).message;
      if (error instanceof CallFailed && error.errorName === IndexDamaged.name)
        return { type: "damaged", message: how };
      if (!(error instanceof ProcessEnded) || signal.aborted) return { type: "unknown", message: how };
    }
  }
  const cause = new IndexDamaged(`whatever reads it is ended by it: ${how}`);
  return { type: "damaged", message: unusable(databasePath(directory, network), network, cause) };
}

async function checkOnce(
  { clock, directory, network }: IndexCheckRequest,
  signal: AbortSignal,
): Promise<IndexVerdict> {
  const process = new CallProcess<CheckCalls>({
    url: workerUrl(import.meta.url, "./check.child.js"),
    name: "check",
    clock,
  });
  let isLate = false;
  const late = clock.after(CHECK_MS_MAX, () => {
    isLate = true;
    process.kill();
  });
  const onAbort = () => process.kill();
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    if (signal.aborted) process.kill();
    const { documents, chunks } = await process.call("check", { directory, network });
    return { type: "sound", documents, chunks };
  } catch (error) {
    if (isLate) return { type: "unknown", message: `the check took longer than ${CHECK_MS_MAX} ms` };
    throw error;
  } finally {
    late.cancel();
    signal.removeEventListener("abort", onAbort);
    await process.close();
  }
}
