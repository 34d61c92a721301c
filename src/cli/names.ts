/** Lists as options of commands write them. */

/** The names in a text, with commas between them. */
export function names(text: string): readonly string[] {
  return text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}
