import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { distance, editsAllowed } from "./fuzzy.js";

/** Every text that one edit makes of `text`, over a small alphabet. */
function neighbours(text: string): Set<string> {
  const found = new Set([text]);
  for (let at = 0; at <= text.length; at += 1) {
    const [before, after] = [text.slice(0, at), text.slice(at)];
    for (const letter of "abc") {
      found.add(before + letter + after);
      if (after !== "") found.add(before + letter + after.slice(1));
    }
    if (after !== "") found.add(before + after.slice(1));
    if (after.length > 1) found.add(before + after[1] + after[0] + after.slice(2));
  }
  return found;
}

describe("the distance of two words", () => {
  it("is one exactly for the words that one edit makes", () => {
    const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 5 });
    fc.assert(
      fc.property(word, word, (one, other) => {
        const isNear = neighbours(one).has(other);
        expect(distance(one, other, 1) !== undefined).toBe(isNear);
        expect(distance(one, other, 0) !== undefined).toBe(one === other);
        expect(distance(one, other, 2)).toBe(distance(other, one, 2));
      }),
    );
  });

  it("counts a swap of neighbours as one", () => {
    expect(distance("vavle", "valve", 2)).toBe(1);
    expect(distance("vlave", "valve", 2)).toBe(1);
    expect(distance("lockout", "lookouts", 2)).toBe(2);
    expect(distance("lockout", "logo", 2)).toBeUndefined();
  });
});

describe("the edits that a word is allowed", () => {
  it.each([
    ["AUTO", "ab", 0],
    ["AUTO", "abc", 1],
    ["AUTO", "abcde", 1],
    ["AUTO", "abcdef", 2],
    ["AUTO:4,8", "abc", 0],
    ["AUTO:4,8", "abcdefgh", 2],
    ["1", "abcdefgh", 1],
    [2, "a", 2],
    [undefined, "abcdef", 0],
  ])("%s on %s: %i", (fuzziness, term, edits) => {
    expect(editsAllowed(fuzziness, term)).toBe(edits);
  });

  it("are two at most", () => {
    expect(() => editsAllowed("3", "abc")).toThrow("valid edit distances are [0, 1, 2]");
    expect(() => editsAllowed("many", "abc")).toThrow("Invalid value for fuzziness");
  });
});
