/** Which word somebody has to say to consent to something that disrupts: by chance, and none that the operation itself has. */
import type { Proposal } from "../../domain/operation.js";
import { isWithin } from "../../lib/edit-distance.js";
import type { Random } from "../../lib/random.js";
import { CHALLENGE_WORDS } from "../../locale/challenge.js";
import { wordsOf } from "../../locale/commands/words.js";

/** Words of an operation that are so near a challenge word, in edits, sound like it. */
const NEAR_EDITS = 2;
/** UTF-16 units of an operation that are looked at. */
const OPERATION_CHARS_MAX = 20_000;

type ChallengedProposal = Pick<Proposal, "action" | "calls" | "language">;

/** A word of `language` (BCP 47; English where it has none) that is no word of the operation and near none. Undefined: none is left. */
export function challengeFor(
  { action, calls, language }: ChallengedProposal,
  random: Random,
): string | undefined {
  const all = CHALLENGE_WORDS.get(language.split("-")[0]!.toLowerCase()) ?? CHALLENGE_WORDS.get("en")!;
  const told = [
    action,
    ...calls.flatMap(({ args, name, target, tool }) => [name, target, tool, JSON.stringify(args)]),
  ];
  const words = [...new Set(wordsOf(told.join(" "), OPERATION_CHARS_MAX).map(({ text }) => text))];
  const free = all.filter((word) => {
    const own = wordsOf(word)[0]!.text;
    return !words.some((other) => other.includes(own) || isWithin(NEAR_EDITS, own, other));
  });
  return free[Math.floor(random.fraction() * free.length)];
}
