/**
 * Numbered layouts of a database file. Its `user_version` says which one it has, and each step leads to the next, so
 * that a file of an earlier release is brought up to date with everything in it.
 */

/** A transaction that may write: what the steps do is done with its commit, or not at all. */
export interface LayoutTransaction {
  /** The rows of the result, each with its values by position. */
  execute(sql: string): Promise<{ readonly rows: readonly { readonly [at: number]: unknown }[] }>;
  executeMultiple(sql: string): Promise<void>;
}

export interface Layouts {
  /** The number of the layout that the first step makes in an empty file. Files before it are not read. */
  readonly first: number;
  /** Statements of SQL. A step that was released stays as it is: a change is a step of its own, at the end. */
  readonly steps: readonly string[];
}

/** What is stored has a layout that this release does not know. */
export class LayoutUnknown extends Error {
  override readonly name = "LayoutUnknown";

  constructor(stored: number, first: number, newest: number) {
    const earlier = stored < first;
    const known = earlier ? `none before layout ${first}` : `up to layout ${newest}`;
    super(
      `${earlier ? "an earlier" : "a later"} release wrote it, in layout ${stored}, and this release reads ${known}`,
    );
  }
}

export function newestLayout({ first, steps }: Layouts): number {
  return first + steps.length - 1;
}

/** The layout that a file has; 0 where it is empty. */
export async function storedLayout(transaction: Pick<LayoutTransaction, "execute">): Promise<number> {
  return Number((await transaction.execute("PRAGMA user_version")).rows[0]?.[0]);
}

/** Brings a file to the newest layout and returns the one that it had. Rejects with `LayoutUnknown`. */
export async function bringUpToDate(transaction: LayoutTransaction, layouts: Layouts): Promise<number> {
  const stored = await storedLayout(transaction);
  const newest = newestLayout(layouts);
  if (stored === newest) return stored;
  if (stored !== 0 && (stored < layouts.first || stored > newest))
    throw new LayoutUnknown(stored, layouts.first, newest);
  const done = stored === 0 ? 0 : stored - layouts.first + 1;
  for (const step of layouts.steps.slice(done)) await transaction.executeMultiple(step);
  await transaction.executeMultiple(`PRAGMA user_version = ${newest}`);
  return stored;
}
