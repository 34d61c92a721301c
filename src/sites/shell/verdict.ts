/** What is judged of a command, or of a part of it: whether it only reads, and by what that was told. */

export interface CommandVerdict {
  /** `write` also where it is not known that it only reads. */
  readonly effect: "read" | "write";
  /** For a log or an operator: the part that decided. */
  readonly why: string;
  /** `certain`: the programs and their options cannot write. `content`: what they are given, such as SQL, only reads. */
  readonly basis: "certain" | "content";
}

export const READS: CommandVerdict = { effect: "read", why: "all of it only reads", basis: "certain" };
export const READS_BY_CONTENT: CommandVerdict = { ...READS, basis: "content" };

export function refuse(why: string): CommandVerdict {
  return { effect: "write", why, basis: "certain" };
}

/** The first that is a write; else a read, by content as soon as one is. */
export function everyOf(verdicts: Iterable<CommandVerdict>): CommandVerdict {
  let all = READS;
  for (const verdict of verdicts) {
    if (verdict.effect === "write") return verdict;
    if (verdict.basis === "content") all = READS_BY_CONTENT;
  }
  return all;
}

/** The first that is a read, else the last. */
export function anyOf(verdicts: Iterable<CommandVerdict>): CommandVerdict {
  let last = refuse("nothing is known of it");
  for (const verdict of verdicts) {
    if (verdict.effect === "read") return verdict;
    last = verdict;
  }
  return last;
}
