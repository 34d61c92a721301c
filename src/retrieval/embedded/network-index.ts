/** One network's index, open for reading. Every call sees one commit of the writer, whole. */
import type { Passage } from "../../domain/passage.js";
import type { Access } from "../../domain/user.js";
import { mayRead } from "../access.js";
import type { LegRequest } from "../engine.js";
import type { DocumentDetail, DocumentSummary, InspectedChunk } from "../inspector.js";
import type { DocumentOutline, OutlineLimits } from "../port.js";
import type { Catalogue } from "./catalogue.js";
import { type LoadedCatalogue, loadCatalogue } from "./catalogue-loading.js";
import { type ChunkRow, readChunks } from "./chunk-rows.js";
import { type Client, type IndexState, openForReading, readState, type Transaction } from "./database.js";
import { highlights } from "./highlights.js";
import { refuseEmptied } from "./index-record.js";
import { candidate, documentDetail, documentSummary } from "./inspection.js";
import { LexicalSearch } from "./lexical.js";
import { outlineOf } from "./outline.js";
import type { ChunkHit, ReadableChunks } from "./rank.js";
import { VectorSearch } from "./vector-search.js";

/** A reader waits for this when a writer is just creating or recovering the file. */
const READER_BUSY_TIMEOUT_MS = 1_000;

export class NetworkIndex {
  #opening: Promise<Client> | undefined;
  #loaded: LoadedCatalogue | undefined;
  readonly #lexical = new LexicalSearch(() => this.#loaded!.catalogue.table);
  readonly #vectors = new VectorSearch();

  /** Of an existing file; the first call opens it. */
  constructor(
    private readonly path: string,
    private readonly directory: string,
    private readonly network: string,
    /** Which file this is: two files may have seen equally many commits. */
    private readonly file: string,
  ) {}

