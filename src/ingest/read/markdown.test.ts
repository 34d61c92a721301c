import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseMarkdown } from "./markdown.js";
import { parseText } from "./text.js";

/** Sections in a short form: headings joined, items marked. */
const outline = (text: string, markup: "markdown" | "plain" = "markdown") =>
  (markup === "markdown" ? parseMarkdown(text) : parseText(text)).map(({ headings, blocks }) => [
    headings.join(" > "),
    ...blocks.map(({ type, text: blockText }) => (type === "prose" ? blockText : `[${blockText}]`)),
  ]);

describe("sections", () => {
  it("know their headings", () => {
    const text = "Intro.\n# A\nOne.\n## B ##\nTwo.\n### C\n## D\nThree.\n# **E**\nFour.\n";
    expect(outline(text)).toEqual([
      ["", "Intro."],
      ["A", "One."],
      ["A > B", "Two."],
      ["A > B", "C"],
      ["A > D", "Three."],
      ["E", "Four."],
    ]);
  });

  it("that say nothing but their heading say that", () => {
    expect(outline("# A\n## Meet at gate 2\n## B\nOne.\n# C\n")).toEqual([
      ["A", "Meet at gate 2"],
      ["A > B", "One."],
      ["", "C"],
    ]);
  });

  it("may be underlined", () => {
    expect(outline("Title\n=====\nOne.\n\nPart\n---\nTwo.\n\n---\n\nThree.")).toEqual([
      ["Title", "One."],
      ["Title > Part", "Two.", "Three."],
    ]);
  });

  it("do not take a tag or a number sign for a heading", () => {
    expect(outline("#1 rule\n####### seven\n\\# no")).toEqual([["", "#1 rule ####### seven # no"]]);
  });
});

describe("paragraphs", () => {
  it("join their lines", () => {
    expect(outline("One\ntwo\r\nthree.\n\n\nFour.")).toEqual([["", "One two three.", "Four."]]);
  });

  it("leave comments out, but lose nothing behind one that is not closed", () => {
    expect(outline("One <!-- not\nthis --> two.\n\nThree <!-- four.")).toEqual([
      ["", "One two.", "Three <!-- four."],
    ]);
  });

  it("read quotes and warnings as text", () => {
    expect(outline("> **Danger:** hot\n> steam.\n\n> [!WARNING]\n> Wait.\n\n> > Deep.")).toEqual([
      ["", "Danger: hot steam.", "Warning: Wait.", "Deep."],
    ]);
  });

  it("keep code line by line", () => {
    expect(outline("Type:\n\n```sh\nreset *a*\n# not a heading\n```\nDone.")).toEqual([
      ["", "Type:", "[reset *a*\n# not a heading]", "Done."],
    ]);
  });
});

describe("lists", () => {
  it("make an item of each step, with all that belongs to it", () => {
    const text = [
      "Steps:",
      "1. Close the",
      "valve.",
      "2. Wait.",
      "",
      "   At least 5 minutes.",
      "   - longer when hot",
      "",
      "   > **Warning:** steam.",
      "3. Open.",
      "",
      "That is all.",
    ].join("\n");
    expect(outline(text)).toEqual([
      [
        "",
        "Steps:",
        "[1. Close the valve.]",
        "[2. Wait.\nAt least 5 minutes.\n- longer when hot\nWarning: steam.]",
        "[3. Open.]",
        "That is all.",
      ],
    ]);
  });

  it("number steps as Markdown does, and start over in a new list", () => {
    expect(outline("1. a\n1. b\n1) c\n\nText.\n\n4. d\n7. e\n# H\n1. f")).toEqual([
      ["", "[1. a]", "[2. b]", "[1. c]", "Text.", "[4. d]", "[5. e]"],
      ["H", "[1. f]"],
    ]);
  });

  it("keep the numbers of plain text", () => {
    expect(outline("2. a\n5. b", "plain")).toEqual([["", "[2. a]", "[5. b]"]]);
  });

  it("know bullets of every kind", () => {
    expect(outline("- a\n* b\n+ c\n• d\n– e\n-no\n")).toEqual([
      ["", "[- a]", "[- b]", "[- c]", "[- d]", "[- e -no]"],
    ]);
  });
});

describe("tables", () => {
  it("make an item of each row, with the columns' names", () => {
    const text = "| Zone | Limit |\n|:-----|------:|\n| Cold | 4 °C |\n| **Hot** | |\n\nEnd.";
    expect(outline(text)).toEqual([["", "[- Zone: Cold; Limit: 4 °C]", "[- Zone: Hot]", "End."]]);
  });

  it("need a rule", () => {
    expect(outline("a | b\nc | d")).toEqual([["", "a | b c | d"]]);
  });

  it("may have a header only", () => {
    expect(outline("| a | b |\n|---|---|\n\nEnd.")).toEqual([["", "[- a; b]", "End."]]);
  });
});

describe("plain text", () => {
  it("has paragraphs and lists only", () => {
    expect(outline("# no heading\n*stars*\n\n- a\n", "plain")).toEqual([
      ["", "# no heading *stars*", "[- a]"],
    ]);
  });

  it("has steps that call themselves so", () => {
    expect(outline("SHUTDOWN\nStep 1: Tell them.\nStep 2) Wait.\nsee step 3: no.\n4: no.", "plain")).toEqual([
      ["", "SHUTDOWN", "[1. Tell them.]", "[2. Wait. see step 3: no. 4: no.]"],
    ]);
  });
});

describe("any text", () => {
  it("loses no word of plain prose and never fails", () => {
    const piece = fc.constantFrom(..."# > - 1. * = \n \t word".split(" "), "\n", " ", "  ", "\n\n", "x");
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 80 }), (pieces) => {
        for (const parse of [parseMarkdown, parseText]) {
          const kept = JSON.stringify(parse(pieces.join("")));
          expect(kept.split("word").length).toBe(pieces.join("").split("word").length);
        }
      }),
    );
  });
});
