/** Refuses SQL with a node or a function that `sql.txt` does not know to only read: so may a SELECT be a write. */
import { loadModule, parseSync } from "libpg-query";
import { shippedRows } from "../../lib/shipped-files.js";
import { refuse } from "./usages.js";

const CHARS_MAX = 2_000;

/** Where one of these stands, PostgreSQL's parser may take for a string what is a statement to another database. */
const DIALECT = /[\\$#`\p{Cc}]|--|\/\*/u;

/** Types of nodes, and functions. */
const KNOWN = new Set(shippedRows("src/sites/shell/sql.txt").flatMap((row) => row.split(" ")));

/** Of MySQL, the whole database where they are: `programs.txt` does not let it be chosen for tables without a schema. */
const PASSWORDS = /\.pg_(?:authid|shadow|user_mappings?)$|^mysql\./i;

let isLoaded = false;

/** Loads the parser. Until it has, all SQL counts as a write. */
export async function loadSqlParser(): Promise<void> {
  await loadModule();
  isLoaded = true;
}

/** Of MySQL, a statement may end in `\G`. */
export function judgeSql(text: string): void {
  if (!isLoaded) refuse("the parser for SQL is not loaded");
  const sql = text.trim().replace(/\\G$/, "");
  if (sql.length > CHARS_MAX) refuse("the SQL is too long to be judged");
  if (DIALECT.test(sql)) refuse("the SQL has a character that databases read differently");
  const { stmts = [] } = parseSync(sql);
  if (stmts.length === 0) refuse("the SQL has no statement");
  // Not by recursion: expressions may be nested deeply.
  const left: object[] = [stmts];
  for (let node = left.pop(); node !== undefined; node = left.pop())
    for (const [type, value] of Object.entries(node)) {
      const doubt = doubtAbout(type, value);
      if (doubt !== undefined) refuse(`the SQL has ${doubt}, which is not known to only read`);
      if (typeof value === "object" && value !== null) left.push(value);
    }
}

/** A name in a syntax tree: its parts. */
type Name = readonly { readonly String?: { readonly sval?: string } }[];
/** What is looked at in nodes. */
type Node = Partial<Readonly<Record<"funcname" | "name", Name> & Record<"relname" | "schemaname", string>>>;

/** Types of nodes begin with a capital letter; everything else is a property of one. */
function doubtAbout(type: string, { funcname = [], name = [], relname, schemaname }: Node) {
  if (type === "intoClause" || (/^[A-Z]/.test(type) && !KNOWN.has(type))) return type;
  const [called = "", schema = "pg_catalog"] = funcname.map((part) => part.String?.sval ?? "").reverse();
  const isKnown = schema === "pg_catalog" && KNOWN.has(called.toLowerCase());
  if (type === "FuncCall" && !isKnown) return `the function ${called}`;
  if (type === "A_Expr" && name.length > 1) return "an operator of a schema";
  const isSecret = type === "RangeVar" && PASSWORDS.test(`${schemaname}.${relname}`);
  return isSecret ? "a table of passwords" : undefined;
}
