/** What a block is, from the line that it begins with: its type, and its name where it has one. Tables, top down. */
import type { CodeLanguage } from "./languages.js";

export interface Header {
  /** `function`, `method`, `class`, `if`, `loop`, `try`, `import`, `statement`, … */
  readonly blockType: string;
  /** As people call it, such as `class Foo`; absent for what has no name. */
  readonly heading?: string;
  /** It holds members that are blocks themselves. */
  readonly isContainer: boolean;
}

/** `line` is the block's first line that is no comment; `parent` is the block type of what it stands in. */
export function headerOf(line: string, language: CodeLanguage, parent: string | undefined): Header {
  const text = line.trim().slice(0, HEADER_CHARS_MAX);
  for (const { pattern, blockType, container } of tableFor(language)) {
    const match = pattern.exec(text);
    if (match === null) continue;
    const { kind, name } = match.groups ?? {};
    const type = blockType ?? kind!.toLowerCase();
    const isMethod = type === "function" && parent !== undefined && TYPES.has(parent);
    const shown = isMethod ? "method" : type;
    return {
      blockType: shown,
      ...(name === undefined
        ? {}
        : { heading: SELF_EXPLAINING.has(type) ? unquoted(name) : `${shown} ${unquoted(name)}` }),
      isContainer: container ?? false,
    };
  }
  return parent !== undefined && TYPES.has(parent) ? memberHeader(text, parent) : STATEMENT;
}

/** Characters of a line that are looked at: minified code has lines of megabytes. */
const HEADER_CHARS_MAX = 400;

const STATEMENT: Header = { blockType: "statement", isContainer: false };

/** Their names say enough. */
const SELF_EXPLAINING = new Set(["key", "statement", "element", "target", "test"]);

interface Row {
  readonly pattern: RegExp;
  /** Absent: the group `kind`. */
  readonly blockType?: string;
  readonly container?: boolean;
}

/** What holds methods. */
const TYPES = new Set([
  "class",
  "interface",
  "struct",
  "trait",
  "enum",
  "record",
  "protocol",
  "object",
  "impl",
  "extension",
  "module",
  "namespace",
]);

const MODIFIERS =
  "(?:(?:export|default|public|private|protected|internal|static|final|abstract|sealed|open|override|virtual|async|" +
  "inline|extern|unsafe|partial|data|case|readonly|declare|const|pub(?:\\([^)]*\\))?|local|synchronized|native|suspend)\\s+)*";
const NAME = "(?<name>[\\w$~:.<>?!-]*[\\w$>?!])";

const row = (pattern: string, blockType?: string, container = false): Row => ({
  pattern: new RegExp(`^${pattern}`, "i"),
  ...(blockType === undefined ? {} : { blockType }),
  container,
});

const IMPORTS = row(
  "(?:import\\b|from\\s+\\S+\\s+import\\b|using\\s+[\\w.]+\\s*[;=]|#\\s*include\\b|package\\s+[\\w.]+|require(?:_relative)?\\b|" +
    "use\\s+[\\w:\\\\]+|mod\\s+\\w+\\s*;|export\\s+(?:\\*|\\{[^}]*\\})\\s+from\\b|source\\s|(?:const|let|var)\\s.*=\\s*require\\()",
  "import",
);

const CONTROL: readonly Row[] = [
  row("(?:if|unless|guard)\\b", "if"),
  row("(?:for|foreach|while|until|loop|repeat|do)\\b", "loop"),
  row("(?:try|begin)\\b", "try"),
  row("(?:switch|match|case|select|when)\\b", "switch"),
  row("with\\b", "with"),
];

