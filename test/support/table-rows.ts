/**
 * Counts how many rows of a table from elsewhere hold, and prints it. Rows that do not are listed by the test, each with
 * why ours is better; a row that is listed and holds fails, so that the list stays true.
 */
import { expect } from "vitest";

export interface TableRow {
  readonly id: string;
  readonly holds: boolean;
}

export function expectTable(
  name: string,
  rows: readonly TableRow[],
  better: Readonly<Record<string, string>> = {},
): void {
  const holding = rows.filter(({ holds }) => holds);
  const failing = rows.filter(({ holds }) => !holds).map(({ id }) => id);
  process.stdout.write(`${name}: ${holding.length} of ${rows.length} rows hold\n`);
  expect(new Set(rows.map(({ id }) => id)).size, "rows that have an id of their own").toBe(rows.length);
  expect(failing.toSorted()).toEqual(Object.keys(better).toSorted());
}
