/** The small database files of what must survive a restart, and the only place that knows the package underneath. */
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
import { type Client, createClient, type InStatement, type InValue, type Transaction } from "@libsql/client";
import { StoreUnusable } from "./dead-letters.js";

export type { InStatement, InValue, Transaction };

/** How long another process's write is waited for. */
const BUSY_TIMEOUT_MS = 5_000;

/** One file. Readers and writers of several processes may work on it at once. */
export class Database {
  private constructor(
    readonly path: string,
    private readonly client: Client,
  ) {}

  /**
   * Opens the file, making it and its folder when they are missing, and lays it out with `schema` when that was not
   * done yet. Rejects with `StoreUnusable`, as does every method.
   */
  static async open(path: string, schema: string, version: number): Promise<Database> {
    let client: Client | undefined;
    try {
      mkdirSync(dirname(path), { recursive: true });
      client = createClient({ url: pathToFileURL(path).href, concurrency: 1, timeout: BUSY_TIMEOUT_MS });
      await client.execute("PRAGMA journal_mode = WAL");
      const database = new Database(path, client);
      await database.write((transaction) => layOut(transaction, schema, version));
      return database;
    } catch (error) {
      client?.close();
      throw unusable(path, error);
    }
  }

  /** Runs `work` in one transaction that may write, and returns what it returns. */
  async write<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    try {
      const transaction = await this.client.transaction("write");
      try {
        const result = await work(transaction);
        await transaction.commit();
        return result;
      } finally {
        transaction.close();
      }
    } catch (error) {
      throw unusable(this.path, error);
    }
  }

  /** Runs statements in one transaction in one go, so that no other write of this process can come in between. */
  async writeAll(statements: InStatement[]): Promise<void> {
    try {
      await this.client.batch(statements, "write");
    } catch (error) {
      throw unusable(this.path, error);
    }
  }

  async rows(sql: string, args: InValue[]): Promise<readonly Readonly<Record<string, unknown>>[]> {
    try {
      return (await this.client.execute({ sql, args })).rows;
    } catch (error) {
      throw unusable(this.path, error);
    }
  }

  close(): void {
    this.client.close();
  }
}

async function layOut(transaction: Transaction, schema: string, version: number): Promise<void> {
  const stored = Number((await transaction.execute("PRAGMA user_version")).rows[0]?.[0]);
  if (stored === version) return;
  if (stored !== 0) throw new Error(`it has layout ${stored} and this release reads layout ${version}`);
  await transaction.executeMultiple(`${schema}; PRAGMA user_version = ${version};`);
}

function unusable(path: string, error: unknown): StoreUnusable {
  if (error instanceof StoreUnusable) return error;
  const cause = error instanceof Error ? error.message : String(error);
  const remedy =
    "Check that this user may read and write it and that the disk has room, or move the file away.";
  return new StoreUnusable(`${path} cannot be used: ${cause}. ${remedy}`, { cause: error });
}
