import { describe, expect, it } from "vitest";
import { HIGHLIGHTS_MAX, highlights } from "./highlights.js";

const weights = new Map([
  ["acid", 2],
  ["rins", 1.5],
  ["water", 0.5],
]);

describe("highlights", () => {
  it("puts the sentence that says most first, and of two equals the earlier", () => {
    const text =
      "Keep calm. Use water.\n\nAcid burns: rinse at once. Rinse long. Rinse well, and rinse, and rinse.";
    expect(highlights(text, weights)).toEqual([
      "Acid burns: rinse at once.",
      "Rinse long.",
      "Rinse well, and rinse, and rinse.",
    ]);
  });

  it("takes steps as sentences", () => {
    expect(highlights("1. Open the tap.\n2. Rinse with water.\n3. Call help.", weights)).toEqual([
      "2. Rinse with water.",
    ]);
  });

  it("marks nothing where nothing matches, and not more than the limit", () => {
    expect(highlights("Keep calm. Call help.", weights)).toEqual([]);
    expect(highlights("Use water. ".repeat(10), weights)).toHaveLength(HIGHLIGHTS_MAX);
  });
});
