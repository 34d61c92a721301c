import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { analyze, analyzeWithOffsets, findTerms, WORD_LENGTH_MAX } from "./english-analyzer.js";

describe("analyze", () => {
  it.each([
    ["Lock out the machine's energy sources", ["lock", "out", "machin", "energi", "sourc"]],
    ["The forklift’s FORKS are raised", ["forklift", "fork", "rais"]],
    ["It is not to be or such", []],
    ["Wait 1,000.5 seconds at 3.5 bar", ["wait", "1,000.5", "second", "3.5", "bar"]],
    ["Keep 10-35 °C, always.", ["keep", "10", "35", "c", "alwai"]],
    ["don't use form_12b in the U.S.", ["don't", "us", "form_12b", "u."]],
    ["Cafe\u0301 und ＣＡＦＥ", ["café", "und", "cafe"]],
    ["堆高机 检查", ["堆", "高", "机", "检", "查"]],
    ['«NEAR(x) * ^ - " OR»', ["near", "x"]],
    ["", []],
  ])("%j", (text, terms) => {
    expect(analyze(text)).toEqual(terms);
  });

  it("drops every one of Lucene's 33 stop words", () => {
    const words =
      "a an and are as at be but by for if in into is it no not of on or such " +
      "that the their then there these they this to was will with";
    expect(words.split(" ")).toHaveLength(33);
    expect(analyze(words)).toEqual([]);
  });

  it("cuts very long words", () => {
    expect(analyze("x".repeat(100_000))).toEqual(["x".repeat(WORD_LENGTH_MAX)]);
  });
});

describe("analyzeWithOffsets", () => {
  it("tells where each word stands", () => {
    const text = "Wear the goggles, José's too";
    expect(analyzeWithOffsets(text).map(({ start, end }) => text.slice(start, end))).toEqual([
      "Wear",
      "goggles",
      "José's",
      "too",
    ]);
  });

  it("gives ordered, separate, non-empty words for any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
        let last = 0;
        for (const { term, start, end } of analyzeWithOffsets(text)) {
          expect(term).not.toBe("");
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeGreaterThan(start);
          last = end;
        }
      }),
    );
  });

  it("finds words by the same rules with and without other characters around", () => {
    const naive =
      /[a-z0-9]+(?:(?:(?<=[a-z])['.](?=[a-z])|(?<=[0-9])[.,](?=[0-9])|_+(?=[a-z0-9]))[a-z0-9]+)*/gi;
    const text = fc.string({ unit: fc.constantFrom(..."xyzXY019'.,_- \n\""), maxLength: 30 });
    fc.assert(
      fc.property(text, (ascii) => {
        const words = [...ascii.matchAll(naive)].map((match) => match[0]);
        const found = analyzeWithOffsets(ascii).map(({ start, end }) => ascii.slice(start, end));
        expect(found).toEqual(words);
        const among = `é ${ascii.replaceAll(" ", " — ")} ’ü`;
        const foundAmong = analyzeWithOffsets(among).map(({ start, end }) => among.slice(start, end));
        expect(foundAmong).toEqual(["é", ...words, "ü"]);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("findTerms", () => {
  it("gives those of all terms that are wanted", () => {
    const unit = fc.constantFrom(..."eéEfﬁxX\u0301ıİK ＣaA1'.,’堆");
    const text = fc.oneof(fc.string({ unit, maxLength: 20 }), fc.string({ unit: "binary", maxLength: 50 }));
    fc.assert(
      fc.property(text, fc.func(fc.boolean()), (any, isWanted) => {
        const terms = analyzeWithOffsets(any);
        const wanted = new Set(terms.map(({ term }) => term).filter(isWanted));
        expect(findTerms(any, wanted)).toEqual(terms.filter(({ term }) => wanted.has(term)));
      }),
      { numRuns: 1_000 },
    );
  });
});
