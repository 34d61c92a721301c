/**
 * Whether SQL only reads, for psql, mysql and sqlite3, by PostgreSQL's own parser. A node of the syntax tree that is not
 * listed here is a write, and so is a function: `SELECT pg_terminate_backend(41)` is a SELECT.
 */
import { loadModule, parseSync } from "libpg-query";
import { shippedRows } from "../../lib/shipped-files.js";
import { type CommandVerdict, READS_BY_CONTENT, refuse } from "./verdict.js";

const CHARS_MAX = 2_000;

/**
 * What ends a string, begins a comment or is a command differs between the three where one of these stands: what
 * PostgreSQL's parser takes for a string may be a statement to MySQL.
 */
const DIALECT = /[\\$#`\p{Cc}]|--|\/\*/u;

const NODES = new Set(
  `SelectStmt RawStmt ExplainStmt VariableShowStmt DefElem ResTarget ColumnRef A_Star RangeVar Alias JoinExpr
  RangeSubselect RangeFunction WithClause CommonTableExpr SubLink A_Expr BoolExpr NullTest BooleanTest A_Const
  A_ArrayExpr A_Indirection A_Indices TypeCast TypeName FuncCall SQLValueFunction CoalesceExpr MinMaxExpr CaseExpr
  CaseWhen RowExpr CollateClause SortBy WindowDef GroupingSet GroupingFunc List String Integer Float Boolean
  BitString`.split(/\s+/),
);

const FUNCTIONS = new Set(shippedRows("src/sites/shell/functions.txt").flatMap((row) => row.split(" ")));

const PASSWORDS = /^(?:pg_(?:authid|shadow|user_mappings?)|mysql\.user)$/i;

let isLoaded = false;

/** Loads the parser. Until it has, all SQL counts as a write. */
export async function loadSqlParser(): Promise<void> {
  await loadModule();
  isLoaded = true;
}

/** Whether what is given to `mysql -e` only reads: it may end in `\G`. Never throws. */
export function judgeSqlOfMysql(text: string): CommandVerdict {
  return judgeSql(text.trim().replace(/\\G$/, "").trim());
}

/** Whether statements only read. Never throws. */
export function judgeSql(text: string): CommandVerdict {
  if (!isLoaded) return refuse("the parser for SQL is not loaded");
  if (text.length > CHARS_MAX) return refuse("the SQL is too long to be judged");
  if (DIALECT.test(text)) return refuse("the SQL has a character that databases read differently");
  try {
    const doubt = doubtIn(parseSync(text).stmts);
    return doubt === undefined
      ? READS_BY_CONTENT
      : refuse(`the SQL has ${doubt}, which is not known to only read`);
  } catch (error) {
    return refuse(`the SQL is not understood: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** A name in a syntax tree: its parts. */
type Name = readonly { readonly String?: { readonly sval?: string } }[];

/** What is looked at in nodes. */
interface Node {
  readonly funcname?: Name;
  readonly name?: Name;
  readonly relname?: string;
  readonly schemaname?: string;
}

/** Something in a syntax tree that is not known to only read. Types of nodes begin with a capital letter. */
function doubtIn(statements: readonly unknown[] = []): string | undefined {
  if (statements.length === 0) return "no statement";
  const left: object[] = [statements];
  for (let node = left.pop(); node !== undefined; node = left.pop())
    for (const [key, value] of Object.entries(node)) {
      if (key === "intoClause" || (/^[A-Z]/.test(key) && !NODES.has(key))) return key;
      const doubt = doubtAbout(key, value);
      if (doubt !== undefined) return doubt;
      if (typeof value === "object" && value !== null) left.push(value);
    }
  return undefined;
}

function doubtAbout(
  type: string,
  { funcname = [], name = [], relname, schemaname }: Node,
): string | undefined {
  if (type === "FuncCall") {
    const [called = "", schema = "pg_catalog"] = funcname.map((part) => part.String?.sval ?? "").reverse();
    if (schema !== "pg_catalog" || !FUNCTIONS.has(called.toLowerCase())) return `the function ${called}`;
  }
  if (type === "A_Expr" && name.length > 1) return "an operator of a schema";
  const isSecret =
    type === "RangeVar" && (PASSWORDS.test(`${relname}`) || PASSWORDS.test(`${schemaname}.${relname}`));
  return isSecret ? "a table of passwords" : undefined;
}
