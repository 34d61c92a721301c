import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chunksOf } from "./chunks.js";

describe("the pieces of a text", () => {
  it("are the text itself where it is short, and none where it is blank", () => {
    expect(chunksOf("Wo ist der Hahn?", 256)).toEqual(["Wo ist der Hahn?"]);
    expect(chunksOf("x".repeat(256), 256)).toHaveLength(1);
    expect(chunksOf("", 256)).toEqual([]);
    expect(chunksOf(" \n ", 256)).toEqual([]);
  });

  it("overlap by half", () => {
    expect(chunksOf("abcdefghij", 4)).toEqual(["abcd", "cdef", "efgh", "ghij"]);
    expect(chunksOf("abcdefghi", 4)).toEqual(["abcd", "cdef", "efgh", "ghi"]);
  });

  it("end with the text where they are of an odd length", () => {
    expect(chunksOf("     !", 5).join("")).toContain("!");
  });

  it("hold every part of half their length whole, and leave nothing out", () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 2_000 }),
        fc.nat(2_000),
        fc.integer({ min: 2, max: 300 }),
        (text, from, size) => {
          const chunks = chunksOf(text, size);
          expect(Math.max(0, ...chunks.map(({ length }) => length))).toBeLessThanOrEqual(size);
          const part = text.slice(from, from + Math.floor(size / 2));
          if (part.trim() !== "") expect(chunks.some((chunk) => chunk.includes(part))).toBe(true);
        },
      ),
    );
  });
});
