/**
 * Files whose authors meant to say who may read them, and did not say it as it is understood. Written before the
 * detector; this half was looked at while it was made, `access-spellings-unseen.ts` was not.
 */
import {
  docxEntries,
  docxParagraph,
  pdfFile,
  pdfLines,
  type ZipEntry,
  zipFile,
} from "../../../src/ingest/read/files.test-util.js";

/** `what` says how the mark is spelt. */
export interface Spelling {
  readonly what: string;
  readonly file: string;
  readonly content: string | Uint8Array;
}

/** What nobody but the few who are meant may read. */
export const SECRET = "The forklift crew of the night shift earns 37 euros.";
export const BODY = `# Pay bands\n\n${SECRET}\n`;

export const markdown = (what: string, head: string): Spelling => ({
  what,
  file: "pay.md",
  content: head + BODY,
});
export const text = (what: string, head: string): Spelling => ({
  what,
  file: "pay.txt",
  content: `${head}Pay bands\n\n${SECRET}\n`,
});
export const html = (what: string, head: string, body = ""): Spelling => ({
  what,
  file: "pay.html",
  content: `<!doctype html><html><head><title>Pay</title>${head}</head><body>${body}<h1>Pay bands</h1><p>${SECRET}</p></body></html>`,
});
export const csv = (
  what: string,
  head: string,
  rest = "crew,pay\nnight shift forklift,37 euros\n",
): Spelling => ({
  what,
  file: "pay.csv",
  content: head + rest,
});
export const code = (what: string, file: string, head: string, rest: string): Spelling => ({
  what,
  file,
  content: head + rest,
});
const DEFINITION = "def pay():\n    return 'night shift forklift 37 euros'\n";
export const python = (what: string, head: string): Spelling => code(what, "pay.py", head, DEFINITION);

export const docx = (
  what: string,
  paragraphs: readonly string[],
  parts: readonly ZipEntry[] = [],
): Spelling => ({
  what,
  file: "pay.docx",
  content: zipFile([
    ...docxEntries([...paragraphs, SECRET].map((line) => docxParagraph(line)).join("")),
    ...parts,
  ]),
});
export const docxTable = (what: string, cells: readonly string[]): Spelling => {
  const row = cells.map((cell) => `<w:tc>${docxParagraph(cell)}</w:tc>`).join("");
  const body = `<w:tbl><w:tr>${row}</w:tr></w:tbl>${docxParagraph(SECRET)}`;
  return { what, file: "pay.docx", content: zipFile(docxEntries(body)) };
};
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006";

export const customProperty = (name: string, value: string): ZipEntry => ({
  name: "docProps/custom.xml",
  content:
    `<?xml version="1.0"?><Properties xmlns="${OFFICE}/custom-properties" xmlns:vt="${OFFICE}/docPropsVTypes">` +
    `<property fmtid="{D5CDD505-2E9C-101B-9397-08002B2CF9AE}" pid="2" name="${name}">` +
    `<vt:lpwstr>${value}</vt:lpwstr></property></Properties>`,
});
export const coreProperty = (element: string, value: string): ZipEntry => ({
  name: "docProps/core.xml",
  content:
    '<?xml version="1.0"?><cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" ' +
    `xmlns:dc="http://purl.org/dc/elements/1.1/"><${element}>${value}</${element}></cp:coreProperties>`,
});
export const pdf = (
  what: string,
  lines: readonly string[],
  info: Readonly<Record<string, string>> = {},
): Spelling => ({
  what,
  file: "pay.pdf",
  content: withInfo(pdfFile({ pages: [pdfLines([...lines, "", SECRET], { y: 700 })] }), info),
});

/** The information dictionary comes last in the file; what is behind it need not be right for a reader that mends. */
function withInfo(file: Uint8Array, info: Readonly<Record<string, string>>): Uint8Array {
  const written = Object.entries(info).map(([name, value]) => `/${name} (${value})`);
  const plain = Buffer.from(file).toString("latin1");
  const [head, tail] = [
    plain.slice(0, plain.lastIndexOf("<<  >>")),
    plain.slice(plain.lastIndexOf("<<  >>") + 6),
  ];
  if (written.length === 0) return file;
  const start = head.length + `<< ${written.join(" ")} >>`.length + tail.indexOf("xref");
  const moved = tail.replace(/startxref\n\d+/, `startxref\n${start}`);
  return Buffer.from(`${head}<< ${written.join(" ")} >>${moved}`, "latin1");
}

