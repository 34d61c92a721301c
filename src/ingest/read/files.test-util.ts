/** Files for tests, byte by byte, by writers that know nothing of the libraries under test. */
import { crc32 as crcOf, deflateRawSync } from "node:zlib";

/** A run of text: size in points, place from the lower left corner of a page of 612 × 792 points. */
export interface PdfText {
  readonly size: number;
  readonly x: number;
  readonly y: number;
  readonly text: string;
}

export interface PdfContent {
  readonly pages: readonly (readonly PdfText[])[];
  readonly title?: string;
  readonly bookmarks?: readonly string[];
}

/** A PDF 1.7 file with Helvetica in Latin-1, nothing compressed. */
export function pdfFile({ pages, title, bookmarks = [] }: PdfContent): Uint8Array {
  const objects: string[] = [];
  const add = (object: string) => objects.push(object);
  const font = add("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>");
  const tree = 2 + pages.length * 2;
  const kids = pages.map((texts) => {
    const drawn = texts.map(
      ({ size, x, y, text }) => `BT /F1 ${size} Tf ${x} ${y} Td ${literal(text)} Tj ET`,
    );
    const stream = drawn.join("\n");
    const content = add(`<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`);
    const resources = `<< /Font << /F1 ${font} 0 R >> >>`;
    return add(
      `<< /Type /Page /Parent ${tree} 0 R /MediaBox [0 0 612 792] /Contents ${content} 0 R /Resources ${resources} >>`,
    );
  });
  add(`<< /Type /Pages /Count ${kids.length} /Kids [${kids.map((kid) => `${kid} 0 R`).join(" ")}] >>`);
  const outlines = objects.length + 1;
  if (bookmarks.length > 0) {
    const [first, last] = [outlines + 1, outlines + bookmarks.length];
    add(`<< /Type /Outlines /First ${first} 0 R /Last ${last} 0 R /Count ${bookmarks.length} >>`);
    bookmarks.forEach((bookmark, index) => {
      const next = index + 1 < bookmarks.length ? ` /Next ${first + index + 1} 0 R` : "";
      add(`<< /Title ${literal(bookmark)} /Parent ${outlines} 0 R${next} /Dest [${kids[0]} 0 R /Fit] >>`);
    });
  }
  const entries = bookmarks.length > 0 ? ` /Outlines ${outlines} 0 R` : "";
  const catalog = add(`<< /Type /Catalog /Pages ${tree} 0 R${entries} >>`);
  const info = add(`<< ${title === undefined ? "" : `/Title ${literal(title)}`} >>`);
  return Buffer.from(withCrossReferences(objects, catalog, info), "latin1");
}

function literal(text: string): string {
  return `(${text.replace(/[\\()]/g, "\\$&").replaceAll("•", "\x95")})`;
}

