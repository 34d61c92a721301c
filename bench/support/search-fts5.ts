/**
 * SQLite's FTS5 as a contestant. Who may read a chunk stands as words in a column of no weight, and the query asks for
 * one of the reader's: names are hashed to digits first, since the tokenizer folds letters.
 */
import { createHash } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createClient, type Transaction } from "@libsql/client";
import { queryTerms } from "../../src/retrieval/query-terms.js";
import { type CorpusDocument, READER } from "./chunk-corpus.js";
import { type Contestant, chunkId } from "./search-contestant.js";

/** The title counts twice, as it does for the embedded engine; the readers not at all. */
const RANK = "bm25(chunks, 0, 0, 2, 1, 0)";

export async function fts5(directory: string): Promise<Contestant> {
  mkdirSync(directory, { recursive: true });
  const client = createClient({ url: pathToFileURL(join(directory, "fts5.db")).href, concurrency: 1 });
  await client.execute("PRAGMA journal_mode = WAL");
  await client.execute(
    "CREATE VIRTUAL TABLE IF NOT EXISTS chunks USING fts5(id UNINDEXED, document UNINDEXED, title, text, readers, " +
      "tokenize = 'porter unicode61')",
  );
  await client.execute("CREATE TABLE IF NOT EXISTS rows (document TEXT, row INTEGER)");
  await client.execute("CREATE INDEX IF NOT EXISTS rows_by_document ON rows (document)");
  const write = async (documents: Iterable<CorpusDocument>, isNew: boolean) => {
    const transaction = await client.transaction("write");
    for (const one of documents) {
      if (!isNew) await remove(transaction, one.documentId);
      await insert(transaction, one);
    }
    await transaction.commit();
    await client.execute("PRAGMA wal_checkpoint(TRUNCATE)");
  };
  return {
    add: (documents) => write(documents, true),
    replace: (document) => write([document], false),
    async search(query, limit) {
      const words = [...queryTerms(query).keys()].map((term) => `"${term}"`).join(" OR ");
      if (words === "") return [];
      const readers = ["everybody", ...READER.groups].map((name) => `"${digits(name)}"`).join(" OR ");
      const { rows } = await client.execute({
        sql: `SELECT id, title, text FROM chunks WHERE chunks MATCH ? ORDER BY ${RANK} LIMIT ?`,
        args: [`{title text} : (${words}) AND readers : (${readers})`, limit],
      });
      return rows.map(({ id }) => String(id));
    },
    async close() {
      client.close();
    },
  };
}

async function insert(transaction: Transaction, document: CorpusDocument): Promise<void> {
  const { documentId, title, access, texts } = document;
  const readers = (access.visibility === "network" ? ["everybody"] : access.allowedGroups)
    .map(digits)
    .join(" ");
  for (const [i, text] of texts.entries()) {
    const { lastInsertRowid } = await transaction.execute({
      sql: "INSERT INTO chunks (id, document, title, text, readers) VALUES (?, ?, ?, ?, ?)",
      args: [chunkId(document, i), documentId, title, text, readers],
    });
    await transaction.execute({
      sql: "INSERT INTO rows VALUES (?, ?)",
      args: [documentId, lastInsertRowid!],
    });
  }
}

async function remove(transaction: Transaction, documentId: string): Promise<void> {
  const args = [documentId];
  await transaction.execute({
    sql: "DELETE FROM chunks WHERE rowid IN (SELECT row FROM rows WHERE document = ?)",
    args,
  });
  await transaction.execute({ sql: "DELETE FROM rows WHERE document = ?", args });
}

function digits(name: string): string {
  return createHash("sha256").update(name).digest().readBigUInt64LE().toString();
}
