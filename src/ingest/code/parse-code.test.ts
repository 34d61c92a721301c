import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { languageOf } from "./languages.js";
import { parseCode } from "./parse-code.js";

/** Each block as headings, block type and text. */
const blocks = (name: string, text: string) =>
  parseCode(name, text).sections.flatMap(({ headings, blocks }) =>
    blocks.map(({ kind, text }) => [headings.join(" › "), kind!.blockType, text] as const),
  );
const tags = (name: string, text: string) =>
  parseCode(name, text).sections.flatMap(({ blocks }) => blocks.flatMap(({ kind }) => kind!.tags));

describe("source text with characters of two units", () => {
  it("is read to its end", () => {
    expect(blocks("a.ts", "const a = 1; // 👩🏽‍🚒\n👩🏽‍🚒();")).not.toEqual([]);
  });
});

describe("languageOf", () => {
  it.each([
    ["src/a.TS", "typescript", "code"],
    ["a.py", "python", "code"],
    ["a.b.go", "go", "code"],
    ["deploy.ps1", "powershell", "code"],
    ["schema.sql", "sql", "code"],
    ["compose.yml", "yaml", "config"],
    ["prod.env", "properties", "config"],
    [".env", "properties", "config"],
    [".env.local", "properties", "config"],
    ["app.properties", "properties", "config"],
    ["Dockerfile", "dockerfile", "config"],
    ["Dockerfile.prod", "dockerfile", "config"],
    ["sub/Makefile", "makefile", "config"],
    ["main.tf", "hcl", "config"],
    ["package.json", "json", "config"],
    ["rows.jsonl", "json", "data"],
    ["grammar.ebnf", "bnf", "bnf"],
    ["grammar.abnf", "bnf", "bnf"],
  ])("knows %s", (name, language, docType) => {
    expect(languageOf(name)).toMatchObject({ name: language, docType });
  });

  it.each(["a.md", "a.txt", "a.html", "a.pdf", "a.docx", "a.csv", "a", "ts", "photo.png", "LICENSE"])(
    "does not take %s",
    (name) => expect(languageOf(name)).toBeUndefined(),
  );
});

describe("source text in brackets", () => {
  it("is functions, types with their fields, and methods under their type", () => {
    const source = `import { a } from "./a.js";
import { b } from "./b.js";

/** Adds. */
export function add(x: number): string {
  // } no bracket
  const pattern = /[{"]/g;
  return "}" + \`\${x}{\`;
}

export class Foo extends Bar {
  #x = 1;
  y = "{";

  /** Says hello. */
  async hello<T>(to: T): Promise<void> {
    if (to) return;
  }
}

const double = (x: number) => {
  return 2 * x;
};
`;
    expect(blocks("a.ts", source)).toEqual([
      ["", "import", 'import { a } from "./a.js";\nimport { b } from "./b.js";'],
      [
        "function add",
        "function",
        source.slice(source.indexOf("/** Adds"), source.indexOf("\n\nexport class")),
      ],
      ["class Foo", "class", 'export class Foo extends Bar {\n  #x = 1;\n  y = "{";'],
      [
        "class Foo › method hello",
        "method",
        "/** Says hello. */\nasync hello<T>(to: T): Promise<void> {\n  if (to) return;\n}",
      ],
      ["function double", "function", "const double = (x: number) => {\n  return 2 * x;\n};"],
    ]);
  });

  it("keeps if, loops and try whole, with what goes on", () => {
    const source = [
      "if (a) {\n  b();\n} else {\n  c();\n}",
      "for (;;) {\n  d();\n}",
      "try {\n  e();\n}\ncatch (f) {\n  g();\n}",
    ];
    expect(blocks("a.js", source.join("\n"))).toEqual([
      ["", "if", source[0]],
      ["", "loop", source[1]],
      ["", "try", source[2]],
    ]);
  });

  it.each([
    ["a.go", "// Runs.\nfunc (s *Server) Run(x int) error {\n\treturn nil\n}", "function Run"],
    ["a.java", "public static List<String> run(int x) throws E {\n  return null;\n}", "function run"],
    ["a.c", "static int run(char *x)\n{\n  return '{';\n}", "function run"],
    ["a.rs", "pub(crate) fn run<'a>(x: &'a str) -> bool {\n    true\n}", "function run"],
    ["a.kt", "suspend fun run(x: Int): Int {\n  return x\n}", "function run"],
    ["a.php", 'function run($x) {\n  return "{$x}";\n}', "function run"],
    ["a.sh", "run() {\n  if true; then\n    echo }\n  fi\n}", "function run"],
    ["a.ps1", "function Run-It {\n  Get-Content x\n}", "function Run-It"],
    ["a.lua", "function M.run(x)\n  if x then\n    return 1\n  end\nend", "function M.run"],
    ["a.rb", "def run(x)\n  x.each do |y|\n    p y\n  end\nend", "function run"],
    ["a.pl", "sub run {\n  my $x = 1; # }\n}", "function run"],
    ["a.r", "run <- function(x) {\n  x\n}", "function run"],
    ["a.swift", "func run(_ x: Int) -> Int {\n  return x\n}", "function run"],
    ["a.scala", "def run(x: Int): Int = {\n  x\n}", "function run"],
  ])("knows a function in %s", (name, text, heading) => {
    expect(blocks(name, `\n${text}\n`)).toEqual([[heading, "function", text]]);
  });

  it("nests types", () => {
    const source =
      "namespace App\n{\n    public class Foo\n    {\n        int Run(int a)\n        {\n            return 1;\n        }\n    }\n}\n";
    expect(blocks("a.cs", source).map(([headings, type]) => [headings, type])).toEqual([
      ["namespace App", "namespace"],
      ["namespace App › class Foo", "class"],
      ["namespace App › class Foo › method Run", "method"],
    ]);
  });
});

