/** Text files that begin with settings: YAML between two lines of `---`, then the text. */
import { parseYaml, type Yaml, YamlError } from "./yaml.js";

/** Characters of the settings at the most. */
export const FRONT_MATTER_CHARS_MAX = 65_536;

export interface FrontMatter {
  /**
   * What the YAML says; empty when there is none. Every scalar is the text that the author wrote: `1.10` is not 1.1,
   * `0123` is not 83. Check the shape before use.
   */
  readonly data: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** The front matter is no YAML mapping, too long, or does not end. */
export class FrontMatterError extends Error {
  override readonly name = "FrontMatterError";
}

/** A text taken apart, its settings unparsed. Throws `FrontMatterError` when they do not end. */
export function splitFrontMatter(text: string): { readonly yaml: string | undefined; readonly body: string } {
  const opening = /^\uFEFF?---[ \t]*\r?\n/.exec(text);
  if (opening === null) return { yaml: undefined, body: text };
  const rest = text.slice(opening[0].length);
  const closing = /^---[ \t]*(?:\r?\n|$)/m.exec(rest);
  if (closing === null)
    throw new FrontMatterError('line 1: the front matter does not end: a line "---" is missing');
  return { yaml: rest.slice(0, closing.index), body: rest.slice(closing.index + closing[0].length) };
}

/** Takes a text apart. Throws `FrontMatterError`. */
export function parseFrontMatter(text: string): FrontMatter {
  const { yaml, body } = splitFrontMatter(text);
  return { data: yaml === undefined ? {} : parseMapping(yaml).data, body };
}

/** The settings of a front matter. `lineOf` counts from the first line behind `---`. Throws `FrontMatterError`. */
export function parseMapping(yaml: string): Pick<FrontMatter, "data"> & Pick<Yaml, "lineOf"> {
  if (yaml.length > FRONT_MATTER_CHARS_MAX) {
    throw new FrontMatterError(`the front matter is longer than ${FRONT_MATTER_CHARS_MAX} characters`);
  }
  const { data, lineOf } = yamlOf(yaml);
  if (data === null) return { data: {}, lineOf };
  if (typeof data !== "object" || Array.isArray(data)) {
    throw new FrontMatterError("the front matter is not a list of `key: value` lines");
  }
  return { data: data as Record<string, unknown>, lineOf };
}

function yamlOf(yaml: string): Yaml {
  try {
    return parseYaml(yaml);
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    const [message] = error.message.split(/ at line \d+, column \d+/);
    // The first line of a file with settings is `---`.
    throw new FrontMatterError(`line ${error.line + 1}: the front matter is not YAML: ${message}`, {
      cause: error,
    });
  }
}
