/**
 * The small database files of what must survive a restart, and the only place that knows the package underneath. It runs
 * in processes of its own, see database.ts: its native part may end the process over a damaged file.
 */
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
import {
  type Client,
  createClient,
  type InStatement,
  type InValue,
  LibsqlError,
} from "@libsql/client/sqlite3";
import { bringUpToDate, type Layouts, storedLayout } from "../lib/layouts.js";
import { makePrivateFile, makePrivateFolder } from "../lib/private-files.js";
import { StoreUnusable } from "./dead-letters.js";

export type { InStatement, InValue };

/** A row by its columns. */
export type DatabaseRow = Readonly<Record<string, unknown>>;

/** How long another process's write is waited for. */
const BUSY_TIMEOUT_MS = 5_000;

/** One file. Readers and writers of several processes may work on it at once. */
export class DatabaseFile {
  private constructor(
    readonly path: string,
    private readonly client: Client,
  ) {}

  /**
   * Opens the file, making it and its folder when they are missing, and brings it to the newest of its layouts.
   * Rejects with `StoreUnusable`, as does every method.
   */
  static async open(path: string, layouts: Layouts): Promise<DatabaseFile> {
    let client: Client | undefined;
    try {
      makePrivateFolder(dirname(path));
      makePrivateFile(path);
      client = createClient({ url: pathToFileURL(path).href, concurrency: 1, timeout: BUSY_TIMEOUT_MS });
      await client.execute("PRAGMA journal_mode = WAL");
      const transaction = await client.transaction("write");
      try {
        await bringUpToDate(transaction, layouts);
        await transaction.commit();
      } finally {
        transaction.close();
      }
      return new DatabaseFile(path, client);
    } catch (error) {
      client?.close();
      throw unusable(path, error);
    }
  }

  /** Throws when the file's structure is damaged. */
  async check(): Promise<void> {
    const [row] = await this.rows("PRAGMA quick_check(1)", []);
    const found = String(row?.quick_check);
    if (found !== "ok") throw new StoreUnusable(`${this.path} is damaged: ${found}. ${REMEDY}`, "damaged");
  }

  /** Runs statements in one transaction in one go, so that no other write of this process can come in between. */
  async writeAll(statements: InStatement[]): Promise<void> {
    try {
      await this.client.batch(statements, "write");
    } catch (error) {
      throw unusable(this.path, error);
    }
  }

  async rows(sql: string, args: InValue[]): Promise<readonly DatabaseRow[]> {
    try {
      const { rows, columns } = await this.client.execute({ sql, args });
      // The package's rows carry more than their columns, which no other process needs.
      return rows.map((row) => Object.fromEntries(columns.map((column) => [column, row[column]])));
    } catch (error) {
      throw unusable(this.path, error);
    }
  }

  close(): void {
    this.client.close();
  }
}

/**
 * Writes what the file at `from` holds to a new one, as of one moment, beside whoever reads and writes it. Returns its
 * layout, which stays as it is. Rejects with `StoreUnusable`.
 */
export async function copyDatabaseFile(from: string, to: string): Promise<number> {
  const client = (path: string) =>
    createClient({ url: pathToFileURL(path).href, concurrency: 1, timeout: BUSY_TIMEOUT_MS });
  const clients = [client(from)];
  try {
    makePrivateFile(to);
    await clients[0]!.execute({ sql: "VACUUM INTO ?", args: [to] });
    const copy = client(to);
    clients.push(copy);
    // The copy of a file is none that a reader and a writer can share at once, unless it is told so.
    await copy.execute("PRAGMA journal_mode = WAL");
    return await storedLayout(copy);
  } catch (error) {
    throw unusable(from, error);
  } finally {
    for (const client of clients) client.close();
  }
}

function unusable(path: string, error: unknown): StoreUnusable {
  if (error instanceof StoreUnusable) return error;
  const cause = error instanceof Error ? error.message : String(error);
  const isDamage = error instanceof LibsqlError && DAMAGE.has(error.code);
  const kind = isDamage ? "damaged" : "unusable";
  return new StoreUnusable(`${path} cannot be used: ${cause}. ${REMEDY}`, kind, { cause: error });
}

const DAMAGE: ReadonlySet<string> = new Set(["SQLITE_NOTADB", "SQLITE_CORRUPT"]);

const REMEDY =
  "Check that this user may read and write it and that the disk has room, or move the file away.";
