/** The process that holds one database file. */
import { serveProcessCalls } from "../lib/call-process-child.js";
import type { Layouts } from "../lib/layouts.js";
import type { Transaction } from "./database-file.js";
import {
  DatabaseFile,
  type DatabaseRow,
  type InStatement,
  type InValue,
  type StatementResult,
} from "./database-file.js";

export type DatabaseCalls = {
  /** Comes before every other call, once. */
  open: { input: { path: string; layouts: Layouts }; output: undefined };
  rows: { input: { sql: string; args: InValue[] }; output: readonly DatabaseRow[] };
  writeAll: { input: InStatement[]; output: undefined };
  /** The number of the transaction, for the next three. */
  begin: { input: undefined; output: number };
  execute: { input: { transaction: number; statement: InStatement }; output: StatementResult };
  commit: { input: number; output: undefined };
  /** Rolls back what was not committed. */
  end: { input: number; output: undefined };
  check: { input: undefined; output: undefined };
};

let database: DatabaseFile | undefined;
const transactions = new Map<number, Transaction>();
let begun = 0;

function opened(): DatabaseFile {
  if (database === undefined) throw new Error("the database is not open");
  return database;
}

function transactionOf(number: number): Transaction {
  const transaction = transactions.get(number);
  if (transaction === undefined) throw new Error(`there is no transaction ${number}`);
  return transaction;
}

serveProcessCalls<DatabaseCalls>(
  {
    open: async ({ path, layouts }) => {
      database = await DatabaseFile.open(path, layouts);
    },
    rows: ({ sql, args }) => opened().rows(sql, args),
    writeAll: (statements) => opened().writeAll(statements),
    begin: async () => {
      transactions.set(++begun, await opened().begin());
      return begun;
    },
    execute: ({ transaction, statement }) => opened().execute(transactionOf(transaction), statement),
    commit: (transaction) => opened().commit(transactionOf(transaction)),
    end: async (transaction) => {
      transactionOf(transaction).close();
      transactions.delete(transaction);
    },
    check: () => opened().check(),
  },
  () => database?.close(),
);
