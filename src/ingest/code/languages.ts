/**
 * Which source and configuration files are read, by name, and what the lexer and the block finder have to know of each
 * language. A language is data: whoever adds one adds a row, not code.
 */

import { basename } from "node:path/posix";
import type { DocType } from "../../domain/passage.js";
import { pattern } from "../../lib/pattern.js";

export interface CodeLanguage {
  readonly name: string;
  readonly docType: DocType;
  /** Marks that make the rest of the line a comment. */
  readonly lineComments: readonly string[];
  readonly blockComments: readonly (readonly [open: string, close: string])[];
  readonly strings: readonly StringStyle[];
  readonly layout: Layout;
  /** `/…/` is a pattern where no operand stands before it. */
  readonly regexLiterals?: boolean;
  /** `<<END` begins a text that a line `END` ends. */
  readonly heredocs?: boolean;
  /** A line comment begins a word: `$#` and `a#b` have none. */
  readonly commentsBeginWords?: boolean;
}

export interface StringStyle {
  readonly open: string;
  readonly close: string;
  /** A backslash takes the next character's meaning away. */
  readonly escapes: boolean;
  /** Whether it may go on in the next line; else the end of the line ends it. */
  readonly multiline: boolean;
  /** One character only, since the mark has other uses: lifetimes, apostrophes. */
  readonly isChar?: boolean;
}

/** How a language shows what belongs together. */
export type Layout =
  /** Brackets; and words, where `opens` and `closes` are given (`if … end`). Both count all matches of a line. */
  | {
      readonly type: "brackets";
      readonly opens?: RegExp;
      readonly closes?: RegExp;
      readonly entries?: boolean;
    }
  /** Indentation, as in Python and YAML. */
  | { readonly type: "indentation"; readonly keys: boolean }
  /** A line that matches begins a section, which goes on to the next one. Group 1 is its name. */
  | { readonly type: "sections"; readonly header: RegExp; readonly blockType: string }
  /** Statements that end in a semicolon outside of `begin … end`. */
  | { readonly type: "statements" }
  /** Rules of a grammar, each beginning with its name. */
  | { readonly type: "rules" }
  | { readonly type: "elements" };

/** The language of a file by its name; undefined: none of these. */
export function languageOf(name: string): CodeLanguage | undefined {
  const file = basename(name).toLowerCase();
  // `Dockerfile.prod` and `.env.local` say what they are first, and for what behind it.
  const byName =
    LANGUAGES.get(file) ?? LANGUAGES.get(file.split(".")[0]!) ?? LANGUAGES.get(DOTENV.exec(file)?.[0] ?? "");
  return LANGUAGES.get(/\.[^.]+$/.exec(file)?.[0] ?? "") ?? byName;
}

const DOTENV = /^\.env(?=\.)/;

const quoted = (mark: string, multiline = false): StringStyle => ({
  open: mark,
  close: mark,
  escapes: true,
  multiline,
});
const raw = (open: string, close = open): StringStyle => ({ open, close, escapes: false, multiline: true });
const DOUBLE = quoted('"');
const SINGLE = quoted("'");
const BACKTICK = quoted("`", true);
const CHAR: StringStyle = { ...SINGLE, isChar: true };
const TRIPLE = [raw('"""'), raw("'''")];
const SLASHES = { lineComments: ["//"], blockComments: [["/*", "*/"]] } as const;
const HASH = { lineComments: ["#"], blockComments: [], commentsBeginWords: true } as const;
const BRACKETS: Layout = { type: "brackets" };

type Row = readonly [names: string, language: CodeLanguage];
type Syntax = Omit<CodeLanguage, "name" | "docType">;

const language = (name: string, docType: DocType, rest: Syntax): CodeLanguage => ({
  name,
  docType,
  ...rest,
});
const code = (name: string, rest: Syntax) => language(name, "code", rest);
const config = (name: string, rest: Syntax) => language(name, "config", rest);

