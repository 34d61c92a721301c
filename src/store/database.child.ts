/** The process that holds one database file. */
import { serveProcessCalls } from "../lib/call-process-child.js";
import type { Layouts } from "../lib/layouts.js";
import {
  copyDatabaseFile,
  DatabaseFile,
  type DatabaseRow,
  type InStatement,
  type InValue,
} from "./database-file.js";

export type DatabaseCalls = {
  /** Comes before every other call, once. */
  open: { input: { path: string; layouts: Layouts }; output: undefined };
  rows: { input: { sql: string; args: InValue[] }; output: readonly DatabaseRow[] };
  writeAll: { input: InStatement[]; output: undefined };
  check: { input: undefined; output: undefined };
  /** Needs no `open`. */
  copy: { input: { from: string; to: string }; output: number };
};

let database: DatabaseFile | undefined;

function opened(): DatabaseFile {
  if (database === undefined) throw new Error("the database is not open");
  return database;
}

serveProcessCalls<DatabaseCalls>(
  {
    open: async ({ path, layouts }) => {
      database = await DatabaseFile.open(path, layouts);
    },
    rows: ({ sql, args }) => opened().rows(sql, args),
    writeAll: (statements) => opened().writeAll(statements),
    check: () => opened().check(),
    copy: ({ from, to }) => copyDatabaseFile(from, to),
  },
  () => database?.close(),
);