export const SEEN: readonly Spelling[] = [
  // A front matter that is none.
  markdown("a blank line before ---", "\n---\nvisibility: restricted\n---\n"),
  markdown("two byte order marks, understood", "\uFEFF\uFEFF---\nvisibility: restricted\n---\n"),
  markdown("spaces before ---", "  ---\nvisibility: restricted\n---\n"),
  markdown("text before ---", "Draft\n\n---\nvisibility: restricted\n---\n"),
  markdown("TOML", '+++\nvisibility = "restricted"\n+++\n'),
  markdown("JSON", '{\n  "visibility": "restricted"\n}\n\n'),
  markdown("JSON on one line", '{"title": "Pay", "allowed_groups": ["leads"]}\n\n'),
  markdown("an HTML comment", "<!-- visibility: restricted -->\n"),
  markdown("an HTML comment over lines", "<!--\nallowed_users:\n  - ann\n-->\n"),
  markdown("no fence at all", "visibility: restricted\n\n"),
  markdown("four dashes", "----\nvisibility: restricted\n----\n"),
  markdown("dashes that are no hyphens", "———\nvisibility: restricted\n———\n"),
  markdown("a code fence", "```yaml\nvisibility: restricted\n```\n"),
  markdown("never closed", "---\nvisibility: restricted\n"),
  markdown("no YAML", "---\nvisibility: [restricted\n---\n"),
  markdown("tabs in YAML", "---\nvisibility:\n\t- restricted\n---\n"),
  // Keys that are spelt wrong in front matter.
  markdown("a capital", "---\nVisibility: restricted\n---\n"),
  markdown("capitals", "---\nVISIBILITY: restricted\n---\n"),
  markdown("visiblity", "---\nvisiblity: restricted\n---\n"),
  markdown("visability", "---\nvisability: restricted\n---\n"),
  markdown("allowed_user", "---\nallowed_user: ann\n---\n"),
  markdown("allowed groups", "---\nallowed groups: [leads]\n---\n"),
  markdown("allowedUsers", "---\nallowedUsers: [ann]\n---\n"),
  markdown("allowed-groups", "---\nallowed-groups: [leads]\n---\n"),
  markdown("a quoted key with a blank", '---\n"visibility ": restricted\n---\n'),
  markdown("a full-width colon", "---\nvisibility： restricted\n---\n"),
  markdown("full-width letters", "---\nｖｉｓｉｂｉｌｉｔｙ: restricted\n---\n"),
  markdown("a Cyrillic letter", "---\nvisibіlity: restricted\n---\n"),
  markdown("nested", "---\nreadback:\n  visibility: restricted\n---\n"),
  markdown("access", "---\naccess: restricted\n---\n"),
  markdown("acl", "---\nacl: [leads]\n---\n"),
  markdown("confidential", "---\nconfidential: true\n---\n"),
  markdown("a value that is none", "---\nvisibility: Restricted\n---\n"),
  markdown("no blank behind the colon", "---\nvisibility:restricted\n---\n"),
  markdown("an equals sign", "---\nvisibility = restricted\n---\n"),
  markdown("commented out", "---\ntitle: Pay\n# visibility: restricted\n---\n"),
  // In the text.
  markdown("a heading", "# Visibility: restricted\n\n"),
  markdown("bold", "**Visibility:** restricted\n\n"),
  markdown("bold key", "**Visibility**: restricted\n\n"),
  markdown("a table", "| Visibility | Restricted |\n| --- | --- |\n| Owner | Ann |\n\n"),
  markdown("a table's row", "| Field | Value |\n| --- | --- |\n| Allowed users | Ann, Bob |\n\n"),
  markdown("a quote", "> visibility: restricted\n\n"),
  markdown("a bullet", "- Visibility: restricted\n- Owner: Ann\n\n"),
  markdown("below the title", "# Pay\n\nAllowed groups: leads\n\n"),
  text("a line", "Visibility: restricted\n\n"),
  text("capitals", "VISIBILITY: RESTRICTED\n\n"),
  text("German", "Sichtbarkeit: eingeschränkt\n\n"),
  text("Spanish", "Visibilidad: restringida\n\n"),
  text("a dash between", "Visibility - restricted\n\n"),
  text("an underscore", "_visibility_: restricted\n\n"),
  text("zero-width characters", "visi\u200Bbility: restricted\n\n"),
  // HTML.
  html("a meta element", '<meta name="visibility" content="restricted">'),
  html("a meta property", '<meta property="allowed_groups" content="leads">'),
  html("a comment", "", "<!-- visibility: restricted -->"),
  html("a paragraph", "", "<p>Visibility: restricted</p>"),
  html("a table", "", "<table><tr><td>Visibility</td><td>Restricted</td></tr></table>"),
  html("a line of its own", "", "<p>Pay bands<br>Visibility: restricted<br>Revision 4</p>"),
  html("a bold key", "", "<p>Pay bands</p><p><b>Allowed users:</b> ann</p>"),
  html("terms", "", "<dl><dt>Visibility</dt><dd>restricted</dd></dl>"),
  // CSV.
  csv("a comment", "# visibility: restricted\n"),
  csv("a record", "visibility,restricted\n"),
  csv("a column", "", "crew,pay,visibility\nnight shift forklift,37 euros,restricted\n"),
  // Code.
  python("a comment", "# visibility: restricted\n"),
  python("a doc string", '"""\nallowed_groups: leads\n"""\n'),
  code("a key in YAML", "pay.yaml", "visibility: restricted\n", "night_shift:\n  forklift: 37 euros\n"),
  code(
    "a document in YAML",
    "pay.yaml",
    "---\nallowed_users: [ann]\n---\n",
    "night_shift:\n  forklift: 37 euros\n",
  ),
  code("a key in JSON", "pay.json", "", '{\n  "visibility": "restricted",\n  "forklift": "37 euros"\n}\n'),
  code(
    "a block comment",
    "pay.ts",
    "/*\n * Visibility: restricted\n */\n",
    "export const forklift = '37 euros';\n",
  ),
  // Word, PDF.
  docx("a paragraph", ["Visibility: restricted"]),
  docxTable("a table", ["Visibility", "Restricted"]),
  docx("a custom property", [], [customProperty("visibility", "restricted")]),
  docx("key words", [], [coreProperty("cp:keywords", "visibility: restricted")]),
  pdf("a line", ["Visibility: restricted"]),
  pdf("key words", ["Pay bands"], { Keywords: "visibility: restricted" }),
  pdf("an entry of its own", ["Pay bands"], { Visibility: "restricted" }),
];