const SQL: Syntax = {
  lineComments: ["--"],
  blockComments: [["/*", "*/"]],
  strings: [raw("'"), raw('"'), raw("`"), raw("$$")],
  layout: { type: "statements" },
};
const JSON_LIKE: Syntax = {
  ...SLASHES,
  strings: [DOUBLE, SINGLE],
  layout: { type: "brackets", entries: true },
};
const XML: Syntax = {
  lineComments: [],
  blockComments: [["<!--", "-->"]],
  strings: [raw("<![CDATA[", "]]>")],
  layout: { type: "elements" },
};
const SECTIONS: Syntax = {
  lineComments: ["#", ";"],
  blockComments: [],
  commentsBeginWords: true,
  strings: [DOUBLE, SINGLE],
  layout: { type: "sections", header: /^\s*\[([^\][]+)\]\s*(?:[#;].*)?$/, blockType: "section" },
};
const SHELL: Syntax = {
  ...HASH,
  strings: [{ ...raw("'") }, quoted('"', true)],
  heredocs: true,
  layout: {
    type: "brackets",
    opens: /(?:^|[;&|]|\b(?:then|else|do)\b)\s*(?:if|case|select)\b|(?:^|[;\s])do(?=\s|$)/g,
    closes: /(?:^|[;&|\s])(?:fi|esac|done)(?=[\s;&|)]|$)/g,
  },
};
const C_LIKE: Syntax = {
  ...SLASHES,
  strings: [DOUBLE, CHAR],
  layout: BRACKETS,
};
const TEXT_BLOCKS: Syntax = {
  ...C_LIKE,
  strings: [raw('"""'), DOUBLE, CHAR],
};
const SCRIPT: Syntax = {
  ...SLASHES,
  strings: [DOUBLE, SINGLE, BACKTICK],
  regexLiterals: true,
  layout: BRACKETS,
};

/** Extensions, and names of files that have none. */
const ROWS: readonly Row[] = [
  [".ts .tsx .mts .cts", code("typescript", SCRIPT)],
  [".js .jsx .mjs .cjs", code("javascript", SCRIPT)],
  [
    ".py .pyi .pyw",
    code("python", {
      ...HASH,
      strings: [...TRIPLE, DOUBLE, SINGLE],
      layout: { type: "indentation", keys: false },
    }),
  ],
  [".go", code("go", { ...SLASHES, strings: [DOUBLE, raw("`"), CHAR], layout: BRACKETS })],
  [".rs", code("rust", { ...SLASHES, strings: [{ ...DOUBLE, multiline: true }, CHAR], layout: BRACKETS })],
  [".java", code("java", TEXT_BLOCKS)],
  [".kt .kts", code("kotlin", TEXT_BLOCKS)],
  [".scala .sc", code("scala", TEXT_BLOCKS)],
  [".swift", code("swift", TEXT_BLOCKS)],
  [".cs", code("csharp", TEXT_BLOCKS)],
  [".c .h", code("c", C_LIKE)],
  [".cpp .hpp .cc .hh .cxx .hxx .ino", code("cpp", C_LIKE)],
  [".proto", code("protobuf", C_LIKE)],
  [".dart", code("dart", { ...SLASHES, strings: [...TRIPLE, DOUBLE, SINGLE], layout: BRACKETS })],
  [".groovy .gradle", code("groovy", { ...SLASHES, strings: [...TRIPLE, DOUBLE, SINGLE], layout: BRACKETS })],
  [".graphql .gql", code("graphql", { ...HASH, strings: [raw('"""'), DOUBLE], layout: BRACKETS })],
  [
    ".php",
    code("php", {
      lineComments: ["//", "#"],
      blockComments: [["/*", "*/"]],
      strings: [quoted('"', true), quoted("'", true)],
      heredocs: true,
      layout: BRACKETS,
    }),
  ],
  [
    ".rb .rake .gemspec Rakefile Gemfile Vagrantfile",
    code("ruby", {
      ...HASH,
      blockComments: [["\n=begin", "\n=end"]],
      strings: [quoted('"', true), quoted("'", true)],
      heredocs: true,
      regexLiterals: true,
      layout: {
        type: "brackets",
        opens: pattern("g")`
            ^\s*(?:[\w@.]+\s*=\s*)?(?:class|module|def(?!\s+[\w.?!]+\s*(?:\([^)]*\)\s*)?=)|if|unless
            |while|until|for|case|begin)\b|^(?!\s*(?:while|until|for)\b).*\bdo\b\s*
            (?:\|[^|]*\|\s*)?$
          `,
        closes: /(?<![.:\w])end\b(?![?!:])/g,
      },
    }),
  ],
  [
    ".lua",
    code("lua", {
      lineComments: ["--"],
      blockComments: [["--[[", "]]"]],
      strings: [raw("[[", "]]"), DOUBLE, SINGLE],
      layout: { type: "brackets", opens: /\b(?:function|if|do|repeat)\b/g, closes: /\b(?:end|until)\b/g },
    }),
  ],
  [".sh .bash .zsh .ksh", code("shell", SHELL)],
  [
    ".ps1 .psm1 .psd1",
    code("powershell", {
      ...HASH,
      blockComments: [["<#", "#>"]],
      strings: [raw("'"), raw('"')],
      layout: BRACKETS,
    }),
  ],
  [".r", code("r", { ...HASH, strings: [quoted('"', true), quoted("'", true)], layout: BRACKETS })],
  [
    ".pl .pm",
    code("perl", {
      ...HASH,
      blockComments: [["\n=pod", "\n=cut"]],
      strings: [quoted('"', true), quoted("'", true)],
      heredocs: true,
      layout: BRACKETS,
    }),
  ],
  [".sql .ddl .psql", code("sql", SQL)],
  [".yaml .yml", config("yaml", { ...HASH, strings: [DOUBLE], layout: { type: "indentation", keys: true } })],
  [
    ".toml",
    config("toml", {
      ...HASH,
      strings: [...TRIPLE, DOUBLE, SINGLE],
      layout: { type: "sections", header: /^\s*\[{1,2}([^\][]+)\]{1,2}\s*(?:#.*)?$/, blockType: "table" },
    }),
  ],
  [".ini .cfg .conf .cnf .service .editorconfig .gitconfig", config("ini", SECTIONS)],
  [".properties .env .envrc", config("properties", { ...SECTIONS, lineComments: ["#", "!"], strings: [] })],
  [".json .json5 .jsonc", config("json", JSON_LIKE)],
  [".jsonl .ndjson .geojson", language("json", "data", JSON_LIKE)],
  [".xml .xsd .xslt .plist .csproj .pom", config("xml", XML)],
  [
    ".tf .tfvars .hcl .nomad",
    config("hcl", { ...SLASHES, lineComments: ["//", "#"], strings: [DOUBLE], layout: BRACKETS }),
  ],
  [
    ".dockerfile Dockerfile Containerfile",
    config("dockerfile", {
      ...HASH,
      strings: [],
      layout: { type: "sections", header: /^\s*FROM\s+(\S.*)$/i, blockType: "stage" },
    }),
  ],
  [
    ".mk .mak Makefile GNUmakefile",
    config("makefile", { ...HASH, strings: [], layout: { type: "indentation", keys: true } }),
  ],
  [
    ".bnf .ebnf .abnf",
    language("bnf", "bnf", {
      lineComments: [";"],
      blockComments: [["(*", "*)"]],
      strings: [{ ...raw('"'), multiline: false }],
      layout: { type: "rules" },
    }),
  ],
];

/** By extension, with its dot, or by name. */
const LANGUAGES: ReadonlyMap<string, CodeLanguage> = new Map(
  ROWS.flatMap(([names, one]) => names.split(" ").map((name) => [name.toLowerCase(), one] as const)),
);
