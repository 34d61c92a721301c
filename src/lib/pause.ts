/**
 * Lets work with much text share the event loop: between small steps it calls `pause`, which goes on at once while
 * this round of the loop has time left, and otherwise waits until sockets and timers have had their turn and all others
 * that wait theirs, by origin.
 */
import { systemClock } from "./clock.js";
import { FairQueue } from "./fair-queue.js";
import { currentOrigin } from "./origin.js";

/** How long such work may hold one round of the event loop, all of it together, in milliseconds. */
export const SLICE_MS = 10;

const waiting = new FairQueue<() => void>();
/** When the present round began for such work; absent: none ran in it yet. */
let roundSinceMs: number | undefined;
let scheduled = false;

/** Await it between steps of a few milliseconds at the most: per sentence, per passage, per page. */
export async function pause(): Promise<void> {
  const nowMs = systemClock.monotonic();
  roundSinceMs ??= nowMs;
  nextRound();
  if (waiting.size === 0 && nowMs - roundSinceMs < SLICE_MS) return;
  await new Promise<void>((resolve) => waiting.push(currentOrigin(), resolve));
}

/** One that waits goes on in each round. */
function nextRound(): void {
  if (scheduled) return;
  scheduled = true;
  setImmediate(() => {
    scheduled = false;
    const goOn = waiting.shift();
    roundSinceMs = goOn === undefined ? undefined : systemClock.monotonic();
    if (goOn === undefined) return;
    nextRound();
    goOn();
  });
}
