/** Runs the searches of a turn, with their deadline, and tells what came of them. */
import type { Passage } from "../domain/passage.js";
import type { Access } from "../domain/user.js";
import type { Clock } from "../lib/clock.js";
import { cutToChars } from "../lib/cut.js";
import { orElse, withDeadline } from "../lib/deadline.js";
import { type Retrieval, SearchUnavailable } from "../retrieval/port.js";
import { queryTerms } from "../retrieval/query-terms.js";
import type { Telemetry } from "../telemetry/events.js";

export interface SearchDeps {
  readonly clock: Clock;
  readonly telemetry: Telemetry;
  readonly retrieval: Retrieval;
  readonly resultsMax: number;
  /** Below this probability that the answer was found, it is searched for once more; absent or 0: never. */
  readonly retryBelow?: number;
  readonly searchTimeoutMs: number;
}

/** Characters of a passage that are worked on, and of its title and of each of its headings. */
export const PASSAGE_CHARS_MAX = 16_000;
export const LABEL_CHARS_MAX = 500;

/** What one query found; `unavailable` is not "nothing found". */
export type SearchResult =
  | {
      readonly type: "found";
      readonly query: string;
      readonly passages: readonly Passage[];
      /** How likely these hold what the query asks for, 0–1, where that was worked out already. */
      readonly fit?: number;
      /** Passages that were longer than is worked on, and what they had in characters; absent: none. */
      readonly cut?: { readonly pieces: number; readonly characters: number };
    }
  | { readonly type: "unavailable"; readonly query: string; readonly error: string };

/** A search that was begun before its query was known: its result if it fits, else nothing. */
export interface SearchedAhead {
  take(query: string, access: Access): Promise<SearchResult | undefined>;
}

/**
 * Runs all queries at once, each under the deadline, but for those that were searched ahead. Rejects only with the
 * signal's reason.
 */
export async function searchAll(
  queries: readonly string[],
  access: Access,
  deps: SearchDeps,
  signal: AbortSignal,
  ahead?: SearchedAhead,
): Promise<readonly SearchResult[]> {
  const user = { network: access.network, username: access.username };
  const startMs = deps.clock.monotonic();
  const found = await Promise.all(
    queries.map(
      async (query) => (await ahead?.take(query, access)) ?? searchOne(query, access, deps, signal),
    ),
  );
  for (const one of found)
    if (one.type === "unavailable") deps.telemetry.emit({ type: "search_failed", user, error: one.error });
  deps.telemetry.emit({
    type: "stage_finished",
    user,
    stage: "search",
    ms: deps.clock.monotonic() - startMs,
  });
  for (const one of found)
    if (one.type === "found" && one.cut !== undefined)
      deps.telemetry.emit({ type: "text_cut", user, what: "passage", ...one.cut, limit: PASSAGE_CHARS_MAX });
  const passages = allPassages(found);
  deps.telemetry.emit({
    type: "passages_retrieved",
    user,
    queries,
    documentIds: [...new Set(passages.map(({ documentId }) => documentId))],
    characters: charactersOf(passages),
  });
  return found;
}

/** What is worked on of a passage: itself where it is no longer. */
export function withinLength(passage: Passage): Passage {
  const { headings, text, title } = passage;
  const isShort = [title, ...headings].every(({ length }) => length <= LABEL_CHARS_MAX);
  if (isShort && text.length <= PASSAGE_CHARS_MAX) return passage;
  return {
    ...passage,
    title: cutToChars(title, LABEL_CHARS_MAX),
    headings: headings.map((heading) => cutToChars(heading, LABEL_CHARS_MAX)),
    text: cutToChars(text, PASSAGE_CHARS_MAX),
  };
}

function charactersOf(passages: readonly Passage[]): number {
  return passages.reduce((sum, { text }) => sum + text.length, 0);
}

/** The passages of all searches, each once, in the order of the queries. */
export function allPassages(found: readonly SearchResult[]): readonly Passage[] {
  const byId = new Map<string, Passage>();
  for (const one of found) {
    if (one.type === "unavailable") continue;
    for (const passage of one.passages) if (!byId.has(passage.chunkId)) byId.set(passage.chunkId, passage);
  }
  return [...byId.values()];
}

/** Whether the documents could be asked, by all, some or none of the searches. */
export function searchedOf(found: readonly SearchResult[]): "found" | "partly" | "unavailable" {
  const failed = found.filter(({ type }) => type === "unavailable").length;
  if (failed === 0) return "found";
  return failed === found.length ? "unavailable" : "partly";
}

/** What a query looks for, whatever the order and the form of its words. */
export function searchedFor(query: string): string {
  return [...queryTerms(query).keys()].sort().join(" ");
}

/** One query under the deadline. Rejects only with the signal's reason. */
export async function searchOne(
  query: string,
  access: Access,
  deps: Omit<SearchDeps, "telemetry">,
  signal: AbortSignal,
): Promise<SearchResult> {
  const { clock, retrieval, resultsMax: limit, searchTimeoutMs } = deps;
  const search = async (within: AbortSignal): Promise<SearchResult> => {
    const passages = await retrieval.search({ query, access, limit }, within);
    const kept = passages.map(withinLength);
    const long = passages.filter((passage, i) => kept[i] !== passage);
    const cut = { pieces: long.length, characters: charactersOf(long) };
    return { type: "found", query, passages: kept, ...(long.length === 0 ? {} : { cut }) };
  };
  const found = withDeadline(clock, "the search", searchTimeoutMs, signal, search);
  const failed = ({ message }: Error) => ({ type: "unavailable", query, error: message }) as const;
  return orElse(found, signal, failed, SearchUnavailable);
}
