/** Text files that begin with settings: YAML between two lines of `---`, then the text. */
import { parse, YAMLParseError } from "yaml";

export interface FrontMatter {
  /** What the YAML says; an empty object when there is none. Check its shape before use. */
  readonly data: unknown;
  readonly body: string;
}

/** The front matter is no YAML, or does not end. */
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
    data: parseYaml(rest.slice(0, closing.index)) ?? {},
    body: rest.slice(closing.index + closing[0].length),
  };
}

function parseYaml(text: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof YAMLParseError)) throw error;
    throw new FrontMatterError(`the front matter is not YAML: ${error.message.split("\n", 1)[0]}`);
  }
}
