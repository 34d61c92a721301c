/** Part of a data set: by category, by id, or only so many rows. */
import type { DataSetRow } from "./data-set.js";

export interface RowFilter {
  readonly categories?: readonly string[];
  readonly ids?: readonly string[];
  readonly limit?: number;
}

/** A filter asks for something that is not there. */
export class FilterProblem extends Error {
  override readonly name = "FilterProblem";
  constructor(
    readonly field: "category" | "ids",
    message: string,
  ) {
    super(message);
  }
}

/** The rows that pass all filters, in their order. Throws `FilterProblem` when none can. */
export function filterRows(rows: readonly DataSetRow[], filter: RowFilter): readonly DataSetRow[] {
  const categories = new Set(rows.map(({ category }) => category));
  const ids = new Set(rows.map(({ id }) => id));
  for (const category of filter.categories ?? [])
    if (!categories.has(category))
      throw new FilterProblem(
        "category",
        `there is no category "${category}"; there are ${list(categories)}`,
      );
  for (const id of filter.ids ?? [])
    if (!ids.has(id)) throw new FilterProblem("ids", `there is no row "${id}"`);
  const kept = rows
    .filter(({ category }) => filter.categories?.includes(category) ?? true)
    .filter(({ id }) => filter.ids?.includes(id) ?? true)
    .slice(0, filter.limit);
  if (kept.length === 0) throw new FilterProblem("ids", "no row passes all the filters");
  return kept;
}

function list(names: ReadonlySet<string>): string {
  return [...names].join(", ");
}
