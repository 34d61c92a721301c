import { expect, it } from "vitest";
import { RecordedEvents } from "../../test/support/events.js";
import { ScriptedRetrieval } from "../../test/support/fake-retrieval.js";
import type { HistoryEntry } from "../domain/turn.js";
import { SearchUnavailable } from "../retrieval/port.js";
import { LINE_CHARS_MAX, recall, shortLines } from "./recall.js";

const never = new AbortController().signal;
const access = { network: "plant", username: "ann", groups: [], kiosk: false };
const entry = (text: string, ...documentIds: string[]): HistoryEntry => ({ role: "user", text, documentIds });
const history = [entry("hello"), entry("one", "a"), entry("two", "a", "b"), entry("three", "c")];

it("leaves out every line of which a document may not be read now", async () => {
  const retrieval = new ScriptedRetrieval().expectReadable(["a", "b", "c"], ["a", "c"]);
  const remembered = await recall(history, access, retrieval, never);
  expect(remembered.map(({ text }) => text)).toEqual(["hello", "one", "three"]);
  expect(retrieval.accesses).toEqual([access]);
  retrieval.verify();
});

it("asks nobody about lines without documents", async () => {
  const retrieval = new ScriptedRetrieval();
  expect(await recall([entry("hello")], access, retrieval, never)).toEqual([entry("hello")]);
  expect(await recall([], access, retrieval, never)).toEqual([]);
  retrieval.verify();
});

it("keeps only lines without documents when it cannot be found out", async () => {
  const retrieval = new ScriptedRetrieval().expectReadable(["a", "b", "c"], new SearchUnavailable("down"));
  expect(await recall(history, access, retrieval, never)).toEqual([entry("hello")]);
});

it("takes no other failure for that", async () => {
  const retrieval = new ScriptedRetrieval().expectReadable(["a", "b", "c"], new TypeError("a fault"));
  await expect(recall(history, access, retrieval, never)).rejects.toThrow("a fault");
});

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
