import { describe, expect, it } from "vitest";
import type { HistoryEntry } from "../domain/turn.js";
import { previousQuestion, readingsOf } from "./interpretations.js";

const entry = (role: HistoryEntry["role"], text: string): HistoryEntry => ({ role, text, sources: [] });
const BEFORE = "What do I do when the cold room alarm sounds?";
const HISTORY = [entry("user", "older"), entry("user", BEFORE), entry("assistant", "Read the display.")];

describe("readingsOf", () => {
  it("is the question alone where nothing was asked before", () => {
    const alone = [{ query: "And then?", prior: undefined }];
    expect(readingsOf("And then?", [])).toEqual(alone);
    expect(readingsOf("And then?", [entry("assistant", "hello")])).toEqual(alone);
  });

  it("is the question alone where it says what it is about", () => {
    const question = "Which number do I call for an ambulance?";
    expect(readingsOf(question, HISTORY)).toEqual([{ query: question, prior: undefined }]);
  });

  it("is both questions where it leans on the one before", () => {
    expect(previousQuestion(HISTORY)).toBe(BEFORE);
    expect(readingsOf("And then?", HISTORY)).toEqual([{ query: `${BEFORE}\nAnd then?`, prior: BEFORE }]);
  });

  it("is either where its words do not tell", () => {
    const question = "Where is the canteen?";
    expect(readingsOf(question, HISTORY)).toEqual([
      { query: question, prior: undefined },
      { query: `${BEFORE}\n${question}`, prior: BEFORE },
    ]);
  });
});
