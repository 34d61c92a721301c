import { describe, expect, it } from "vitest";
import { editsBetween, slipsIn } from "./edit-distance.js";
import { seededRandom } from "./random.js";

describe("slipsIn", () => {
  it("is Elasticsearch's fuzziness AUTO", () => {
    expect(["", "ab", "abc", "abcde", "abcdef", "extingush"].map(slipsIn)).toEqual([0, 0, 1, 1, 2, 2]);
    expect(slipsIn("a".repeat(65))).toBe(0);
  });
});

describe("editsBetween", () => {
  it.each([
    ["fire", "fire", 0],
    ["extingush", "extinguish", 1],
    ["forklfit", "forklift", 1],
    ["chanel", "channel", 1],
    ["compres", "compress", 1],
    ["tempretur", "temperatur", 2],
    ["alkalein", "alkalin", 1],
    ["ab", "ba", 1],
    ["ca", "abc", undefined],
    ["fire", "water", undefined],
    ["", "abc", undefined],
    ["", "ab", 2],
  ])("%s, %s: %s", (one, other, edits) => {
    expect(editsBetween(one, other, 2)).toBe(edits);
    expect(editsBetween(other, one, 2)).toBe(edits);
  });

  it("counts as the plain definition does", () => {
    const random = seededRandom(7);
    const word = () =>
      Array.from(
        { length: Math.floor(random.fraction() * 6) },
        () => "abc"[Math.floor(random.fraction() * 3)],
      ).join("");
    for (let i = 0; i < 2_000; i++) {
      const [one, other] = [word(), word()];
      const edits = plainEdits(one, other);
      expect([one, other, editsBetween(one, other, 2)]).toEqual([one, other, edits <= 2 ? edits : undefined]);
    }
  });
});

/** Optimal string alignment, by its definition. */
function plainEdits(one: string, other: string): number {
  if (one === "" || other === "") return one.length + other.length;
  const [a, b] = [one.slice(0, -1), other.slice(0, -1)];
  const last = one.at(-1) === other.at(-1) ? 0 : 1;
  const edits = [plainEdits(a, b) + last, plainEdits(a, other) + 1, plainEdits(one, b) + 1];
  if (a.at(-1) === other.at(-1) && one.at(-1) === b.at(-1) && a !== "" && b !== "")
    edits.push(plainEdits(a.slice(0, -1), b.slice(0, -1)) + 1);
  return Math.min(...edits);
}