describe("Python", () => {
  it("goes by indentation, with decorators, doc strings and nested strings", () => {
    const source = `"""Module.
def no(): pass
"""
import os

@decorator
def foo(a,
        b):
    """Doc.
unindented
    """
    return a

class A(Base):
    """Doc of A."""
    x = 1

    def m(self):
        return [
    1]

if x:
    pass
else:
    pass
`;
    expect(blocks("a.py", source)).toEqual([
      ["", "statement", '"""Module.\ndef no(): pass\n"""'],
      ["", "import", "import os"],
      ["function foo", "function", source.slice(source.indexOf("@dec"), source.indexOf("\n\nclass"))],
      ["class A", "class", 'class A(Base):\n    """Doc of A."""\n    x = 1'],
      ["class A › method m", "method", "def m(self):\n    return [\n1]"],
      ["", "if", "if x:\n    pass\nelse:\n    pass"],
    ]);
  });
});

describe("configuration", () => {
  it("is top-level keys in YAML, one-line settings together", () => {
    expect(blocks("a.yaml", "a: 1\nb: 2\n\n# The web.\nweb:\n- x\n- y\nc:\n  d: e\n")).toEqual([
      ["", "setting", "a: 1\nb: 2"],
      ["web", "key", "# The web.\nweb:\n- x\n- y"],
      ["c", "key", "c:\n  d: e"],
    ]);
  });

  it("opens a key that is large", () => {
    const service = (name: string) => `  ${name}:\n${"    - x\n".repeat(40)}`;
    const found = blocks("a.yaml", `services:\n${service("web")}${service("db")}`);
    expect(found.map(([headings]) => headings)).toEqual(["services", "services › web", "services › db"]);
  });

  it("is sections in INI and tables in TOML, with the comments above", () => {
    expect(blocks("a.ini", "x=1\n; The database.\n[db]\nhost = y\n\n[net]\nport = 5\n")).toEqual([
      ["", "setting", "x=1"],
      ["db", "section", "; The database.\n[db]\nhost = y"],
      ["net", "section", "[net]\nport = 5"],
    ]);
    expect(blocks("a.toml", 'x = 1\n[[a.b]]\ny = """\n[no]\n"""\n').map(([headings]) => headings)).toEqual([
      "",
      "a.b",
    ]);
  });

  it("is entries in JSON, elements in XML, stages, targets, resources, statements, rules", () => {
    expect(blocks("a.json", '{\n  "a": 1,\n  "b": [\n    "}"\n  ]\n}\n')).toEqual([
      ["", "key", '"a": 1,'],
      ["b", "key", '"b": [\n  "}"\n]'],
    ]);
    expect(blocks("a.xml", "<a>\n  <b/>\n</a>")).toEqual([["a", "element", "<a>\n  <b/>\n</a>"]]);
    expect(
      blocks("Dockerfile", "FROM a AS b\nRUN x \\\n  && y\nFROM c\n").map(([headings]) => headings),
    ).toEqual(["a AS b", "c"]);
    expect(blocks("Makefile", "X := 1\n\nall: x\n\tgo build\n")).toEqual([
      ["", "setting", "X := 1"],
      ["all", "target", "all: x\n\tgo build"],
    ]);
    expect(blocks("a.tf", 'resource "b" "c" {\n  d = "}"\n}\n')).toEqual([
      ["resource b c", "resource", 'resource "b" "c" {\n  d = "}"\n}'],
    ]);
    expect(blocks("a.sql", "create table a (\n  b int -- ;\n);\nselect ';' from a\nwhere b = 1;\n")).toEqual([
      ["create table a", "statement", "create table a (\n  b int -- ;\n);"],
      ["", "statement", "select ';' from a\nwhere b = 1;"],
    ]);
    expect(blocks("a.bnf", '<a> ::= <b>\n  | "c"\n<b> ::= "d"\n')).toEqual([
      ["", "rule", '<a> ::= <b>\n  | "c"'],
      ["", "rule", '<b> ::= "d"'],
    ]);
  });

  it("keeps procedures of SQL whole", () => {
    const source =
      "CREATE PROCEDURE p AS\nBEGIN\n  SELECT 1;\n  IF 1 = 1\n  BEGIN\n    SELECT CASE WHEN 1 THEN 2 END;\n  END;\nEND;";
    expect(blocks("a.sql", `${source}\nSELECT 2;\n`)).toEqual([
      ["CREATE PROCEDURE p", "statement", source],
      ["", "statement", "SELECT 2;"],
    ]);
  });
});

