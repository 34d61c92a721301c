import { describe, expect, it } from "vitest";
import type { HistoryEntry } from "../domain/turn.js";
import { HISTORY_TOKENS_MAX, historyWithinBudget, TokenBudget } from "./budget.js";

const entry = (tokens: number): HistoryEntry => ({
  role: "user",
  text: "word ".repeat(tokens).trim(),
  sources: [],
});

describe("historyWithinBudget", () => {
  it("keeps the newest entries that fit, oldest first, each as a whole", () => {
    const history = [entry(1), entry(400), entry(300), entry(300)];
    expect(historyWithinBudget(history)).toEqual(history.slice(1));
    expect(historyWithinBudget(history, 999)).toEqual(history.slice(2));
    expect(historyWithinBudget(history, 1_001)).toEqual(history);
    expect(historyWithinBudget([entry(HISTORY_TOKENS_MAX + 1)])).toEqual([]);
    expect(historyWithinBudget([])).toEqual([]);
  });

  it("does not reach behind an entry that does not fit", () => {
    expect(historyWithinBudget([entry(1), entry(1_000), entry(1)])).toEqual([entry(1)]);
  });
});

describe("TokenBudget", () => {
  it("gives out texts until it is used up, cuts the one that exceeds it, and knows", () => {
    const budget = new TokenBudget(5);
    expect(budget.take("one two three")).toBe("one two three");
    expect(budget.exceeded).toBe(false);
    expect(budget.take("four five")).toBe("four five");
    expect(budget.exceeded).toBe(false);
    expect(budget.take("six seven")).toBe("");
    expect(budget.exceeded).toBe(true);
    expect(budget.asked).toBe(7);
  });

  it("cuts between words", () => {
    const budget = new TokenBudget(2);
    expect(budget.take("one two, three")).toBe("one two,");
    expect(budget.asked).toBe(3);
  });
});
