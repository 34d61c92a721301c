/**
 * JSON as models write it: a line feed or a tab inside a string, which JSON wants escaped, is taken as a space. Grammars
 * that hold a model to a schema let it through (llama-cpp-python's does). Nothing else is forgiven.
 */

/** The value that the text holds. Throws `SyntaxError` where it is no JSON. */
export function parseForgivingJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Outside strings these characters are white space anyway, so that no string has to be looked for.
    return JSON.parse(text.replace(/\p{Cc}/gu, " "));
  }
}