describe("tags", () => {
  it.each([
    ["fetch('https://x')", "uses_http"],
    ["SELECT a FROM b", "uses_db"],
    ["from sqlalchemy import x", "uses_orm"],
    ["checkToken(jwt)", "uses_auth"],
    ["fs.readFile(a)", "uses_files"],
    ["net.Dial('tcp')", "uses_network"],
    ["hashlib.sha256(x)", "uses_crypto"],
    ["process.env.HOME", "uses_env"],
    ["subprocess.run(x)", "uses_process"],
  ])("%s is %s", (source, tag) => expect(tags("a.js", source)).toContain(tag));

  it("are none for plain arithmetic", () => {
    expect(tags("a.js", "const selected = fromage + 1;\nlet open = 2;")).toEqual([]);
  });
});

describe("any text", () => {
  const names = [
    "a.ts",
    "a.py",
    "a.rb",
    "a.sql",
    "a.yaml",
    "a.json",
    "a.xml",
    "a.toml",
    "a.bnf",
    "a.sh",
    "Makefile",
    "a.c",
    "a.lua",
  ];
  const piece = fc.constantFrom(
    ..."{ } ( ) [ ] ; : , \" ' ` # // /* */ -- <!-- --> <a> </a> \\ \n \n\n def class if end begin w1: = => | <<EOF EOF $$".split(
      " ",
    ),
    "\n  ",
    "\n    ",
    "word",
    "x = ",
  );
  const source = fc.array(piece, { maxLength: 120 }).map((pieces) => pieces.join(" "));

  it("loses no word, and keeps the order", () => {
    fc.assert(
      fc.property(fc.constantFrom(...names), source, (name, text) => {
        let number = 0;
        const numbered = text.replaceAll("word", () => `w${++number}w`);
        const found = blocks(name, numbered).flatMap(([, , one]) => one.match(/w\d+w/g) ?? []);
        expect(found).toEqual(numbered.match(/w\d+w/g) ?? []);
      }),
      { numRuns: 1_000 },
    );
  });
});
