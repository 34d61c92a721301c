/**
 * Lets work with much text share the event loop: between small steps it calls `pause`, which goes on at once while
 * this round of the loop has time left, and otherwise waits until sockets and timers have had their turn and all others
 * that wait theirs: the peer that has used least of the loop lately first.
 */
import { systemClock } from "./clock.js";
import { FairQueue } from "./fair-queue.js";
import { currentOrigin, type Origin } from "./origin.js";
import { RecentUse } from "./recent-use.js";

/** How long such work may hold one round of the event loop, all of it together, in milliseconds. */
export const SLICE_MS = 2;

/** After so long, in milliseconds, what a peer has used counts for half. */
const USE_HALF_LIFE_MS = 1_000;

/** By peer, in milliseconds of such work. */
const used = new RecentUse(systemClock, USE_HALF_LIFE_MS);
const waiting = new FairQueue<() => void>();
/** When the present round began for such work; absent: none ran in it yet. */
let roundSinceMs: number | undefined;
/** Whose turn the present round is; absent: nobody waited for it. */
let turnOf: Origin | undefined;
/** Until when the work of the present round is counted as used. */
let countedToMs: number | undefined;
let scheduled = false;

/** Await it between steps of a few milliseconds at the most: per sentence, per passage, per page. */
export async function pause(): Promise<void> {
  const nowMs = systemClock.monotonic();
  roundSinceMs ??= nowMs;
  beginRound();
  const origin = currentOrigin();
  used.add(origin[0], nowMs - (countedToMs ?? nowMs));
  countedToMs = nowMs;
  const mayGoOn = waiting.size === 0 || isSame(origin, turnOf);
  if (mayGoOn && nowMs - roundSinceMs < SLICE_MS) return;
  await new Promise<void>((resolve) => {
    waiting.push(origin, () => {
      turnOf = origin;
      resolve();
    });
  });
}

/** Resolves in the next round of the event loop: what has just been asked of a server is on its way first. */
export function nextRound(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

function isSame(one: Origin, other: Origin | undefined): boolean {
  return one.every((name, at) => name === other?.[at]);
}

/** One that waits goes on in each round, for as long as its round lasts. */
function beginRound(): void {
  if (scheduled) return;
  scheduled = true;
  setImmediate(() => {
    scheduled = false;
    const goOn = waiting.shift(([peer]) => used.of(peer!));
    turnOf = undefined;
    roundSinceMs = countedToMs = goOn === undefined ? undefined : systemClock.monotonic();
    if (goOn === undefined) return;
    beginRound();
    goOn();
  });
}
