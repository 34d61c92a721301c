/**
 * Lets work with much text share the event loop: between small steps it calls `pause`, which goes on at once while
 * this round of the loop has time left, and otherwise waits until sockets and timers have had their turn and all others
 * that wait theirs: the peer that has used least of the loop lately first, and of its work what has haste.
 */
import { systemClock } from "./clock.js";
import { FairQueue } from "./fair-queue.js";
import { currentOrigin, type Origin } from "./origin.js";
import { RecentUse } from "./recent-use.js";

/** How long such work may hold one round of the event loop, all of it together, in milliseconds. */
export const SLICE_MS = 0.5;

/** After so long, in milliseconds, what a peer has used counts for half. */
const USE_HALF_LIFE_MS = 1_000;

/** By peer, in milliseconds of such work. */
const used = new RecentUse(systemClock, USE_HALF_LIFE_MS);
/** What goes on in rounds of its own, each at the place of `placeOf`. */
const waiting = new FairQueue<() => void>();
/** When the present round began for such work; absent: none ran in it yet. */
let roundSinceMs: number | undefined;
/** Whose turn the present round is; absent: nobody waited for it. */
let turnOf: Origin | undefined;
/** Until when the work of the present round is counted as used. */
let countedToMs: number | undefined;
let scheduled = false;
/** How often haste began. */
let begun = 0;

/** A place of work that has none. */
const PATIENT = 0;

/**
 * Whether somebody waits for what a piece of work comes to, which may change while it waits its turn. What has haste
 * goes before all other work of its peer, one after the other, until it has taken what it may have of this.
 */
export class Haste {
  /** Its place among all that have haste: the number of its begin. */
  #place = PATIENT;
  #leftMs = 0;
  /** Takes the new place, for each that waits. */
  readonly #moves = new Set<() => void>();

  /** From now on it is waited for; what it does together in this time, in milliseconds, is `msMax` at the most. */
  begin(msMax: number): void {
    this.#leftMs = msMax;
    if (this.#place === PATIENT) this.#moveTo(++begun);
  }

  /** From now on nobody waits for it. */
  end(): void {
    if (this.#place !== PATIENT) this.#moveTo(PATIENT);
  }

  /** Tells of work that was done, in milliseconds. */
  spend(ms: number): void {
    this.#leftMs -= ms;
    if (this.#leftMs < 0) this.end();
  }

  get isOn(): boolean {
    return this.#place !== PATIENT;
  }

  /** Resolves when it is the turn of this work of `origin`. */
  turn(origin: Origin): Promise<void> {
    return new Promise((resolve) => {
      const goOn = (): void => {
        this.#moves.delete(move);
        turnOf = origin;
        resolve();
      };
      let place = placeOf(origin, this.#place);
      const move = (): void => {
        waiting.remove(place, goOn);
        place = placeOf(origin, this.#place);
        waiting.push(place, goOn);
      };
      this.#moves.add(move);
      waiting.push(place, goOn);
    });
  }

  #moveTo(place: number): void {
    this.#place = place;
    for (const move of this.#moves) move();
  }
}

const NO_HASTE = new Haste();

/** Await it between steps of a few milliseconds at the most: per sentence, per passage, per page. */
export async function pause(haste = NO_HASTE): Promise<void> {
  const nowMs = systemClock.monotonic();
  roundSinceMs ??= nowMs;
  beginRound();
  const origin = currentOrigin();
  used.add(origin[0], nowMs - (countedToMs ?? nowMs));
  countedToMs = nowMs;
  const isItsTurn = isSame(origin, turnOf) || (haste.isOn && origin[0] === turnOf?.[0]);
  if ((isItsTurn || waiting.size === 0) && nowMs - roundSinceMs < SLICE_MS) return;
  await haste.turn(origin);
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

/** Below each peer the places of those that have haste, and one of all others, who take turns in it. */
function placeOf([peer, ...rest]: Origin, place: number): readonly string[] {
  return place === PATIENT ? [peer, "", ...rest] : [peer, String(place), "", ""];
}

/** The peer that has used least is next, within it whose haste began first; below that all take turns. */
function before([peer, place, connection]: readonly string[]): number {
  if (place === undefined) return used.of(peer!);
  return connection === undefined ? Number(place || Number.MAX_VALUE) : 0;
}

/** One that waits goes on in each round, for as long as its round lasts. */
function beginRound(): void {
  if (scheduled) return;
  scheduled = true;
  setImmediate(() => {
    scheduled = false;
    const goOn = waiting.shift(before);
    turnOf = undefined;
    roundSinceMs = countedToMs = goOn === undefined ? undefined : systemClock.monotonic();
    if (goOn === undefined) return;
    beginRound();
    goOn();
  });
}
