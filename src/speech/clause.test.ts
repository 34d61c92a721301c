import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CLAUSE_CHARS_MIN, clauseEnd, clauseSoFar, firstClauseEnd } from "./clause.js";

/** The first clause of a text that is written so far; "" as long as there is none. */
const first = (text: string) => text.slice(0, firstClauseEnd(text) ?? 0);

describe("firstClauseEnd", () => {
  it.each([
    ["a comma", "If the alarm sounds again, leave", "If the alarm sounds again, "],
    ["a semicolon", "The drives need ten minutes; wait", "The drives need ten minutes; "],
    ["a colon", "Three people may open the gate: the", "Three people may open the gate: "],
    ["a dash", "Close the main valve first – then", "Close the main valve first – "],
    ["a hyphen for a dash", "Close the main valve first - then", "Close the main valve first - "],
    ["a dash without blanks", "Close the main valve first—then", "Close the main valve first—"],
    [
      "a wide comma",
      "请在打开机器的防护罩之前先关闭主电源开关并挂好锁，然后",
      "请在打开机器的防护罩之前先关闭主电源开关并挂好锁，",
    ],
    [
      "a conjunction, after a longer piece",
      "Keep the emergency exit of hall four clear until the",
      "Keep the emergency exit of hall four clear ",
    ],
    ["blanks before it", "  If the alarm sounds again, leave", "  If the alarm sounds again, "],
    ["the end of a sentence without clauses", "Pull the red handle. Then", "Pull the red handle. "],
  ])("ends with %s", (_, text, clause) => {
    expect(first(text)).toBe(clause);
  });

  it.each([
    ["is too short", "No, you must not, it"],
    ["has nothing behind it yet", "If the alarm sounds again, "],
    ["has a comma within a number", "The tank of line four holds 1,500"],
    ["has a comma between numbers", "You may use the cranes 1, 2"],
    ["has a range of numbers", "The oven of line four needs 10 - 15"],
    ["has a time of day", "The canteen of hall four opens at 11:30"],
    ["has an abbreviation", "Use the safe tools, e.g., the"],
    ["is within brackets", "The tank (the one in hall four, not"],
    ["is within quotation marks", 'The sign says "Danger of death, keep'],
    ["is within emphasis", "**The tank in hall four, not"],
    ["has a hyphenated word", "The self-closing door of the oven-room of"],
    ["has a conjunction after a short piece", "Keep the exit clear until the"],
  ])("finds none in what %s", (_, text) => {
    expect(clauseEnd(text)).toBeUndefined();
  });

  it("finds the same clause whenever it looks, once it has found one", () => {
    const piece = fc.constantFrom(
      "the valve",
      " ",
      ", ",
      "; ",
      ": ",
      " – ",
      "—",
      ". ",
      " until ",
      "1",
      "5",
      "(",
      ")",
    );
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 40 }), (pieces) => {
        let text = "";
        let found: number | undefined;
        for (const one of pieces) {
          text += one;
          const end = firstClauseEnd(text);
          if (found !== undefined) expect(end).toBe(found);
          found = end;
        }
      }),
    );
  });

  it("never ends a clause before it is long enough to be worth a voice", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("a", " ", ",", ";", "1", "b") }), (text) => {
        const end = clauseEnd(text);
        if (end !== undefined)
          expect(end - (text.length - text.trimStart().length)).toBeGreaterThan(CLAUSE_CHARS_MIN);
      }),
    );
  });
});

describe("clauseSoFar", () => {
  it.each(["If the alarm sounds again,", "The drives need ten minutes; "])("is all of %j", (text) => {
    expect(clauseSoFar(text)).toBe(text.length);
  });

  it.each([
    ["is too short", "No, you must not,"],
    ["may be the middle of a number", "The tank of line four holds 1,"],
    ["is an abbreviation", "Use the safe tools, e.g.,"],
    ["is within brackets", "The tank (the one in hall four,"],
    ["goes on", "If the alarm sounds again, leave"],
    ["has its first clause before that", "If the alarm sounds again, leave the hall at once,"],
  ])("is nothing where the text %s", (_, text) => {
    expect(clauseSoFar(text)).toBeUndefined();
  });
});
