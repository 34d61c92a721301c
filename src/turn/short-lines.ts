/** How much of what was said a turn works on. */
import type { HistoryEntry } from "../domain/turn.js";
import type { User } from "../domain/user.js";
import { cutToChars } from "../lib/cut.js";
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
