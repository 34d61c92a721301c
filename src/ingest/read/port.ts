/** A file's bytes to sections of blocks: what every reader gives, whatever the format. */
import type { ChunkKind } from "../../domain/passage.js";

export interface ParsedDocument {
  /** The YAML between two `---` lines at the beginning, unparsed; absent where there is none. */
  readonly frontMatter?: string;
  /** The format's own title, such as that of an HTML or PDF file. */
  readonly title?: string;
  readonly sections: readonly Section[];
  /** Where words about access may stand besides the front matter: lines of the beginning, comments, properties. */
  readonly notes: readonly Note[];
  /** What was lost or doubtful, for the report. */
  readonly warnings: readonly string[];
}

/**
 * Something written in a document. `text`: it is read aloud as well. `structured`: only keys and values that describe
 * the document stand there. `settings`: keys and values of whatever kind, or a comment in code. `program`: statements.
 */
export interface Note {
  readonly kind: "text" | "structured" | "settings" | "program";
  /** Where it stands, for a person: `line 3`, `its property "Keywords"`. */
  readonly where: string;
  readonly text: string;
  /** A record whose cells commas part. */
  readonly commasPart?: boolean;
}

export interface Section {
  /** Headings from the outermost to the section's own; empty before the first heading. */
  readonly headings: readonly string[];
  readonly blocks: readonly Block[];
}

/**
 * `prose` may be cut between sentences, `code` between lines; a `step` (a numbered item with everything that belongs to
 * it), an `item` (a bullet) and a `row` (of a table, its cells named by their columns) stay whole.
 */
export interface Block {
  readonly type: "prose" | "step" | "item" | "row" | "code";
  readonly text: string;
  /** The page that it begins on, from 1. */
  readonly page?: number;
  /** Of a code block: the language that it says it is in. */
  readonly language?: string;
  /** Of source and configuration files: what the block is. Absent in prose, where the type says it. */
  readonly kind?: ChunkKind;
}