function withCrossReferences(objects: readonly string[], catalog: number, info: number): string {
  let file = "%PDF-1.7\n";
  const offsets = objects.map((object, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, "0")} 00000 n \n`;
  });
  const start = file.length;
  const count = objects.length + 1;
  const trailer = `trailer\n<< /Size ${count} /Root ${catalog} 0 R /Info ${info} 0 R >>\nstartxref\n${start}\n%%EOF\n`;
  return `${file}xref\n0 ${count}\n0000000000 65535 f \n${offsets.join("")}${trailer}`;
}

/** Lines of text from `y` down, 14 points apart. */
export function pdfLines(lines: readonly string[], at: { y: number; x?: number; size?: number }): PdfText[] {
  return lines.map((text, index) => ({ size: at.size ?? 11, x: at.x ?? 72, y: at.y - 14 * index, text }));
}

export interface ZipEntry {
  readonly name: string;
  readonly content: string | Uint8Array;
  /** What the headers say of its size, when it is not the truth. */
  readonly statedBytes?: number;
  /** Sizes behind the content instead of before it, as when written as a stream. */
  readonly streamed?: boolean;
}

/** A ZIP file (APPNOTE.TXT 4.3) with deflated entries. */
export function zipFile(entries: readonly ZipEntry[]): Uint8Array {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content, statedBytes, streamed = false } of entries) {
    const bytes = Buffer.from(content);
    const packed = deflateRawSync(bytes);
    const sizes = Buffer.alloc(12);
    sizes.writeUInt32LE(crcOf(bytes), 0);
    sizes.writeUInt32LE(packed.length, 4);
    sizes.writeUInt32LE(statedBytes ?? bytes.length, 8);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(20, 4);
    local.writeUInt16LE(streamed ? 8 : 0, 6);
    local.writeUInt16LE(8, 8);
    if (!streamed) sizes.copy(local, 14);
    local.writeUInt16LE(Buffer.byteLength(name), 26);
    const behind = streamed ? [Buffer.from([0x50, 0x4b, 7, 8]), sizes] : [];
    const parts = [local, Buffer.from(name), packed, ...behind];
    const central = Buffer.alloc(46);
    central.writeUInt32LE(0x02014b50, 0);
    local.copy(central, 6, 4, 14);
    sizes.copy(central, 16);
    central.writeUInt16LE(Buffer.byteLength(name), 28);
    central.writeUInt32LE(offset, 42);
    directory.push(central, Buffer.from(name));
    locals.push(...parts);
    offset += parts.reduce((total, part) => total + part.length, 0);
  }
  const directoryBytes = directory.reduce((total, part) => total + part.length, 0);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directoryBytes, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, ...directory, end]);
}

const RELATIONSHIPS = "http://schemas.openxmlformats.org/package/2006/relationships";
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const TYPES = "http://schemas.openxmlformats.org/package/2006/content-types";
const WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";

/** The entries of a Word document with so much in its body; list 1 is numbered, list 2 has bullets. */
export function docxEntries(body: string, title?: string): ZipEntry[] {
  const level = (format: string) =>
    `<w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="${format}"/></w:lvl>` +
    `<w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="bullet"/></w:lvl>`;
  const lists = ["decimal", "bullet"].map(
    (format, id) => `<w:abstractNum w:abstractNumId="${id}">${level(format)}</w:abstractNum>`,
  );
  const uses = [1, 2].map((id) => `<w:num w:numId="${id}"><w:abstractNumId w:val="${id - 1}"/></w:num>`);
  const main = `<w:document xmlns:w="${WORD}"><w:body>${body}</w:body></w:document>`;
  const heading = (n: number) =>
    `<w:style w:type="paragraph" w:styleId="Heading${n}"><w:name w:val="heading ${n}"/></w:style>`;
  const xml = (name: string, content: string) => ({ name, content: `<?xml version="1.0"?>${content}` });
  return [
    xml(
      "[Content_Types].xml",
      `<Types xmlns="${TYPES}"><Default Extension="rels" ` +
        `ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default ` +
        `Extension="xml" ContentType="application/xml"/></Types>`,
    ),
    xml(
      "_rels/.rels",
      `<Relationships xmlns="${RELATIONSHIPS}"><Relationship Id="r1" ` +
        `Type="${OFFICE}/officeDocument" Target="word/document.xml"/></Relationships>`,
    ),
    xml(
      "word/_rels/document.xml.rels",
      `<Relationships xmlns="${RELATIONSHIPS}"><Relationship Id="r1" ` +
        `Type="${OFFICE}/numbering" Target="numbering.xml"/><Relationship Id="r2" ` +
        `Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
    ),
    xml(
      "word/numbering.xml",
      `<w:numbering xmlns:w="${WORD}">${lists.join("")}${uses.join("")}</w:numbering>`,
    ),
    xml("word/styles.xml", `<w:styles xmlns:w="${WORD}">${heading(1)}${heading(2)}</w:styles>`),
    xml("word/document.xml", main),
    ...(title === undefined
      ? []
      : [
          xml(
            "docProps/core.xml",
            `<cp xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>${title}</dc:title></cp>`,
          ),
        ]),
  ];
}

/** A paragraph of a Word document; `list`: its list and depth there. */
export function docxParagraph(text: string, style?: string, list?: { id: number; depth: number }): string {
  const numbering =
    list === undefined
      ? ""
      : `<w:numPr><w:ilvl w:val="${list.depth}"/><w:numId w:val="${list.id}"/></w:numPr>`;
  const properties = `${style === undefined ? "" : `<w:pStyle w:val="${style}"/>`}${numbering}`;
  return `<w:p><w:pPr>${properties}</w:pPr><w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;
}
