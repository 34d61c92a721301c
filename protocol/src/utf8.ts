/** Strict UTF-8 in both directions, and the one rule for names ([LT-5], [LT-31]). */

// A byte order mark is data, not decoration: stripping it would make two different names equal.
const strictDecoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

const CONTROL_CHARACTER = /\p{Cc}/u;
const UNPAIRED_SURROGATE = /\p{Surrogate}/u;
const UNPAIRED_SURROGATES = /\p{Surrogate}/gu;
/** A UTF-16 code unit takes at most this many bytes of UTF-8. */
const UTF8_BYTES_PER_CODE_UNIT_MAX = 3;

/** The text of `bytes`, or `undefined` where they are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return strictDecoder.decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return undefined; // what a fatal TextDecoder throws, by its standard
    throw error;
  }
}

/** The UTF-8 bytes of `text`; the caller has refused unpaired surrogates. */
export function encodeUtf8(text: string): Uint8Array {
  return encoder.encode(text);
}

/** Whether `text` takes at most `bytesMax` bytes of UTF-8. */
export function fitsUtf8(text: string, bytesMax: number): boolean {
  if (text.length * UTF8_BYTES_PER_CODE_UNIT_MAX <= bytesMax) return true;
  return text.length <= bytesMax && encoder.encode(text).length <= bytesMax;
}

/** Whether `text` can be written as UTF-8 and read back unchanged. */
export function isWellFormed(text: string): boolean {
  return !UNPAIRED_SURROGATE.test(text);
}

/** `text` with U+FFFD for every unpaired surrogate, as a UTF-8 encoder would write it. */
export function toWellFormed(text: string): string {
  return text.replace(UNPAIRED_SURROGATES, "\ufffd");
}

/** What is wrong with `name` as a name of at most `bytesMax` bytes, as a predicate; `undefined` if nothing is. */
export function nameProblem(name: string, bytesMax: number): string | undefined {
  if (name.length === 0) return "is empty";
  if (!fitsUtf8(name, bytesMax)) return `is longer than ${bytesMax} bytes`;
  if (CONTROL_CHARACTER.test(name)) return "contains a control character";
  if (!isWellFormed(name)) return "contains an unpaired surrogate";
  return undefined;
}
