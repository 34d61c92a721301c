/** Text files that begin with settings: YAML between two lines of `---`, then the text. */
import { parseYaml, YamlError } from "./yaml.js";

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

/** Takes a text apart. Throws `FrontMatterError`. */
export function parseFrontMatter(text: string): FrontMatter {
  const opening = /^\uFEFF?---[ \t]*\r?\n/.exec(text);
  if (opening === null) return { data: {}, body: text };
  const rest = text.slice(opening[0].length);
  const closing = /^---[ \t]*(?:\r?\n|$)/m.exec(rest);
  if (closing === null) throw new FrontMatterError('the front matter does not end: a line "---" is missing');
  return {
    data: mappingOf(rest.slice(0, closing.index)),
    body: rest.slice(closing.index + closing[0].length),
  };
}

function mappingOf(yaml: string): Readonly<Record<string, unknown>> {
  if (yaml.length > FRONT_MATTER_CHARS_MAX) {
    throw new FrontMatterError(`the front matter is longer than ${FRONT_MATTER_CHARS_MAX} characters`);
  }
  const values = valuesOf(yaml);
  if (values === null) return {};
  if (typeof values !== "object" || Array.isArray(values)) {
    throw new FrontMatterError("the front matter is not a list of `key: value` lines");
  }
  return values as Record<string, unknown>;
}

function valuesOf(yaml: string): unknown {
  try {
    return parseYaml(yaml).data;
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    throw new FrontMatterError(`the front matter is not YAML: ${error.message}`, { cause: error });
  }
}
