/** The turn for which a text is scanned: for code far below that knows nothing of turns. */
import { AsyncLocalStorage } from "node:async_hooks";

const scope = new AsyncLocalStorage<{ readonly isSpoken: boolean; isUrgent: boolean }>();

/** Runs `work`, and all that it starts, for a turn whose question was typed or spoken. */
export function underGuard<T>(isSpoken: boolean, work: () => T): T {
  return scope.run({ isSpoken, isUrgent: false }, work);
}

/** Somebody is in danger: from now on nothing of this turn waits for a server. */
export function waitForNoGuard(): void {
  const turn = scope.getStore();
  if (turn !== undefined) turn.isUrgent = true;
}

/** The turn in which the caller runs; `undefined` outside of turns. */
export const guardedTurn = () => scope.getStore();
