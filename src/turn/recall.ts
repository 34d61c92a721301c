/**
 * What a turn may remember. A line of history whose documents its access may not read at this moment is left out,
 * and so is every line when that cannot be found out.
 */
import type { HistoryEntry } from "../domain/turn.js";
import type { Access } from "../domain/user.js";
import { type Retrieval, SearchUnavailable } from "../retrieval/port.js";

/** The entries of `history` that `access` may read, in order. Rejects only with the signal's reason. */
export async function recall(
  history: readonly HistoryEntry[],
  access: Access,
  retrieval: Retrieval,
  signal: AbortSignal,
): Promise<readonly HistoryEntry[]> {
  const documentIds = [...new Set(history.flatMap((entry) => entry.documentIds))];
  if (documentIds.length === 0) return history;
  const readable = await readableNow(documentIds, access, retrieval, signal);
  return history.filter((entry) => entry.documentIds.every((id) => readable.has(id)));
}

async function readableNow(
  documentIds: readonly string[],
  access: Access,
  retrieval: Retrieval,
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  try {
    return await retrieval.readable(documentIds, access, signal);
  } catch (error) {
    if (error instanceof SearchUnavailable) return new Set();
    throw error;
  }
}
