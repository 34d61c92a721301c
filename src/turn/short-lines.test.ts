import { expect, it } from "vitest";
import { RecordedEvents } from "../../test/support/events.js";
import type { HistoryEntry } from "../domain/turn.js";
import { LINE_CHARS_MAX, shortLines } from "./short-lines.js";

const entry = (text: string): HistoryEntry => ({ role: "user", text, sources: [] });
const history = [entry("hello"), entry("one"), entry("two")];

it("works on the beginning of a long line only, and tells so", () => {
  const events = new RecordedEvents();
  const user = { network: "plant", username: "ann" };
  const long = entry("word ".repeat(LINE_CHARS_MAX));
  expect(shortLines(history, user, events)).toBe(history);
  const [first, second] = shortLines([long, entry("hello")], user, events);
  expect(first?.text).toBe("word ".repeat(LINE_CHARS_MAX / 5).trimEnd());
  expect(second?.text).toBe("hello");
  expect(events.all).toEqual([
    {
      type: "text_cut",
      user,
      what: "history",
      pieces: 1,
      characters: 5 * LINE_CHARS_MAX,
      limit: LINE_CHARS_MAX,
    },
  ]);
});
