/** What is said of a reply that is still being written. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { saidSoFar } from "./streamed-turn.js";

describe("what is said so far", () => {
  it.each([
    ["", ""],
    ["Well then, ", ""],
    ['{"phase": null, "say" : "Noted', "Noted"],
    ['{"say": "A \\"red\\" lamp\\n', 'A "red" lamp\n'],
    ['{"say": "line\nline"', "line line"],
    ['{"say": "done", "patches": [{"op": "add"', "done"],
    ['{"say": "\\x', ""],
    ['{"say": null', ""],
  ])("of %j is %j", (raw, said) => {
    expect(saidSoFar(raw)).toBe(said);
  });

  it("grows letter by letter into what is said, whatever is in it", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 40 }), (say) => {
        const raw = JSON.stringify({ say, patches: [] });
        const grown = Array.from({ length: raw.length + 1 }, (_, end) => saidSoFar(raw.slice(0, end)));
        expect(grown.at(-1)).toBe(say);
        for (const [at, said] of grown.entries()) {
          expect(say.startsWith(said)).toBe(true);
          if (at > 0) expect(said.length).toBeGreaterThanOrEqual(grown[at - 1]!.length);
        }
      }),
    );
  });
});
