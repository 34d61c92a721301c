import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SentenceSplitter } from "./sentences.js";

/** What comes out after each push, and at the end. */
function run(pieces: readonly string[], charsMax?: number): string[][] {
  const splitter = new SentenceSplitter(charsMax);
  return [...pieces.map((piece) => splitter.push(piece)), splitter.flush()];
}

describe("SentenceSplitter", () => {
  it("gives a sentence as soon as the next one begins", () => {
    expect(run(["Bleed it for", " 2", ".", "5 minutes", ".", " Then", " check."])).toEqual([
      [],
      [],
      [],
      [],
      [],
      ["Bleed it for 2.5 minutes. "],
      [],
      ["Then check."],
    ]);
  });

  it("gives list items line by line", () => {
    expect(run(["1", ".", " Stop\n", "2. Go", "\n\nDone"]).flat()).toEqual([
      "1. Stop\n",
      "2. Go\n\n",
      "Done",
    ]);
  });

  it("cuts a long sentence at a clause, else between words, else anywhere", () => {
    expect(run(["one two three, four five six seven eight"], 24).flat()).toEqual([
      "one two three, ",
      "four five six seven ",
      "eight",
    ]);
    expect(
      run(["x".repeat(25)], 10)
        .flat()
        .map((piece) => piece.length),
    ).toEqual([10, 10, 5]);
    expect(run(["😀".repeat(8)], 5).flat()).toEqual(["😀😀", "😀😀", "😀😀", "😀😀"]);
  });

  it("gives the text back, whatever it is and however it arrives", () => {
    const text = fc.string({
      unit: fc.oneof(
        fc.constantFrom(...'aB1.!?…。,; \n-#)[]"'),
        fc.string({ unit: "grapheme", maxLength: 1 }),
      ),
      maxLength: 200,
    });
    fc.assert(
      fc.property(text, fc.array(fc.nat(20)), fc.integer({ min: 2, max: 40 }), (whole, sizes, charsMax) => {
        const pieces: string[] = [];
        let from = 0;
        for (const size of sizes) {
          pieces.push(whole.slice(from, from + size));
          from += size;
        }
        const out = run([...pieces, whole.slice(from)], charsMax).flat();
        expect(out.join("")).toBe(whole);
        expect(out.every((piece) => piece !== "" && piece.length <= charsMax)).toBe(true);
      }),
    );
  });

  it("cuts the same way however the text arrives", () => {
    const text = "Stop. Set 2.5 bar, e.g. By hand.\n1. Close\n2. Open it at 5 p.m. Then wait... Now go.";
    const whole = run([text]).flat();
    for (let size = 1; size < 9; size++) {
      expect(run(text.match(new RegExp(`[\\s\\S]{1,${size}}`, "g")) ?? []).flat()).toEqual(whole);
    }
  });
});
