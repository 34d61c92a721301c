/** A text file's bytes to its text. */
import { DocumentProblem } from "../problem.js";

/**
 * UTF-8, or UTF-16 when a byte order mark says so; the mark is taken off. Throws `DocumentProblem` when the bytes are
 * no text or say nothing.
 */
export function decodeText(bytes: Uint8Array): string {
  const text = decode(bytes, encodingOf(bytes));
  if (text.includes("\u0000")) throw new DocumentProblem("the file is not text: it holds null characters");
  if (text.trim() === "") throw new DocumentProblem("the file is empty");
  return text;
}

function encodingOf(bytes: Uint8Array): "utf-8" | "utf-16le" | "utf-16be" {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  return bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : "utf-8";
}

function decode(bytes: Uint8Array, encoding: string): string {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (error) {
    const name = encoding.toUpperCase();
    throw new DocumentProblem(`the file is not ${name} text; save it as UTF-8`, { cause: error });
  }
}
