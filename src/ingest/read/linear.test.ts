/** Files of unusual size are read in time that grows with them, and nothing of them is lost. */
import { describe, expect, it } from "vitest";
import { parseCsv } from "./csv.js";
import { parseHtml } from "./html.js";
import { parseMarkdown } from "./markdown.js";
import { parseFile } from "./read-file.js";

const plainInline = (text: string) =>
  parseMarkdown(text)
    .flatMap(({ blocks }) => blocks.map(({ text: said }) => said))
    .join("|");

const LIMITS = { unpackedBytesMax: 5_000_000 };

describe("one line of ten megabytes", () => {
  it.each(["a.md", "a.txt", "a.html", "a.csv"])(
    "is read: %s",
    async (name) => {
      const words = "Close the valve and wait. ".repeat(400_000);
      const { sections } = await parseFile(name, Buffer.from(words), LIMITS);
      const text = sections.flatMap(({ blocks }) => blocks.map((block) => block.text)).join(" ");
      expect(text.length).toBeGreaterThan(words.length * 0.99);
    },
    120_000,
  );
});

describe("a million rows", () => {
  it("are all read", () => {
    const { sections } = parseCsv(Buffer.from(`a,b\n${"1,2\n".repeat(1_000_000)}`));
    expect(sections.flatMap(({ blocks }) => blocks)).toHaveLength(1_000_000);
  });
});

describe("a page", () => {
  it.each([
    "<div>",
    "<p>",
    "<ul><li>",
    "<table><tr><td>",
    "<b></p>",
    "<div>x</p></span>",
    "<div hidden>",
    "</div>",
    "<a ",
    "<",
    "<table><tr><td>x</div>",
    "<dl><dt>",
    "&",
    "<!--",
    "<td rowspan=60000 colspan=1000>x",
    "<h1>",
    "<pre>",
    "<ol>",
  ])("takes no more than linear time on many %j", (piece) => {
    // Quadratic time on so long a text would outlast the test's timeout by far.
    const html = `<p>begin</p>${piece.repeat(100_000)}`;
    expect(parseHtml(Buffer.from(html)).sections[0]).toBeDefined();
  });
});

describe("Markdown", () => {
  it.each([">", "> ", ">  > ", "<!--", "# ", "-", "- ", "|", "| ", " ", "1. ", "\n", "- \n", "`", "*"])(
    "takes no more than linear time on many %j",
    (piece) => {
      const text = piece.repeat(50_000 / piece.length);
      // Longer than a piece; quadratic time would outlast the test's timeout by far.
      for (const beginning of ["", "- "]) {
        expect(parseMarkdown(`${beginning}${text}x\nEnd.`).length).toBeGreaterThan(0);
      }
    },
    60_000,
  );
});

describe("inline Markdown", () => {
  it.each(["[", "![", "*", "**a", "_a", "`", "``a", "<a", "<", "~~a", "&", "\\", "[^"])(
    "takes no more than linear time on many %j",
    (piece) => {
      // Quadratic time would outlast the test's timeout by far.
      const text = piece.repeat(200_000 / piece.length);
      expect(plainInline(text).length).toBeGreaterThanOrEqual(0);
    },
  );
});
