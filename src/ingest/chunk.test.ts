import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseSections } from "./blocks.js";
import { chunkSections, countWords } from "./chunk.js";

const chunk = (markdown: string, wordsTarget: number) =>
  chunkSections(parseSections(markdown, "markdown"), wordsTarget);
const texts = (markdown: string, wordsTarget: number) => chunk(markdown, wordsTarget).map(({ text }) => text);

describe("chunks", () => {
  it("keep to their section and know its headings", () => {
    expect(chunk("# A\nOne.\n## B\nTwo.\n\nThree.", 100)).toEqual([
      { headings: ["A"], text: "One." },
      { headings: ["A", "B"], text: "Two.\n\nThree." },
    ]);
  });

  it("fill up to the target with whole blocks", () => {
    expect(texts("One two three.\n\nFour five.\n\nSix seven eight.", 5)).toEqual([
      "One two three.\n\nFour five.",
      "Six seven eight.",
    ]);
  });

  it("cut long prose between sentences and repeat the sentence before the cut", () => {
    const prose = "One two three. Four five. Six seven eight. Nine ten.";
    expect(texts(prose, 6)).toEqual([
      "One two three. Four five.",
      "Four five. Six seven eight.",
      "Six seven eight. Nine ten.",
    ]);
  });

  const step = (number: number) => `${number}. ${"word ".repeat(30).trim()}.`;
  const steps = (...numbers: number[]) => numbers.map(step).join("\n");

  it("never cut inside a step, however long", () => {
    expect(texts(steps(1, 2, 3), 10)).toEqual([step(1), step(2), step(3)]);
    expect(texts(steps(1, 2, 3), 40)).toEqual([steps(1, 2), step(3)]);
  });

  it("keep a procedure together up to twice the target", () => {
    expect(texts(steps(1, 2, 3), 50)).toEqual([steps(1, 2, 3)]);
    expect(texts(`Read this first.\n\n${steps(1, 2, 3)}`, 50)).toEqual([
      `Read this first.\n\n${steps(1, 2, 3)}`,
    ]);
    const prose = `${"word ".repeat(30).trim()}.`;
    expect(texts(`${prose}\n\n${steps(1, 2, 3)}\n\nDone.`, 50)).toEqual([prose, steps(1, 2, 3), "Done."]);
  });

  it("cut bullets and rows at the target", () => {
    const bullet = `- ${"word ".repeat(30).trim()}.`;
    expect(texts([bullet, bullet, bullet].join("\n"), 65)).toEqual([`${bullet}\n${bullet}`, bullet]);
  });

  it("cut what is no sentence any more", () => {
    const endless = "word ".repeat(1000).trim();
    const pieces = texts(endless, 50);
    expect(pieces.length).toBe(20);
    expect(pieces.join(" ").split(/\s+/)).toHaveLength(1000);
    const solid = texts("x".repeat(10_000), 50);
    expect(solid.join("")).toBe("x".repeat(10_000));
    for (const piece of solid) expect(countWords(piece)).toBeLessThanOrEqual(50);
  });

  it("lose no sentence", () => {
    const sentence = fc.integer({ min: 1, max: 12 }).map((words) => `${"Word ".repeat(words).trim()}.`);
    const paragraph = fc.array(sentence, { minLength: 1, maxLength: 10 });
    const document = fc.array(paragraph, { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(document, fc.integer({ min: 5, max: 40 }), (paragraphs, target) => {
        let number = 0;
        const numbered = paragraphs.map((sentences) =>
          sentences.map((one) => `S${++number} ${one}`).join(" "),
        );
        const pieces = texts(numbered.join("\n\n"), target);
        const seen = new Set(pieces.join(" ").match(/S\d+/g));
        expect(seen.size).toBe(number);
      }),
    );
  });
});

describe("countWords", () => {
  it("counts by white space, or by length where there is none", () => {
    expect(countWords("Set 2.5 bar.")).toBe(3);
    expect(countWords("关".repeat(120))).toBe(10);
    expect(countWords("")).toBe(0);
  });
});
