/** Which resources of a site a chat has dealt with, and what was read, as a value that can be written down. */
import type { KnownFact } from "./known-fact.js";

export interface TargetContext {
  /** How many turns the user took. */
  readonly turn: number;
  /** The least recently used first. */
  readonly resolved: readonly ResolvedTarget[];
  /** What the user spoke of last. */
  readonly named?: TargetMention;
  /** Between what the user was asked to choose last. */
  readonly offered?: TargetMention;
  /** What a model has read for this chat: bounded, and filtered by age and access before it is used. */
  readonly facts?: readonly KnownFact[];
}

export interface ResolvedTarget {
  readonly id: string;
  readonly usedMs: number;
}

export interface TargetMention {
  /** In the order in which they were said. */
  readonly ids: readonly string[];
  readonly turn: number;
}

export const NO_TARGETS: TargetContext = { turn: 0, resolved: [] };
