import { expect, it } from "vitest";
import type { HistoryEntry } from "../domain/turn.js";
import { HISTORY_ENTRIES_MAX, History } from "./history.js";

const entry = (text: string): HistoryEntry => ({ role: "user", text, documentIds: [] });

it("remembers the newest 20 lines; those it gave out do not change", () => {
  const history = new History();
  expect(history.entries).toEqual([]);
  for (let i = 0; i < HISTORY_ENTRIES_MAX; i++) history.add([entry(`${i}`)]);
  const before = history.entries;
  history.add([entry("20"), entry("21")]);
  expect(history.entries.map(({ text }) => text)).toEqual(
    Array.from({ length: HISTORY_ENTRIES_MAX }, (_, i) => `${i + 2}`),
  );
  expect(before[0]).toEqual(entry("0"));
});
