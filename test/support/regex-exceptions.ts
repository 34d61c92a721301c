/**
 * Regular expressions that the checker complains of and that stay: by file and source, why they take linear time all
 * the same, or the bound on the text that they read.
 */
export interface Exception {
  readonly path: string;
  /** What the expression's source holds, and that of no other expression of the file that is complained of. */
  readonly holds: string;
  readonly why: string;
}

export const EXCEPTIONS: readonly Exception[] = [
  {
    path: "src/grounding/actions/claims.ts",
    holds: "(?:habe|hab|hatte|werde)",
    why: "reads one sentence, which is no longer than SENTENCE_CHARS_MAX; between its two halves stand six words at most",
  },
  {
    path: "src/grounding/injection.ts",
    holds: "(?:\\p{L}[ .·_-]){4,}",
    why: "cannot fail behind the fifth letter: the letter before the last separator ends a match as well",
  },
  {
    path: "src/guide/builder/markers.ts",
    holds: "TREE_UPDATE",
    why: "cannot fail behind the name of a block: one that has no end goes on to the end of the text",
  },
  {
    path: "src/lib/english-analyzer.ts",
    holds: "_+(?=[\\p{L}\\p{N}])",
    why: "underscores are read from the letter before them only, so that each run of them is read once",
  },
  {
    path: "src/speech/spoken/reader.ts",
    holds: "(?=[^\\p{L}.]*$)",
    why: "reads what wordsBefore returns: at most LOOK_BACK_CHARS (48) characters",
  },
  {
    path: "src/ingest/code/headers.ts",
    holds: "(?<kind>impl)",
    why: "reads at most HEADER_CHARS_MAX (400) characters of a line",
  },
  {
    path: "src/ingest/code/headers.ts",
    holds: "lambda",
    why: "reads at most HEADER_CHARS_MAX (400) characters of a line",
  },
  {
    path: "src/ingest/code/headers.ts",
    holds: "(?:[\\w<>",
    why: "reads at most HEADER_CHARS_MAX (400) characters of a line",
  },
  {
    path: "src/sites/shell/usages.ts",
    holds: "(?!print)",
    why: "the first loop cannot pass a print, where the second one begins: there is one way to read a text",
  },
  {
    path: "src/sites/shell/usages.ts",
    holds: "[pdnNhHgGxDPl=]",
    why: "a command follows another one behind a semicolon only: a blank end is the end of the text",
  },
];
