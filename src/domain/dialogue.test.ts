import { expect, it } from "vitest";
import {
  afterTurn,
  type Dialogue,
  HISTORY_ENTRIES_MAX,
  NOTHING_OPEN,
  PENDING_MAX,
  type Pending,
  type PendingQuestion,
} from "./dialogue.js";

const line = (text: string) => ({ role: "user", text, sources: [] }) as const;
const question = (turn: string, untilMs = 10): PendingQuestion => ({
  ...{ type: "question", turn, untilMs, sources: [] },
  ...{ asked: "", route: "knowledge", words: "", options: [] },
});
const aside = { lines: [], isNewSubject: false };

it("remembers the newest lines", () => {
  let dialogue: Dialogue = NOTHING_OPEN;
  for (let i = 0; i <= HISTORY_ENTRIES_MAX; i++)
    dialogue = afterTurn(dialogue, { lines: [line(String(i))], isNewSubject: false }, 0);
  expect(dialogue.history).toHaveLength(HISTORY_ENTRIES_MAX);
  expect(dialogue.history.at(-1)).toEqual(line(String(HISTORY_ENTRIES_MAX)));
});

it("keeps a question over small talk until its time is over, it is closed, or another takes its place", () => {
  const open = { history: [], pending: [question("a")] };
  expect(afterTurn(open, aside, 9).pending).toEqual(open.pending);
  expect(afterTurn(open, aside, 10).pending).toEqual([]);
  expect(afterTurn(open, { ...aside, closed: open.pending[0] }, 0).pending).toEqual([]);
  expect(afterTurn(open, { ...aside, isNewSubject: true }, 0).pending).toEqual([]);
  expect(afterTurn(open, { ...aside, opened: question("b") }, 0).pending).toEqual([question("b")]);
});

it("is bounded, and can be written down", () => {
  const pending = Array.from({ length: PENDING_MAX + 3 }, (_, i) => question(String(i)));
  const after = afterTurn({ history: [line("x")], pending }, aside, 0);
  expect(after.pending).toHaveLength(PENDING_MAX);
  expect(JSON.parse(JSON.stringify(after))).toEqual(after);
});

it("remembers of a proposal whether anything was said since it was read back", () => {
  const proposal = (turn: string): Pending => ({
    ...{ type: "proposal", operation: "op-1", turn, untilMs: 10, sources: [] },
  });
  const proposed = afterTurn(NOTHING_OPEN, { ...aside, opened: proposal("a") }, 0);
  expect(proposed.pending).toEqual([proposal("a")]);
  const past = afterTurn(proposed, aside, 0);
  expect(past.pending).toEqual([{ ...proposal("a"), isOvertaken: true }]);
  expect(afterTurn(past, { ...aside, opened: proposal("b") }, 0).pending).toEqual([proposal("b")]);
});