/** Languages with functions and types. */
const CODE: readonly Row[] = [
  IMPORTS,
  row(
    `${MODIFIERS}(?<kind>class|interface|struct|trait|enum|record|protocol|object|extension` +
      "|module|namespace)\\s+(?:class\\s+)?(?<name>[\\w$.:]*\\w)(?![\\w$]|\\s*(?:[=(;,]\\s*)?$" +
      "|\\s*[*&]|\\s+\\w+\\s*[(=;[])",
    undefined,
    true,
  ),
  row(
    `${MODIFIERS}(?<kind>class|interface|struct|trait|enum|record|protocol|object|extension` +
      "|module|namespace)\\s+(?<name>[\\w$.:]*\\w)\\s*$",
    undefined,
    true,
  ),
  row("(?:unsafe\\s+)?(?<kind>impl)\\b(?:<[^{]*?>)?\\s+(?<name>[^\\s{](?:[^{]*[^\\s{])?)", undefined, true),
  row("type\\s+(?<name>\\w+)\\s+struct\\b", "struct"),
  row("type\\s+(?<name>\\w+)\\s+interface\\b", "interface"),
  row(
    `${MODIFIERS}(?:function|func|fun|fn|def|defp?|sub|proc)\\b\\s*(?:\\*\\s*)?(?:\\([^)]*\\)` +
      `\\s*|<[^>(]*>\\s*)?${NAME}\\s*(?=[(<\\[{:\\s]|$)`,
    "function",
  ),
  row(
    `${MODIFIERS}(?:let\\s+|var\\s+)?(?<name>[\\w$.]+)\\s*(?::[^=]*)?(?:=|<-)\\s*` +
      "(?:async\\s*)?(?:function\\b|\\([^()]*\\)\\s*(?::[^=]+)?=>|[\\w$]+\\s*=>|lambda\\b)",
    "function",
  ),
  row("(?<name>[\\w-]+)\\s*\\(\\)\\s*(?:\\{|$)", "function"),
  ...CONTROL,
  row("(?:(?:describe|it|test)(?:\\.\\w+)?)\\(\\s*[\"'`](?<name>[^\"'`]{1,80})", "test"),
  row(
    "(?!return|else|new|throw|delete|await|yield|goto)(?:[\\w:*&<>,\\[\\]]+\\s+)+[*&]*(?<name>[\\w:~]+)\\s*\\([^;=]*$",
    "function",
  ),
];

const SQL: readonly Row[] = [
  row(
    "(?<name>(?:create|alter|drop)\\s+(?:or\\s+replace\\s+)?(?:\\w+\\s+)*?(?:table|view|index" +
      "|function|procedure|trigger|schema|database|sequence|type|role|package)\\s+" +
      '(?:if\\s+(?:not\\s+)?exists\\s+)?[\\w."`\\[\\]]+)',
    "statement",
  ),
];

const HCL: readonly Row[] = [
  row('(?<kind>[\\w-]+)\\s+(?<name>"[^"]*"(?:\\s+"[^"]*")*)\\s*\\{'),
  row("(?<kind>[\\w-]+)\\s*\\{"),
  row("[\\w.-]+\\s*=", "setting"),
];

const ENTRIES: readonly Row[] = [
  row("[\"']?(?<name>[^\"':]+)(?:[\"']\\s*)?:", "key"),
  row("[{\\[]", "object", true),
];

/** A key with something below it; one with a value on its line is a setting. */
const KEYS: readonly Row[] = [
  row("-\\s", "item"),
  row("(?<name>\"[^\"]+\"|'[^']+'|[^\\s:\"'-][^:]*):\\s*(?:[|>&!][^\\s]*\\s*)?$", "key"),
  row("[^:]+:", "setting"),
];

const MAKE: readonly Row[] = [
  row("(?<name>[^\\s:#=][^:#=]*)::?(?!=)", "target"),
  row("(?:include|-include)\\b", "import"),
  row("[\\w.-]+\\s*[:?+!]?=", "setting"),
];

const RULES: readonly Row[] = [row("", "rule")];

const ELEMENTS: readonly Row[] = [row("<(?<name>[A-Za-z_][\\w:.-]*)", "element")];

function tableFor({ name, layout }: CodeLanguage): readonly Row[] {
  if (name === "makefile") return MAKE;
  if (name === "hcl") return HCL;
  switch (layout.type) {
    case "statements":
      return SQL;
    case "elements":
      return ELEMENTS;
    case "rules":
      return RULES;
    case "indentation":
      return layout.keys ? KEYS : CODE;
    default:
      return layout.type === "brackets" && layout.entries ? ENTRIES : CODE;
  }
}

/** Members of a type are called without a word that says what they are. */
function memberHeader(text: string, parent: string): Header {
  const name = METHOD.exec(text)?.groups?.name;
  if (name === undefined || parent === "enum") return { blockType: "field", isContainer: false };
  return { blockType: "method", heading: `method ${name}`, isContainer: false };
}

const METHOD = new RegExp(
  `^${MODIFIERS}(?:(?:get|set)\\s+)?(?:[\\w<>\\[\\],.?*&:]+\\s+)*[*&#]*(?<name>~?[\\w$]+)\\s*(?:<[^(]*>\\s*)?\\((?![^)]*\\)\\s*;?\\s*$)`,
);

function unquoted(name: string): string {
  return name.replace(/["'`]/g, "").trim();
}
