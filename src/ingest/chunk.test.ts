import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Chunk, chunkSections, WHOLE_TARGETS_MAX, WHOLE_TOKENS_MAX } from "./chunk.js";
import { countChunkTokens } from "./cut-text.js";
import type { Block } from "./read/port.js";

const OVERLAP = 10;
const chunk = (blocks: readonly Block[], tokensTarget: number, overlapTokensMax = OVERLAP): Chunk[] =>
  chunkSections([{ headings: ["H"], blocks }], { tokensTarget, overlapTokensMax });
const texts = (...args: Parameters<typeof chunk>) => chunk(...args).map(({ text }) => text);
const blockTypes = (...args: Parameters<typeof chunk>) => chunk(...args).map(({ kind }) => kind.blockType);

const words = (count: number, word = "word") => Array.from({ length: count }, () => word).join(" ");
const of =
  (type: Block["type"]) =>
  (text: string): Block => ({ type, text });
const prose = of("prose");
const step = of("step");
const item = of("item");
const row = of("row");
const code = of("code");

describe("chunks", () => {
  it("keep to their section, know its headings and the page of their first block", () => {
    const sections = [
      { headings: ["A"], blocks: [{ ...prose("One."), page: 3 }] },
      {
        headings: ["A", "B"],
        blocks: [
          { ...prose("Two."), page: 3 },
          { ...prose("Three."), page: 4 },
        ],
      },
      { headings: ["C"], blocks: [prose(" \n ")] },
    ];
    const kind = { docType: "spec", blockType: "prose", tags: [] };
    expect(chunkSections(sections, { tokensTarget: 100, overlapTokensMax: 10 })).toEqual([
      { headings: ["A"], page: 3, kind, text: "One." },
      { headings: ["A", "B"], page: 3, kind, text: "Two.\n\nThree." },
    ]);
  });

  it("fill up to the target with whole blocks", () => {
    const blocks = ["One two three.", "Four five.", "Six seven eight."].map(prose);
    expect(texts(blocks, 5)).toEqual(["One two three.\n\nFour five.", "Six seven eight."]);
  });

  it("cut long prose between sentences and repeat whole sentences before the cut", () => {
    const text = "One two three. Four five. Six seven eight. Nine ten.";
    expect(texts([prose(text)], 6, 3)).toEqual([
      "One two three. Four five.",
      "Four five. Six seven eight.",
      "Six seven eight. Nine ten.",
    ]);
    expect(texts([prose(text)], 6, 0)).toEqual(["One two three. Four five.", "Six seven eight. Nine ten."]);
    expect(texts([prose(text)], 8, 5)).toEqual([
      "One two three. Four five. Six seven eight.",
      "Four five. Six seven eight. Nine ten.",
    ]);
  });

  it("have no overlap between blocks", () => {
    expect(texts([prose(`${words(9)}.`), prose(`${words(9)}.`)], 10)).toHaveLength(2);
    expect(chunk([prose("One."), prose("Two.")], 1).map(({ text }) => text)).toEqual(["One.", "Two."]);
  });

  it("cut bullets and rows at the target, in lines", () => {
    const bullet = `- ${words(30)}.`;
    expect(texts([bullet, bullet, bullet].map(item), 65)).toEqual([`${bullet}\n${bullet}`, bullet]);
    expect(texts([bullet, bullet, bullet].map(row), 65)).toEqual([`${bullet}\n${bullet}`, bullet]);
  });

  it("keep what ends in a colon with what follows", () => {
    expect(texts([prose(words(8)), prose(`${words(2)}:`), item("- a"), item("- b")], 10)).toEqual([
      words(8),
      `${words(2)}:\n\n- a\n- b`,
    ]);
  });

  it("cut what is no sentence any more", () => {
    const pieces = texts([prose(words(1000))], 50);
    expect(pieces.length).toBe(20);
    expect(pieces.join(" ").split(/\s+/)).toHaveLength(1000);
    for (const solid of ["x".repeat(10_000), "a.b,".repeat(3_000), "é😀".repeat(4_000)]) {
      const cut = texts([prose(solid)], 50);
      expect(cut.join("")).toBe(solid);
      for (const piece of cut) expect(countChunkTokens(piece)).toBeLessThanOrEqual(50);
    }
  });

  it("cut a step that is none", () => {
    const endless = `1. ${words(WHOLE_TOKENS_MAX + 1)}`;
    expect(texts([step(endless)], 100).length).toBeGreaterThan(20);
    expect(texts([step(`1. ${words(WHOLE_TOKENS_MAX - 1)}`)], 100)).toHaveLength(1);
  });
});

