import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { DocumentProblem } from "../problem.js";
import { parseDocx } from "./docx.js";
import { docxEntries, docxParagraph, type ZipEntry, zipFile } from "./files.test-util.js";

const LIMITS = { unpackedBytesMax: 5_000_000 };

const outline = async (bytes: Uint8Array) =>
  (await parseDocx(bytes, LIMITS)).sections.map(({ headings, blocks }) => [
    headings.join(" > "),
    ...blocks.map(({ type, text }) => (type === "prose" ? text : `${type}[${text}]`)),
  ]);

const cell = (text: string, bold = false) =>
  `<w:tc><w:p><w:r>${bold ? "<w:rPr><w:b/></w:rPr>" : ""}<w:t>${text}</w:t></w:r></w:p></w:tc>`;

const BODY = [
  docxParagraph("Lockout", "Heading1"),
  docxParagraph("Before work &amp; after."),
  docxParagraph("Steps", "Heading2"),
  docxParagraph("Close the valve.", undefined, { id: 1, depth: 0 }),
  docxParagraph("the red one", undefined, { id: 1, depth: 1 }),
  docxParagraph("Wait.", undefined, { id: 1, depth: 0 }),
  docxParagraph("Gloves", undefined, { id: 2, depth: 0 }),
  `<w:tbl><w:tr>${cell("Zone", true)}${cell("Limit", true)}</w:tr><w:tr>${cell("Cold")}${cell("4 °C")}</w:tr></w:tbl>`,
].join("");

const OUTLINE = [
  ["Lockout", "Before work & after."],
  [
    "Lockout > Steps",
    "step[1. Close the valve.\n- the red one]",
    "step[2. Wait.]",
    "item[- Gloves]",
    "row[- Zone: Cold; Limit: 4 °C]",
  ],
];

describe("a Word document", () => {
  it("has headings, steps, bullets, tables and a title", async () => {
    const bytes = zipFile(docxEntries(BODY, "Lock &amp; tag"));
    expect(await outline(bytes)).toEqual(OUTLINE);
    expect((await parseDocx(bytes, LIMITS)).title).toBe("Lock & tag");
  });

  it("may be written as a stream, or by another program", async () => {
    const entries = docxEntries(BODY);
    expect(await outline(zipFile(entries.map((entry) => ({ ...entry, streamed: true }))))).toEqual(OUTLINE);
    expect(await outline(zippedByZip(entries))).toEqual(OUTLINE);
  });

  it("is read without its pictures, whose size does not count", async () => {
    const picture = { name: "word/media/a.png", content: new Uint8Array(20_000_000) };
    expect(await outline(zipFile([...docxEntries(BODY), picture]))).toEqual(OUTLINE);
  });
});

/** As Info-ZIP packs them. */
function zippedByZip(entries: readonly ZipEntry[]): Uint8Array {
  const folder = mkdtempSync(join(tmpdir(), "readback-docx-"));
  try {
    for (const { name, content } of entries) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), content);
    }
    execFileSync("zip", ["-q", "-r", "made.docx", "."], { cwd: folder });
    return readFileSync(join(folder, "made.docx"));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe("a Word document that cannot be read", () => {
  const whole = zipFile(docxEntries(BODY));
  const withMain = (main: string) =>
    zipFile(
      docxEntries("").map((entry) =>
        entry.name === "word/document.xml" ? { ...entry, content: main } : entry,
      ),
    );
  /** Packed to a hundredth or less. */
  const bomb = docxParagraph(" ".repeat(20_000_000));

  it.each([
    ["a bomb", zipFile(docxEntries(bomb)), /unpacks to more than the 5000000 bytes/],
    [
      "a bomb that lies about its size",
      zipFile(docxEntries(bomb).map((entry) => ({ ...entry, statedBytes: 10 }))),
      /unpacks to more than/,
    ],
    [
      "a bomb as a stream",
      zipFile(docxEntries(bomb).map((e) => ({ ...e, streamed: true }))),
      /unpacks to more than/,
    ],
    [
      "a bomb of many entries",
      zipFile(Array.from({ length: 12_000 }, (_, index) => ({ name: `word/${index}.txt`, content: "" }))),
      /more than 10000 entries/,
    ],
    ["cut short", whole.subarray(0, whole.length - 300), /damaged/],
    ["cut to its first entry", whole.subarray(0, 100), /damaged/],
    ["without its main part", zipFile([{ name: "a.txt", content: "a" }]), /no word\/document\.xml/],
    ["with a main part twice", zipFile([...docxEntries("a"), ...docxEntries("b")]), /damaged/],
    ["of broken XML", withMain("<w:document><w:body>"), /damaged/],
    ["nested without end", withMain("<w:document>".repeat(100_000)), /damaged/],
  ])("is told by a named problem: %s", async (_what, bytes, problem) => {
    const reading = parseDocx(bytes, LIMITS);
    await expect(reading).rejects.toThrow(DocumentProblem);
    await expect(reading).rejects.toThrow(problem);
  });
});
