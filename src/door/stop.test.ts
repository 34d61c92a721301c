import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { StopSequences, untilStop } from "./stop.js";

describe("an answer with stop sequences", () => {
  it("is told until the first of them", () => {
    expect(untilStop("One. Two. Three.", ["Three", "Two"])).toBe("One. ");
    expect(untilStop("One. Two.", ["Four"])).toBe("One. Two.");
    expect(untilStop("One. Tw", ["Two"])).toBe("One. Tw");
    expect(untilStop("One.")).toBe("One.");
  });

  it("is the same in whatever pieces it comes, and tells none of a sequence", () => {
    const word = fc.string({ unit: fc.constantFrom("a", "b"), minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(fc.array(word, { maxLength: 8 }), fc.array(word, { maxLength: 3 }), (pieces, sequences) => {
        const stop = new StopSequences(sequences);
        const told = pieces.map((piece) => stop.next(piece)).join("") + stop.end();
        const text = pieces.join("");
        const places = sequences.map((one) => text.indexOf(one)).filter((at) => at >= 0);
        expect(told).toBe(text.slice(0, Math.min(text.length, ...places)));
        expect(untilStop(text, sequences)).toBe(told);
      }),
    );
  });
});