  search(request: LegRequest): Promise<Passage[]> {
    return this.#read([], async (transaction, catalogue) => {
      const { access } = request;
      const { hits, idfs } = await this.#rank(transaction, catalogue, request, catalogue.view(access));
      const rows = await readChunks(transaction, rowsOf(catalogue, hits));
      return hits.map((hit, i) => passage(catalogue, access, hit, rows[i]!, idfs));
    });
  }

  readable(documentIds: readonly string[], access: Access): Promise<string[]> {
    return this.#read([], async (_transaction, catalogue) => catalogue.readable(documentIds, access));
  }

  /** The documents that came last, first: keys are given in order. */
  outline(access: Access, limits: OutlineLimits): Promise<DocumentOutline[]> {
    return this.#read([], (transaction, catalogue) => outlineOf(transaction, catalogue, access, limits));
  }

  contents(documentId: string, access: Access, passagesMax: number): Promise<Passage[]> {
    return this.#read([], async (transaction, catalogue) => {
      const document = catalogue.find(documentId);
      if (document === undefined || !mayRead(access, document.access)) return [];
      const count = Math.min(document.chunkCount, passagesMax);
      const chunks = Array.from({ length: count }, (_, at) => document.firstChunk + at);
      const hits = chunks.map((chunk) => ({ chunk, score: 0 }));
      const rows = await readChunks(transaction, rowsOf(catalogue, hits));
      return hits.map((hit, at) => passage(catalogue, access, hit, rows[at]!, new Map()));
    });
  }

  /** Every commit raises the generation, a change of permissions alone too. */
  async revision(): Promise<string> {
    const transaction = await this.#begin();
    try {
      const state = await this.#state(transaction);
      return `${this.file}:${state?.generation ?? 0}`;
    } finally {
      transaction.close();
    }
  }

  documents(): Promise<DocumentSummary[]> {
    return this.#read([], async (_transaction, catalogue) => {
      const summaries = Array.from(catalogue.documents(), (one) => documentSummary(catalogue, one));
      return summaries.sort((a, b) =>
        a.sourceFile < b.sourceFile ? -1 : a.sourceFile > b.sourceFile ? 1 : 0,
      );
    });
  }

  document(documentId: string): Promise<DocumentDetail | undefined> {
    return this.#read(undefined, async (transaction, catalogue) => {
      const document = catalogue.find(documentId);
      return document === undefined ? undefined : documentDetail(transaction, catalogue, document);
    });
  }

  explain(request: LegRequest): Promise<InspectedChunk[]> {
    return this.#read([], async (transaction, catalogue) => {
      const view = catalogue.viewOfAll();
      const { hits, terms } =
        request.leg === "lexical"
          ? await this.#lexical.explain(
              transaction,
              this.#loaded!.segments,
              request.query,
              view,
              request.limit,
            )
          : { ...(await this.#rank(transaction, catalogue, request, view)), terms: undefined };
      const rows = await readChunks(transaction, rowsOf(catalogue, hits));
      return hits.map((hit, i) =>
        candidate(catalogue, request.access, hit, rows[i]!, terms?.get(hit.chunk) ?? []),
      );
    });
  }

  close(): void {
    void this.#opening?.then(
      (client) => client.close(),
      () => {
        // It never opened, which whoever called was told.
      },
    );
  }

  async #begin(): Promise<Transaction> {
    this.#opening ??= openForReading(this.path, this.network, READER_BUSY_TIMEOUT_MS);
    return (await this.#opening).transaction("read");
  }

  /** Runs `work` on the last commit; before the first one there is nothing to read. */
  async #read<T>(
    whenEmpty: T,
    work: (transaction: Transaction, catalogue: Catalogue) => Promise<T>,
  ): Promise<T> {
    const transaction = await this.#begin();
    try {
      const state = await this.#state(transaction);
      if (state === undefined) return whenEmpty;
      this.#loaded = await loadCatalogue(transaction, this.network, state, this.#loaded);
      return await work(transaction, this.#loaded.catalogue);
    } finally {
      transaction.close();
    }
  }

  async #state(transaction: Transaction): Promise<IndexState | undefined> {
    const state = await readState(transaction, this.network);
    refuseEmptied(this.directory, this.network, state);
    return state;
  }

  async #rank(
    transaction: Transaction,
    catalogue: Catalogue,
    { leg, query, vector, limit }: LegRequest,
    view: ReadableChunks,
  ): Promise<{ readonly hits: readonly ChunkHit[]; readonly idfs: ReadonlyMap<string, number> }> {
    switch (leg) {
      case "lexical":
        return this.#lexical.rank(transaction, this.#loaded!.segments, query, view, limit);
      case "vector": {
        if (vector === undefined) throw new TypeError("the leg vector needs the query's vector");
        const hits = await this.#vectors.nearest(transaction, catalogue, vector, view, limit);
        return { hits, idfs: new Map() };
      }
      case "semantic":
        throw new TypeError("the embedded engine has no leg semantic");
    }
  }
}

function rowsOf(catalogue: Catalogue, hits: readonly ChunkHit[]): number[] {
  return hits.map(({ chunk }) => {
    const { firstRow, firstChunk } = catalogue.documentOf(chunk);
    return firstRow + chunk - firstChunk;
  });
}

function passage(
  catalogue: Catalogue,
  reader: Access,
  { chunk, score }: ChunkHit,
  { chunkId, headings, page, kind, text }: ChunkRow,
  idfs: ReadonlyMap<string, number>,
): Passage {
  const document = catalogue.documentOf(chunk);
  const { documentId, title, revision, sourceFile, access, firstChunk } = document;
  return {
    chunkId,
    documentId,
    title,
    ...(revision === undefined ? {} : { revision }),
    supersedes: catalogue.supersedes(document, reader),
    sourceFile,
    headings,
    ...(page === undefined ? {} : { page }),
    position: chunk - firstChunk,
    kind,
    text,
    highlights: highlights(text, idfs),
    score,
    access,
    alsoIn: [],
  };
}
