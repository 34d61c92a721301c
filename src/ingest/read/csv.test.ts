import { describe, expect, it } from "vitest";
import { DocumentProblem } from "../problem.js";
import { parseCsv } from "./csv.js";

const rows = (text: string) =>
  parseCsv(Buffer.from(text)).sections.flatMap(({ blocks }) => blocks.map((b) => b.text));

describe("records", () => {
  it("are rows whose cells are named by the first record", () => {
    expect(parseCsv(Buffer.from("Zone,Limit\nCold,4 °C\nHot,\n\n")).sections).toEqual([
      {
        headings: [],
        blocks: [
          { type: "row", text: "- Zone: Cold; Limit: 4 °C" },
          { type: "row", text: "- Zone: Hot" },
        ],
      },
    ]);
  });

  it.each([
    ["a;b\n1,5;2\n", ["- a: 1,5; b: 2"]],
    ["a\tb\n1\t2\n", ["- a: 1; b: 2"]],
    ["a|b\n1|2\n", ["- a: 1; b: 2"]],
    ["sep=;\r\na;b\r\n1,2;3\r\n", ["- a: 1,2; b: 3"]],
    ["\uFEFFa,b\r\n1,2", ["- a: 1; b: 2"]],
    ['"a, x",b\n"say ""hi""\nnow",2\n', ['- a, x: say "hi" now; b: 2']],
    ['a,b\n5" pipe,2\n', ['- a: 5" pipe; b: 2']],
    ["a\n1\n2\n", ["- a: 1", "- a: 2"]],
    [",b\n1,2\n", ["- 1; b: 2"]],
    ["a,b\n", ["- a; b"]],
  ])("of %j", (text, expected) => {
    expect(rows(text)).toEqual(expected);
  });

  it("with more or fewer cells are read, and told", () => {
    const { sections, warnings } = parseCsv(Buffer.from("a,b\n1\n1,2,3\n"));
    expect(sections[0]!.blocks.map(({ text }) => text)).toEqual(["- a: 1", "- a: 1; b: 2; 3"]);
    expect(warnings).toEqual(["2 rows have more or fewer cells than the first row"]);
  });

  it("with a quotation mark that is never closed are a named problem", () => {
    expect(() => rows('a,b\n"1,2\n3,4\n')).toThrow(DocumentProblem);
  });

  it("may have a field of ten million characters", () => {
    expect(rows(`a,b\n1,${"x".repeat(10_000_000)}\n`)[0]!.length).toBeGreaterThan(10_000_000);
  });
});
