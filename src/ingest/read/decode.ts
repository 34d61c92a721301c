/** A text file's bytes to its text. */
import { DocumentProblem } from "../problem.js";

/**
 * UTF-8, or UTF-16 when a byte order mark says so; the mark is taken off. Throws `DocumentProblem` when the bytes are
 * no text or say nothing; `advice` goes behind what is wrong.
 */
export function decodeText(bytes: Uint8Array, advice = "; save it as UTF-8"): string {
  return decodeAs(bytes, encodingOfMark(bytes) ?? "utf-8", advice);
}

/** The encoding that a byte order mark tells, if there is one. */
export function encodingOfMark(bytes: Uint8Array): "utf-8" | "utf-16le" | "utf-16be" | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return "utf-8";
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  return bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : undefined;
}

/** As `decodeText`, in an encoding that `TextDecoder` knows. */
export function decodeAs(bytes: Uint8Array, encoding: string, advice: string): string {
  const decoder = new TextDecoder(encoding, { fatal: true });
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch (error) {
    throw new DocumentProblem(`the file is not ${encoding.toUpperCase()} text${advice}`, { cause: error });
  }
  if (text.includes("\u0000")) throw new DocumentProblem("the file is not text: it holds null characters");
  if (text.trim() === "") throw new DocumentProblem("the file is empty");
  return text;
}
