/**
 * A `multipart/form-data` body with one file (RFC 7578), written so that the file may still be growing: the fields
 * come first, the file's bytes as they are made, and what closes it at the end.
 */

export interface FormFile {
  readonly field: string;
  readonly name: string;
  readonly type: string;
}

export interface FormFrame {
  readonly contentType: string;
  /** What precedes the file's first byte. */
  readonly head: Uint8Array;
  /** What follows its last. */
  readonly tail: Uint8Array;
}

/**
 * The bytes around the file. `boundary` is chosen by chance, so that nobody can write it into a field or the file.
 * Names of fields and of the file are ours, plain ASCII without quotes.
 */
export function formFrame(
  fields: Readonly<Record<string, string>>,
  file: FormFile,
  boundary: string,
): FormFrame {
  const parts = Object.entries(fields).map(
    ([name, value]) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value.replace(/\r?\n|\r/g, "\r\n")}\r\n`,
  );
  const opening =
    `--${boundary}\r\nContent-Disposition: form-data; name="${file.field}"; filename="${file.name}"\r\n` +
    `Content-Type: ${file.type}\r\n\r\n`;
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    head: Buffer.from(parts.join("") + opening),
    tail: Buffer.from(`\r\n--${boundary}--\r\n`),
  };
}
