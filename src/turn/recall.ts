/**
 * What a turn may remember. A line of history whose documents its access may not read at this moment is left out,
 * and so is every line when that cannot be found out.
 */
import type { HistoryEntry } from "../domain/turn.js";
import type { Access, User } from "../domain/user.js";
import { cutToChars } from "../lib/cut.js";
import { type Retrieval, SearchUnavailable } from "../retrieval/port.js";
import type { Telemetry } from "../telemetry/events.js";

/** Characters of a line that are worked on: more than the history of a prompt has room for. */
export const LINE_CHARS_MAX = 8_000;

/** The entries with no more of their text than is worked on. Emits `text_cut`. */
export function shortLines(
  history: readonly HistoryEntry[],
  user: User,
  telemetry: Telemetry,
): readonly HistoryEntry[] {
  const long = history.filter(({ text }) => text.length > LINE_CHARS_MAX);
  if (long.length === 0) return history;
  const characters = long.reduce((sum, { text }) => sum + text.length, 0);
  const cut = { what: "history", pieces: long.length, characters, limit: LINE_CHARS_MAX } as const;
  telemetry.emit({ type: "text_cut", user, ...cut });
  return history.map((entry) => ({ ...entry, text: cutToChars(entry.text, LINE_CHARS_MAX) }));
}

/** What `access` may read of what was said and what is open, in order. Rejects only with the signal's reason. */
export async function recall<T extends Pick<HistoryEntry, "documentIds">>(
  history: readonly T[],
  access: Access,
  retrieval: Retrieval,
  signal: AbortSignal,
): Promise<readonly T[]> {
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
