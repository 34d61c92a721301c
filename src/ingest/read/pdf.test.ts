import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DocumentProblem } from "../problem.js";
import { type PdfContent, pdfFile, pdfLines } from "./files.test-util.js";
import { parsePdf } from "./pdf.js";

/** Sections in a short form: headings joined, items marked, the page behind. */
async function outline(content: PdfContent) {
  const { sections } = await parsePdf(pdfFile(content));
  return sections.map(({ headings, blocks }) => [
    headings.join(" > "),
    ...blocks.map(({ type, text, page }) => (type === "prose" ? `${text} p${page}` : `[${text}] p${page}`)),
  ]);
}

const heading = (text: string, y: number, size = 18) => ({ size, x: 72, y, text });

describe("the pages of a PDF", () => {
  it("become paragraphs that know their page and their headings", async () => {
    const pages = [
      [
        heading("Lockout", 720, 20),
        heading("Purpose", 690, 15),
        ...pdfLines(["This procedure keeps everybody", "safe."], { y: 660 }),
        ...pdfLines(["It holds for all presses."], { y: 610 }),
      ],
      [heading("Scope", 720, 15), ...pdfLines(["Hall 2 only."], { y: 690 })],
    ];
    expect(await outline({ pages })).toEqual([
      ["Lockout > Purpose", "This procedure keeps everybody safe. p1", "It holds for all presses. p1"],
      ["Lockout > Scope", "Hall 2 only. p2"],
    ]);
  });

  it("join a paragraph that goes on behind the page, and name the page that it begins on", async () => {
    const pages = [
      [...pdfLines(["Close the main valve and wait until", "the pressure in the line has"], { y: 100 })],
      [...pdfLines(["fallen below 2 bar.", "Then open the drain."], { y: 700 })],
    ];
    const text = "Close the main valve and wait until the pressure in the line has fallen below 2 bar.";
    expect((await outline({ pages })).flat().join(" ")).toContain(`${text}`);
  });

  it("mend words parted at the end of a line, and keep the hyphens that belong there", async () => {
    const lines = [
      "Wait for the pres-",
      "sure to fall. Use the high-",
      "voltage gloves at P-",
      "101 and the X-",
      "Ray room. All high-voltage work needs two.",
    ];
    expect((await outline({ pages: [pdfLines(lines, { y: 700 })] }))[0]![1]).toBe(
      "Wait for the pressure to fall. Use the high-voltage gloves at P-101 and the X-Ray room. All high-voltage work needs two. p1",
    );
  });

  it("keep steps and bullets whole, with what is indented below them", async () => {
    const pages = [
      [
        ...pdfLines(["Do this:"], { y: 700 }),
        ...pdfLines(["1. Close the valve"], { y: 680 }),
        ...pdfLines(["at the boiler."], { y: 666, x: 86 }),
        ...pdfLines(["• the red one"], { y: 652, x: 90 }),
        ...pdfLines(["Never by hand."], { y: 620, x: 86 }),
        ...pdfLines(["2. Wait."], { y: 600 }),
        ...pdfLines(["That is all."], { y: 560 }),
        ...pdfLines(["• first", "• second"], { y: 520 }),
      ],
    ];
    expect(await outline({ pages })).toEqual([
      [
        "",
        "Do this: p1",
        "[1. Close the valve at the boiler.\n- the red one\nNever by hand.] p1",
        "[2. Wait.] p1",
        "That is all. p1",
        "[- first] p1",
        "[- second] p1",
      ],
    ]);
  });

  it("lose running heads, feet and page numbers, and nothing that changes", async () => {
    const pages = [1, 2, 3, 4, 5].map((page) => [
      { size: 9, x: 72, y: 770, text: "Plant handbook, revision 7" },
      { size: 14, x: 72, y: 720, text: `Step ${page}` },
      ...pdfLines([`Turn the wheel number ${page} to the left.`], { y: 690 }),
      { size: 9, x: 300, y: 30, text: `Page ${page} of 5` },
    ]);
    const text = JSON.stringify(await outline({ pages }));
    expect(text).not.toMatch(/handbook|Page \d/);
    for (const page of [1, 2, 3, 4, 5]) {
      expect(text).toContain(`Step ${page}`);
      expect(text).toContain(`Turn the wheel number ${page} to the left. p${page}`);
    }
  });

  it("find headings by bookmarks and by their numbers where the type is no larger", async () => {
    const pages = [
      [
        ...pdfLines(["Isolation"], { y: 700 }),
        ...pdfLines(["Pull the plug and keep it with you."], { y: 670 }),
        ...pdfLines(["4.2 Restart"], { y: 640 }),
        ...pdfLines(["Put the plug back in and stand clear."], { y: 610 }),
      ],
    ];
    expect(await outline({ pages, bookmarks: ["Isolation"] })).toEqual([
      ["Isolation", "Pull the plug and keep it with you. p1"],
      ["Isolation > 4.2 Restart", "Put the plug back in and stand clear. p1"],
    ]);
  });

  it("have the title that the file says, unless a program made it up", async () => {
    const pages = [pdfLines(["Text."], { y: 700 })];
    expect((await parsePdf(pdfFile({ pages, title: "Lockout procedure" }))).title).toBe("Lockout procedure");
    expect((await parsePdf(pdfFile({ pages, title: "Microsoft Word - a.docx" }))).title).toBeUndefined();
  });

  it("are told when some have no text", async () => {
    const { warnings } = await parsePdf(pdfFile({ pages: [pdfLines(["Text."], { y: 700 }), []] }));
    expect(warnings).toEqual(["page 2 has no text layer"]);
  });
});

describe("a PDF that cannot be read", () => {
  const whole = pdfFile({ pages: [pdfLines(["Text."], { y: 700 })] });

  it.each([
    ["without text", pdfFile({ pages: [[], []] }), /no text layer.*OCR/],
    ["cut short", whole.subarray(0, 200), /damaged or cut short/],
    ["with nothing in it", Buffer.from("%PDF-1.7\n"), /damaged or cut short/],
    ["without pages", pdfFile({ pages: [] }), /no text|damaged/],
  ])("is told by a named problem when it is %s", async (_what, bytes, problem) => {
    await expect(parsePdf(bytes)).rejects.toThrow(DocumentProblem);
    await expect(parsePdf(bytes)).rejects.toThrow(problem);
  });
});

describe("files of other programs", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "readback-pdf-"));
    writeFileSync(
      join(folder, "plain.pdf"),
      pdfFile({ pages: [pdfLines(["Close the valve."], { y: 700 })] }),
    );
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const made = (...options: string[]) => {
    execFileSync("qpdf", [...options, join(folder, "plain.pdf"), join(folder, "made.pdf")]);
    return readFileSync(join(folder, "made.pdf"));
  };

  it("with a password are told so", async () => {
    const bytes = made("--encrypt", "user", "owner", "256", "--");
    await expect(parsePdf(bytes)).rejects.toThrow(/encrypted with a password/);
  });

  it("that only forbid changes are read", async () => {
    const { sections } = await parsePdf(made("--encrypt", "", "owner", "256", "--"));
    expect(sections[0]!.blocks[0]!.text).toBe("Close the valve.");
  });

  it("packed into object streams are read, and say what pdftotext says", async () => {
    const { sections } = await parsePdf(made("--object-streams=generate", "--linearize"));
    const other = execFileSync("pdftotext", [join(folder, "made.pdf"), "-"], { encoding: "utf8" });
    expect(sections.flatMap(({ blocks }) => blocks.map(({ text }) => text))).toEqual([other.trim()]);
  });
});
