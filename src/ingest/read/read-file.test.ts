import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DocumentProblem } from "../problem.js";
import { docxEntries, docxParagraph, pdfFile, pdfLines, zipFile } from "./files.test-util.js";
import { FILE_KINDS, formatOf, parseFile } from "./read-file.js";

const LIMITS = { unpackedBytesMax: 5_000_000 };

const said = async (name: string, content: string | Uint8Array) =>
  (await parseFile(name, Buffer.from(content), LIMITS)).sections.flatMap(({ blocks }) =>
    blocks.map(({ text }) => text),
  );

const PDF = pdfFile({ pages: [pdfLines(["Close the valve."], { y: 700 })] });
const DOCX = zipFile(docxEntries(docxParagraph("Close the valve.")));
const PNG = Buffer.from("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "latin1");
const OLE = Buffer.from("d0cf11e0a1b11ae1", "hex");

describe("the kind of a file", () => {
  it("is told by its name", () => {
    expect(["a.md", "b/A.MARKDOWN", "a.txt", "a.htm", "a.PDF", "a.docx", "a.tsv"].map(formatOf)).toEqual([
      "markdown",
      "markdown",
      "text",
      "html",
      "pdf",
      "docx",
      "csv",
    ]);
    expect(["a", "a.png", ".md", "a.md/b", "a.constructor", "a.doc"].map(formatOf)).toEqual(
      Array(6).fill(undefined),
    );
    expect(FILE_KINDS).toMatch(/^\.md, .*\.pdf/);
  });

  it("that is not read is a problem", async () => {
    await expect(said("a.png", PNG)).rejects.toThrow(/no kind that is read: \.md/);
  });
});

describe("a file", () => {
  it.each([
    ["a.md", "# A\n\nClose the valve."],
    ["a.txt", "Close the valve."],
    ["a.html", "<title>A</title><p>Close the valve."],
    ["a.pdf", PDF],
    ["a.docx", DOCX],
    ["a.txt", Buffer.from("\uFEFFClose the valve.", "utf16le")],
    ["a.txt", Buffer.from("\uFEFFClose the valve.", "utf16le").swap16()],
    ["a.txt", "\uFEFFClose the valve."],
  ])("is read by what it is: %s", async (name, content) => {
    expect(await said(name, content)).toEqual(["Close the valve."]);
  });

  it.each(["a.md", "a.txt"])("of text has its front matter taken off: %s", async (name) => {
    const bytes = Buffer.from("---\ntitle: A\r\nrevision: 2\n---\nText.");
    const parsed = await parseFile(name, bytes, LIMITS);
    expect(parsed).toEqual({
      frontMatter: "title: A\nrevision: 2",
      sections: [{ headings: [], blocks: [{ type: "prose", text: "Text." }] }],
      notes: [expect.objectContaining({ where: "line 5", text: "Text." }), expect.anything()],
      warnings: [],
    });
    await expect(said(name, "---\ntitle: A\n")).rejects.toThrow(/does not end/);
  });

  it.each([
    ["a.md", "", /empty/],
    ["a.pdf", "", /empty/],
    ["a.docx", "", /empty/],
    ["a.csv", " \n\t\n", /empty/],
    ["a.md", "---\ntitle: A\n---\n", /no text/],
    ["a.md", "<!-- only a comment -->", /no text/],
    ["a.html", "<script>1</script>", /no text/],
    ["a.txt", Buffer.from([0x41, 0xff, 0x41]), /not UTF-8 text; save it as UTF-8/],
    ["a.txt", Buffer.from([0xff, 0xfe, 0x00, 0xd8]), /not UTF-16LE/],
    ["a.txt", "a\0b", /null characters/],
    ["a.md", PDF, /not text but a PDF; name it \.pdf/],
    ["a.txt", DOCX, /not text but a ZIP file or an Office document/],
    ["a.pdf", PNG, /not a PDF but a PNG image/],
    ["a.pdf", DOCX, /not a PDF but a ZIP/],
    ["a.pdf", "Close the valve.", /not a PDF but text/],
    ["a.docx", "Close the valve.".repeat(9), /not a Word document but text/],
    ["a.docx", PDF, /not a Word document but a PDF/],
    [
      "a.docx",
      Buffer.concat([OLE, Buffer.alloc(600), Buffer.from("EncryptedPackage", "utf16le")]),
      /encrypted/,
    ],
    ["a.docx", OLE, /of the old kind; save it as \.docx/],
    ["a.txt", "{\\rtf1 Close}", /RTF/],
  ])("is refused by name when it is no document: %s %j", async (name, content, problem) => {
    await expect(said(name, content)).rejects.toThrow(DocumentProblem);
    await expect(said(name, content)).rejects.toThrow(problem);
  });
});

describe("any bytes", () => {
  /** Either a document or a named problem. */
  const readOrProblem = async (name: string, bytes: Uint8Array) => {
    try {
      await parseFile(name, bytes, LIMITS);
    } catch (error) {
      expect(error).toBeInstanceOf(DocumentProblem);
    }
  };

  const RICH = [
    [
      "a.md",
      "# A\n\n1. *b* [c](d)\n   ```sh\n   e\n   ```\n> [!NOTE]\n> f\n\n| a | b |\n|---|---|\n| c | d |\n<b>x</b>\n",
    ],
    ["a.txt", "A\n\n1. b\n   c\n - d\n\ne"],
    [
      "a.html",
      "<title>A</title><ol><li>b<table><tr><th rowspan=2>c<td>d</table><pre><code class=language-x>e</pre>&amp;",
    ],
    ["a.csv", 'a;"b ""c"""\n1;"2\n3"\n'],
    ["a.pdf", PDF],
    ["a.docx", DOCX],
  ] as const;

  it.each(RICH)(
    "are a document or a named problem: %s",
    async (name, content) => {
      const whole = Buffer.from(content);
      const mutation = fc.record({
        at: fc.nat(whole.length - 1),
        remove: fc.nat(40),
        insert: fc.oneof(
          fc.uint8Array({ maxLength: 8 }),
          fc.constantFrom(...["<", "|", "\n", "\0", "> "].map((s) => Buffer.from(s))),
        ),
      });
      const mutated = fc
        .array(mutation, { minLength: 1, maxLength: 6 })
        .map((mutations) =>
          mutations.reduce<Uint8Array>(
            (bytes, { at, remove, insert }) =>
              Buffer.concat([bytes.subarray(0, at), insert, bytes.subarray(at + remove)]),
            whole,
          ),
        );
      const cut = fc.nat(whole.length).map((length) => whole.subarray(0, length));
      const random = fc.uint8Array({ maxLength: 300 });
      await fc.assert(
        fc.asyncProperty(fc.oneof(mutated, cut, random), (bytes) => readOrProblem(name, bytes)),
        { numRuns: 150 },
      );
    },
    60_000,
  );
});
