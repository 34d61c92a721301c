/** Runs the searches of a turn, with their deadline, and tells what came of them. */
import type { Passage } from "../domain/passage.js";
import type { HistoryEntry } from "../domain/turn.js";
import type { Access } from "../domain/user.js";
import type { Clock } from "../lib/clock.js";
import { DeadlineExceeded, withDeadline } from "../lib/deadline.js";
import { type Retrieval, SearchUnavailable } from "../retrieval/port.js";
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

/** What one query found; `unavailable` is not "nothing found". */
export type Found =
  | { readonly type: "found"; readonly query: string; readonly passages: readonly Passage[] }
  | { readonly type: "unavailable"; readonly query: string; readonly error: string };

/** A search that was begun before its query was known: its result if it fits, else nothing. */
export interface SearchedAhead {
  take(query: string, access: Access): Promise<Found | undefined>;
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
): Promise<readonly Found[]> {
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
  const passages = allPassages(found);
  deps.telemetry.emit({
    type: "passages_retrieved",
    user,
    queries,
    documentIds: [...new Set(passages.map(({ documentId }) => documentId))],
    characters: passages.reduce((sum, { text }) => sum + text.length, 0),
  });
  return found;
}

/** The passages of all searches, each once, in the order of the queries. */
export function allPassages(found: readonly Found[]): readonly Passage[] {
  const byId = new Map<string, Passage>();
  for (const one of found) {
    if (one.type === "unavailable") continue;
    for (const passage of one.passages) if (!byId.has(passage.chunkId)) byId.set(passage.chunkId, passage);
  }
  return [...byId.values()];
}

/** Whether the documents could be asked, by all, some or none of the searches. */
export function searchedOf(found: readonly Found[]): "found" | "partly" | "unavailable" {
  const failed = found.filter(({ type }) => type === "unavailable").length;
  if (failed === 0) return "found";
  return failed === found.length ? "unavailable" : "partly";
}

/** The user's question before this one, if the chat remembers it. */
export function previousQuestion(history: readonly HistoryEntry[]): string | undefined {
  return history.findLast(({ role }) => role === "user")?.text;
}

/** What to search for without a model: the user's last two turns, joined. */
export function rawQuery(question: string, history: readonly HistoryEntry[]): string {
  const previous = previousQuestion(history);
  return previous === undefined ? question : `${previous}\n${question}`;
}

/** One query under the deadline. Rejects only with the signal's reason. */
export async function searchOne(
  query: string,
  access: Access,
  deps: Omit<SearchDeps, "telemetry">,
  signal: AbortSignal,
): Promise<Found> {
  const { clock, retrieval, resultsMax: limit, searchTimeoutMs } = deps;
  try {
    const passages = await withDeadline(clock, "the search", searchTimeoutMs, signal, (within) =>
      retrieval.search({ query, access, limit }, within),
    );
    return { type: "found", query, passages };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof SearchUnavailable || error instanceof DeadlineExceeded)) throw error;
    return { type: "unavailable", query, error: error.message };
  }
}
