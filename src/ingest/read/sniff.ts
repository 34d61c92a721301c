/** What a file really is, by its first bytes, and whether that goes with its name. */
import { DocumentProblem } from "../problem.js";

export type Content = "text" | "pdf" | "zip";

/** Throws `DocumentProblem` when the bytes are not what the name promised, and says what they are. */
export function expectContent(bytes: Uint8Array, expected: Content): void {
  if (bytes.length === 0) throw new DocumentProblem("the file is empty");
  const found = contentOf(bytes);
  if (expected === found.type || (expected === "pdf" && hasPdfStart(bytes))) return;
  if (found.type === "text" && expected === "zip" && bytes.length < ZIP_BYTES_MIN)
    throw new DocumentProblem("the file is cut short");
  const wanted = { text: "text", pdf: "a PDF", zip: "a Word document" }[expected];
  throw new DocumentProblem(`the file is not ${wanted} but ${found.name}; ${found.advice}`);
}

/** An empty archive has this many bytes. */
const ZIP_BYTES_MIN = 22;

interface FileSignature {
  readonly type: Content | "other";
  readonly name: string;
  readonly advice: string;
}

const found = (type: FileSignature["type"], name: string, advice: string): FileSignature => ({
  type,
  name,
  advice,
});

const OTHER = "it cannot be read";
const TEXT = found("text", "text", "name it .txt or .md, or save it in that format");
const PDF = found("pdf", "a PDF", "name it .pdf");
const ZIP = found("zip", "a ZIP file or an Office document", "name a Word document .docx, or unpack it");
const ENCRYPTED = found("other", "an encrypted Office document", "save it without a password");
const OLD_OFFICE = found("other", "an Office document of the old kind", "save it as .docx");

/** Latin-1 characters at the beginning. No text begins so, but for RTF and PostScript, which are no text to be read. */
const SIGNATURES: readonly (readonly [beginning: string, FileSignature])[] = [
  ["%PDF-", PDF],
  ["PK\x03\x04", ZIP],
  ["PK\x05\x06", ZIP],
  ["\x89PNG\r\n", found("other", "a PNG image", OTHER)],
  ["\xff\xd8\xff", found("other", "a JPEG image", OTHER)],
  ["GIF87a", found("other", "a GIF image", OTHER)],
  ["GIF89a", found("other", "a GIF image", OTHER)],
  ["II*\0", found("other", "a TIFF image", OTHER)],
  ["MM\0*", found("other", "a TIFF image", OTHER)],
  ["\x1f\x8b", found("other", "a gzip archive", "unpack it")],
  ["BZh", found("other", "a bzip2 archive", "unpack it")],
  ["\xfd7zXZ\0", found("other", "an xz archive", "unpack it")],
  ["7z\xbc\xaf\x27\x1c", found("other", "a 7-Zip archive", "unpack it")],
  ["Rar!\x1a\x07", found("other", "a RAR archive", "unpack it")],
  ["{\\rtf", found("other", "an RTF document", "save it as .docx")],
  ["%!PS", found("other", "a PostScript file", "save it as .pdf")],
  ["\x7fELF", found("other", "a program", OTHER)],
  ["SQLite format 3\0", found("other", "a SQLite database", OTHER)],
];
const OLE_SIGNATURE = "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1";

/** A PDF may have something in front of its first line (PDF 1.7, Annex H.3.4.1); only its own name calls for that. */
const PDF_START_MAX = 1_024;

function contentOf(bytes: Uint8Array): FileSignature {
  const head = Buffer.from(bytes.subarray(0, PDF_START_MAX)).toString("latin1");
  if (head.startsWith(OLE_SIGNATURE)) return isEncryptedOffice(bytes) ? ENCRYPTED : OLD_OFFICE;
  return SIGNATURES.find(([beginning]) => head.startsWith(beginning))?.[1] ?? TEXT;
}

function hasPdfStart(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, PDF_START_MAX)).includes("%PDF-");
}

/** An OLE container with this stream is a document encrypted with a password (MS-OFFCRYPTO, 2.3.4.4). */
function isEncryptedOffice(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(
    Buffer.from("EncryptedPackage", "utf16le"),
  );
}