describe("procedures", () => {
  const stepOf = (number: number, length = 30) => `${number}. ${words(length - 1)}.`;
  const steps = (...numbers: number[]) => numbers.map((number) => step(stepOf(number)));
  const joined = (...numbers: number[]) => numbers.map((number) => stepOf(number)).join("\n");

  it("are never cut inside a step, however long", () => {
    expect(texts(steps(1, 2, 3), 10)).toEqual([stepOf(1), stepOf(2), stepOf(3)]);
    expect(texts(steps(1, 2, 3), 40)).toEqual([joined(1, 2), joined(3)]);
  });

  it("stay together up to twice the target, with their introduction", () => {
    expect(texts(steps(1, 2, 3), 50)).toEqual([joined(1, 2, 3)]);
    expect(texts([prose("Read this first."), ...steps(1, 2, 3)], 50)).toEqual([
      `Read this first.\n\n${joined(1, 2, 3)}`,
    ]);
    expect(texts([prose(words(45)), prose("Read this first."), ...steps(1, 2, 3)], 50)).toEqual([
      words(45),
      `Read this first.\n\n${joined(1, 2, 3)}`,
    ]);
  });

  it("let an introduction go that does not fit, but no warning", () => {
    expect(texts([prose(words(30)), ...steps(1, 2, 3), prose("Done.")], 50)).toEqual([
      words(30),
      joined(1, 2, 3),
      "Done.",
    ]);
    const warning = `Warning: ${words(29)}`;
    expect(texts([prose(warning), ...steps(1, 2, 3)], 50)).toEqual([
      `${warning}\n\n${joined(1, 2)}`,
      joined(3),
    ]);
  });

  it("begin with their warning and a paragraph beside it", () => {
    const blocks = [
      prose(words(10)),
      prose("Danger: live parts."),
      prose("Two people do this."),
      ...steps(1, 2),
    ];
    expect(texts(blocks, 36)).toEqual([
      words(10),
      `Danger: live parts.\n\nTwo people do this.\n\n${joined(1, 2)}`,
    ]);
  });

  it("go on behind a warning between steps", () => {
    const blocks = [...steps(1), prose("Caution: hot."), ...steps(2)];
    expect(texts(blocks, 32)).toEqual([`${stepOf(1)}\n\nCaution: hot.\n\n${stepOf(2)}`]);
  });
});

describe("kinds", () => {
  it("are what the chunk is made of", () => {
    expect(blockTypes([prose("A.")], 50)).toEqual(["prose"]);
    expect(blockTypes([prose("Tools:"), step("1. A.")], 50)).toEqual(["procedure"]);
    expect(blockTypes([item("- a"), item("- b")], 50)).toEqual(["list"]);
    expect(blockTypes([row("A: 1, B: 2")], 50)).toEqual(["table"]);
    expect(blockTypes([prose(words(9)), item("- a")], 50)).toEqual(["prose"]);
  });

  it.each([
    "Warning: hot.",
    "DANGER\nhot",
    "Caution – hot",
    "⚠️ Attention! Hot",
    "ACHTUNG heiß",
    "Let op: heet",
  ])("say %j is a warning", (text) => expect(blockTypes([prose(text)], 50)).toEqual(["warning"]));

  it.each(["Warning signs are yellow.", "Importantly, no.", "Hot: a warning", "Danger zones are marked."])(
    "say %j is prose",
    (text) => expect(blockTypes([prose(text)], 50)).toEqual(["prose"]),
  );
});

describe("source text", () => {
  const kind = (blockType: string, ...tags: string[]) => ({ docType: "code", blockType, tags }) as const;

  it("inside prose has a chunk of its own, with the line that leads to it", () => {
    const chunks = chunk(
      [prose("Before."), prose("Run this:"), code("make\nmake install"), prose("After.")],
      50,
    );
    expect(chunks.map(({ text, kind }) => [text, kind.docType])).toEqual([
      ["Before.", "spec"],
      ["Run this:\n\nmake\nmake install", "code_example"],
      ["After.", "spec"],
    ]);
  });

  it("shares a chunk with its own kind only", () => {
    const blocks: Block[] = [
      { ...code("import a"), kind: kind("import", "uses_http") },
      { ...code("import b"), kind: kind("import", "uses_files") },
      { ...code("f() {}"), kind: kind("function") },
    ];
    expect(chunk(blocks, 50).map(({ text, kind }) => [text, kind])).toEqual([
      ["import a\n\nimport b", kind("import", "uses_files", "uses_http")],
      ["f() {}", kind("function")],
    ]);
  });

  it("keeps a block up to twice the target, and is then cut between its own blocks", () => {
    const lines = (count: number, name: string) => Array.from({ length: count }, (_, i) => `  ${name} ${i}`);
    const whole = ["f {", ...lines(9, "a"), "}"].join("\n");
    expect(texts([code(whole)], 10)).toEqual([whole]);
    const long = ["f {", ...lines(6, "a"), "", ...lines(8, "b"), "}"].join("\n");
    expect(texts([code(long)], 10)).toEqual([
      ["f {", ...lines(6, "a")].join("\n"),
      [...lines(8, "b"), "}"].join("\n"),
    ]);
  });

  it("keeps its indentation", () => {
    expect(texts([code("  a:\n    b")], 50)).toEqual(["  a:\n    b"]);
  });
});

