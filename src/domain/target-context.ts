/** Which resources of a site a chat has dealt with, as a value that can be written down. */

export interface TargetContext {
  /** How many turns the user took. */
  readonly turn: number;
  /** The least recently used first. */
  readonly resolved: readonly ResolvedTarget[];
  /** What the user spoke of last. */
  readonly named?: TargetMention;
  /** Between what the user was asked to choose last. */
  readonly offered?: TargetMention;
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
