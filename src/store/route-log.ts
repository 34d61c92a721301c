/** Decisions of the router, kept as labelled data to train its classifier with: only where an operator asks for it. */
import type { RouteDecision } from "../domain/answer.js";

export interface DecidedRoute extends RouteDecision {
  readonly network: string;
  /** The beginning of the message. */
  readonly topic: string;
}

export interface LoggedRoute extends DecidedRoute {
  /** Milliseconds since the Unix epoch. */
  readonly atMs: number;
}

export interface RouteLog {
  /** Takes no time and does not throw: it is written later, and what could not be written is told as an event. */
  add(route: DecidedRoute): void;
  /** Oldest first; of all networks unless one is named. Rejects with `StoreUnusable`. */
  list(network?: string): Promise<readonly LoggedRoute[]>;
  /** Removes everything of a network, or all. Rejects with `StoreUnusable`. */
  clear(network?: string): Promise<void>;
  /** After what is waiting was written. */
  close(): Promise<void>;
}
