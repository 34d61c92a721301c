/**
 * Whether SQL only reads, for psql, mysql and sqlite3, by PostgreSQL's own parser. A node of the syntax tree that is not
 * listed here is a write, and so is a function: `SELECT pg_terminate_backend(41)` is a SELECT.
 */
import { loadModule, parseSync } from "libpg-query";
import { pattern } from "../../lib/pattern.js";
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

const FUNCTIONS = new Set(
  `count sum avg min max abs ceil ceiling floor round trunc mod power sqrt sign greatest least coalesce nullif ifnull
  iif if total group_concat string_agg array_agg json_agg jsonb_agg json_object_agg bool_and bool_or every stddev
  variance percentile_cont percentile_disc mode corr row_number rank dense_rank ntile lag lead first_value last_value
  lower upper length char_length character_length octet_length substr substring left right lpad rpad trim ltrim rtrim btrim
  replace concat concat_ws position strpos instr split_part reverse initcap format to_char to_date to_number
  to_timestamp md5 hex regexp_replace regexp_matches regexp_split_to_table now current_date current_timestamp
  clock_timestamp date time datetime julianday strftime date_trunc date_part extract age date_format from_unixtime
  unix_timestamp timestampdiff datediff curdate curtime year month day hour minute second version current_database
  database schema current_schema current_schemas current_user session_user user pg_size_pretty pg_database_size
  pg_relation_size pg_total_relation_size pg_table_size pg_indexes_size pg_tablespace_size pg_postmaster_start_time
  pg_is_in_recovery pg_last_wal_receive_lsn pg_last_wal_replay_lsn pg_last_xact_replay_timestamp pg_current_wal_lsn
  pg_wal_lsn_diff pg_backend_pid pg_blocking_pids pg_get_viewdef pg_get_indexdef pg_get_constraintdef
  pg_get_functiondef pg_get_userbyid pg_encoding_to_char obj_description col_description format_type
  has_table_privilege pg_stat_get_activity generate_series unnest array_length cardinality jsonb_array_length
  json_array_length json_extract jsonb_typeof json_valid typeof sqlite_version changes total_changes cast`.split(
    /\s+/,
  ),
);

/** What the parser makes of syntax such as `AT TIME ZONE`, beside the functions above. */
const SYNTAX_FUNCTIONS = new Set([
  "timezone",
  "position",
  "overlay",
  "like_escape",
  "similar_to_escape",
  "xmlexists",
]);

/** Tables of passwords. */
const SECRET_TABLES = new Set([
  "pg_authid",
  "pg_shadow",
  "pg_user_mapping",
  "pg_user_mappings",
  "mysql.user",
]);

/** `SHOW` of MySQL reads in whatever form; PostgreSQL's parser knows the shortest one only. */
const MYSQL_READS = /^(?:SHOW|DESCRIBE|DESC)(?: +[\w.*%='"]+)+ *;?$/i;

const PSQL_READS = /^\\(?:l|conninfo|sf|sv|z|d[a-zA-Z]{0,6})[+S]{0,2}(?: +[\w.*?-]+)*$/;

const SQLITE_READS = pattern("i")`
^\.(?:tables|schema|fullschema|databases|indexes|indices|dbinfo|show|version|dump|stats|headers|mode)
(?: +[\w%*.-]+)*$
|^PRAGMA +(?:\w+\.)?(?:
(?:database_list|compile_options|page_count|page_size|journal_mode|user_version|freelist_count|encoding|table_list)
|(?:table_info|table_xinfo|index_list|index_info|foreign_key_list|foreign_key_check|integrity_check|quick_check)
(?:\([\w'"]+\))?
) *;?$`;

let isLoaded = false;

/** Loads the parser. Until it has, all SQL counts as a write. */
export async function loadSqlParser(): Promise<void> {
  await loadModule();
  isLoaded = true;
}

/** Whether the text that is given to `psql -c` only reads. */
export function judgePsql(text: string): CommandVerdict {
  return PSQL_READS.test(text.trim()) ? READS_BY_CONTENT : judgeSql(text);
}

/** Whether the text that is given to `mysql -e` only reads. */
export function judgeMysql(text: string): CommandVerdict {
  const statement = text.trim().replace(/\\G$/, "").trim();
  return MYSQL_READS.test(statement) ? READS_BY_CONTENT : judgeSql(statement);
}

/** Whether a statement or a command of sqlite3 only reads. */
export function judgeSqlite(text: string): CommandVerdict {
  return SQLITE_READS.test(text.trim()) ? READS_BY_CONTENT : judgeSql(text);
}

function judgeSql(text: string): CommandVerdict {
  if (!isLoaded) return refuse("the parser for SQL is not loaded");
  if (text.length > CHARS_MAX) return refuse("the SQL is too long to be judged");
  if (DIALECT.test(text)) return refuse("the SQL has a character that databases read differently");
  let statements: unknown[];
  try {
    statements = parseSync(text).stmts ?? [];
  } catch (error) {
    return refuse(`the SQL is not understood: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (statements.length === 0) return refuse("there is no statement in the SQL");
  const doubt = doubtIn(statements);
  return doubt === undefined
    ? READS_BY_CONTENT
    : refuse(`the SQL has ${doubt}, which is not known to only read`);
}

/** The first thing in a syntax tree that is not known to only read. Types of nodes begin with a capital letter. */
function doubtIn(value: unknown): string | undefined {
  if (Array.isArray(value)) return firstOf(value, doubtIn);
  if (typeof value !== "object" || value === null) return undefined;
  return firstOf(Object.entries(value), ([key, inner]: [string, unknown]) => {
    if (key === "intoClause" || (/^[A-Z]/.test(key) && !NODES.has(key))) return key;
    return doubtAbout(key, inner) ?? doubtIn(inner);
  });
}

function doubtAbout(key: string, node: unknown): string | undefined {
  if (key === "FuncCall") {
    const path = namesOf(node, "funcname");
    const [last, schema] = [path.at(-1) ?? "", path.at(-2)];
    if (schema !== undefined && schema !== "pg_catalog") return `the function ${path.join(".")}`;
    return FUNCTIONS.has(last.toLowerCase()) || (schema !== undefined && SYNTAX_FUNCTIONS.has(last))
      ? undefined
      : `the function ${last}`;
  }
  if (key === "A_Expr" && namesOf(node, "name").length > 1) return "an operator of a schema";
  if (key === "RangeVar") {
    const { relname, schemaname } = node as { relname?: string; schemaname?: string };
    if ([relname, `${schemaname}.${relname}`].some((name) => SECRET_TABLES.has(`${name}`.toLowerCase())))
      return "a table of passwords";
  }
  return undefined;
}

/** The parts of a name: a list of string nodes. */
function namesOf(node: unknown, field: string): string[] {
  const list = (node as Readonly<Record<string, readonly { String?: { sval?: string } }[]>>)[field] ?? [];
  return list.map((part) => part.String?.sval ?? "");
}

function firstOf<T>(items: readonly T[], find: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
