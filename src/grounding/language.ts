/** Which language a text is in, where that is clear. */

/** The language as its BCP 47 primary subtag; undefined when unsure. */
export function languageOf(_text: string): string | undefined {
  return undefined;
}
