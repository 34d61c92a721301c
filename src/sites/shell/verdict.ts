/** How a judgement of a command ends: what returns only reads, and what throws may write. */

/** Ends the judgement of a command, or of one way to take it; `why` names the part that decided. */
export function refuse(why: string): never {
  throw new Error(why);
}

/** Refuses what all of several judgements refuse, for the reason of the last one. */
export function anyOf(judgements: readonly (() => void)[]): void {
  let reason: unknown;
  for (const judge of judgements)
    try {
      return judge();
    } catch (error) {
      reason = error;
    }
  throw reason;
}