describe("any sections", () => {
  const sentence = fc.integer({ min: 1, max: 12 }).map((count) => `${words(count, "Word")}.`);
  const paragraph = fc.array(sentence, { minLength: 1, maxLength: 10 }).map((all) => all.join(" "));
  const types = ["prose", "step", "item", "row", "code"] as const;
  const block = fc.record({ type: fc.constantFrom(...types), text: paragraph, warns: fc.boolean() });
  const document = fc.array(block, { maxLength: 25 }).map((blocks): Block[] => {
    let number = 0;
    return blocks.map(({ type, text, warns }) => ({
      type,
      text: `${warns ? "Warning: " : ""}${text.replaceAll("Word", () => `w${++number}`)}`.replaceAll(
        ". ",
        type === "code" ? ".\n" : ". ",
      ),
    }));
  });
  const limits = fc.record({ tokensTarget: fc.integer({ min: 5, max: 60 }), overlapTokensMax: fc.nat(30) });
  const numbersOf = (text: string) => [...text.matchAll(/\bw(\d+)\b/g)].map(([, number]) => Number(number));

  it("lose nothing and keep the order", () => {
    fc.assert(
      fc.property(document, limits, (blocks, { tokensTarget, overlapTokensMax }) => {
        const chunks = chunk(blocks, tokensTarget, overlapTokensMax);
        let last = 0;
        for (const { text } of chunks) {
          const numbers = numbersOf(text);
          // It goes on where the one before ended, or repeats some of its end.
          expect(numbers[0] ?? last).toBeLessThanOrEqual(last + 1);
          expect(last + 1 - (numbers[0] ?? last + 1)).toBeLessThanOrEqual(overlapTokensMax);
          expect(numbers).toEqual(numbers.map((_, index) => numbers[0]! + index));
          last = numbers.at(-1) ?? last;
        }
        expect(last).toBe(blocks.flatMap(({ text }) => numbersOf(text)).length);
      }),
    );
  });

  it("keep steps, items and rows whole and sizes bounded", () => {
    fc.assert(
      fc.property(document, limits, (blocks, { tokensTarget, overlapTokensMax }) => {
        const chunks = texts(blocks, tokensTarget, overlapTokensMax);
        const whole = blocks.filter(({ type }) => ["step", "item", "row"].includes(type));
        for (const { text } of whole) expect(chunks.some((one) => one.includes(text))).toBe(true);
        // A warning that leads in to steps stays whole, too, and is rounded on its own.
        const warnings = blocks.filter(({ text }) => text.startsWith("Warning"));
        const largest = Math.max(0, ...[...whole, ...warnings].map(({ text }) => 1 + countChunkTokens(text)));
        for (const one of chunks) {
          expect(countChunkTokens(one)).toBeLessThanOrEqual(
            Math.max(largest, tokensTarget * WHOLE_TARGETS_MAX),
          );
        }
      }),
    );
  });

  it("keep a procedure that fits in one chunk", () => {
    fc.assert(
      fc.property(document, limits, (blocks, { tokensTarget, overlapTokensMax }) => {
        const chunks = texts(blocks, tokensTarget, overlapTokensMax);
        for (let i = 0; i < blocks.length; i++) {
          if (blocks[i]!.type !== "step" || blocks[i - 1]?.type === "step") continue;
          const end = blocks.findIndex(({ type }, index) => index > i && type !== "step");
          const all = blocks.slice(i, end < 0 ? blocks.length : end);
          const text = all.map((one) => one.text).join("\n");
          const follows = end >= 0 && blocks[end]!.text.startsWith("Warning");
          const precedes = i > 0 && blocks[i - 1]!.text.startsWith("Warning");
          if (follows || precedes || countChunkTokens(text) > tokensTarget * WHOLE_TARGETS_MAX) continue;
          expect(chunks.some((one) => one.includes(text))).toBe(true);
        }
      }),
    );
  });
});

describe("countChunkTokens", () => {
  it("counts as the reference does, or by length where there are no spaces", () => {
    expect(countChunkTokens("Set 2.5 bar.")).toBe(4);
    expect(countChunkTokens("关".repeat(120))).toBe(10);
    expect(countChunkTokens("")).toBe(0);
  });
});
