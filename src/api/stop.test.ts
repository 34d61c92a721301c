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
        let written = "";
        const stopping = () => sequences.filter((one) => written.endsWith(one)).map(({ length }) => length);
        for (let at = 0; at < text.length && stopping().length === 0; at++) written += text[at];
        expect(told).toBe(written.slice(0, written.length - Math.max(0, ...stopping())));
        expect(untilStop(text, sequences)).toBe(told);
      }),
    );
  });
});
