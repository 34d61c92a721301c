/**
 * Terms of the index that a mistyped term of a query may stand for. The vocabulary is read once for all terms of a
 * query, by its length and no more of it than is compared.
 */
import { type Like, likesOf, slipsIn } from "../../lib/edit-distance.js";
import type { Transaction } from "./database.js";
import type { Segment } from "./segments.js";

export interface NearTerm extends Like {
  /** As the query has it. */
  readonly asked: string;
}

/** Terms of one query that are looked for among their likes, the first of it. */
const ASKED_MAX = 8;

/** Terms of the index that are looked at: of a larger vocabulary the oldest segments. */
export const VOCABULARY_MAX = 1_000_000;

/** All terms within the edits that may be a slip, in alphabetical order. */
export async function nearTerms(
  transaction: Transaction,
  segments: readonly Segment[],
  asked: readonly string[],
): Promise<readonly NearTerm[]> {
  const words = asked.filter((term) => slipsIn(term) > 0).slice(0, ASKED_MAX);
  if (words.length === 0) return [];
  const vocabulary = await termsLike(transaction, segments, words);
  return words.flatMap((word) => likesOf(word, vocabulary).map((like) => ({ asked: word, ...like })));
}

/** The different terms of these segments that are about as long as one of `words`, in alphabetical order. */
async function termsLike(
  transaction: Transaction,
  segments: readonly Segment[],
  words: readonly string[],
): Promise<readonly string[]> {
  const shortest = Math.min(...words.map((word) => word.length - slipsIn(word)));
  const longest = Math.max(...words.map((word) => word.length + slipsIn(word)));
  const terms = new Set<string>();
  for (const { segment } of segments) {
    const { rows } = await transaction.execute({
      sql:
        "SELECT group_concat(term, ' ') AS terms FROM " +
        "(SELECT term FROM postings WHERE segment = ? AND length(term) BETWEEN ? AND ? LIMIT ?)",
      args: [segment, shortest, longest, VOCABULARY_MAX - terms.size],
    });
    for (const term of ((rows[0]?.terms as string | null) ?? "").split(" ")) if (term !== "") terms.add(term);
  }
  return [...terms].sort();
}
