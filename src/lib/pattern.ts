/** Regular expressions that are too long for one line. */

/**
 * The regular expression that a template writes over several lines: line breaks and the blanks beside them are no part
 * of it. Throws `SyntaxError` where it is none. It is compiled at each call, so calls belong at the top of a file.
 */
export function pattern(flags = ""): (text: TemplateStringsArray) => RegExp {
  return ({ raw }) => new RegExp(joinedLines(raw[0]!), flags);
}

/** The lines of a template as one. */
export function joinedLines(text: string): string {
  return text.replace(/\s*\n\s*/g, "");
}
