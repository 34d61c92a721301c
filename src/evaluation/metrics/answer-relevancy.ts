/**
 * Answer relevancy as RAGAS has it: questions are generated from the answer alone; the score is the mean of the cosines
 * between their embeddings and that of the question that was asked, × (1 − noncommittal). In RAGAS's code
 * `metrics/collections/answer_relevancy`: generated questions that are empty do not count, and the answer is
 * noncommittal when it was found so with every one that counts (releases before 0.3: with any).
 */

export interface GeneratedQuestion {
  /** Empty when the judge could think of none. */
  readonly question: string;
  /** Whether the answer is evasive, vague or ambiguous. */
  readonly noncommittal: boolean;
}

/** Questions that are generated for one answer: RAGAS's `strictness`. */
export const QUESTIONS_PER_ANSWER = 3;

/** `cosines[i]` belongs to `generated[i]`; `undefined` when no question counts. */
export function answerRelevancy(
  generated: readonly GeneratedQuestion[],
  cosines: readonly number[],
): number | undefined {
  const counted = generated.flatMap(({ question, noncommittal }, i) =>
    question.trim() === "" ? [] : [{ noncommittal, cosine: cosines[i] ?? 0 }],
  );
  if (counted.length === 0) return undefined;
  if (counted.every(({ noncommittal }) => noncommittal)) return 0;
  return counted.reduce((sum, { cosine }) => sum + cosine, 0) / counted.length;
}

/** The cosine of the angle between two vectors; 0 when one of them is zero. */
export function cosine(a: ArrayLike<number>, b: ArrayLike<number>): number {
  if (a.length !== b.length) throw new Error(`vectors of ${a.length} and ${b.length} numbers do not compare`);
  let [dot, squareA, squareB] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    dot += a[i]! * b[i]!;
    squareA += a[i]! ** 2;
    squareB += b[i]! ** 2;
  }
  return squareA === 0 || squareB === 0 ? 0 : dot / Math.sqrt(squareA * squareB);
}
