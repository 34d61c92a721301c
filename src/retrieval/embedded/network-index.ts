/** One network's index, open for reading. Every call sees one commit of the writer, whole. */
import { type Passage, PROSE } from "../../domain/passage.js";
import type { Access } from "../../domain/user.js";
import type { SearchRequest } from "../port.js";
import { queryTerms } from "../query-terms.js";
import { type Catalogue, loadCatalogue } from "./catalogue.js";
import { type Client, openDatabase, readState, type Transaction } from "./database.js";
import { highlights } from "./highlights.js";
import { IndexDamaged } from "./index-damaged.js";
import { Postings } from "./postings.js";
import { type Hit, Ranking } from "./rank.js";

/** A reader waits for this when a writer is just creating or recovering the file. */
const READER_BUSY_TIMEOUT_MS = 1_000;

export class NetworkIndex {
  readonly #client: Client;
  #catalogue: Catalogue | undefined;
  readonly #postings = new Postings();

  /** Opens an existing file. */
  constructor(
    path: string,
    private readonly network: string,
  ) {
    this.#client = openDatabase(path, READER_BUSY_TIMEOUT_MS);
  }

  search({ query, access, limit }: SearchRequest): Promise<Passage[]> {
    return this.#read([], async (transaction, catalogue) => {
      const ranking = new Ranking(catalogue.table, catalogue.view(access));
      const weights = await this.#addTerms(transaction, ranking, query, catalogue);
      const passages: Passage[] = [];
      for (const hit of ranking.best(limit)) {
        passages.push(await loadPassage(transaction, catalogue, hit, weights));
      }
      return passages;
    });
  }

  readable(documentIds: readonly string[], access: Access): Promise<string[]> {
    return this.#read([], async (_transaction, catalogue) => catalogue.readable(documentIds, access));
  }

  close(): void {
    this.#client.close();
  }

  /** Runs `work` on the last commit; before the first one there is nothing to read. */
  async #read<T>(
    whenEmpty: T,
    work: (transaction: Transaction, catalogue: Catalogue) => Promise<T>,
  ): Promise<T> {
    const transaction = await this.#client.transaction("read");
    try {
      const state = await readState(transaction, this.network);
      if (state === undefined) return whenEmpty;
      if (this.#catalogue?.generation !== state.generation) {
        this.#catalogue = await loadCatalogue(transaction, this.network, state);
      }
      return await work(transaction, this.#catalogue);
    } finally {
      transaction.close();
    }
  }

  /** Ranks by every term of the query; returns the terms that readable chunks hold, with their idf. */
  async #addTerms(
    transaction: Transaction,
    ranking: Ranking,
    query: string,
    catalogue: Catalogue,
  ): Promise<Map<string, number>> {
    const occurrences = queryTerms(query);
    const { rows } = await transaction.execute({
      sql: "SELECT term, list FROM postings WHERE term IN (SELECT value FROM json_each(?)) ORDER BY term, segment",
      args: [JSON.stringify([...occurrences.keys()])],
    });
    const weights = new Map<string, number>();
    rows.forEach((row, index) => {
      const term = row.term as string;
      if (rows[index - 1]?.term !== term) this.#postings.clear();
      this.#postings.append(new Uint8Array(row.list as ArrayBuffer), catalogue.table.documentOfChunk.length);
      if (rows[index + 1]?.term === term) return;
      const idf = ranking.add(this.#postings, occurrences.get(term)!);
      if (idf > 0) weights.set(term, idf);
    });
    return weights;
  }
}

async function loadPassage(
  transaction: Transaction,
  catalogue: Catalogue,
  { chunk, score }: Hit,
  weights: ReadonlyMap<string, number>,
): Promise<Passage> {
  const { key, documentId, title, revision, access, firstChunk } = catalogue.documentOf(chunk);
  const { rows } = await transaction.execute({
    sql: "SELECT chunk_id, headings, text FROM chunks WHERE document = ? AND position = ?",
    args: [key, chunk - firstChunk],
  });
  const row = rows[0];
  if (row === undefined) throw new IndexDamaged(`chunk ${chunk} has no text`);
  const text = row.text as string;
  return {
    chunkId: row.chunk_id as string,
    documentId,
    title,
    ...(revision === undefined ? {} : { revision }),
    supersedes: [],
    sourceFile: "",
    position: chunk - firstChunk,
    kind: PROSE,
    alsoIn: [],
    headings: JSON.parse(row.headings as string) as string[],
    text,
    highlights: highlights(text, weights),
    score,
    access,
  };
}
