/** What a compiled query is: a function from a document to its score, and what a highlighter marks of it. */
import { type Explanation, node } from "./bm25.js";
import type { Json } from "./json.js";
import type { Snapshot, StoredDocument } from "./stored-index.js";

export interface Match {
  readonly score: number;
  readonly explain: () => Explanation;
  /** `_name`s of the clauses that matched, with their scores. */
  readonly names: ReadonlyMap<string, number>;
}

/** Scores one document of the snapshot; `undefined` when it does not match. */
export type Matcher = (document: StoredDocument) => Match | undefined;

/** What a highlighter marks: words of a field that `accepts` the term, or the meaning of a text. */
export type Mark =
  | { readonly kind: "terms"; readonly field: string; readonly accepts: (term: string) => boolean }
  | { readonly kind: "meaning"; readonly field: string; readonly text: string };

export interface Compiled {
  readonly match: Matcher;
  readonly marks: readonly Mark[];
}

/** What a query is compiled against. */
export interface QueryContext {
  readonly snapshot: Snapshot;
  /** Compiles a clause inside the query at hand. */
  readonly compile: (query: Json) => Compiled;
}

export const NO_NAMES: ReadonlyMap<string, number> = new Map();

/** A query that gives every document it matches the same score of 1. */
export function constant(accepts: (document: StoredDocument) => boolean, description: string): Compiled {
  const match = { score: 1, explain: () => node(1, description), names: NO_NAMES };
  return { match: (document) => (accepts(document) ? match : undefined), marks: [] };
}
