/**
 * Text from documents, users and servers as it may be shown: a terminal obeys control characters, and what changes the
 * direction of writing, or cannot be seen, makes one text look like another. All of them are shown by their number.
 */

/** What is not printed: controls (C0, C1), formats (bidirectional marks, zero widths), what ends lines, and no letters. */
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]/gu;

/** One line: `\u{1b}` for an escape, `\u{a}` for a line feed. A tab stays. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, (character) =>
    character === "\t" ? character : `\\u{${character.codePointAt(0)!.toString(16)}}`,
  );
}

/** JSON, or text with JSON in it, that says the same: `\u001b`. Line feeds stay, since JSON has them between values only. */
export function printableJson(json: string): string {
  return json.replace(UNPRINTABLE, (character) =>
    character === "\n"
      ? character
      : [...Array(character.length).keys()].map((unit) => escaped(character.charCodeAt(unit))).join(""),
  );
}

function escaped(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, "0")}`;
}
