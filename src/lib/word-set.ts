/** Tables of words as they are written in code: one after the other, with white space between. */

/** Each of them once. */
export function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(/\s+/));
}

/** The name of the row that each word stands in. */
export function rowByWord<Row extends string>(
  table: Readonly<Partial<Record<Row, string>>>,
): ReadonlyMap<string, Row> {
  const rows = Object.entries<string | undefined>(table) as [Row, string][];
  return new Map(rows.flatMap(([row, words]) => words.split(/\s+/).map((word) => [word, row] as const)));
}
